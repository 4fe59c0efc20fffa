/** Operators on three tensors, and choices between tensors. */
import { promoteTypes, resultType } from "./dtype.mjs";
import { mapThree, runOfThree } from "./broadcast.mjs";
import { cast, readAs, scalar } from "./tensor.mjs";

/** @import { RunThree } from "./broadcast.mjs" */
/** @import { Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

/** The first where the condition holds, else the second. @type {RunThree} */
const choose = (a, at, stepA, b, bt, stepB, c, ct, stepC, out, to, length) => {
  for (let i = 0; i < length; i += 1) out[to + i] = a[at + i * stepA] !== 0 ? b[bt + i * stepB] : c[ct + i * stepC];
};

/**
 * Picks from `self` where the condition holds, else from `other`.
 * @param {Tensor} condition @param {Tensor} self @param {Tensor} other
 */
export function where(condition, self, other) {
  const dtype = resultType(self, other);
  return mapThree(choose, condition, readAs(self, dtype), readAs(other, dtype), dtype);
}

const lowest = scalar(-Infinity, "float64");
const highest = scalar(Infinity, "float64");

/** @type {RunThree} */
const bound = (a, at, stepA, b, bt, stepB, c, ct, stepC, out, to, length) => {
  for (let i = 0; i < length; i += 1) {
    const low = b[bt + i * stepB];
    const high = c[ct + i * stepC];
    const x = a[at + i * stepA];
    const atLeast = x < low ? low : x;
    out[to + i] = low !== low || high !== high ? NaN : atLeast > high ? high : atLeast;
  }
};

/**
 * Bounds from below, then from above; NaN in any operand stays NaN.
 * @param {Tensor} self @param {Tensor|null} min @param {Tensor|null} max
 */
export function clamp(self, min, max) {
  const dtype = resultType(...[self, min, max].filter((one) => one !== null));
  const low = min ? readAs(min, dtype) : lowest;
  const high = max ? readAs(max, dtype) : highest;
  return mapThree(bound, readAs(self, dtype), low, high, dtype);
}

/** @param {Tensor} self @param {Tensor} min */
const clampMin = (self, min) => clamp(self, min, null);
/** @param {Tensor} self @param {Tensor} max */
const clampMax = (self, max) => clamp(self, null, max);

/**
 * A value in the places of a mask; the result keeps the dtype of `self`.
 * @param {Tensor} self @param {Tensor} mask @param {Tensor} value
 */
function maskedFill(self, mask, value) {
  const fill = cast(value, self.dtype);
  return mapThree(choose, mask, fill, self, self.dtype);
}

/** @param {Tensor} value */
const scaleOf = (value) => value.data[0];

/** @param {Tensor} self @param {Tensor} a @param {Tensor} b @param {Tensor} value */
function addcmul(self, a, b, value) {
  const dtype = resultType(self, a, b);
  const factor = scaleOf(value);
  const run = runOfThree((x, y, z) => x + factor * y * z);
  return mapThree(run, readAs(self, dtype), readAs(a, dtype), readAs(b, dtype), dtype);
}

/** @param {Tensor} self @param {Tensor} a @param {Tensor} b @param {Tensor} value */
function addcdiv(self, a, b, value) {
  const dtype = resultType(self, a, b);
  const factor = scaleOf(value);
  const run = runOfThree((x, y, z) => x + (factor * y) / z);
  return mapThree(run, readAs(self, dtype), readAs(a, dtype), readAs(b, dtype), dtype);
}

/** Linear interpolation from the nearer end, as torch does it. */
const between = runOfThree((x, y, t) => (Math.abs(t) < 0.5 ? x + t * (y - x) : y - (y - x) * (1 - t)));

/** @param {Tensor} self @param {Tensor} end @param {Tensor} weight */
function lerp(self, end, weight) {
  const dtype = promoteTypes(self.dtype, end.dtype);
  return mapThree(between, self, end, readAs(weight, dtype), dtype);
}

const CHOICE = "condition:T self:T other:T";

/** @type {Table} */
export const ternary = {
  "where.self": [CHOICE, where],
  "where.ScalarSelf": ["condition:T self:S other:T", where],
  "where.ScalarOther": ["condition:T self:T other:S", where],
  "where.Scalar": ["condition:T self:S other:S", where],
  "clamp.default": ["self:T min:S=null max:S=null", clamp],
  "clamp.Tensor": ["self:T min:T=null max:T=null", clamp],
  "clamp_min.default": ["self:T min:S", clampMin],
  "clamp_min.Tensor": ["self:T min:T", clampMin],
  "clamp_max.default": ["self:T max:S", clampMax],
  "clamp_max.Tensor": ["self:T max:T", clampMax],
  "masked_fill.Scalar": ["self:T mask:T value:S", maskedFill],
  "masked_fill.Tensor": ["self:T mask:T value:T", maskedFill],
  "addcmul.default": ["self:T tensor1:T tensor2:T value:S=1", addcmul],
  "addcdiv.default": ["self:T tensor1:T tensor2:T value:S=1", addcdiv],
  "lerp.Scalar": ["self:T end:T weight:S", lerp],
  "lerp.Tensor": ["self:T end:T weight:T", lerp],
};
