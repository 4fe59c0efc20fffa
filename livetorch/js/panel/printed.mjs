// A number as a view prints it: found in the page, by its value and by where it stands.

import { minus } from "../shared/format.mjs";

/** @import { Box } from "../views/places.mjs" */

const NEAR = 26; // pixels from a number's own place to where it is printed: below a token, above a bar
const NUMBER = /^[−-]?\d*\.?\d+$/;

/**
 * The text of a view that is this number, nearest in digits to it: of "1.0" on an axis and "0.998" on a bar the latter.
 * @param {Element} view @param {Box[]} boxes @param {number} value
 * @returns {{text: string, box: DOMRect}|null}
 */
export function printedIn(view, boxes, value) {
  let best = null;
  for (const element of boxes.length ? view.querySelectorAll("*") : []) {
    const text = element.childElementCount ? "" : (element.textContent ?? "").trim();
    if (!NUMBER.test(text) || (best && text.length <= best.text.length)) continue;
    const [, decimals = ""] = text.split(".");
    const far = Math.abs(Number(text.replace("−", "-")) - value);
    if ((!decimals && !Number.isInteger(value)) || far > 0.5001 * 10 ** -decimals.length) continue;
    const box = element.getBoundingClientRect();
    if (boxes.some((one) => apart(one, box) <= NEAR)) best = { text, box };
  }
  return best && { ...best, text: minus(best.text.replace(/^([−-]?)\./, "$10.")) };
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
