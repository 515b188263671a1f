// Each player's expected result over the game.

const WIDTH = 360, HEIGHT = 150, LEFT = 40, BOTTOM = 18, TOP = 6, RIGHT = 6;

function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** values: ply -> expected result of each player, the last ply being the end itself; pick(ply) is called for a click. */
export function chart(values, names, colours, last, current, pick) {
  const x = (ply) => LEFT + (WIDTH - LEFT - RIGHT) * (last ? ply / last : 0);
  const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value);
  const plies = Object.keys(values).map(Number).sort((a, b) => a - b);
  const picture = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img",
    "aria-label": `Expected results over ${last} moves: ${names.map((name, i) => `${name} ends with ${values[last]?.[i]}`).join(", ")}`,
  });
  for (const [value, text] of [[0, "loss"], [0.5, "even"], [1, "win"]]) {
    picture.append(svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value), class: "grid" }),
      svg("text", { x: LEFT - 5, y: y(value) + 3, "text-anchor": "end" }, text));
  }
  picture.append(svg("line", { x1: x(current), x2: x(current), y1: TOP, y2: HEIGHT - BOTTOM, class: "now" }));
  picture.append(svg("text", { x: x(current), y: HEIGHT - 4, "text-anchor": current > last * 0.9 ? "end" : "middle" }, `move ${current}`));
  names.forEach((name, player) => {
    const points = plies.filter((ply) => values[ply]).map((ply) => `${x(ply).toFixed(1)},${y(values[ply][player]).toFixed(1)}`);
    const style = `--colour: var(--icarus-${colours[player]})`;
    // a line around the line: white is seen on white, and black on black
    picture.append(svg("polyline", { points: points.join(" "), class: "around" }), svg("polyline", { points: points.join(" "), style }));
    if (values[current]) picture.append(svg("circle", { cx: x(current), cy: y(values[current][player]), r: 3.5, style }));
  });
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDTH;
    pick(Math.max(0, Math.min(last, Math.round(((at - LEFT) / (WIDTH - LEFT - RIGHT)) * last))));
  });
  return picture;
}
