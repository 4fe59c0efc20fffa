/** Reductions that few Programs use: extremes, products, variances, norms, running ones, and the logarithm of a softmax. */
import * as e from "./expression.mjs";
import { extremes } from "./extremes.mjs";
import { folded, kernelOn, line, mean, quantifier, row } from "./reductions.mjs";

/** @import { Rule } from "./rules.mjs" */
/** @typedef {import("./reductions.mjs").Written} Written */

/** "name(…)" of a row, by the kernel. @param {string} name @returns {Rule} */
const named = (name) => (at) => {
  const cells = row(at);
  return e.computed(
    e.call(name, cells, () => NaN, { whole: true }),
    cells,
    kernelOn(at),
    { exact: true },
  );
};

/** @type {Written} */
const squares = (cells) => e.sum(cells.map((cell) => e.power(cell, e.literal(2))));

/** @type {Rule} */
function norm(at) {
  const cells = row(at);
  const order = at.option("ord", at.option("p", 2));
  if (order !== 2 || cells.length === 0) return named("norm")(at);
  return e.root(squares(cells));
}

/** A running sum or product: the numbers up to this one. @param {Written} write @returns {Rule} */
const running = (write) => (at) => {
  const { cells, place } = line(at);
  const before = cells.slice(0, place + 1);
  return e.computed(write(before), before, kernelOn(at, place), { exact: true });
};

/** @param {string} name @returns {Written} */
const plainCall = (name) => (cells) => e.call(name, cells, () => NaN, { whole: true });

/** A variance or deviation, which says what the sum of squares is divided by. @param {string} name @returns {Rule} */
const spread = (name) => (at) => {
  const cells = row(at);
  const shown = e.words([`the ${name} (over ${cells.length - at.option("correction", 1)}) of `, ""], [e.list(cells)], () => NaN);
  return e.computed(shown, cells, kernelOn(at), { exact: true, whole: true });
};

/** var_mean and std_mean give two. @param {string} name @returns {Rule} */
const withMean = (name) => (at) => (at.k === 1 ? folded(mean)(at) : spread(name)(at));

/** x - log(e^x + e^y + …). @type {Rule} */
function logSoftmax(at) {
  const { cells, place } = line(at);
  const shown = e.difference(cells[place], e.logarithm(e.sum(cells.map(e.exponential))));
  return e.computed(shown, cells, kernelOn(at, place), { whole: true });
}

/** @type {Record<string, Rule>} */
export const rareReductions = {
  ...extremes,
  var: spread("variance"),
  std: spread("deviation"),
  var_mean: withMean("variance"),
  std_mean: withMean("deviation"),
  linalg_vector_norm: norm,
  norm,
  logsumexp: (at) => {
    const cells = row(at);
    return e.computed(e.logarithm(e.sum(cells.map(e.exponential))), cells, kernelOn(at));
  },
  log_softmax: logSoftmax,
  _log_softmax: logSoftmax,
  prod: folded(e.product),
  all: quantifier("all", false),
  cumsum: running(e.sum),
  count_nonzero: named("how many are not 0"),
  cumprod: running(e.product),
  logcumsumexp: running((cells) => e.logarithm(e.sum(cells.map(e.exponential)))),
  cummax: running(plainCall("max")),
  cummin: running(plainCall("min")),
};
