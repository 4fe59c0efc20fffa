/** Layer normalisation: a number, less its row's mean, over its row's deviation; and these two. */
import * as e from "./expression.mjs";
import { sizeOf } from "../runtime/tensor.mjs";

/** @import { At, Rule } from "./rules.mjs" */

/** The row of a number, or of a statistic. @param {At} at @param {number} row @param {number} length */
const rowOf = (at, row, length) => Array.from({ length }, (_, k) => at.cell(0, row * length + k));
/** @param {e.Expression[]} cells */
const mean = (cells) => e.quotient(e.sum(cells), e.literal(cells.length));
/** @param {e.Expression[]} cells @param {e.Expression} middle @param {number} eps */
const deviation = (cells, middle, eps) => {
  const spread = e.quotient(e.sum(cells.map((cell) => e.power(e.difference(cell, middle), e.literal(2)))), e.literal(cells.length));
  return e.quotient(e.literal(1), e.root(e.sum([spread, e.literal(eps)])));
};

/** @param {At} at */
function layerNorm(at) {
  const length = sizeOf(at.arg("normalized_shape"));
  const eps = at.arg("eps");
  if (at.k === 1) return mean(rowOf(at, at.i, length));
  if (at.k === 2) return deviation(rowOf(at, at.i, length), at.result(1, at.i), eps);
  const [row, k] = [Math.floor(at.i / length), at.i % length];
  const cells = rowOf(at, row, length);
  const two = at.node.outs > 1;
  const middle = two ? at.result(1, row) : mean(cells);
  const factors = [e.difference(cells[k], middle), two ? at.result(2, row) : deviation(cells, middle, eps)];
  const [weight, bias] = ["weight", "bias"].map((name) => (at.arg(name) ? at.cell(at.place(name), k) : null));
  const scaled = e.product(weight ? [...factors, weight] : factors);
  return bias ? e.sum([scaled, bias]) : scaled;
}

/** @type {Record<string, Rule>} */
export const normaliseRules = { native_layer_norm: layerNorm, layer_norm: layerNorm };
