// What would answer a question waits behind a veil until the reader has guessed, or wants to see it at once. The veil is
// only painted over: screen readers, paper and a page without scripts have everything.

import { h } from "../shared/dom.mjs";

const ROOM = 240; // pixels that the button and its words take
const LIFT = "livetorch:unveil"; // how a page lifts the veil of a figure element

/**
 * @param {HTMLElement} element of the figure; without `data-veil` on it, the veil has been lifted before the figure came
 * @param {any} spec
 * @param {{element: HTMLElement}[]} views
 * @param {number[]} widths that the views would like: the first with room for the button gets it
 */
export function veil(element, spec, views, widths) {
  const veiled = /** @type {number[]} */ (spec.veil ?? []);
  if (!veiled.length || element.dataset.veil === undefined) return;
  const covers = veiled.map((i) => h("div", { class: spec.views[i].drag?.length ? "lt-veil lt-veil-open" : "lt-veil" }));
  const button = h(
    "button",
    { type: "button", class: "lt-button", onclick: () => (lift(), element.focus({ preventScroll: true })) },
    "Just show me",
  );
  veiled.forEach((i, at) => {
    views[i].element.dataset.veiled = spec.views[i].drag?.length ? "curves" : "whole"; // what hands move stays in sight
    views[i].element.append(covers[at]);
  });
  const rooms = veiled.map((i) => widths[i] - (views[i].element.dataset.veiled === "whole" ? 0 : 1000));
  const roomy = rooms.findIndex((room) => room >= ROOM);
  covers[roomy < 0 ? rooms.indexOf(Math.max(...rooms)) : roomy].append(h("span", {}, "Your guess first. "), button);

  function lift() {
    delete element.dataset.veil;
    for (const cover of covers) cover.remove();
    for (const i of veiled) delete views[i].element.dataset.veiled;
    element.tabIndex = -1; // takes the focus that the button had
  }
  element.addEventListener(LIFT, lift, { once: true });
}
