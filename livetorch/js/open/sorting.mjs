/** Operators that put numbers in order: the number, or the place, that came to stand here. */
import { kernelOn, line } from "./reductions.mjs";
import * as e from "./expression.mjs";

/** @import { At, Rule } from "./rules.mjs" */

/** @param {number} n */
const ordinal = (n) => `${n}${["th", "st", "nd", "rd"][n % 100 > 10 && n % 100 < 14 ? 0 : n % 10] ?? "th"}`;

/** @param {(at: At) => string} which @param {number} [places] the result that holds places @returns {Rule} */
const ordered =
  (which, places = 1) =>
  (at) => {
    const { cells, place } = line(at);
    const head = at.k === places ? "the place of the " : "the ";
    const shown = e.words([`${head}${which(at)} of `, ""], [e.list(cells)], () => NaN, { whole: true });
    return e.computed(shown, cells, kernelOn(at, place), { exact: true });
  };

/** @param {At} at @param {boolean} descending */
const nth = (at, descending) => {
  const { place } = line(at);
  const word = descending ? "largest" : "smallest";
  return place === 0 ? word : `${ordinal(place + 1)} ${word}`;
};
/** @param {At} at */
const sorted = (at) => nth(at, at.option("descending", false));

/** The middle or k-th one of a row, which goes away. @param {(at: At) => string} which @returns {Rule} */
const one = (which) => (at) => {
  const dim = at.place("dim");
  if (dim < 0) return at.fallback();
  const { shape } = at.tensor(0);
  const index = at.index.slice();
  if (!at.option("keepdim", false) && shape.length) index.splice((at.bound(dim) + shape.length) % shape.length, 0, 0);
  const { cells } = line({ ...at, index });
  const shown = e.words([`${at.k === 1 ? "the place of " : ""}${which(at)} of `, ""], [e.list(cells)], () => NaN, { whole: true });
  return e.computed(shown, cells, kernelOn(at), { exact: true });
};

/** @type {Record<string, Rule>} */
export const sortingRules = {
  sort: ordered(sorted),
  argsort: ordered(sorted, 0),
  topk: ordered((at) => nth(at, at.option("largest", true))),
  kthvalue: one((at) => `the ${ordinal(at.option("k", 1))} smallest`),
  median: one(() => "the median"),
  nanmedian: one(() => "the median"),
  mode: one(() => "the most frequent number"),
};
