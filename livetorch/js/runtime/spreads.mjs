/** Operators that reduce axes and that few Programs use: products, spreads, counts. */
import { floatType, sumType } from "./dtype.mjs";
import { bestPlace, extreme, greater, less, meanRow, reduce } from "./reduce.mjs";
import { axesOf, cast } from "./tensor.mjs";

/** @import { DType } from "./dtype.mjs" */
/** @import { Axes, OfRow } from "./reduce.mjs" */
/** @import { Kernel, Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

/** @type {OfRow} */
function prodRow(data, start, length) {
  const rounded = data instanceof Float32Array ? Math.fround : Number;
  let product = 1;
  for (let i = start; i < start + length; i += 1) product = rounded(product * data[i]);
  return product;
}

/** @param {Tensor} self @param {Axes} dim @param {boolean} keepdim @param {DType|null} dtype */
function prod(self, dim, keepdim, dtype) {
  const source = dtype ? cast(self, dtype) : self;
  return reduce(source, axesOf(dim, self.shape.length), keepdim, dtype ?? sumType(self.dtype), prodRow);
}

/**
 * Variance in two passes, with `correction` taken from the number of elements.
 * @param {Tensor} self @param {Axes} dim @param {number|null} correction @param {boolean} keepdim
 * @param {(x: number) => number} [last] what is done to it before it is rounded
 */
function variance(self, dim, correction, keepdim, last = (x) => x) {
  const taken = correction ?? 1;
  return reduce(self, axesOf(dim, self.shape.length), keepdim, self.dtype, (data, start, length) => {
    const middle = meanRow(data, start, length);
    let total = 0;
    for (let i = start; i < start + length; i += 1) total += (data[i] - middle) ** 2;
    return last(total / Math.max(0, length - taken));
  });
}

/** @type {typeof variance} */
const deviation = (self, dim, correction, keepdim) => variance(self, dim, correction, keepdim, Math.sqrt);

/** Variance over a bool "unbiased" instead of a correction. @param {typeof variance} f @returns {Kernel} */
const unbiased = (f) => (self, dim, flag, keepdim) => f(self, dim, flag ? 1 : 0, keepdim);

/** The mean that comes with a variance is counted up one by one: an infinity before the last number leaves NaN. @type {OfRow} */
function runningMean(data, start, length) {
  const whole = meanRow(data, start, length);
  if (Number.isFinite(whole) || length === 0) return whole;
  let mean = 0;
  for (let i = 0; i < length; i += 1) mean += (data[start + i] - mean) / (i + 1);
  return mean;
}
/** @param {typeof variance} f @returns {Kernel} */
const withMean = (f) => (self, dim, correction, keepdim) => [
  f(self, dim, correction, keepdim),
  reduce(self, axesOf(dim, self.shape.length), keepdim, self.dtype, runningMean),
];

/** @param {Tensor} self @param {Axes} dim @param {boolean} keepdim */
function logsumexp(self, dim, keepdim) {
  const source = cast(self, floatType(self.dtype));
  const place = bestPlace(greater);
  return reduce(source, axesOf(dim, self.shape.length), keepdim, source.dtype, (data, start, length) => {
    if (length === 0) return -Infinity;
    const top = data[start + place(data, start, length)];
    if (Math.abs(top) === Infinity) return top;
    let total = 0;
    for (let i = start; i < start + length; i += 1) total += Math.exp(data[i] - top);
    return top + Math.log(total);
  });
}

/** @param {Tensor} self @param {Axes} dim */
function countNonzero(self, dim) {
  return reduce(self, axesOf(dim, self.shape.length), false, "int64", (data, start, length) => {
    let count = 0;
    for (let i = start; i < start + length; i += 1) if (data[i] !== 0) count += 1;
    return count;
  });
}

/** @type {Table} */
export const spreads = {
  "prod.default": ["self:T dtype=null", (self, dtype) => prod(self, null, false, dtype)],
  "prod.dim_int": ["self:T dim keepdim=false dtype=null", prod],
  "aminmax.default": [
    "self:T dim=null keepdim=false",
    (self, dim, keepdim) => [extreme(self, dim, keepdim, less), extreme(self, dim, keepdim, greater)],
  ],
  "var.default": ["self:T unbiased=true", (self, flag) => variance(self, null, flag ? 1 : 0, false)],
  "var.dim": ["self:T dim unbiased=true keepdim=false", unbiased(variance)],
  "var.correction": ["self:T dim=null correction=null keepdim=false", variance],
  "std.default": ["self:T unbiased=true", (self, flag) => deviation(self, null, flag ? 1 : 0, false)],
  "std.dim": ["self:T dim unbiased=true keepdim=false", unbiased(deviation)],
  "std.correction": ["self:T dim=null correction=null keepdim=false", deviation],
  "var_mean.correction": ["self:T dim=null correction=null keepdim=false", withMean(variance)],
  "std_mean.correction": ["self:T dim=null correction=null keepdim=false", withMean(deviation)],
  "logsumexp.default": ["self:T dim keepdim=false", logsumexp],
  "count_nonzero.dim_IntList": ["self:T dim", countNonzero],
  "count_nonzero.default": ["self:T dim=null", countNonzero],
};
