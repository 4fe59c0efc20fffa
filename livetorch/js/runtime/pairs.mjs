/** Operators on two tensors that few Programs use: shifts of bits, truth, closeness. */
import { mapTwo, runOf } from "./broadcast.mjs";
import { arithmetic } from "./binary.mjs";

/** @import { Numeric, Pair } from "./broadcast.mjs" */
/** @import { Tensor } from "./tensor.mjs" */
/** @import { Kernel, Table } from "./registry.mjs" */

/** @type {Record<string, Pair>} */
const logical = {
  logical_and: (x, y) => x !== 0 && y !== 0,
  logical_or: (x, y) => x !== 0 || y !== 0,
  logical_xor: (x, y) => (x !== 0) !== (y !== 0),
};

/** A shift by more places than there are, or by fewer than none, leaves nothing but the sign. @param {number} y */
const outOf = (y) => y < 0 || y > 63;
/** @type {Record<string, Numeric>} */
const sides = {
  left: (x, y) => (outOf(y) ? 0 : x * 2 ** y),
  right: (x, y) => (outOf(y) ? (x < 0 ? -1 : 0) : Math.floor(x / 2 ** y)),
};

/**
 * Where tensors are equal within a tolerance.
 * @param {Tensor} self @param {Tensor} other @param {number} rtol @param {number} atol @param {boolean} equalNaN
 */
function isclose(self, other, rtol, atol, equalNaN) {
  /** @type {Pair} */
  const near = (x, y) => {
    if (x === y) return true;
    if (equalNaN && Number.isNaN(x) && Number.isNaN(y)) return true;
    return Number.isFinite(y) && Math.abs(x - y) <= atol + Math.abs(rtol * y);
  };
  return mapTwo(runOf(near), self, other, "bool");
}

/** `heaviside`: 0 below zero, 1 above, `values` at zero; NaN counts as below. */
const step = runOf((x, y) => (x === 0 ? y : x > 0 ? 1 : 0));

/** @param {Numeric} f @returns {Kernel} */
const pair = (f) => (self, other) => arithmetic(runOf(f), self, other);
const PAIR = "self:T other:T";
const SCALAR = "self:T other:S";

/** @type {Table} */
export const pairs = {
  "isclose.default": ["self:T other:T rtol=1e-05 atol=1e-08 equal_nan=false", isclose],
  "heaviside.default": ["self:T values:T", (self, values) => mapTwo(step, self, values, self.dtype)],
};
for (const [name, f] of Object.entries(logical)) {
  pairs[`${name}.default`] = [PAIR, (self, other) => mapTwo(runOf(f), self, other, "bool")];
}
for (const [side, f] of Object.entries(sides)) {
  pairs[`__${side[0]}shift__.Tensor`] = [PAIR, pair(f)];
  pairs[`__${side[0]}shift__.Scalar`] = [SCALAR, pair(f)];
  pairs[`bitwise_${side}_shift.Tensor`] = [PAIR, pair(f)];
  pairs[`bitwise_${side}_shift.Tensor_Scalar`] = [SCALAR, pair(f)];
}
