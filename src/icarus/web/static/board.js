// The drawing as something to play on: single actions, moves of several squares (from, to), choices of several things.

import { drawing, make } from "./common.js";

const SMALLEST_TEXT = 11, SMALLEST_TARGET = 36; // pixels
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const SVG = "http://www.w3.org/2000/svg";

export class Board {
  /** play(action) plays a move, choose(keys) several things at once. */
  constructor(place, chooser, play, choose) {
    Object.assign(this, { place, chooser, play, choose, legal: [], picked: [], several: null, chosen: new Set() });
    place.addEventListener("click", (event) => this.click(event.target));
    place.addEventListener("keydown", (event) => this.key(event));
    place.addEventListener("focusin", (event) => this.rove(event.target.closest("svg [tabindex]")));
    chooser.addEventListener("keydown", (event) => { if (event.key === "Escape") { this.forget(); this.focus(); } });
    place.setAttribute("tabindex", "-1");
    new ResizeObserver(() => this.fit()).observe(place);
  }

  show(text, legal, several = null) {
    // who is on the board stays there, also while others move
    const focused = this.place.contains(document.activeElement);
    const element = focused ? document.activeElement.closest("[data-square], [data-action]") : null;
    const at = this.at = element ? nameOf(element) : focused ? this.at : null;
    const left = this.place.scrollLeft; // a new drawing begins at the left again
    const kept = this.several && several && this.legal.length && legal.length ? [...this.chosen].map(nameOf) : [];
    Object.assign(this, { legal, several, picked: [] });
    if (text !== this.text) {
      this.text = text;
      if (text) {
        const picture = drawing(text);
        picture.setAttribute("role", "group"); // inside an image nothing could be reached
        this.place.replaceChildren(picture);
      } else {
        this.place.replaceChildren(make("p", { class: "secret" }, "Nothing of this position is open to everybody: it is shown when the game is over."));
      }
      this.chosen = new Set();
      for (const name of kept) {
        const free = this.all().find((element) => nameOf(element) === name && !this.chosen.has(element));
        if (free) this.chosen.add(free);
      }
    }
    if (!several) this.chosen.clear();
    this.clear();
    this.equip(at);
    this.mark();
    this.offer();
    this.fit(left);
    if (focused) this.focus();
  }

  all() { return [...this.place.querySelectorAll("[data-square], [data-action]")]; }

  usable(element) {
    const { action, square } = element.dataset;
    if (this.several && square !== undefined) return this.legal.length > 0 && this.several.keys.includes(square);
    return this.legal.some((move) => String(move.action) === action || move.keys.includes(square));
  }

  /** One stop for the Tab key on the whole board; the arrows go on from there. */
  equip(at) {
    let first = null;
    for (const element of this.all()) {
      element.removeAttribute("tabindex");
      element.removeAttribute("role");
      if (!this.usable(element)) continue;
      element.setAttribute("tabindex", "-1");
      element.setAttribute("role", "button");
      if (first === null || (at && nameOf(element) === at && nameOf(first) !== at)) first = element;
    }
    if (first) first.setAttribute("tabindex", "0");
  }

  rove(element) {
    if (!element) return;
    for (const other of this.place.querySelectorAll('[tabindex="0"]')) other.setAttribute("tabindex", "-1");
    element.setAttribute("tabindex", "0");
  }

  focus() { (this.place.querySelector('[tabindex="0"]') || this.place).focus({ preventScroll: true }); }

  key(event) {
    if (event.key === "Escape") this.forget();
    const element = event.target.closest?.("[data-action], [data-square]");
    if (!element) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.click(element);
    } else if (DIRECTIONS[event.key]) {
      event.preventDefault();
      event.stopPropagation();
      this.next(element, DIRECTIONS[event.key])?.focus();
    }
  }

  /** The nearest thing in a direction. */
  next(from, [dx, dy]) {
    const middle = (element) => { const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
    const [x, y] = middle(from);
    let best = null, least = Infinity;
    for (const element of this.place.querySelectorAll("[tabindex]")) {
      const [a, b] = middle(element);
      const along = (a - x) * dx + (b - y) * dy, aside = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
      if (element === from || along < 2 || aside > 3 * along) continue;
      if (along + 2 * aside < least) { least = along + 2 * aside; best = element; }
    }
    return best;
  }

  // --- clicks --------------------------------------------------------------------------------------------------------

  click(target) {
    const element = target.closest("[data-action], [data-square]");
    if (!element || !this.legal.length) return;
    if (this.several && element.dataset.square !== undefined && this.usable(element)) return this.toggle(element);
    this.chooser.hidden = true;
    const fits = this.continued(element) || this.begun(element);
    if (fits) return this.follow(fits);
    const single = this.legal.find((move) => String(move.action) === element.dataset.action);
    if (single) this.play(single.action);
    else this.forget();
  }

  /** A click that goes on with what was begun; a piece that stands on the target does not hide it. */
  continued(element) {
    if (!this.picked.length) return null;
    if (this.picked.at(-1) === element.dataset.square && !this.legal.some((move) => begins(move.keys, [...this.picked, element.dataset.square]))) {
      this.forget();
      return [];
    }
    for (const key of keysAround(element)) {
      const line = [...this.picked, key];
      const fits = this.legal.filter((move) => begins(move.keys, line));
      if (fits.length) { this.picked = line; return fits; }
    }
    return null;
  }

  begun(element) {
    for (const key of keysAround(element)) {
      const fits = this.legal.filter((move) => move.keys[0] === key);
      if (fits.length) { this.picked = [key]; return fits; }
    }
    return null;
  }

  /** Play what is complete; ask where several moves look alike. */
  follow(fits) {
    if (!fits.length) return;
    const complete = fits.filter((move) => move.keys.length === this.picked.length);
    if (complete.length === 1 && fits.length === 1) {
      this.picked = [];
      this.play(complete[0].action);
    } else {
      this.mark();
      if (complete.length) this.ask(fits);
    }
  }

  ask(moves) {
    const buttons = moves.map((move) => make("button", { type: "button", onclick: () => this.play(move.action) }, move.label));
    this.chooser.replaceChildren(make("span", {}, "Which one?"), ...buttons,
      make("button", { type: "button", class: "plain", onclick: () => { this.forget(); this.focus(); } }, "Never mind"));
    this.chooser.hidden = false;
    buttons[0].focus();
  }

  // --- several things at once ----------------------------------------------------------------------------------------

  toggle(element) {
    if (!this.chosen.delete(element)) {
      if (this.several.number && this.chosen.size >= this.several.number) this.chosen.delete([...this.chosen][0]);
      this.chosen.add(element);
    }
    this.mark();
    this.offer();
  }

  /** Choose by name, as the list of moves does. */
  toggleKey(key) {
    const element = this.all().find((one) => one.dataset.square === key && this.usable(one));
    if (element) this.toggle(element);
  }

  /** What was chosen is played by a click of its own, and can be taken back before. */
  offer() {
    if (!this.several || !this.chosen.size) { this.chooser.hidden = true; return; }
    const keys = [...this.chosen].map((element) => element.dataset.square);
    const { number, verb } = this.several;
    const missing = number ? number - keys.length : 0;
    const play = make("button", { type: "button", class: "primary", id: "confirm", disabled: missing > 0, onclick: () => this.choose(keys) },
      missing > 0 ? `${missing} more` : verb);
    this.chooser.replaceChildren(make("span", { role: "status" }, keys.join("  ")), play,
      make("button", { type: "button", class: "plain", onclick: () => { this.forget(); this.focus(); } }, "Take back"));
    this.chooser.hidden = false;
  }

  forget() {
    this.picked = [];
    this.chosen.clear();
    this.chooser.hidden = true;
    this.mark();
  }

  mark() {
    const next = new Set(this.legal.filter((move) => this.picked.length && begins(move.keys, this.picked))
      .map((move) => move.keys[this.picked.length]));
    const first = new Set(this.legal.map((move) => move.keys[0]));
    for (const element of this.place.querySelectorAll("[data-square]")) {
      const { square } = element.dataset;
      const selected = this.several ? this.chosen.has(element) : this.picked.includes(square);
      element.classList.toggle("selected", selected);
      element.classList.toggle("target", next.has(square));
      element.classList.toggle("can", this.several ? this.usable(element) : first.has(square));
      if (element.getAttribute("role") === "button" && (this.several || selected)) element.setAttribute("aria-pressed", String(selected));
      else element.removeAttribute("aria-pressed");
    }
  }

  // --- what a search thinks, on the board ----------------------------------------------------------------------------

  /** Nothing is pointed at any more. */
  clear() { for (const old of this.place.querySelectorAll(".pointer, .share")) old.remove(); }

  /** Where a move is on the drawing: the elements of its keys, or its own. */
  elements(action, keys) {
    const found = keys.map((key) => this.place.querySelector(`[data-square="${CSS.escape(key)}"]`)).filter(Boolean);
    const own = this.place.querySelector(`[data-action="${CSS.escape(String(action))}"]`);
    return found.length ? found : own ? [own] : [];
  }

  /** Point at a move, as a hint does. */
  point(action, keys) {
    for (const old of this.place.querySelectorAll(".pointer")) old.remove();
    for (const element of this.elements(action, keys)) {
      const box = element.getBBox();
      const frame = document.createElementNS(SVG, "rect");
      const values = { x: box.x + 2, y: box.y + 2, width: box.width - 4, height: box.height - 4, rx: 6, class: "pointer" };
      for (const [key, value] of Object.entries(values)) frame.setAttribute(key, value);
      element.append(frame);
    }
  }

  /** How often a search has tried what, as a share of all its visits, where the move ends. */
  shares(rows) {
    for (const old of this.place.querySelectorAll(".share")) old.remove();
    const sums = new Map();
    for (const row of rows) {
      const element = this.elements(row.action, row.keys.slice(-1)).at(-1);
      if (element && row.visits) sums.set(element, (sums.get(element) || 0) + row.share);
    }
    const greatest = Math.max(...sums.values());
    for (const [element, share] of sums) {
      const box = element.getBBox(), x = box.x + box.width / 2, y = box.y + box.height / 2;
      const part = document.createElementNS(SVG, "g"), disc = document.createElementNS(SVG, "circle"), text = document.createElementNS(SVG, "text");
      part.setAttribute("class", share === greatest ? "share most" : "share");
      for (const [key, value] of Object.entries({ cx: x, cy: y, r: 17 })) disc.setAttribute(key, value);
      for (const [key, value] of Object.entries({ x, y, "font-size": 13, "text-anchor": "middle", "dominant-baseline": "central" })) text.setAttribute(key, value);
      text.textContent = share < 0.005 ? "<1" : String(Math.round(100 * share));
      part.append(disc, text);
      element.append(part);
    }
  }

  // --- small windows -------------------------------------------------------------------------------------------------

  /** Large enough to be read and hit; what does not fit then is scrolled to, from the middle. */
  fit(left = this.place.scrollLeft) {
    const picture = this.place.querySelector("svg");
    if (!picture || !this.place.clientWidth) return;
    const frame = `${picture.getAttribute("viewBox")} ${this.place.clientWidth}`;
    const [, , width, height] = frame.split(" ").map(Number);
    picture.style.width = picture.style.maxHeight = "";
    const scale = Math.min(this.place.clientWidth / width, picture.getBoundingClientRect().height / height || Infinity);
    const needed = this.needed(picture, width, scale, frame);
    const zoomed = needed > scale * 1.01, before = this.zoomed;
    this.place.classList.toggle("zoomed", zoomed);
    this.zoomed = zoomed ? frame : null;
    if (!zoomed) return;
    picture.style.maxHeight = "none";
    picture.style.width = `${Math.ceil(width * Math.min(needed, 3 * scale))}px`;
    this.place.scrollLeft = before === frame ? left : (this.place.scrollWidth - this.place.clientWidth) / 2;
  }

  /** The scale at which everything can be read and hit; while others move it stays as it was. */
  needed(picture, width, scale, frame) {
    const texts = [...picture.querySelectorAll("text")].map((text) => Number(text.getAttribute("font-size")) || 16);
    const readable = SMALLEST_TEXT / Math.min(...texts, 99);
    if (!matchMedia("(pointer: coarse), (max-width: 42rem)").matches) return Math.min(readable, this.place.clientWidth / width);
    const boxes = [...picture.querySelectorAll("[tabindex]")].map((element) => element.getBoundingClientRect());
    const targets = boxes.map((box) => Math.min(box.width, box.height, ...strips(box, boxes)) / scale);
    const hit = targets.length ? SMALLEST_TARGET / Math.min(...targets) : this.hit?.frame === frame ? this.hit.scale : 0;
    this.hit = { frame, scale: hit };
    return Math.max(readable, hit);
  }
}

/** Of things that cover each other, such as cards of a hand, only a strip can be hit; hexagons touch, and pieces stand on squares. */
function strips(box, boxes) {
  const found = [];
  for (const other of boxes) {
    const wide = Math.min(box.right, other.right) - Math.max(box.x, other.x), high = Math.min(box.bottom, other.bottom) - Math.max(box.y, other.y);
    const inside = other.x >= box.x && other.right <= box.right && other.y >= box.y && other.bottom <= box.bottom;
    if (other === box || inside || wide <= 0 || high <= 0) continue;
    if (other.x > box.x + 2 && high > 0.6 * Math.min(box.height, other.height)) found.push(other.x - box.x);
    if (other.y > box.y + 2 && wide > 0.6 * Math.min(box.width, other.width)) found.push(other.y - box.y);
  }
  return found;
}

const nameOf = (element) => element.dataset.square ?? element.dataset.action;
const begins = (keys, line) => keys.length >= line.length && line.every((key, i) => keys[i] === key);

/** What a click may mean: the thing itself, what it lies on, the column that it is in. */
function keysAround(element) {
  const keys = [];
  for (let at = element; at; at = at.parentElement?.closest("[data-square]")) {
    if (at.dataset.square !== undefined) keys.push(at.dataset.square);
    if (at.dataset.column !== undefined) keys.push(at.dataset.column);
  }
  return keys;
}
