/** Operators on two tensors (or a tensor and a number), element by element, with broadcasting. */
import { floatType, isFloat, isInteger, resultType } from "./dtype.mjs";
import { mapOne, mapTwo, promoted, runOf } from "./broadcast.mjs";
import { cast, readAs } from "./tensor.mjs";

/** @import { DType } from "./dtype.mjs" */
/** @import { Tensor } from "./tensor.mjs" */
/** @import { Numeric, Run } from "./broadcast.mjs" */
/** @import { Table } from "./registry.mjs" */

/** @typedef {(self: Tensor, other: Tensor) => Tensor} Elementwise */

/** Run loops of the four operators that programs spend their time in. @satisfies {Record<string, Run>} */
const runs = {
  add(a, at, stepA, b, bt, stepB, out, to, length) {
    for (let i = to, x = at, y = bt; i < to + length; i += 1, x += stepA, y += stepB) out[i] = a[x] + b[y];
  },
  sub(a, at, stepA, b, bt, stepB, out, to, length) {
    for (let i = to, x = at, y = bt; i < to + length; i += 1, x += stepA, y += stepB) out[i] = a[x] - b[y];
  },
  mul(a, at, stepA, b, bt, stepB, out, to, length) {
    for (let i = to, x = at, y = bt; i < to + length; i += 1, x += stepA, y += stepB) out[i] = a[x] * b[y];
  },
  div(a, at, stepA, b, bt, stepB, out, to, length) {
    for (let i = to, x = at, y = bt; i < to + length; i += 1, x += stepA, y += stepB) out[i] = a[x] / b[y];
  },
};

/** Runs a loop in the operands' common dtype. @param {Run} run @param {Tensor} self @param {Tensor} other */
export function arithmetic(run, self, other) {
  const { a, b, dtype } = promoted(self, other);
  return mapTwo(run, a, b, dtype);
}

/** @param {Run} run @param {Tensor} self @param {Tensor} other @param {Tensor} alpha */
function scaled(run, self, other, alpha) {
  if (alpha.data[0] === 1) return arithmetic(run, self, other);
  const { a, b, dtype } = promoted(self, other);
  const factor = alpha.data[0];
  const sign = run === runs.add ? 1 : -1;
  return mapTwo(
    runOf((x, y) => x + sign * factor * y),
    a,
    b,
    dtype,
  );
}

/** @param {Tensor} self @param {Tensor} other */
export const add = (self, other) => arithmetic(runs.add, self, other);
/** @param {Tensor} self @param {Tensor} other */
export const subtract = (self, other) => arithmetic(runs.sub, self, other);

/** The right side of a product or quotient: torch keeps a number in float32 beside half-precision tensors. */
function factor(/** @type {Tensor} */ other, /** @type {DType} */ dtype) {
  return readAs(other, other.shape.length === 0 && dtype.endsWith("float16") ? "float32" : dtype);
}

/** @param {Tensor} self @param {Tensor} other */
export function multiply(self, other) {
  const dtype = resultType(self, other);
  return mapTwo(runs.mul, readAs(self, dtype), factor(other, dtype), dtype);
}

/** True division: integers are divided as float32. @param {Tensor} self @param {Tensor} other */
export function divide(self, other) {
  const dtype = floatType(resultType(self, other));
  return mapTwo(runs.div, readAs(self, dtype), factor(other, dtype), dtype);
}

/** @param {DType} dtype @param {Tensor} other */
const refuseZero = (dtype, other) => {
  if (isInteger(dtype) && other.data.includes(0)) throw new Error("an integer cannot be divided by 0.");
};

/** The multiple of y that Python takes away for x % y, made exact like torch does. @type {Numeric} */
function floorDivide(x, y) {
  if (y === 0) return x / y;
  const rest = x % y;
  const quotient = (x - rest) / y - (rest !== 0 && rest < 0 !== y < 0 ? 1 : 0);
  if (quotient === 0) return x / y < 0 || Object.is(x / y, -0) ? -0 : 0;
  return quotient - Math.floor(quotient) > 0.5 ? Math.floor(quotient) + 1 : Math.floor(quotient);
}

/** @type {Numeric} */
function pythonRemainder(x, y) {
  const rest = x % y;
  return rest !== 0 && rest < 0 !== y < 0 ? rest + y : rest;
}

/** @param {Numeric} f @param {typeof readAs} [right] how the divisor is read @returns {Elementwise} */
function rounded(f, right = readAs) {
  return (self, other) => {
    const dtype = resultType(self, other);
    const b = right(other, dtype);
    refuseZero(dtype, b);
    return mapTwo(runOf(f), readAs(self, dtype), b, dtype);
  };
}

const floorDiv = rounded(floorDivide, factor);
const truncDiv = rounded((x, y) => Math.trunc(x / y) + 0);
const remainder = rounded(pythonRemainder);
const fmod = rounded((x, y) => x % y);

/** @param {Tensor} self @param {Tensor} other @param {string|null} mode */
function divideMode(self, other, mode) {
  if (mode === "floor") return floorDiv(self, other);
  const quotient = mode === "trunc" && !isFloat(resultType(self, other)) ? truncDiv(self, other) : divide(self, other);
  return mode ? mapOne(quotient, quotient.dtype, Math.trunc) : quotient; // of a quotient that is rounded to its type
}

/**
 * Powers of integers stay integers; torch gives 0 for a negative exponent unless the base is 1 or -1.
 * @param {Tensor} self @param {Tensor} other
 */
export function power(self, other) {
  const { a, b, dtype } = promoted(self, other);
  if (!isFloat(dtype))
    return mapTwo(
      runOf((x, y) => (x === 0 && y < 0 ? 0 : Math.trunc(x ** y) + 0)),
      a,
      b,
      dtype,
    );
  // Math.pow(1, NaN or infinity) is NaN in JavaScript and 1 in torch.
  /** @type {Numeric} */
  const f = (x, y) => (x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : x ** y);
  return mapTwo(runOf(f), a, b, dtype);
}

/**
 * Torch takes roots for these two exponents, which differs from powers at -infinity; but not in float16.
 * @param {Tensor} self @param {Tensor} exponent
 */
function powerOfNumber(self, exponent) {
  const x = exponent.data[0];
  if (x === 2 && isFloat(resultType(self, exponent))) {
    const { a, dtype } = promoted(self, exponent);
    return mapTwo(runs.mul, a, a, dtype); // the optimizer's squares: Math.pow takes ten times as long
  }
  if (Math.abs(x) !== 0.5 || self.dtype === "float16") return power(self, exponent);
  const { a, dtype } = promoted(self, exponent);
  return mapOne(a, dtype, x > 0 ? Math.sqrt : (value) => 1 / Math.sqrt(value));
}

/** Masks are made of them: a loop each, which no call slows down. @satisfies {Record<string, Run>} */
const comparisons = {
  eq(a, at, stepA, b, bt, stepB, out, to, length) {
    for (let i = to, x = at, y = bt; i < to + length; i += 1, x += stepA, y += stepB) out[i] = a[x] === b[y] ? 1 : 0;
  },
  ne(a, at, stepA, b, bt, stepB, out, to, length) {
    for (let i = to, x = at, y = bt; i < to + length; i += 1, x += stepA, y += stepB) out[i] = a[x] !== b[y] ? 1 : 0;
  },
  lt(a, at, stepA, b, bt, stepB, out, to, length) {
    for (let i = to, x = at, y = bt; i < to + length; i += 1, x += stepA, y += stepB) out[i] = a[x] < b[y] ? 1 : 0;
  },
  le(a, at, stepA, b, bt, stepB, out, to, length) {
    for (let i = to, x = at, y = bt; i < to + length; i += 1, x += stepA, y += stepB) out[i] = a[x] <= b[y] ? 1 : 0;
  },
  gt(a, at, stepA, b, bt, stepB, out, to, length) {
    for (let i = to, x = at, y = bt; i < to + length; i += 1, x += stepA, y += stepB) out[i] = a[x] > b[y] ? 1 : 0;
  },
  ge(a, at, stepA, b, bt, stepB, out, to, length) {
    for (let i = to, x = at, y = bt; i < to + length; i += 1, x += stepA, y += stepB) out[i] = a[x] >= b[y] ? 1 : 0;
  },
};

/** @param {Run} run @returns {Elementwise} */
function compare(run) {
  return (self, other) => {
    const dtype = resultType(self, other);
    // A number is rounded to the tensor's type before it is compared.
    const read = (/** @type {Tensor} */ operand) => (operand.weak ? cast(operand, dtype) : readAs(operand, dtype));
    return mapTwo(run, read(self), read(other), "bool");
  };
}

/** @param {Numeric} f @returns {Numeric} */
const orNaN = (f) => (x, y) => (Number.isNaN(x) || Number.isNaN(y) ? NaN : f(x, y));
/** @type {Record<string, Numeric>} */
const extremes = {
  maximum: orNaN((x, y) => (x > y ? x : y)),
  minimum: orNaN((x, y) => (x < y ? x : y)),
};

const PAIR = "self:T other:T";
const SCALAR = "self:T other:S";
/** @param {Run} run @returns {Elementwise} */
const pair = (run) => (self, other) => arithmetic(run, self, other);

/** @type {Table} */
export const binary = {
  "add.Tensor": [`${PAIR} alpha:S=1`, (self, other, alpha) => scaled(runs.add, self, other, alpha)],
  "add.Scalar": [`${SCALAR} alpha:S=1`, (self, other, alpha) => scaled(runs.add, self, other, alpha)],
  "sub.Tensor": [`${PAIR} alpha:S=1`, (self, other, alpha) => scaled(runs.sub, self, other, alpha)],
  "sub.Scalar": [`${SCALAR} alpha:S=1`, (self, other, alpha) => scaled(runs.sub, self, other, alpha)],
  "rsub.Tensor": [`${PAIR} alpha:S=1`, (self, other, alpha) => scaled(runs.sub, other, self, alpha)],
  "rsub.Scalar": [`${SCALAR} alpha:S=1`, (self, other, alpha) => scaled(runs.sub, other, self, alpha)],
  "mul.Tensor": [PAIR, multiply],
  "mul.Scalar": [SCALAR, multiply],
  "div.Tensor": [PAIR, divide],
  "div.Scalar": [SCALAR, divide],
  "div.Tensor_mode": [`${PAIR} rounding_mode`, divideMode],
  "div.Scalar_mode": [`${SCALAR} rounding_mode`, divideMode],
  "floor_divide.default": [PAIR, floorDiv],
  "floor_divide.Scalar": [SCALAR, floorDiv],
  "remainder.Tensor": [PAIR, remainder],
  "remainder.Scalar": [SCALAR, remainder],
  "remainder.Scalar_Tensor": ["self:S other:T", remainder],
  "fmod.Tensor": [PAIR, fmod],
  "fmod.Scalar": [SCALAR, fmod],
  "pow.Tensor_Tensor": ["self:T exponent:T", power],
  "pow.Tensor_Scalar": ["self:T exponent:S", powerOfNumber],
  "pow.Scalar": ["self:S exponent:T", power],
};
for (const [name, run] of Object.entries(comparisons)) {
  binary[`${name}.Tensor`] = [PAIR, compare(run)];
  binary[`${name}.Scalar`] = [SCALAR, compare(run)];
}
for (const [name, f] of Object.entries(extremes)) binary[`${name}.default`] = [PAIR, pair(runOf(f))];

/** @type {Record<string, Numeric>} */
const narrow = {
  bitwise_and: (x, y) => x & y,
  bitwise_or: (x, y) => x | y,
  bitwise_xor: (x, y) => x ^ y,
};

/** Beyond 32 bits, the slow but exact way. @type {Record<string, Numeric>} */
const wide = {
  bitwise_and: (x, y) => Number(BigInt(x) & BigInt(y)),
  bitwise_or: (x, y) => Number(BigInt(x) | BigInt(y)),
  bitwise_xor: (x, y) => Number(BigInt(x) ^ BigInt(y)),
};
/** @param {number} x */
const isSmall = (x) => (x | 0) === x;

/** @param {string} name */
const bits = (name) => runOf((x, y) => (isSmall(x) && isSmall(y) ? narrow[name](x, y) : wide[name](x, y)));

/** Operators on the bits of two tensors. @type {Table} */
export const bitwise = {};
for (const name of Object.keys(narrow)) {
  bitwise[`${name}.Tensor`] = [PAIR, pair(bits(name))];
  bitwise[`${name}.Scalar`] = [SCALAR, pair(bits(name))];
}
