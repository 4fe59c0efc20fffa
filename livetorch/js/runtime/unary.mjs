/** Operators on one tensor, element by element. */
import { floatType, isFloat } from "./dtype.mjs";
import { mapOne } from "./broadcast.mjs";
import { cast } from "./tensor.mjs";

/** @import { Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

/** @typedef {(x: number) => number} One */

/** The nearest integer; halves go to the even one, as torch rounds. @param {number} x */
export function roundEven(x) {
  const floor = Math.floor(x);
  const rest = x - floor;
  if (rest !== 0.5) return rest < 0.5 ? floor : Math.ceil(x);
  return floor % 2 === 0 ? floor : Math.ceil(x);
}

/** @param {number} x */
export const sigmoid = (x) => (x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x)));

/** NaN and both zeros give 0. @param {number} x */
const signOf = (x) => (x > 0 ? 1 : x < 0 ? -1 : 0);

/** Always give floats; integers are read as float32. @type {Record<string, One>} */
const floats = {
  cos: Math.cos,
  exp: Math.exp,
  exp2: (x) => 2 ** x,
  expm1: Math.expm1,
  log: Math.log,
  log10: Math.log10,
  log1p: Math.log1p,
  log2: Math.log2,
  reciprocal: (x) => 1 / x,
  rsqrt: (x) => 1 / Math.sqrt(x),
  sigmoid,
  sin: Math.sin,
  sqrt: Math.sqrt,
  tanh: Math.tanh,
};

/** Keep the dtype. @type {Record<string, One>} */
const keeping = {
  abs: Math.abs,
  neg: (x) => -x,
  relu: (x) => (x < 0 ? 0 : x),
  sgn: signOf,
  sign: signOf,
};

/** Keep the dtype and do nothing to integers. @type {Record<string, One>} */
const rounding = {
  ceil: Math.ceil,
  floor: Math.floor,
  frac: (x) => x - Math.trunc(x),
  round: roundEven,
  trunc: Math.trunc,
};

/** Give bool. @type {Record<string, (x: number) => boolean>} */
const tests = {
  isfinite: Number.isFinite,
  isinf: (x) => x === Infinity || x === -Infinity,
  isnan: Number.isNaN,
  isneginf: (x) => x === -Infinity,
  isposinf: (x) => x === Infinity,
  logical_not: (x) => x === 0,
  signbit: (x) => x < 0 || Object.is(x, -0),
};

/** @param {Tensor} self */
function bitwiseNot(self) {
  return mapOne(self, self.dtype, self.dtype === "bool" ? (x) => 1 - x : (x) => -x - 1);
}

/** @type {Table} */
export const unary = {
  "square.default": [
    "self:T",
    (self) => {
      const x = self.dtype === "bool" ? cast(self, "int64") : self;
      return mapOne(x, x.dtype, (value) => value * value);
    },
  ],
  "bitwise_not.default": ["self:T", bitwiseNot],
  "positive.default": ["self:T", (self) => self],
};
for (const [name, f] of Object.entries(floats)) {
  unary[`${name}.default`] = ["self:T", (self) => mapOne(self, floatType(self.dtype), f, name)];
}
for (const [name, f] of Object.entries(keeping)) {
  unary[`${name}.default`] = ["self:T", (self) => mapOne(self, self.dtype, f, name)];
}
for (const [name, f] of Object.entries(rounding)) {
  unary[`${name}.default`] = ["self:T", (self) => (isFloat(self.dtype) ? mapOne(self, self.dtype, f) : self)];
}
for (const [name, f] of Object.entries(tests)) {
  unary[`${name}.default`] = ["self:T", (self) => mapOne(self, "bool", f)];
}
