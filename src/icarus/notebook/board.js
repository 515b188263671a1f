// A position in a notebook: the drawing, a line below it, and buttons for moves without a place on the drawing.
// The model has svg, told and moves: [{action, label, keys}], empty while nobody here is to act.

function render({ model, el }) {
  const board = document.createElement("div");
  const line = document.createElement("p");
  const list = document.createElement("div");
  board.style.maxWidth = "32em";
  line.setAttribute("aria-live", "polite");
  el.append(board, line, list);
  let clicked = [];

  const moves = () => model.get("moves");
  const fitting = (keys) => moves().filter((move) => keys.every((key, i) => move.keys[i] === key));
  const parts = () => board.querySelectorAll("[data-square], [data-action]");

  function play(action) {
    clicked = [];
    model.send({ action });
  }

  function offer(chosen) {
    list.replaceChildren(
      ...chosen.map((move) => {
        const button = document.createElement("button");
        button.textContent = move.label;
        button.onclick = () => play(move.action);
        return button;
      }),
    );
  }

  function mark() {
    const next = new Set(clicked.length ? fitting(clicked).map((move) => move.keys[clicked.length]) : []);
    for (const part of parts()) {
      part.classList.toggle("selected", clicked.includes(part.dataset.square));
      part.classList.toggle("target", next.has(part.dataset.square));
    }
  }

  function click(part) {
    const { action, square } = part.dataset;
    if (action !== undefined && !clicked.length) {
      if (moves().some((move) => move.action === Number(action))) play(Number(action));
      return;
    }
    const keys = fitting([...clicked, square]).length ? [...clicked, square] : [square]; // another first square begins anew
    const found = fitting(keys);
    const whole = found.filter((move) => move.keys.length === keys.length);
    if (whole.length === 1 && found.length === 1) return play(whole[0].action);
    clicked = found.length ? keys : [];
    mark();
    if (whole.length) offer(found);
  }

  function show() {
    clicked = [];
    board.innerHTML = model.get("svg");
    line.textContent = model.get("told");
    const keys = new Set(moves().flatMap((move) => move.keys));
    for (const part of parts()) {
      if (!moves().length || (part.dataset.action === undefined && !keys.has(part.dataset.square))) continue;
      part.setAttribute("tabindex", "0");
      part.setAttribute("role", "button");
      part.onkeydown = (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        click(part);
      };
    }
    offer(moves().filter((move) => !move.keys.length && !board.querySelector(`[data-action="${move.action}"]`)));
  }

  board.onclick = (event) => {
    const part = event.target.closest("[data-square], [data-action]");
    if (part) click(part);
  };
  for (const name of ["svg", "told", "moves"]) model.on(`change:${name}`, show);
  show();
}

export default { render };
