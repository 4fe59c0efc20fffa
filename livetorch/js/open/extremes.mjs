/** The largest and the smallest of some numbers, and their places. */
import * as e from "./expression.mjs";
import { kernelOn, row } from "./reductions.mjs";

/** @import { At, Rule } from "./rules.mjs" */

/** A row of which one is the answer. @param {At} at @param {string} name @param {1|-1} way */
function extreme(at, name, way) {
  const cells = row(at);
  const numbers = cells.map((cell) => way * Number(at.number(cell)));
  const best = numbers.findIndex((x) => Number.isNaN(x));
  const place = best >= 0 ? best : numbers.reduce((k, x, n) => (x > numbers[k] ? n : k), 0);
  const weight = (/** @type {e.Expression} */ cell) => way * Number(at.number(cell));
  return { cells, place, shown: e.call(name, cells, () => NaN, { weight, whole: true, winner: cells[place] }) };
}

/** @param {string} name @param {1|-1} way @returns {Rule} */
const valueRule = (name, way) => (at) => {
  const { cells, shown } = extreme(at, name, way);
  return e.computed(shown, cells, kernelOn(at), { exact: true });
};

/** The value, and as a second result its place. @param {string} name @param {1|-1} way @returns {Rule} */
const extremeRule = (name, way) => (at) =>
  (at.k === 1 ? placeRule(name === "max" ? "largest" : "smallest", way) : valueRule(name, way))(at);

/** @param {string} word @param {1|-1} way @returns {Rule} */
const placeRule = (word, way) => (at) => {
  const { cells, place } = extreme(at, word, way);
  const shown = e.words([`the place of the ${word} of `, ""], [e.list(cells)], () => NaN, { whole: true, winner: cells[place] });
  return e.computed(shown, cells, kernelOn(at), { exact: true });
};

/** @type {Record<string, Rule>} */
export const extremes = {
  max: extremeRule("max", 1),
  amax: extremeRule("max", 1),
  argmax: placeRule("largest", 1),
  min: extremeRule("min", -1),
  amin: extremeRule("min", -1),
  argmin: placeRule("smallest", -1),
  aminmax: (at) => (at.k === 0 ? valueRule("min", -1) : valueRule("max", 1))(at),
};
