// The drawing as something to click: single actions, and moves of several squares (from, to).

import { drawing, make } from "./common.js";

export class Board {
  constructor(place, chooser, play) {
    Object.assign(this, { place, chooser, play, legal: [], picked: [] });
    place.addEventListener("click", (event) => this.click(event.target));
    place.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.forget();
      if ((event.key === "Enter" || event.key === " ") && event.target.closest("[data-action], [data-square]")) {
        event.preventDefault();
        this.click(event.target);
      }
    });
  }

  show(text, legal) {
    this.legal = legal;
    this.picked = [];
    this.chooser.hidden = true;
    const focused = document.activeElement?.closest?.("[data-square], [data-action]");
    const place = focused && this.place.contains(focused) ? focused.dataset.square || null : null;
    if (text !== this.text) {
      this.text = text;
      if (text) {
        const picture = drawing(text);
        picture.setAttribute("role", "group"); // inside an image nothing could be reached
        this.place.replaceChildren(picture);
      } else {
        this.place.replaceChildren(make("p", { class: "secret" }, "What is hidden is shown to everybody when the game is over."));
      }
    }
    for (const element of this.place.querySelectorAll("[data-action], [data-square]")) this.equip(element);
    this.mark();
    if (place) this.place.querySelector(`[data-square="${CSS.escape(place)}"]`)?.focus();
  }

  /** Whatever can be played can be reached with the keyboard. */
  equip(element) {
    const { action, square } = element.dataset;
    const usable = this.legal.some((move) => String(move.action) === action || move.keys.includes(square));
    if (usable) {
      element.setAttribute("tabindex", "0");
      element.setAttribute("role", "button");
    } else {
      element.removeAttribute("tabindex");
      element.removeAttribute("role");
    }
  }

  click(target) {
    const element = target.closest("[data-action], [data-square]");
    if (!element || !this.legal.length) return;
    this.chooser.hidden = true;
    const { action, square } = element.dataset;
    const begins = (keys, line) => line.every((key, i) => keys[i] === key);
    if (square !== undefined) {
      const line = [...this.picked, square];
      let fits = this.legal.filter((move) => move.keys.length && begins(move.keys, line));
      if (fits.length) {
        this.picked = line;
      } else if (this.picked.at(-1) === square) {
        return this.forget();
      } else {
        fits = this.legal.filter((move) => move.keys[0] === square);
        if (fits.length) this.picked = [square];
      }
      if (fits.length) return this.follow(fits);
    }
    const single = this.legal.find((move) => String(move.action) === action);
    if (single) this.play(single.action);
    else this.forget();
  }

  /** Play what is complete; ask where several moves look alike. */
  follow(fits) {
    const complete = fits.filter((move) => move.keys.length === this.picked.length);
    if (complete.length === 1 && fits.length === 1) {
      this.picked = [];
      this.play(complete[0].action);
    } else {
      this.mark();
      if (complete.length) this.choose(fits);
    }
  }

  choose(moves) {
    const buttons = moves.map((move) => make("button", { type: "button", onclick: () => this.play(move.action) }, move.label));
    this.chooser.replaceChildren(make("span", {}, "Which one?"), ...buttons,
      make("button", { type: "button", class: "plain", onclick: () => this.forget() }, "Never mind"));
    this.chooser.hidden = false;
    buttons[0].focus();
  }

  forget() {
    this.picked = [];
    this.chooser.hidden = true;
    this.mark();
  }

  mark() {
    const next = new Set(this.legal.filter((move) => this.picked.length && this.picked.every((key, i) => move.keys[i] === key))
      .map((move) => move.keys[this.picked.length]));
    const first = new Set(this.legal.map((move) => move.keys[0]));
    for (const element of this.place.querySelectorAll("[data-square]")) {
      const { square } = element.dataset;
      element.classList.toggle("selected", this.picked.includes(square));
      element.classList.toggle("target", next.has(square));
      element.classList.toggle("can", first.has(square));
    }
  }

  /** Point at a move, as a hint does. */
  point(action) {
    const move = this.legal.find((one) => one.action === action);
    if (!move) return;
    this.picked = move.keys.slice(0, -1);
    this.mark();
    for (const key of move.keys) this.place.querySelector(`[data-square="${CSS.escape(key)}"]`)?.classList.add("target");
  }
}
