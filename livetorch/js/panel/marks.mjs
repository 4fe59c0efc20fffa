// Where the numbers that a line reads stand in the figure's views: outlines that lie above them.

import { h } from "../shared/dom.mjs";
import { viewOf } from "../views/index.mjs";

const MOST = 400; // numbers of a line that are looked for

/**
 * @param {import("../shared/spec.d.ts").Spec} spec
 * @param {any[]} views
 */
export function createMarks(spec, views) {
  const controls = new Set(spec.controls.map((/** @type {any} */ control) => control.name));
  // in the views themselves, which stand in other rows on a phone and may scroll by themselves
  const layers = views.map((view) => view.element.appendChild(h("div", { class: "lt-outlines", "aria-hidden": "true" })));

  /** Where a number stands: an output's, by all the names under which views show it; a control's, by its own. @param {any} one */
  function sourcesOf({ shown, through = [], name, index }) {
    const came = new Set(through.map((/** @type {any} */ place) => place.output));
    const elsewhere = shown.filter((/** @type {any} */ place) => !came.has(place.output));
    const places = [...through, ...elsewhere].map((/** @type {any} */ place) => ({ source: { output: place.output }, index: place.index }));
    return [...places, ...(controls.has(name) ? [{ source: { control: name }, index }] : [])];
  }

  /** @param {any} one @param {string} kind @param {number} i which view @returns {HTMLElement[]} */
  function outlines(one, kind, i) {
    const home = layers[i].getBoundingClientRect();
    const boxesOf = viewOf(spec.views[i].kind, "boxesOf");
    const boxes = sourcesOf(one).flatMap(({ source, index }) => boxesOf(spec.views[i], views[i].shown(), source, index));
    return boxes.map(({ left, top, width, height }) => {
      const mark = h("div", { class: kind });
      const place = { left: left - home.left, top: top - home.top, width, height };
      for (const [side, value] of Object.entries(place)) mark.style[side] = `${value}px`;
      return mark;
    });
  }

  return {
    /** @param {any} item the open number */
    show(item) {
      layers.forEach((layer, i) => {
        const read = item.from.slice(0, MOST).flatMap((/** @type {any} */ one) => outlines(one, "lt-read", i));
        layer.replaceChildren(...read, ...outlines(item, "lt-opened", i));
      });
    },
    /** The outlines, that of the open number first. @returns {Element[]} */
    all: () => [".lt-opened", ".lt-read"].flatMap((kind) => layers.flatMap((layer) => [...layer.querySelectorAll(kind)])),
    clear: () => layers.forEach((layer) => layer.replaceChildren()),
    remove: () => layers.forEach((layer) => layer.remove()),
  };
}
