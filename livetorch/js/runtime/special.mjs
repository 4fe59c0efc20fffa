/** Functions that Math lacks, in double precision, and the operators that are one of them or few Programs use. */
import { filled, mapOne } from "./broadcast.mjs";
import { floatType, isFloat } from "./dtype.mjs";
import { roundEven } from "./unary.mjs";

/** @import { Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

const HALF_LOG_2PI = 0.9189385332046727;

/** Series of the error function near 0: 2/sqrt(pi) * sum (-1)^n x^(2n+1) / (n! (2n+1)). @param {number} x */
function erfSeries(x) {
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n += 1) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

/** Continued fraction of the complementary error function for x >= 2, evaluated from its end. @param {number} x */
function erfcFraction(x) {
  let tail = x;
  for (let n = 60; n >= 1; n -= 1) tail = x + n / 2 / tail;
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / tail;
}

/** @param {number} x */
export function erf(x) {
  if (Number.isNaN(x)) return NaN;
  const size = Math.abs(x);
  if (size < 2) return x === 0 ? x : erfSeries(x);
  return Math.sign(x) * (size > 6 ? 1 : 1 - erfcFraction(size));
}

/** @param {number} x @returns {number} */
export function erfc(x) {
  if (Number.isNaN(x)) return NaN;
  if (x < 2) return x < -2 ? 2 - erfc(-x) : 1 - erfSeries(x);
  return x > 27.3 ? 0 : erfcFraction(x);
}

/** Inverse of the error function: a rough closed form, then Newton steps on erf or erfc. @param {number} y */
export function erfinv(y) {
  const size = Math.abs(y);
  if (!(size < 1)) return size === 1 ? y * Infinity : NaN;
  if (y === 0) return y;
  const log = Math.log1p(-size * size);
  const half = 2 / (Math.PI * 0.147) + log / 2;
  let x = Math.sqrt(Math.sqrt(half * half - log / 0.147) - half);
  for (let step = 0; step < 4; step += 1) {
    const error = size < 0.5 ? erf(x) - size : 1 - size - erfc(x);
    x -= (error / 2) * Math.sqrt(Math.PI) * Math.exp(x * x);
  }
  return Math.sign(y) * x;
}

/**
 * Logarithm of |gamma(x)|: Stirling's series after shifting x above 8, reflection below 0.5.
 * @param {number} x @returns {number}
 */
export function lgamma(x) {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? NaN : Infinity;
  if (x <= 0 && Number.isInteger(x)) return Infinity;
  if (x < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - lgamma(1 - x);
  if (x === 1 || x === 2) return 0;
  let product = 1;
  let z = x;
  for (; z < 8; z += 1) product *= z;
  const r = 1 / (z * z);
  const series = (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - r / 1188)))) / z;
  return (z - 0.5) * Math.log(z) - z + HALF_LOG_2PI + series - Math.log(product);
}

/** Derivative of `lgamma`. @param {number} x @returns {number} */
export function digamma(x) {
  if (x === 0) return -Infinity * Math.sign(1 / x);
  if (x < 0) return Number.isInteger(x) ? NaN : digamma(1 - x) - Math.PI / Math.tan(Math.PI * x);
  let shift = 0;
  let z = x;
  for (; z < 8; z += 1) shift += 1 / z;
  const r = 1 / (z * z);
  const series = r * (1 / 12 - r * (1 / 120 - r * (1 / 252 - r * (1 / 240 - r / 132))));
  return Math.log(z) - 0.5 / z - series - shift;
}

/** Modified Bessel function of order 0: sum of (x^2/4)^k / (k!)^2. @param {number} x */
export function besselI0(x) {
  let term = 1;
  let sum = 1;
  for (let k = 1; term > 1e-17 * sum && k < 2000; k += 1) {
    term *= (x * x) / (4 * k * k);
    sum += term;
  }
  return Number.isFinite(x) ? sum : NaN; // torch has NaN at the infinities too
}

/** Modified Bessel function of order 1, the slope of order 0: sum of (x/2)^(2k+1) / (k! (k+1)!). @param {number} x */
export function besselI1(x) {
  let term = x / 2;
  let sum = term;
  for (let k = 1; Math.abs(term) > 1e-17 * Math.abs(sum) && k < 2000; k += 1) {
    term *= (x * x) / (4 * k * (k + 1));
    sum += term;
  }
  return Number.isFinite(x) ? sum : NaN;
}

/** Always give floats; integers are read as float32. @type {Record<string, (x: number) => number>} */
const functions = {
  angle: (x) => (Number.isNaN(x) ? NaN : x < 0 ? Math.PI : 0),
  i0: besselI0,
  acos: Math.acos,
  acosh: Math.acosh,
  asin: Math.asin,
  asinh: Math.asinh,
  atan: Math.atan,
  atanh: Math.atanh,
  cosh: Math.cosh,
  deg2rad: (x) => (x * Math.PI) / 180,
  digamma,
  erf,
  erfc,
  erfinv,
  lgamma,
  rad2deg: (x) => (x * 180) / Math.PI,
  sinh: Math.sinh,
  special_i1: besselI1,
  tan: Math.tan,
};

/** @type {Record<string, number>} */
const largest = {
  float16: 65504,
  bfloat16: 3.3895313892515355e38,
  float32: 3.4028234663852886e38,
  float64: Number.MAX_VALUE,
};

/**
 * `nan_to_num`: replaces NaN and the infinities by finite numbers.
 * @param {Tensor} self @param {number|null} nan @param {number|null} posinf @param {number|null} neginf
 */
function nanToNum(self, nan, posinf, neginf) {
  if (!isFloat(self.dtype)) return self;
  const high = posinf ?? largest[self.dtype];
  const low = neginf ?? -largest[self.dtype];
  return mapOne(self, self.dtype, (x) => {
    if (Number.isNaN(x)) return nan ?? 0;
    return x === Infinity ? high : x === -Infinity ? low : x;
  });
}

/** How torch rounds on the way to a number of a type. @param {string} dtype @returns {(x: number) => number} */
const nearOf = (dtype) => (dtype === "float64" ? (x) => x : Math.fround);

/** @param {Tensor} self @param {number} decimals */
function roundDecimals(self, decimals) {
  if (!isFloat(self.dtype)) return self;
  const ten = 10 ** Math.abs(decimals);
  const near = nearOf(self.dtype);
  if (decimals < 0) return mapOne(self, self.dtype, (x) => roundEven(near(x / ten)) * ten);
  return mapOne(self, self.dtype, (x) => roundEven(near(x * ten)) / ten);
}

/** @type {Table} */
export const special = Object.fromEntries(
  Object.entries(functions).map(([name, f]) => [`${name}.default`, ["self:T", (self) => mapOne(self, floatType(self.dtype), f)]]),
);
Object.assign(
  special,
  /** @type {Table} */ ({
    "logit.default": [
      "self:T eps=null",
      (self, eps) => {
        const dtype = floatType(self.dtype);
        const near = nearOf(dtype);
        const [low, high] = eps === null ? [-Infinity, Infinity] : [eps, 1 - eps].map((x) => filled([], dtype, x).data[0]);
        return mapOne(self, dtype, (p) => {
          const q = p < low ? low : p > high ? high : p;
          return Math.log(near(q / near(1 - q)));
        });
      },
    ],
    "sinc.default": [
      "self:T",
      (self) => {
        const dtype = floatType(self.dtype);
        const near = nearOf(dtype);
        const pi = near(Math.PI);
        return mapOne(self, dtype, (x) => (x === 0 ? 1 : near(Math.sin(near(pi * x))) / near(pi * x)));
      },
    ],
    "nan_to_num.default": ["self:T nan=null posinf=null neginf=null", nanToNum],
    "round.decimals": ["self:T decimals", roundDecimals],
  }),
);
