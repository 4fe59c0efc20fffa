/** How the numbers of a result lie in memory: where torch works number by number, in the order of what it was given. */
import { activations } from "../../livetorch/js/runtime/activation.mjs";
import { binary, bitwise } from "../../livetorch/js/runtime/binary.mjs";
import { pairs } from "../../livetorch/js/runtime/pairs.mjs";
import { special } from "../../livetorch/js/runtime/special.mjs";
import { ternary } from "../../livetorch/js/runtime/ternary.mjs";
import { unary } from "../../livetorch/js/runtime/unary.mjs";

const named = (/** @type {string} */ names) => names.split(" ").map((name) => (name.includes(".") ? name : `${name}.default`));
const ALIKE = "clone _to_copy full_like zeros_like ones_like empty_like fill.Scalar fill.Tensor";
/** What is computed number by number: it may read its operands with their axes in any order. */
const TURNING = new Set([activations, binary, bitwise, pairs, special, ternary, unary].flatMap(Object.keys).concat(named(ALIKE)));
/** What names an axis, and keeps the order all the same. */
const KEEPING = new Set(named("prelu flip sort sort.stable argsort argsort.stable"));
for (const name of ["pow.Scalar", "log_sigmoid_forward.default", "masked_fill.Scalar", "masked_fill.Tensor", ...KEEPING])
  TURNING.delete(name);

/** @typedef {{shape: number[], strides: number[]}} Form */

/** Whether an operator may be run on turned operands. @param {string} op */
export const turns = (op) => TURNING.has(op);
/** Whether the result of an operator is laid in the order of its operands. @param {string} op */
export const keepsOrder = (op) => KEEPING.has(op);

/**
 * The axes of a result in the order of the operands' steps, the longest first, as TensorIterator sorts them.
 * @param {number[]} shape @param {Form[]} operands that broadcast to the shape
 */
export function orderLike(shape, operands) {
  const steps = operands.map(({ shape: own, strides }) =>
    shape.map((length, axis) => {
      const k = axis + own.length - shape.length;
      return k < 0 || (own[k] === 1 && length !== 1) ? 0 : strides[k];
    }),
  );
  /** @param {number} one @param {number} other the axis that is to come later */
  const turned = (one, other) => {
    for (const step of steps) {
      if (step[one] === 0 || step[other] === 0) continue;
      if (step[one] !== step[other]) return step[one] - step[other];
      if (shape[one] > shape[other]) return 1;
    }
    return 0;
  };
  const order = shape.map((_, axis) => shape.length - 1 - axis); // the quickest first
  for (let i = 1; i < order.length; i += 1) {
    for (let at = i, k = i - 1; k >= 0; k -= 1) {
      const sign = turned(order[k], order[at]);
      if (sign < 0) break;
      if (sign === 0) continue;
      [order[k], order[at]] = [order[at], order[k]];
      at = k;
    }
  }
  return order.reverse();
}

/**
 * A form with its axes in another order; those that it has not got stand still.
 * @param {Form} form @param {number[]} order @returns {Form}
 */
export function turnedForm({ shape, strides }, order) {
  const missing = order.length - shape.length;
  const pick = (/** @type {number[]} */ list, /** @type {number} */ usual) =>
    order.map((axis) => (axis < missing ? usual : list[axis - missing]));
  return { shape: pick(shape, 1), strides: pick(strides, 0) };
}
