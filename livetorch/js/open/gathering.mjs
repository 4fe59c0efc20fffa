/** Sums, and what else becomes, of the numbers that indices put in one place. */
import * as e from "./expression.mjs";
import { findOperator } from "../runtime/registry.mjs";
import { stridesOf } from "../runtime/tensor.mjs";

/** @import { Kernel } from "../runtime/registry.mjs" */
/** @import { Tensor } from "../runtime/tensor.mjs" */
/** @import { At, Rule } from "./rules.mjs" */

/** @param {Tensor} self @returns {Tensor} */
const places = ({ shape, data }) => ({ shape, dtype: "int64", data: Float64Array.from(data, (_, i) => i) });

/** A common operator, which is always here. @param {string} op @returns {(...args: any[]) => any} */
const kernel = (op) => /** @type {{kernel: Kernel}} */ (findOperator(op)).kernel;

/** Where each number that is put goes: the places of `self`, picked by the same indices. @type {Record<string, (at: At) => Tensor>} */
const TARGETS = {
  index_put: (at) => kernel("aten.index.Tensor")(places(at.tensor(0)), at.resolved("indices")),
  scatter_add: (at) => kernel("aten.gather.default")(places(at.tensor(0)), at.arg("dim"), at.resolved("index")),
  index_add: (at) => kernel("aten.index_select.default")(places(at.tensor(0)), at.arg("dim"), at.resolved("index")),
};
TARGETS.scatter_reduce = TARGETS.scatter_add;

/** What several numbers in one place become. @type {Record<string, (cells: e.Expression[], whole: boolean) => e.Expression>} */
const REDUCED = {
  sum: e.sum,
  prod: e.product,
  amax: (cells) => e.call("max", cells, (numbers) => Math.max(...numbers)),
  amin: (cells) => e.call("min", cells, (numbers) => Math.min(...numbers)),
  mean: (cells, whole) => {
    const mean = e.quotient(e.sum(cells), e.literal(cells.length, "int64"));
    return whole ? e.call("floor", [mean], ([x]) => Math.floor(x)) : mean;
  },
};

/** What was there and what was sent there, as one number. @type {Rule} */
function reduced(at) {
  const src = at.place("src");
  const targets = at.once("targets", () => TARGETS.scatter_reduce(at));
  const sent = [...targets.data.keys()].filter((n) => targets.data[n] === at.i);
  // an index may be smaller than what it takes from: the corner of it
  const cells = sent.map((n) => at.cell(src, corner(n, targets.shape, at.tensor(src).shape)));
  if (at.arg("include_self") !== false || !cells.length) cells.unshift(at.cell(0, at.i));
  return cells.length === 1 ? cells[0] : REDUCED[at.arg("reduce")](cells, at.isWhole());
}

/** The place in a larger shape of a place in a corner of it. @param {number} n @param {number[]} small @param {number[]} large */
function corner(n, small, large) {
  const [inside, around] = [stridesOf(small), stridesOf(large)];
  return small.reduce((sum, length, axis) => sum + (Math.floor(n / inside[axis]) % length) * around[axis], 0);
}

/** What was there, and all that was added. @param {At} at */
function gathered(at) {
  const values = at.node.parameters.findIndex(({ name }) => ["values", "src", "source"].includes(name));
  const targets = at.once("targets", () => TARGETS[at.name](at));
  const alpha = at.option("alpha", 1);
  /** @type {e.Expression[]} */
  const terms = [];
  targets.data.forEach((target, n) => {
    if (target !== at.i) return;
    const cell = at.cellAt(values, targets.shape, n);
    terms.push(alpha === 1 ? cell : e.product([e.literal(alpha), cell]));
  });
  return e.sum([at.cell(0, at.i), ...terms]);
}

/** The gradients of all tokens that took this row. @param {At} at */
function embeddingGradient(at) {
  const [width] = at.tensor(0).shape.slice(-1);
  const [row, column] = [Math.floor(at.i / width), at.i % width];
  const tokens = Array.from(at.resolved("indices").data, Number);
  const found = tokens.flatMap((token, k) => (token === row ? [k] : []));
  if (row === at.arg("padding_idx") || found.length === 0) return e.literal(0);
  const all = e.sum(found.map((k) => at.cell(0, k * width + column)));
  return at.arg("scale_grad_by_freq") ? e.quotient(all, e.literal(found.length)) : all;
}

/** @param {At} at */
function oneHot(at) {
  const [width] = at.out.shape.slice(-1);
  const which = at.cell(0, Math.floor(at.i / width));
  const shown = e.words([`${at.value}, because `, ""], [e.fact(which)], () => NaN, { choice: true });
  return e.computed(shown, [which], ([x]) => (Number(x) === at.i % width ? 1 : 0));
}

/** @type {Record<string, Rule>} */
export const gatheringRules = {
  index_put: gathered,
  scatter_add: gathered,
  scatter_reduce: reduced,
  index_add: gathered,
  embedding_dense_backward: embeddingGradient,
  one_hot: oneHot,
};
