// A number as a view prints it: found in the page, by its value and by where it stands.

import { minus } from "../shared/format.mjs";

/** @import { Box } from "../views/places.mjs" */

const NEAR = 26; // pixels from a number's own place to where it is printed: below a token, above a bar
const NUMBER = /^[−-]?\d*\.?\d+$/;

/** What in a view is no number of the figure: ticks, titles, legends, what is read out of it. */
export const WORDS = ":is(.tick, .lt-axes) text, :is(.lt-legend, .lt-piece-name, .lt-view-title, .lt-view-foot, .lt-arcs-said, .lt-spoken)";

/** The numbers that a view prints. @param {Element} view @returns {{text: string, box: DOMRect}[]} */
export const numbersIn = (view) =>
  Array.from(view.querySelectorAll("*")).flatMap((element) => {
    const text = element.childElementCount ? "" : (element.textContent ?? "").trim();
    return NUMBER.test(text) && !element.closest(WORDS) ? [{ text, box: element.getBoundingClientRect() }] : [];
  });

/**
 * The text of a view that is this number, nearest in digits to it, and then to its place.
 * @param {{text: string, box: DOMRect}[]} numbers that the view prints @param {Box[]} boxes @param {number} value
 * @returns {{text: string, box: DOMRect}|null}
 */
export function printedIn(numbers, boxes, value) {
  const is = (/** @type {string} */ text) => {
    const [, decimals = ""] = text.split(".");
    const far = Math.abs(Number(text.replace("−", "-")) - value);
    return (decimals || Number.isInteger(value)) && far <= 0.5001 * 10 ** -decimals.length;
  };
  const far = (/** @type {DOMRect} */ box) => Math.min(...boxes.map((one) => apart(one, box)));
  const found = numbers.filter(({ text, box }) => is(text) && far(box) <= NEAR);
  const [best] = found.sort((a, b) => b.text.length - a.text.length || far(a.box) - far(b.box));
  return best ? { ...best, text: minus(best.text.replace(/^([−-]?)\./, "$10.")) } : null;
}

/** How far two boxes are from each other. @param {Box} one @param {Box} other */
export const apart = (one, other) =>
  Math.max(
    one.left - other.left - other.width,
    other.left - one.left - one.width,
    one.top - other.top - other.height,
    other.top - one.top - one.height,
  );

/** Whether a finger has meant the number that is printed, or the cell that it fills. @param {Box} printed @param {Box[]} boxes @param {{x: number, y: number}} at */
export function isMeant(printed, boxes, { x, y }) {
  const point = { left: x, top: y, width: 0, height: 0 };
  const middle = { ...point, left: printed.left + printed.width / 2, top: printed.top + printed.height / 2 };
  return apart(printed, point) <= 8 || boxes.some((box) => apart(box, point) <= 0 && apart(box, middle) < 0);
}
