/** Softmax and its logarithm along one axis, their gradients, and running sums and products. */
import { floatType, sumType } from "./dtype.mjs";
import { quick } from "./quick.mjs";
import { axisFromEnd, axisOf, axisToEnd, cast, tensor } from "./tensor.mjs";

/** @import { DType, Numbers } from "./dtype.mjs" */
/** @import { Numeric } from "./broadcast.mjs" */
/** @import { Kernel, Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

const BROAD = 8; // numbers of a row from which a quicker loop is worth its start

/**
 * Applies `row(input, output, start, length)` to every line of elements along an axis.
 * @param {Tensor[]} inputs of one shape
 * @param {number} dim @param {DType} dtype
 * @param {(...rest: any[]) => void} row takes the data of as many inputs as there are
 * @param {boolean} [quicker] there is a quicker loop for all rows of softmax
 */
export function alongAxis(inputs, dim, dtype, row, quicker = false) {
  const { shape } = inputs[0];
  const axis = axisOf(dim, shape.length);
  const lined = inputs.map((input) => axisToEnd(input, axis));
  const out = tensor(lined[0].shape, dtype);
  const length = shape.length === 0 ? 1 : shape[axis];
  const datas = lined.map(({ data }) => data);
  if (!(quicker && length >= BROAD && quick.softmax(datas[0], out.data, length))) {
    for (let start = 0; start < out.data.length; start += length) row(...datas, out.data, start, length);
  }
  return axisFromEnd(out, axis);
}

/** @param {Numbers} data @param {number} start @param {number} end */
function topOf(data, start, end) {
  let top = -Infinity;
  for (let i = start; i < end; i += 1) if (data[i] > top) top = data[i];
  return top;
}

/** @typedef {(data: Numbers, out: Numbers, start: number, length: number) => void} Row */

let powers = new Float64Array(256); // of one row, in float64: kept from row to row

/** A row of -inf only has no largest value to take away and comes out as NaN, like torch's. @type {Row} */
function softmaxRow(data, out, start, length) {
  const end = start + length;
  const top = topOf(data, start, end);
  if (powers.length < length) powers = new Float64Array(length);
  const p = powers;
  let total = 0;
  for (let i = 0; i < length; i += 1) {
    p[i] = Math.exp(data[start + i] - top);
    total += p[i];
  }
  for (let i = 0; i < length; i += 1) out[start + i] = p[i] / total;
}

/** Softmax whose rows of -inf become 0. @type {Row} */
function safeSoftmaxRow(data, out, start, length) {
  softmaxRow(data, out, start, length);
  for (let i = start; i < start + length; i += 1) if (data[i] !== -Infinity) return;
  out.fill(0, start, start + length);
}

/** @type {Row} */
function logSoftmaxRow(data, out, start, length) {
  const end = start + length;
  const top = topOf(data, start, end);
  let total = 0;
  for (let i = start; i < end; i += 1) total += Math.exp(data[i] - top);
  const shift = Math.log(total);
  for (let i = start; i < end; i += 1) out[i] = data[i] - top - shift;
}

/** @param {Tensor} self @param {boolean} halfToFloat @returns {DType} */
const wide = (self, halfToFloat) => (halfToFloat ? "float32" : self.dtype);
/** @param {Row} row @returns {Kernel} */
const along = (row) => (self, dim, halfToFloat) => alongAxis([self], dim, wide(self, halfToFloat), row, row === softmaxRow);
/** @param {Row} row @returns {Kernel} */
const alongAs = (row) => (self, dim, dtype) => {
  const source = cast(self, dtype ?? floatType(self.dtype));
  return alongAxis([source], dim, source.dtype, row, row === softmaxRow);
};

/** @param {Numeric} step @param {number} initial @returns {Kernel} */
function cumulative(step, initial) {
  return (self, dim, dtype) => {
    const source = dtype ? cast(self, dtype) : self;
    return alongAxis([source], dim, dtype ?? sumType(self.dtype), (data, out, start, length) => {
      let total = initial;
      for (let i = start; i < start + length; i += 1) {
        total = step(total, data[i]);
        out[i] = total;
      }
    });
  };
}

/** @type {Numeric} */
function logAdd(x, y) {
  if (x === y) return x + Math.LN2;
  return Math.max(x, y) + Math.log1p(Math.exp(-Math.abs(x - y)));
}

/**
 * Running extremes with their places; the later of equals counts, as in torch.
 * @param {(x: number, y: number) => boolean} better @returns {Kernel}
 */
const runningExtreme = (better) => (self, dim) => {
  /** @param {boolean} pick */
  const output = (pick) =>
    alongAxis([self], dim, pick ? "int64" : self.dtype, (data, out, start, length) => {
      let best = start;
      for (let i = start; i < start + length; i += 1) {
        if (Number.isNaN(data[i]) || (!Number.isNaN(data[best]) && better(data[i], data[best]))) best = i;
        out[i] = pick ? best - start : data[best];
      }
    });
  return [output(false), output(true)];
};

/** @type {Table} */
export const alongOneAxis = {
  "_softmax.default": ["self:T dim half_to_float", along(softmaxRow)],
  "_log_softmax.default": ["self:T dim half_to_float", along(logSoftmaxRow)],
  "_safe_softmax.default": ["self:T dim dtype=null", alongAs(safeSoftmaxRow)],
  "softmax.int": ["self:T dim dtype=null", alongAs(softmaxRow)],
  "log_softmax.int": ["self:T dim dtype=null", alongAs(logSoftmaxRow)],
  "cumsum.default": ["self:T dim dtype=null", cumulative((total, x) => total + x, 0)],
  "cumprod.default": ["self:T dim dtype=null", cumulative((total, x) => total * x, 1)],
  "logcumsumexp.default": ["self:T dim", cumulative(logAdd, -Infinity)],
  "cummax.default": ["self:T dim", runningExtreme((x, y) => x >= y)],
  "cummin.default": ["self:T dim", runningExtreme((x, y) => x <= y)],
};
