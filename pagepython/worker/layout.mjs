/** How the numbers of a result lie in memory: where torch works number by number, in the order of what it was given. */
import { activations } from "../../livetorch/js/runtime/activation.mjs";
import { binary } from "../../livetorch/js/runtime/binary.mjs";
import { bitwise } from "../../livetorch/js/runtime/bitwise.mjs";
import { pairs } from "../../livetorch/js/runtime/pairs.mjs";
import { special } from "../../livetorch/js/runtime/special.mjs";
import { ternary } from "../../livetorch/js/runtime/ternary.mjs";
import { unary } from "../../livetorch/js/runtime/unary.mjs";

const MORE =
  "clone _to_copy full_like zeros_like ones_like empty_like fill.Scalar fill.Tensor flip sort sort.stable argsort argsort.stable";
const KEEPING = new Set(
  [activations, binary, bitwise, pairs, special, ternary, unary]
    .flatMap(Object.keys)
    .concat(MORE.split(" ").map((name) => (name.includes(".") ? name : `${name}.default`))),
);
for (const name of ["pow.Scalar", "log_sigmoid_forward.default", "masked_fill.Scalar", "masked_fill.Tensor"]) KEEPING.delete(name);

/** @typedef {{shape: number[], strides: number[]}} Form */

/** Whether an operator keeps the order of its operands. @param {string} op */
export const keepsOrder = (op) => KEEPING.has(op);

/**
 * Strides of a result of a shape: the axes in the order of the operands' steps, as TensorIterator sorts them.
 * @param {number[]} shape @param {Form[]} operands that broadcast to the shape
 */
export function stridesLike(shape, operands) {
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
  const out = shape.slice();
  let step = 1;
  for (const axis of order) {
    out[axis] = step;
    step *= shape[axis];
  }
  return out;
}
