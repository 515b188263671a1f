// Choosing a game, its seats and how strong the machines play.

import { $, ask, capital, drawing, make, remember } from "./common.js";

let asked = 0;
let shown = null;

async function start() {
  let offers;
  try {
    offers = (await ask("/api/games")).games;
  } catch (problem) {
    $("games").replaceChildren(make("p", { class: "problem" }, problem.message));
    return;
  }
  const groups = new Map();
  for (const offer of offers) groups.set(offer.group, [...(groups.get(offer.group) || []), offer]);
  $("games").replaceChildren(...[...groups].map(([group, members]) => make("section", {},
    make("h2", {}, group),
    make("ul", {}, ...members.map((offer) => make("li", {},
      make("button", { type: "button", "data-game": offer.name, onclick: () => choose(offer) }, offer.title)))))));
  const wanted = decodeURIComponent(location.hash.slice(1));
  choose(offers.find((offer) => offer.name === wanted) || offers.find((offer) => offer.name === "othello") || offers[0]);
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
async function look(text) {
  const number = ++asked;
  $("problem").textContent = "";
  $("form").hidden = false;
  $("preview").classList.add("waiting");
  $("begin").disabled = true;
  try {
    const game = await ask(`/api/preview?game=${encodeURIComponent(text)}`);
    if (number !== asked) return;
    $("preview").replaceChildren(drawing(game.drawing));
    $("summary").textContent = capital(game.summary);
    const traits = [["hidden information", game.hidden], ["chance", game.chance], ["simultaneous moves", game.simultaneous]];
    $("traits").replaceChildren(...traits.filter(([, has]) => has).map(([name]) => make("li", {}, name)));
    if (!shown || shown.players.join("\n") !== game.players.join("\n")) seats(game.players);
    shown = game;
    $("begin").disabled = false;
  } catch (problem) {
    if (number === asked) $("problem").textContent = problem.message;
  } finally {
    if (number === asked) $("preview").classList.remove("waiting");
  }
}

function seats(players) {
  $("seats").replaceChildren(...players.map((player, number) => {
    const row = $("seat-row").content.cloneNode(true).firstElementChild;
    row.querySelector(".who").textContent = capital(player);
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
  const strength = { seconds: number("seconds"), iterations: number("iterations"), algorithm: value("algorithm"), strategy: value("strategy") };
  return { kind: "machine", strength };
}

async function begin(event) {
  event.preventDefault();
  $("problem").textContent = "";
  $("begin").disabled = true;
  try {
    const wanted = [...document.querySelectorAll(".seat-row")].map(seat);
    const made = await ask("/api/tables", { game: $("variant").value, seats: wanted });
    remember(made.table, { tokens: made.tokens, invitations: made.invitations });
    location.href = `/table/${made.table}`;
  } catch (problem) {
    $("problem").textContent = problem.message;
    $("begin").disabled = false;
  }
}

$("form").addEventListener("submit", begin);
$("variant").addEventListener("change", () => look($("variant").value));
window.addEventListener("pageshow", () => { if (shown) $("begin").disabled = false; });
start();
