// The table: the position as this seat may see it, its moves, what the machine thinks, and looking back.

import { $, ask, capital, dot, make, remember, remembered, set, setting, short } from "./common.js";
import { Board } from "./board.js";
import { chart } from "./chart.js";
import { TableSocket } from "./socket.js";

const name = location.pathname.split("/").pop();
const seats = remembered(name);
let socket, state = null, review = null, shownPly = null, positions = new Map(), treePly = null, hinting = false, thought = null;

const board = new Board($("board"), $("choice"), play, choose);

async function start() {
  const invitations = new URLSearchParams(location.hash.slice(1)).getAll("invite");
  for (const invitation of invitations) {
    try {
      const taken = await ask("/api/accept", { table: name, invitation });
      seats.tokens[taken.seat] = taken.token;
      remember(name, seats);
    } catch (problem) {
      if (!Object.keys(seats.tokens).length) return curtain(problem.message, ["Watch the game", watch], ["Begin a new table", () => { location.href = "/"; }]);
    }
  }
  if (invitations.length) history.replaceState(null, "", location.pathname);
  join();
}

function join() {
  socket = new TableSocket(name, Object.values(seats.tokens), { onMessage: receive, onLine: (text) => { $("line").textContent = text; } });
}

function watch() {
  history.replaceState(null, "", location.pathname);
  curtain(null);
  join();
}

/** Something that has to be answered before anything else; null: nothing. */
function curtain(text, ...answers) {
  const before = $("curtain").hidden;
  $("curtain").hidden = text === null;
  document.querySelector("main").inert = text !== null;
  if (text === null) return;
  $("curtain-text").textContent = text;
  $("curtain-buttons").replaceChildren(...answers.map(([label, act], i) => make("button", { type: "button", class: i ? "" : "primary", onclick: act }, label)));
  if (before || !$("curtain").contains(document.activeElement)) $("curtain-buttons").firstElementChild?.focus();
}

function receive(message) {
  if (message.type === "state") showState(message);
  else if (message.type === "thinking") showThought(message, `The search of ${who(message.player)}`);
  else if (message.type === "hint") showHint(message);
  else if (message.type === "review") { review = message; showReview(); }
  else if (message.type === "evaluation" && review) { review.evaluations[message.ply] = message.values; showReview(); }
  else if (message.type === "position") { positions.set(message.ply, message.drawing); if (message.ply === shownPly) showPosition(); }
  else if (message.type === "tree") growTree(message);
  else if (message.type === "notice") complain(message.text);
  else if (message.type === "gone") gone(message.text);
}

// --- the position ----------------------------------------------------------------------------------------------------

function showState(next) {
  const before = state;
  state = next;
  if (before && before.over !== next.over) { review = null; positions.clear(); shownPly = null; }
  const moved = !before || before.turn !== next.turn || before.player !== next.player || before.seat !== next.seat;
  if (moved) { hinting = false; complain(""); advise(""); }
  document.title = `${next.legal.length ? "● " : ""}${next.title} · Icarus`;
  Object.assign(document.body.dataset, { turn: next.turn, over: next.over, seat: next.seat ?? "" });
  $("title").textContent = next.title;
  if (shownPly === null || shownPly >= next.log.length) { shownPly = null; board.show(next.drawing, next.legal, next.several); }
  const inMoves = $("moves").contains(document.activeElement) && document.activeElement.matches(":focus-visible");
  $("turn").textContent = turnText();
  document.body.classList.toggle("your-turn", next.legal.length > 0);
  showPlayers();
  showLegal();
  showLog();
  if (inMoves && !document.activeElement?.closest("#moves")) $("find").focus({ preventScroll: true });
  $("hint").disabled = !next.legal.length || hinting;
  $("undo").hidden = !next.undo;
  $("hint").hidden = next.over || !next.yours.length;
  $("again").hidden = !next.over;
  showRematch(before);
  showLinks();
  handOver();
  if (before && moved) announce(before);
  if (moved && !next.over) thoughtAfterMove();
  if (next.over && !review) { hideThought(); socket.ask({ type: "review" }).catch((problem) => complain(problem.message)); }
  if (!next.over) { $("review").hidden = true; }
  showStepper();
  if (next.yours.length) remember(name, { ...seats, title: next.title, game: next.game, over: next.over, status: turnText(), seen: Date.now() });
}

/** For those who do not see the board: what has just been played, and whose turn it is. */
function announce(before) {
  const fresh = state.log.slice(Math.min(before.log.length, state.log.length)).filter((entry) => !state.yours.includes(entry.player));
  const played = fresh.slice(-8).map(logText);
  $("spoken").textContent = [...played, turnText()].join(". ").replaceAll("..", ".");
}

/** Two people at one screen: what one of them may see is gone before the other looks. */
function handOver() {
  if (state.handover === null) { document.body.classList.remove("covered"); return curtain(null); }
  const next = who(state.handover);
  const look = () => socket.ask({ type: "look", seat: state.handover }).then(() => board.focus()).catch((problem) => complain(problem.message));
  const ready = () => {
    document.body.classList.add("covered");
    curtain(`${next}, is nobody else looking?`, ["Show my side", look]);
  };
  if (state.seat === null || document.body.classList.contains("covered")) return ready();
  curtain(null);
  $("choice").replaceChildren(make("span", {}, `${next} is next.`), make("button", { type: "button", class: "primary", id: "hand-over", onclick: ready }, `Hand over to ${next}`));
  $("choice").hidden = false;
}

function showRematch(before) {
  $("rematch").hidden = !state.over || !state.yours.length;
  $("rematch").textContent = state.rematch ? "Join the rematch" : "Rematch";
  if (!state.rematch) return;
  if (wanted) return follow();
  if (before && !before.rematch) advise("A rematch has been asked for, with everybody one seat further.");
}

let wanted = false;

function rematch() {
  wanted = true;
  if (state.rematch) follow();
  else socket.ask({ type: "rematch" }).catch((problem) => { wanted = false; complain(problem.message); });
}

function follow() {
  const codes = state.rematch.invitations.map((code) => `invite=${code}`).join("&");
  location.href = `/table/${state.rematch.table}${codes ? `#${codes}` : ""}`;
}

const who = (player) => player === -1 ? "Chance" : capital(state.players[player]);

function turnText() {
  if (shownPly !== null) return `After ${shownPly} of ${state.log.length} moves.`;
  if (state.over) return resultText();
  if (state.legal.length) return `Your move${state.yours.length > 1 || state.players.length > 2 ? ` as ${who(state.player)}` : ""}.`;
  const seat = state.seats[state.player];
  if (!seat) return "";
  if (state.yours.includes(state.player)) return `${who(state.player)} is next.`;
  if (seat.kind === "open") return `${who(state.player)} has not come yet: share the link.`;
  return seat.kind === "machine" ? `${who(state.player)} thinks …` : `${who(state.player)} is to move.`;
}

function resultText() {
  const best = Math.max(...state.rewards);
  const winners = state.players.filter((_, i) => state.rewards[i] === best);
  if (state.players.length === 1) return `Over, with ${state.score == null ? state.rewards[0].toFixed(2) : `a score of ${Number(state.score.toFixed(2))}`}.`;
  if (winners.length === state.players.length) return "A draw.";
  const verb = winners.length > 1 ? "win" : "wins";
  return `${winners.map(capital).join(" and ")} ${verb}.`;
}

function showPlayers() {
  $("players").replaceChildren(...state.players.map((player, i) => {
    const seat = state.seats[i];
    const mine = state.yours.includes(i);
    const kind = mine ? "you" : seat.kind === "machine" ? `machine, ${seat.strength}` : seat.kind === "open" ? "open seat" : "somebody else";
    return make("li", { class: state.player === i ? "acts" : "", "aria-current": state.player === i ? "true" : null },
      dot(state.colours[i]), make("span", { class: "name" }, capital(player)), make("span", { class: "quiet" }, kind),
      state.over ? make("span", { class: "reward" }, String(Number(state.rewards[i].toFixed(3)))) : null);
  }));
}

function showLegal() {
  $("moves").hidden = !state.yours.length || state.over || state.handover !== null;
  $("find").disabled = false;
  if (!state.legal.length) { $("legal").replaceChildren(make("li", { class: "quiet" }, "It is not your turn.")); return; }
  $("find").value = "";
  listLegal("");
}

/** One thing of a choice of several is chosen, not played. */
function pickMove(move) {
  if (state.several?.number && move.keys.length === 1) board.toggleKey(move.keys[0]);
  else play(move.action);
}

function fitting(text) {
  const wanted = text.trim().toLowerCase();
  const all = state?.legal || [];
  if (!wanted) return all;
  const begins = all.filter((move) => move.label.toLowerCase().startsWith(wanted));
  return begins.length ? begins : all.filter((move) => move.label.toLowerCase().includes(wanted));
}

function listLegal(text) {
  const moves = state.several?.number ? several() : fitting(text);
  const focused = document.activeElement?.closest?.("#legal")?.contains(document.activeElement) ? document.activeElement.textContent : null;
  $("legal").replaceChildren(...moves.map((move) => make("li", {},
    make("button", { type: "button", "data-move": move.action, onclick: () => pickMove(move) }, move.label))));
  if (focused !== null) [...$("legal").querySelectorAll("button")].find((button) => button.textContent === focused)?.focus({ preventScroll: true });
}

/** Everything that may be part of a choice of several, though the game itself takes them in an order of its own. */
function several() {
  const text = $("find").value.trim().toLowerCase();
  return state.several.keys.filter((key) => key.toLowerCase().includes(text)).map((key) => ({ action: key, label: key, keys: [key] }));
}

function showLog() {
  const lines = state.log.map((entry, i) => make("li", { class: entry.player === -1 ? "chance" : "" },
    state.over || !state.secret
      ? make("button", { type: "button", class: "plain", "data-ply": i + 1, onclick: () => goTo(i + 1) }, logText(entry))
      : make("span", {}, logText(entry))));
  $("log").replaceChildren(...lines);
  $("log").scrollTop = $("log").scrollHeight;
}

const logText = (entry) => `${entry.player === -1 ? "" : `${who(entry.player)}: `}${entry.text}${entry.times ? `, ${entry.times} times` : ""}`;

function play(action) {
  board.chooser.hidden = true;
  if (shownPly !== null) return goTo(null);
  complain("");
  socket.ask({ type: "move", turn: state.turn, action }).catch((problem) => { complain(problem.message); board.forget(); });
}

function choose(keys) {
  complain("");
  socket.ask({ type: "choose", turn: state.turn, keys }).catch((problem) => complain(problem.message));
}

/** A line below the board, where everybody looks. */
function advise(text) {
  $("advice").textContent = text;
  $("advice").hidden = !text;
}

function complain(text) { $("problem").textContent = text; }

function gone(text) {
  complain(text);
  $("turn").textContent = "";
  if (Object.keys(seats.tokens).length) { // a token that the table does not know: watch instead
    seats.tokens = {};
    socket = new TableSocket(name, [], { onMessage: receive, onLine: (line) => { $("line").textContent = line; } });
    return;
  }
  $("board").replaceChildren(make("p", { class: "secret" }, make("a", { href: "/" }, "Begin a new table")));
}

// --- links -----------------------------------------------------------------------------------------------------------

function showLinks() {
  const open = Object.entries(seats.invitations).filter(([seat]) => state.seats[seat]?.kind === "open");
  const links = open.map(([seat, code]) => [`${who(Number(seat))}: send this to whoever is to play`, `${location.origin}/table/${name}#invite=${code}`]);
  links.push([state.secret ? "To watch (what is hidden is shown at the end)" : "To watch", `${location.origin}/table/${name}`]);
  $("links").replaceChildren(...links.map(([text, url]) => {
    const field = make("input", { readonly: true, value: url, "aria-label": text, onfocus: (event) => event.target.select() });
    const button = make("button", { type: "button", onclick: () => copy(field, button) }, "Copy");
    return make("div", { class: "link" }, make("span", {}, text), make("div", {}, field, button));
  }));
  if (open.length && !showLinks.offered) { showLinks.offered = true; toggleLinks(true); }
  if (!open.length && showLinks.offered) { showLinks.offered = false; toggleLinks(false); }
}

async function copy(field, button) {
  field.select();
  try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); }
  button.textContent = "Copied";
}

function toggleLinks(open) {
  $("links").hidden = !open;
  $("share").setAttribute("aria-expanded", String(open));
}

// --- what the machine thinks -----------------------------------------------------------------------------------------

function showThought(found, title, ply = null) {
  thought = found;
  $("thinking").hidden = false;
  $("thinking").dataset.iterations = found.iterations;
  $("thinking-title").textContent = title;
  const facts = [`${short(found.iterations)} iterations`, `${short(found.speed)}/s`, `${short(found.records)} records`,
    `${(found.bytes / 2 ** 20).toFixed(1)} MiB`, `depth ${found.depth}`];
  if (found.proof) facts.unshift(found.proof);
  $("facts").textContent = facts.join(" · ");
  $("expected").textContent = `${who(found.player)} expects`;
  const rows = found.rows.map((row) => make("tr", { class: row.label === found.best ? "best" : "", title: `${row.visits.toLocaleString("en")} visits` },
    make("th", { scope: "row" }, row.label),
    make("td", {}, bar(row.share ?? 0, state.colours[found.player]), make("span", {}, percent(row.share ?? 0))),
    make("td", {}, row.visits ? bar(row.mean[found.player], "accent") : null, make("span", {}, row.proven ? row.proven : row.visits ? row.mean[found.player].toFixed(2) : "never tried"))));
  if (found.more) rows.push(make("tr", {}, make("th", { scope: "row", class: "quiet" }, `… ${found.more} more`), make("td"), make("td")));
  $("rows").replaceChildren(...rows);
  $("reading").textContent = `Tried: in so many of its playouts. Expected: how they ended for ${who(found.player)}, from 0 (lost) to 1 (won).`;
  const line = found.score == null ? found.line : found.scored; // of a game for one the best playout, in the game's own units
  const told = found.score == null ? "Expects" : `Best playout: ${Number(found.score.toFixed(2))} by`;
  $("pv").textContent = line.length > 1 || found.score != null ? `${told} ${line.join("  ")}` : "";
  $("open-tree").hidden = ply === null;
  $("open-tree").onclick = () => openTree(ply);
  if (ply === null) showShares();
}

const percent = (share) => share && share < 0.005 ? "< 1 %" : `${Math.round(100 * share)} %`;

function showShares() {
  if (thought && setting("shares") && shownPly === null) board.shares(thought.rows);
  else board.shares([]);
}

function bar(share, kind) {
  const inner = make("i", { style: `--colour: var(--icarus-${kind || "soft"})` });
  inner.style.width = `${Math.round(100 * Math.max(0, Math.min(1, share)))}%`;
  return make("b", { class: "bar", "aria-hidden": "true" }, inner);
}

function hideThought() {
  thought = null;
  board.shares([]);
  $("thinking").hidden = true;
  delete $("thinking").dataset.iterations;
}

/** After a machine's move its last statistics stay, and its tree can be opened. */
function thoughtAfterMove() {
  $("tree").hidden = true;
  const last = state.thoughts.at(-1);
  const thinks = state.seats[state.player]?.kind === "machine";
  if (last === undefined || $("thinking").hidden) { if (!thinks) hideThought(); return; }
  $("thinking-title").textContent = `What ${who(state.log[last]?.player ?? 0)} thought`;
  $("open-tree").hidden = false;
  $("open-tree").onclick = () => openTree(last);
}

function hint() {
  hinting = true;
  $("hint").disabled = true;
  socket.ask({ type: "hint" }).catch((problem) => { hinting = false; complain(problem.message); });
}

function showHint(message) {
  showThought(message, message.final ? `Hint: ${message.best}` : "Looking for a hint …");
  const best = message.rows.find((row) => row.action === message.action);
  if (shownPly === null && best) board.point(message.action, best.keys);
  if (!message.final) return advise("Looking for a hint …");
  hinting = false;
  $("hint").disabled = false;
  advise(`Hint: ${message.best}${best ? `, expected ${best.mean[message.player].toFixed(2)} for ${who(message.player)} (0 lost, 1 won)` : ""}`);
}

// --- looking back ----------------------------------------------------------------------------------------------------

function showStepper() {
  const can = state.log.length > 0 && (state.over || !state.secret);
  $("stepper").hidden = !can;
  $("ply").max = state.log.length;
  $("ply").value = shownPly ?? state.log.length;
  const at = Number($("ply").value);
  $("where").textContent = at === state.log.length ? `${at} ${at === 1 ? "move" : "moves"}` : `${at} of ${state.log.length}`;
  $("first").disabled = $("back").disabled = at === 0;
  $("last").disabled = $("forth").disabled = at === state.log.length;
  for (const button of document.querySelectorAll("[data-ply]")) {
    button.setAttribute("aria-current", String(Number(button.dataset.ply) === at));
  }
}

function goTo(ply) {
  const last = state.log.length;
  shownPly = ply === null || ply >= last ? null : Math.max(0, ply);
  if (shownPly === null) board.show(state.drawing, state.legal, state.several);
  else if (positions.has(shownPly)) showPosition();
  else socket.ask({ type: "position", ply: shownPly }).catch((problem) => complain(problem.message));
  $("turn").textContent = turnText();
  showStepper();
  if (review) showReview();
}

function showPosition() {
  board.show(positions.get(shownPly), []);
}

function showReview() {
  $("review").hidden = false;
  const last = review.moves.length;
  const at = shownPly ?? last;
  const values = { ...review.evaluations, [last]: review.rewards };
  $("chart").replaceChildren(chart(values, state.players.map(capital), state.colours, last, at, goTo));
  $("legend").replaceChildren(...state.players.map((player, i) => make("li", {}, dot(state.colours[i]), capital(player),
    make("b", {}, values[at] ? values[at][i].toFixed(2) : "…"))));
  const decided = review.decisions.includes(at);
  const thought = review.thoughts[at];
  if (thought) showThought(thought, `What ${who(thought.player)} thought before ${review.moves[at].text}`, at);
  else if (decided) {
    hideThought();
    $("thinking").hidden = false;
    $("thinking-title").textContent = `${who(review.moves[at].player)} played ${review.moves[at].text}`;
    for (const part of ["facts", "reading"]) $(part).textContent = "";
    $("rows").replaceChildren();
    $("pv").textContent = "";
    $("open-tree").hidden = false;
    $("open-tree").onclick = () => openTree(at);
  } else hideThought();
  $("thinking").classList.toggle("empty", !thought);
  if (treePly !== at) $("tree").hidden = true;
}

// --- the tree --------------------------------------------------------------------------------------------------------

function openTree(ply) {
  treePly = ply;
  $("tree").hidden = false;
  $("tree-title").textContent = "Search tree";
  $("root").replaceChildren(make("li", { class: "quiet" }, "Opening …"));
  socket.ask({ type: "tree", ply, path: [] }).catch((problem) => { $("root").replaceChildren(make("li", { class: "problem" }, problem.message)); });
  $("tree").scrollIntoView({ block: "nearest" });
}

function growTree(message) {
  if (message.ply !== treePly) return;
  const list = message.path.length ? $("root").querySelector(`ul[data-path="${message.path.join("-")}"]`) : $("root");
  if (!list) return;
  const most = Math.max(1, ...message.children.map((child) => child.visits));
  const items = message.children.map((child) => node(message, child, most));
  if (message.more) items.push(make("li", { class: "quiet" }, `… ${message.more} more`));
  if (!items.length) items.push(make("li", { class: "quiet" }, message.rewards ? `the end: ${message.rewards.map((r) => Number(r.toFixed(2))).join(" – ")}` : "nothing below"));
  list.replaceChildren(...items);
}

function node(message, child, most) {
  const path = [...message.path, child.action];
  const inside = make("ul", { class: "nodes", "data-path": path.join("-"), hidden: true });
  const player = message.player;
  const mean = player >= 0 ? child.mean[player] : null;
  const button = make("button", { type: "button", class: "node", "aria-expanded": "false", onclick: () => {
    const open = inside.hidden;
    inside.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    if (open && !inside.childElementCount) socket.ask({ type: "tree", ply: message.ply, path }).catch((problem) => complain(problem.message));
  } },
    dot(state.colours[player]), make("span", { class: "label" }, child.label), bar(child.visits / most, state.colours[player]),
    make("span", { class: "number" }, short(child.visits)), make("span", { class: "number" }, child.proven ? child.proven : mean === null || !child.visits ? "" : mean.toFixed(2)));
  button.setAttribute("aria-label", `${player < 0 ? "chance" : who(player)} ${child.label}, ${child.visits} visits${child.proven ? `, proven ${child.proven}` : mean === null ? "" : `, expected ${mean.toFixed(2)}`}`);
  return make("li", {}, button, inside);
}

// --- controls --------------------------------------------------------------------------------------------------------

$("hint").addEventListener("click", hint);
$("undo").addEventListener("click", () => socket.ask({ type: "undo" }).catch((problem) => complain(problem.message)));
$("share").addEventListener("click", () => toggleLinks($("links").hidden));
$("find").addEventListener("input", () => listLegal($("find").value));
$("find").addEventListener("keydown", (event) => {
  if (event.key === "Escape") { $("find").value = ""; listLegal(""); complain(""); }
  if (event.key !== "Enter") return;
  const [move] = state.several?.number ? several() : fitting($("find").value);
  if (move && $("find").value.trim()) { pickMove(move); if (state.several?.number) { $("find").value = ""; listLegal(""); } }
  else complain(`“${$("find").value}” is not among your moves.`);
});
$("rematch").addEventListener("click", rematch);
$("shares").checked = setting("shares");
$("shares").addEventListener("change", () => { set("shares", $("shares").checked); showShares(); });
$("first").addEventListener("click", () => goTo(0));
$("back").addEventListener("click", () => goTo((shownPly ?? state.log.length) - 1));
$("forth").addEventListener("click", () => goTo((shownPly ?? state.log.length) + 1));
$("last").addEventListener("click", () => goTo(null));
$("ply").addEventListener("input", () => goTo(Number($("ply").value)));
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey || !state) return;
  if (event.key === "h" && !$("hint").disabled && !$("hint").hidden) hint();
  else if (event.key === "/" && !$("moves").hidden) { event.preventDefault(); $("find").focus(); }
  else if (event.key === "ArrowLeft" && !$("stepper").hidden && !$("back").disabled) $("back").click();
  else if (event.key === "ArrowRight" && !$("stepper").hidden && !$("forth").disabled) $("forth").click();
});

start();
