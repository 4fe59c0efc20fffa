// What a hand did is kept, so that it can be undone; what the keys `?` and Ctrl+Z do is fetched when one is first pressed. And
// what a browser keeps of a reader: that a letter by itself does nothing, that numbers are known to open.

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
    /** Settings are others now: a hand has let go. Steps of a run are looked back at with their own slider. @param {boolean} also with what it did before */
    note(also) {
      if (hands.busy) return;
      if (!also && !model.steps().count) hands.past = [...hands.past.slice(1 - MOST), hands.last];
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
const ASKED = "attention-live asked how a number was made";

/** What a browser that keeps nothing is told: the page knows it. @type {Set<string>} */
const told = new Set();

/** @param {string} what */
function isKept(what) {
  try {
    return told.has(what) || localStorage.getItem(what) !== null;
  } catch {
    return told.has(what);
  }
}

/** @param {string} what @param {boolean} on */
function keep(what, on) {
  told[on ? "add" : "delete"](what);
  try {
    if (on) localStorage.setItem(what, "1");
    else localStorage.removeItem(what);
  } catch {
    // then for this page
  }
}

export const areOff = () => isKept(OFF);
export const turn = (/** @type {boolean} */ off) => keep(OFF, off);

/** Whether the reader knows that numbers open. */
export const hasAsked = () => isKept(ASKED);
export const asked = () => keep(ASKED, true);
