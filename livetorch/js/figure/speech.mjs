// What a figure says: announcements for screen readers, and what is wrong, for everyone.

import { h } from "../shared/dom.mjs";

export function createSpeech() {
  // The same text twice in a row would not be read again, so that one of two regions takes it in turn.
  const regions = [0, 1].map(() => h("div", { class: "lt-spoken", role: "status", "aria-live": "polite" }));
  const alert = h("p", { class: "lt-problem", role: "alert", hidden: true });
  let turn = 0;
  return {
    regions,
    alert,
    /** @param {string} text */
    announce(text) {
      regions[turn % 2].textContent = "";
      turn += 1;
      regions[turn % 2].textContent = text;
    },
    /** @param {string} text "": nothing is wrong any more */
    problem(text) {
      if (alert.textContent === text) return;
      alert.textContent = text;
      alert.hidden = !text;
    },
  };
}
