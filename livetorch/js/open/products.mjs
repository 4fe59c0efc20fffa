/** Products of matrices and vectors: a row times a column. */
import * as e from "./expression.mjs";
import { expandStrides, stridesOf } from "../runtime/tensor.mjs";

/** @import { At, Rule } from "./rules.mjs" */

/**
 * The terms of one number of a (…, n, d) @ b (…, d, m); a vector stands for one row or one column.
 * @param {At} at @param {number} left place of the argument @param {number} right
 * @param {{turned?: boolean, index?: number[]}} [more] turned: the right one is (m, d)
 */
export function terms(at, left, right, { turned = false, index = at.index } = {}) {
  const [a, b] = [at.tensor(left), at.tensor(right)];
  const [rows, columns] = [a.shape.length > 1, b.shape.length > 1];
  const rest = index.slice();
  const column = columns ? (rest.pop() ?? 0) : 0;
  const row = rows ? (rest.pop() ?? 0) : 0;
  const depth = a.shape[a.shape.length - 1];
  const start = (/** @type {number[]} */ shape) => {
    const lead = shape.slice(0, -2);
    return expandStrides(lead, index.slice(0, rest.length)).reduce((place, stride, k) => place + (lead.length ? stride * rest[k] : 0), 0);
  };
  // Leading axes are batches, which broadcast: the strides of a missing or single one are 0.
  const [ofA, ofB] = [stridesOf(a.shape), stridesOf(b.shape)];
  const lead = (/** @type {number[]} */ shape) => start(shape) * (shape.length > 1 ? shape[shape.length - 2] * shape[shape.length - 1] : 0);
  const fromA = lead(a.shape) + (rows ? row * ofA[a.shape.length - 2] : 0);
  const fromB = lead(b.shape) + (columns ? column * ofB[b.shape.length - (turned ? 2 : 1)] : 0);
  const stepB = columns ? ofB[b.shape.length - (turned ? 1 : 2)] : 1;
  return Array.from({ length: depth }, (_, k) => e.product([at.cell(left, fromA + k), at.cell(right, fromB + k * stepB)]));
}

const ZERO = e.literal(0);
/** @param {e.Expression[]} parts */
export const total = (parts) => (parts.length ? e.sum(parts) : ZERO);

/** beta * self + alpha * product. @param {At} at @param {e.Expression[]} parts */
export function added(at, parts) {
  const [beta, alpha] = [at.option("beta", 1), at.option("alpha", 1)];
  const scaled = alpha === 1 ? parts : parts.map((part) => e.product([e.literal(alpha), ...part.args]));
  if (beta === 0) return total(scaled);
  const self = at.operand(0);
  return e.sum([beta === 1 ? self : e.product([e.literal(beta), self]), ...scaled]);
}

/** @type {Record<string, Rule>} */
export const productRules = {
  mm: (at) => total(terms(at, 0, 1)),
  addmm: (at) => added(at, terms(at, 1, 2)),
};
productRules.bmm = productRules.mm;
