// What a hand did is kept, so that it can be undone; what the keys `?` and Ctrl+Z do is fetched when one is first pressed, and
// a reader may switch off that a letter by itself does something.

import { h } from "../shared/dom.mjs";

const MOST = 100; // things that a hand did are kept

/**
 * @param {any} spec @param {any} model
 * @param {{partOf: (name: string) => Promise<any>, announce: (text: string) => void, problem: (text: string) => void}} how
 */
export function createHands(spec, model, { partOf, announce, problem }) {
  const button = h("button", { type: "button", class: "lt-button", hidden: true, onclick: () => act("undo") }, "Undo");
  const hands = { button, announce, past: /** @type {any[]} */ ([]), last: model.state(), busy: false };
  const act = (/** @type {string} */ what) => partOf("hands").then((part) => part[what](spec, model, hands), problem);
  return {
    button,
    /** Settings are others now: a hand has let go. Steps of a run are looked back at with their own slider. */
    note() {
      if (hands.busy) return;
      if (!model.steps().count) hands.past = [...hands.past.slice(1 - MOST), hands.last];
      button.hidden = !hands.past.length;
      hands.last = model.state();
    },
    /** @param {any} event */
    key(event) {
      const what = event.key === "?" ? "list" : event.key === "z" && (event.ctrlKey || event.metaKey) ? "undo" : "";
      if (!what || event.target.matches("[type=text], [type=number], textarea")) return;
      event.preventDefault();
      act(what);
    },
  };
}

const OFF = "attention-live single keys off";

export function areOff() {
  try {
    return localStorage.getItem(OFF) !== null;
  } catch {
    return false; // a browser may refuse
  }
}

/** @param {boolean} off */
export function turn(off) {
  try {
    if (off) localStorage.setItem(OFF, "1");
    else localStorage.removeItem(OFF);
  } catch {
    // then they stay on
  }
}
