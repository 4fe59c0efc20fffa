// From the code to the figure that follows it, and back: on most screens they do not stand together.

import { h } from "../../livetorch/js/shared/dom.mjs";

/** @typedef {{outputs: {element: () => Element|null}, focus: () => void}} Place a cell */
/** @typedef {import("./dock.mjs").Way} Way */

/** @param {Element} element whether the reader sees the better part of it */
function inSight(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return Math.min(bottom, innerHeight) - Math.max(top, 0) > 0.8 * (bottom - top);
}

/**
 * Say that a figure follows, with the way there where it is out of sight.
 * @param {string} sentence
 * @param {Place} figure
 * @param {Place} from whose code made it follow
 * @param {(sentence: string, way?: Way|null) => void} announce
 */
export function follow(sentence, figure, from, announce) {
  const element = figure.outputs.element();
  if (!element?.querySelector("figure, svg"))
    return announce(
      figure === from
        ? "It ran, and what it shows now is no figure."
        : "The numbers below the code follow. The picture itself is drawn in Jupyter only.",
    );
  if (inSight(element)) return announce(sentence);
  const work = () => {
    element.scrollIntoView({ block: "center" });
    announce(sentence, { text: "Back to the code", work: () => from.focus() });
  };
  announce(sentence, { text: "Show it", work });
}

/** Figures that came into the page, with the engine's own script, which the page has if it had a figure. @param {string} base */
export const waking = (base) => async (/** @type {Element} */ box, /** @type {Record<string, string>} */ states) => {
  const page = /** @type {any} */ (globalThis);
  if (!page.LiveTorch) {
    await new Promise((done) => {
      document.head.append(h("script", { src: new URL("../livetorch.js", base).href, onload: done, onerror: done }));
    });
  }
  await page.LiveTorch?.wake(box, states);
};
