// From the code to the figure that follows it, and back: on most screens they do not stand together.

import { h } from "../../livetorch/js/shared/dom.mjs";
import { unveil } from "./outputs.mjs";

/** @typedef {{outputs: {element: () => Element|null}, focus: () => void}} Place a cell */
/** @typedef {import("./dock.mjs").Way} Way */

/** @param {Element} element whether the reader sees the better part of it */
function inSight(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return Math.min(bottom, innerHeight) - Math.max(top, 0) > 0.8 * (bottom - top);
}

/** What a flow says on its arrows is no number that follows. @param {string} text of a figure's cell @param {string} book the same in the book */
export const ofArrows = (text, book) =>
  text !== book && /\bsteps=/.test(text) ? " The words on its arrows stay as the code has them." : "";

/**
 * Say that a figure follows, with the way there where it is out of sight, or what lifts the veil over it.
 * @param {string} sentence
 * @param {Place} figure
 * @param {Place} from whose code made it follow
 * @param {(sentence: string, way?: Way|null) => () => boolean} announce gives whether it is still said
 * @param {boolean} [sent] who has opened a link wants to see what it changes: no veil stays over that
 * @returns {string} what was said
 */
export function follow(sentence, figure, from, announce, sent = false) {
  const say = (/** @type {string} */ words, /** @type {Way|null} */ way = null) => (announce(words, way), words);
  const element = figure.outputs.element();
  if (!element?.querySelector("figure, svg"))
    return say(
      figure === from
        ? "It ran, and what it shows now is no figure."
        : "The numbers below the code follow. The picture itself is drawn in Jupyter only.",
    );
  if (sent) for (const each of element.querySelectorAll("figure")) unveil(each);
  const veiled = /** @type {HTMLElement|null} */ (element.querySelector("figure[data-veil]"));
  if (veiled) {
    const hidden = sentence.replace(
      /(follows?)\./,
      (_, follows) => `${follows}, ${follows === "follow" ? "the first " : ""}hidden until your guess.`,
    );
    const still = announce(hidden, { text: "Just show me", work: () => unveil(veiled) });
    const lifted = new MutationObserver(() => (lifted.disconnect(), still() && follow(sentence, figure, from, announce)));
    lifted.observe(veiled, { attributeFilter: ["data-veil"] });
    return hidden;
  }
  if (inSight(element)) return say(sentence);
  const work = () => {
    element.scrollIntoView({ block: "center" });
    announce(sentence, { text: "Back to the code", work: () => from.focus() });
  };
  return say(sentence, { text: "Show it", work });
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
