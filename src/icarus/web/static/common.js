// What both pages share: making elements, asking the server, remembering seats.

export const $ = (id) => document.getElementById(id);

/** An element with attributes and children; texts become text, never markup. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** A drawing from the server as an element, with a name of its own for every style in it. */
export function drawing(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return document.importNode(parsed, true);
}

export async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error("The server does not answer.");
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(data.error || "The server does not understand.");
  return data;
}

/** The seats that this browser holds at a table, and the invitations that it may give away. */
export function remembered(table) {
  try {
    return { tokens: {}, invitations: {}, ...JSON.parse(localStorage.getItem(`icarus:${table}`) || "{}") };
  } catch {
    return { tokens: {}, invitations: {} };
  }
}

export function remember(table, seats) {
  localStorage.setItem(`icarus:${table}`, JSON.stringify(seats));
}

export function forget(table) {
  localStorage.removeItem(`icarus:${table}`);
}

/** The tables at which this browser holds a seat, the one looked at last first. */
export function tables() {
  const names = Object.keys(localStorage).filter((key) => key.startsWith("icarus:")).map((key) => key.slice(7));
  const known = names.map((table) => ({ table, ...remembered(table) })).filter((one) => Object.keys(one.tokens).length);
  return known.sort((a, b) => (b.seen || 0) - (a.seen || 0));
}

/** A dot in a player's colour; the palette is the server's, as in the drawings. */
export const dot = (colour) => make("span", { class: "dot", style: `--colour: var(--icarus-${colour || "soft"})` });

/** A setting of this browser. */
export const setting = (name) => localStorage.getItem(`icarus-${name}`) === "yes";
export const set = (name, value) => localStorage.setItem(`icarus-${name}`, value ? "yes" : "no");

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** 12345 -> 12.3 k */
export function short(number) {
  if (number >= 1e9) return `${(number / 1e9).toFixed(1)} G`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  if (number >= 1e4) return `${(number / 1e3).toFixed(0)} k`;
  return number.toLocaleString("en");
}
