/** Softmax along an axis. */
import { kernelOn, line } from "./reductions.mjs";
import * as e from "./expression.mjs";

/** @import { At, Rule } from "./rules.mjs" */

/** e^x / (e^x + e^y + …): a masked score, −∞, adds nothing, and is written only where it is asked for. @param {At} at */
function softmax(at) {
  const { cells, place } = line(at);
  if (cells.every((cell) => Number(at.number(cell)) === -Infinity)) {
    const masked = e.words([at.value === 0 ? "0, as all of " : "NaN, as all of ", " are −∞"], [e.list(cells)], () => NaN, { choice: true });
    return e.computed(masked, cells, kernelOn(at, place));
  }
  const kept = cells.filter((cell) => cell === cells[place] || Number(at.number(cell)) !== -Infinity);
  const shown = e.make("softmax", kept, () => NaN, { text: kept.indexOf(cells[place]), whole: true });
  return e.computed(shown, cells, kernelOn(at, place));
}

/** @type {Record<string, Rule>} */
export const softmaxRules = {
  softmax,
  _softmax: softmax,
  _safe_softmax: softmax,
};
