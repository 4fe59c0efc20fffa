/** Softmax and its logarithm along an axis, and what their gradients are made of. */
import { kernelOn, line } from "./reductions.mjs";
import * as e from "./expression.mjs";

/** @import { At, Rule } from "./rules.mjs" */

/** e^x / (e^x + e^y + …). @param {At} at */
function softmax(at) {
  const { cells, place } = line(at);
  if (cells.every((cell) => Number(at.number(cell)) === -Infinity)) {
    const masked = e.words([at.value === 0 ? "0, as all of " : "NaN, as all of ", " are −∞"], [e.list(cells)], () => NaN, { choice: true });
    return e.computed(masked, cells, kernelOn(at, place));
  }
  const shown = e.make("softmax", cells, () => NaN, { text: place, whole: true });
  return e.computed(shown, cells, kernelOn(at, place));
}

/** x - log(e^x + e^y + …). @param {At} at */
function logSoftmax(at) {
  const { cells, place } = line(at);
  const shown = e.difference(cells[place], e.logarithm(e.sum(cells.map(e.exponential))));
  return e.computed(shown, cells, kernelOn(at, place), { whole: true });
}

/** y (g - sum of g y). @param {At} at */
function softmaxGradient(at) {
  const [grads, weights] = [line(at, 0), line(at, 1)];
  const mixed = e.sum(grads.cells.map((g, k) => e.product([g, weights.cells[k]])));
  return e.product([weights.cells[weights.place], e.difference(grads.cells[grads.place], mixed)]);
}

/** g - e^y (sum of g). @param {At} at */
function logSoftmaxGradient(at) {
  const [grads, logs] = [line(at, 0), line(at, 1)];
  const all = e.sum(grads.cells);
  return e.difference(grads.cells[grads.place], e.product([e.exponential(logs.cells[logs.place]), all]));
}

/** @type {Record<string, Rule>} */
export const softmaxRules = {
  softmax,
  _softmax: softmax,
  _safe_softmax: softmax,
  log_softmax: logSoftmax,
  _log_softmax: logSoftmax,
  _softmax_backward_data: softmaxGradient,
  _log_softmax_backward_data: logSoftmaxGradient,
};
