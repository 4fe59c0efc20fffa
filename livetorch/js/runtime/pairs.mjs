/** Operators on two tensors that few Programs use: shifts of bits, truth, closeness, divisors, angles. */
import { mapOne, mapTwo, runOf } from "./broadcast.mjs";
import { arithmetic, multiply } from "./binary.mjs";
import { floatType, resultType, settle } from "./dtype.mjs";
import { readAs } from "./tensor.mjs";

/** @import { Numeric, Pair } from "./broadcast.mjs" */
/** @import { Tensor } from "./tensor.mjs" */
/** @import { Kernel, Table } from "./registry.mjs" */

/** @type {Record<string, Pair>} */
const logical = {
  logical_and: (x, y) => x !== 0 && y !== 0,
  logical_or: (x, y) => x !== 0 || y !== 0,
  logical_xor: (x, y) => (x !== 0) !== (y !== 0),
};

/** @type {Record<string, Numeric>} */
const chosen = {
  fmax: (x, y) => (Number.isNaN(y) || x > y ? x : y),
  fmin: (x, y) => (Number.isNaN(y) || x < y ? x : y),
  gcd: greatestDivisor,
  lcm: (x, y) => (x === 0 || y === 0 ? 0 : Math.abs((x / greatestDivisor(x, y)) * y)),
};

/** @type {Numeric} */
function greatestDivisor(x, y) {
  return y === 0 ? Math.abs(x) : greatestDivisor(y, x % y);
}

/**
 * self * 2^other; the power is rounded to the common type before it is multiplied.
 * @param {Tensor} self @param {Tensor} other
 */
function ldexp(self, other) {
  const dtype = floatType(resultType(self, other));
  const powers = mapOne(readAs(other, dtype), dtype, (y) => 2 ** y);
  settle(dtype, powers.data);
  return multiply(readAs(self, dtype), powers);
}

/** Give floats also for integers. @type {Record<string, Numeric>} */
const floatPairs = {
  logaddexp2: (x, y) => (x === y ? x + 1 : Math.max(x, y) + Math.log2(1 + 2 ** -Math.abs(x - y))),
  atan2: Math.atan2,
  xlogy: (x, y) => (Number.isNaN(y) ? NaN : x === 0 ? 0 : x * Math.log(y)),
  logaddexp: (x, y) => (x === y ? x + Math.LN2 : Math.max(x, y) + Math.log1p(Math.exp(-Math.abs(x - y)))),
  hypot: Math.hypot,
  copysign: (x, y) => (y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x)),
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
pairs["ldexp.Tensor"] = ["self:T other:T", ldexp];
for (const [name, f] of Object.entries(chosen)) {
  pairs[`${name}.default`] = ["self:T other:T", (self, other) => arithmetic(runOf(f), self, other)];
}
for (const [name, f] of Object.entries(floatPairs)) {
  pairs[`${name}.${["xlogy", "copysign"].includes(name) ? "Tensor" : "default"}`] = [
    "self:T other:T",
    (self, other) => {
      const dtype = floatType(resultType(self, other));
      return mapTwo(runOf(f), readAs(self, dtype), readAs(other, dtype), dtype);
    },
  ];
}
