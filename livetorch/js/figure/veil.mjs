// What would answer a question waits behind a veil until the reader has guessed, or wants to see it at once. The veil is
// only painted over: screen readers, paper and a page without scripts have everything.

import { h } from "../shared/dom.mjs";

const LIFT = "livetorch:unveil"; // how a page lifts the veil of a figure element

/**
 * @param {HTMLElement} element of the figure; without `data-veil` on it, the veil has been lifted before the figure came
 * @param {any} spec
 * @param {{element: HTMLElement}[]} views
 * @param {number[]} widths that the views would like: the widest has room for the button
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
  const widest = veiled.indexOf(veiled.reduce((best, i) => (widths[i] > widths[best] ? i : best)));
  covers[widest].append(h("span", {}, "Your guess first. "), button);

  function lift() {
    delete element.dataset.veil;
    for (const cover of covers) cover.remove();
    for (const i of veiled) delete views[i].element.dataset.veiled;
    element.tabIndex = -1; // takes the focus that the button had
  }
  element.addEventListener(LIFT, lift, { once: true });
}
