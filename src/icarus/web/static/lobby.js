// Choosing a game, its seats and how strong the machines play.

import { $, ask, capital, dot, drawing, forget, make, remember, tables } from "./common.js";

const PAUSE = 350; // milliseconds without a key, then the preview follows
let asked = 0;
let shown = null;
let looking = Promise.resolve(true);
let timer = 0;

async function start() {
  let offers;
  try {
    offers = (await ask("/api/games")).games;
  } catch (problem) {
    $("games").replaceChildren(make("p", { class: "problem" }, problem.message));
    return;
  }
  listTables();
  const groups = new Map();
  for (const offer of offers) groups.set(offer.group, [...(groups.get(offer.group) || []), offer]);
  $("games").replaceChildren(...[...groups].map(([group, members]) => make("section", {},
    make("h2", {}, group),
    make("ul", {}, ...members.map((offer) => make("li", {},
      make("button", { type: "button", "data-game": offer.name, onclick: () => choose(offer) }, offer.title)))))));
  const wanted = () => {
    const name = decodeURIComponent(location.hash.slice(1));
    return offers.find((offer) => offer.name === name || offer.name.split("(")[0] === name);
  };
  window.addEventListener("hashchange", () => { if (wanted()) choose(wanted()); });
  choose(wanted() || offers.find((offer) => offer.name === "othello") || offers[0]);
}

/** Where this browser has a seat; tables that the server does not have any more are forgotten. */
async function listTables() {
  const mine = tables().slice(0, 50);
  if (!mine.length) return;
  const known = await ask("/api/known", { tables: mine.map((one) => one.table) }).then((answer) => answer.tables).catch(() => null);
  if (!known) return;
  for (const one of mine) if (!(one.table in known)) forget(one.table);
  const rows = mine.filter((one) => one.table in known).map((one) => {
    const { over, player } = known[one.table];
    const yours = !over && Object.keys(one.tokens).includes(String(player));
    const row = make("li", { class: yours ? "yours" : "" },
      make("a", { href: `/table/${one.table}` }, make("span", {}, one.title || "A table"),
        make("span", { class: "quiet small" }, over ? one.over && one.status || "over" : yours ? "your move" : "in play")),
      make("button", { type: "button", class: "plain", "aria-label": `Take ${one.title || "the table"} off the list`, onclick: () => { forget(one.table); row.remove(); $("mine").hidden = !$("tables").childElementCount; } }, "×"));
    return row;
  });
  $("tables").replaceChildren(...rows);
  $("mine").hidden = !rows.length;
}

function choose(offer) {
  for (const button of document.querySelectorAll("[data-game]")) {
    button.setAttribute("aria-current", String(button.dataset.game === offer.name));
  }
  history.replaceState(null, "", `#${encodeURIComponent(offer.name)}`);
  $("title").textContent = offer.title;
  $("variant").value = offer.name;
  $("variant-field").hidden = offer.group === "Rule sheets" || offer.group === "Yours";
  look(offer.name);
}

/** Ask for the game as it is written, and set the table for it. */
function look(text) {
  clearTimeout(timer);
  looking = preview(text, ++asked);
  return looking;
}

/** Is the table set? */
async function preview(text, number) {
  $("form").hidden = false;
  $("preview").classList.add("waiting");
  try {
    const game = await ask(`/api/preview?game=${encodeURIComponent(text)}`);
    if (number !== asked) return looking;
    $("problem").textContent = "";
    $("preview").replaceChildren(drawing(game.drawing));
    $("title").textContent = game.title;
    document.title = `${game.title} · Icarus`;
    $("rules").textContent = capital(game.rules || game.summary);
    const { example, meaning } = game.parameters;
    $("parameters").textContent = example ? `For example ${example}. ${meaning}` : "It has no parameters.";
    const traits = [["hidden information", game.hidden], ["chance", game.chance], ["simultaneous moves", game.simultaneous]];
    $("traits").replaceChildren(...traits.filter(([, has]) => has).map(([name]) => make("li", {}, name)));
    if (!shown || shown.players.join("\n") !== game.players.join("\n")) seats(game.players, game.colours);
    shown = game;
    return true;
  } catch (problem) {
    if (number !== asked) return looking;
    $("problem").textContent = problem.message;
    return false;
  } finally {
    if (number === asked) $("preview").classList.remove("waiting");
    if (number === asked) document.body.dataset.shown = text;
  }
}

function seats(players, colours) {
  $("seats").replaceChildren(...players.map((player, number) => {
    const row = $("seat-row").content.cloneNode(true).firstElementChild;
    row.querySelector(".who").replaceChildren(dot(colours[number]), capital(player));
    const kind = row.querySelector(".kind");
    kind.value = number === 0 ? "you" : "medium";
    kind.addEventListener("change", () => { row.querySelector(".custom").hidden = kind.value !== "custom"; });
    return row;
  }));
}

function seat(row) {
  const kind = row.querySelector(".kind").value;
  if (kind === "you" || kind === "open") return { kind };
  if (kind !== "custom") return { kind: "machine", strength: { preset: kind } };
  const value = (name) => row.querySelector(`.${name}`).value.trim();
  const number = (name) => {
    const text = value(name).replace(",", ".");
    if (text === "") return null;
    if (!Number.isFinite(Number(text))) throw new Error(`${capital(name)}: “${text}” is not a number.`);
    return Number(text);
  };
  const strength = { seconds: number("seconds"), iterations: number("iterations"), strength: number("strength"), algorithm: value("algorithm"), strategy: value("strategy"), managed: row.querySelector(".managed").checked };
  return { kind: "machine", strength };
}

/** Set the table as it is written now, even if the preview is not there yet. */
async function begin(event) {
  event.preventDefault();
  $("begin").setAttribute("aria-busy", "true");
  if ($("variant").value !== document.body.dataset.shown) look($("variant").value);
  try {
    if (!(await looking)) return;
    $("problem").textContent = "";
    const wanted = [...document.querySelectorAll(".seat-row")].map(seat);
    const made = await ask("/api/tables", { game: $("variant").value, seats: wanted });
    remember(made.table, { tokens: made.tokens, invitations: made.invitations, title: $("title").textContent, seen: Date.now() });
    location.href = `/table/${made.table}`;
  } catch (problem) {
    $("problem").textContent = problem.message;
  } finally {
    $("begin").removeAttribute("aria-busy");
  }
}

$("form").addEventListener("submit", begin);
$("variant").addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(() => look($("variant").value), PAUSE); });
$("variant").addEventListener("change", () => { if ($("variant").value !== document.body.dataset.shown) look($("variant").value); });
window.addEventListener("pageshow", (event) => { if (event.persisted) listTables(); });
start();
