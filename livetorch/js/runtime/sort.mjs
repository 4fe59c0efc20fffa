/** Sorting, the largest values, and searching in sorted values. */
import { filled } from "./broadcast.mjs";
import { reducedShape, rowsOver } from "./reduce.mjs";
import { axisFromEnd, axisOf, axisToEnd, reshaped, tensor } from "./tensor.mjs";
import { slice } from "./reshape.mjs";

/** @import { Numbers } from "./dtype.mjs" */
/** @import { Kernel, Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

/**
 * Ascending, equal values in their order, NaN counted as the largest.
 * @param {Numbers} data @param {number} start @param {number} length @param {boolean} descending
 */
export function orderOf(data, start, length, descending) {
  const keyed = keyedOrder(data, start, length, descending);
  if (keyed) return keyed;
  const places = Array.from({ length }, (_, i) => i);
  const sign = descending ? -1 : 1;
  return places.sort((i, j) => {
    const [x, y] = [data[start + i], data[start + j]];
    if (x === y) return i - j;
    if (Number.isNaN(x)) return Number.isNaN(y) ? i - j : sign;
    if (Number.isNaN(y)) return -sign;
    return x < y ? -sign : sign;
  });
}

const TOP = 2 ** 32; // above each key
const PLACES = 2 ** 21; // a key and a place fit into the 53 bits of a float64
const one = new Float32Array(1);
const bits = new Uint32Array(one.buffer);

/** A whole number that stands as its float32 does among others, NaN above all. @param {number} x */
function keyOf(x) {
  if (Number.isNaN(x)) return TOP - 1;
  one[0] = x + 0; // 0 and -0 are equal
  return bits[0] >= TOP / 2 ? TOP - 1 - bits[0] : bits[0] + TOP / 2;
}

/**
 * The order of float32 numbers by one number for each, its key and then its place: arrays of them sort without asking back.
 * @param {Numbers} data @param {number} start @param {number} length @param {boolean} descending
 */
function keyedOrder(data, start, length, descending) {
  if (!(data instanceof Float32Array) || length > PLACES) return null;
  const keys = new Float64Array(length);
  for (let i = 0; i < length; i += 1) {
    const key = keyOf(data[start + i]);
    keys[i] = (descending ? TOP - 1 - key : key) * PLACES + i;
  }
  keys.sort();
  for (let i = 0; i < length; i += 1) keys[i] %= PLACES;
  return keys;
}

/** Values and places along an axis, sorted. @param {Tensor} self @param {number} dim @param {boolean} descending */
export function sort(self, dim, descending) {
  const axis = axisOf(dim, self.shape.length);
  const lined = axisToEnd(self, axis);
  const length = self.shape.length === 0 ? 1 : self.shape[axis];
  const values = tensor(lined.shape, self.dtype);
  const places = tensor(lined.shape, "int64");
  for (let start = 0; start < values.data.length; start += length) {
    const order = orderOf(lined.data, start, length, descending);
    for (let i = 0; i < length; i += 1) {
      values.data[start + i] = lined.data[start + order[i]];
      places.data[start + i] = order[i];
    }
  }
  return [axisFromEnd(values, axis), axisFromEnd(places, axis)];
}

/** @param {Tensor} self @param {number} k @param {number} dim @param {boolean} largest */
function topk(self, k, dim, largest) {
  const sorted = sort(self, dim, largest);
  if (self.shape.length === 0) return sorted;
  return sorted.map((part) => slice(part, dim, 0, k, 1));
}

/**
 * The k-th smallest value; the median is the lower one of the middle two.
 * @param {Tensor} self @param {number} k @param {number} dim @param {boolean} keepdim
 */
function kthvalue(self, k, dim, keepdim) {
  return sort(self, dim, false).map((part) => {
    if (self.shape.length === 0) return part;
    const axis = axisOf(dim, self.shape.length);
    const one = slice(part, axis, k - 1, k, 1);
    return keepdim
      ? one
      : tensor(
          one.shape.filter((_, a) => a !== axis),
          one.dtype,
          one.data,
        );
  });
}

/**
 * One value of each row along an axis, and its place there.
 * @param {Tensor} self @param {number} dim @param {boolean} keepdim
 * @param {(order: ArrayLike<number>, at: (i: number) => number) => number} pick gives a place: of the places by size, and the value at the i-th
 */
function picked(self, dim, keepdim, pick) {
  const axis = axisOf(dim, self.shape.length);
  const source = self.shape.length === 0 ? reshaped(self, [1]) : self;
  const { data, rows, length } = rowsOver(source, [axis]);
  const shape = self.shape.length === 0 ? [] : reducedShape(self.shape, [axis], keepdim);
  const [values, places] = [tensor(shape, self.dtype), tensor(shape, "int64")];
  for (let row = 0; row < rows; row += 1) {
    const order = orderOf(data, row * length, length, false);
    places.data[row] = pick(order, (i) => data[row * length + order[i]]);
    values.data[row] = data[row * length + places.data[row]];
  }
  return [values, places];
}

/**
 * The lower of the two middle values along an axis and its place; with NaN in the row, the first NaN.
 * @param {Tensor} self @param {number} dim @param {boolean} keepdim @param {boolean} skipNaN
 */
function median(self, dim, keepdim, skipNaN) {
  return picked(self, dim, keepdim, (order, at) => {
    let valid = order.length; // NaN comes last
    while (valid > 0 && Number.isNaN(at(valid - 1))) valid -= 1;
    const whole = valid === order.length || (skipNaN && valid > 0);
    return order[whole ? (valid - 1) >> 1 : valid];
  });
}

/** The value that is there most often, the smallest of several, and the last place of it. @param {Tensor} self @param {number} dim @param {boolean} keepdim */
function mode(self, dim, keepdim) {
  if (self.data.some(Number.isNaN)) throw new Error("torch's answer for numbers with NaN hangs on how it sorts: take NaN out first.");
  return picked(self, dim, keepdim, (order, at) => {
    let place = 0;
    for (let i = 0, many = 0, most = 0; i < order.length; i += 1) {
      many = i > 0 && at(i) === at(i - 1) ? many + 1 : 1;
      if (many <= most) continue;
      most = many;
      place = order[i];
    }
    return place;
  });
}

/** @param {boolean} skipNaN @returns {Kernel} */
const medianOfAll = (skipNaN) => (self) => {
  if (self.data.length === 0) return filled([], self.dtype, NaN);
  return median(reshaped(self, [self.data.length]), 0, false, skipNaN)[0];
};

/**
 * How many of the sorted values lie before x (with `right`, also the equal ones).
 * @param {Numbers} sorted @param {number} start @param {number} length @param {number} x @param {boolean} right
 */
function placeIn(sorted, start, length, x, right) {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = sorted[start + middle];
    const before = right ? !(value > x) : !(value >= x);
    if (before) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * @param {Tensor} sequence @param {Tensor} values @param {boolean} int32 @param {boolean} right
 * @param {string|null} side @param {Tensor|null} sorter
 */
function searchsorted(sequence, values, int32, right, side, sorter) {
  if (sorter) throw new Error("searchsorted with a sorter is not in the runtime.");
  const [length] = sequence.shape.slice(-1);
  const out = tensor(values.shape, int32 ? "int32" : "int64");
  const run = values.shape.at(-1) ?? 1;
  const later = right || side === "right";
  for (let i = 0; i < out.data.length; i += 1) {
    const start = sequence.shape.length === 1 ? 0 : Math.floor(i / run) * length;
    out.data[i] = placeIn(sequence.data, start, length, values.data[i], later);
  }
  return out;
}

const SEARCH = "out_int32=false right=false side=null sorter:T=null";

/** @type {Table} */
export const sorting = {
  "sort.default": ["self:T dim=-1 descending=false", sort],
  "sort.stable": ["self:T stable dim=-1 descending=false", (self, _, dim, descending) => sort(self, dim, descending)],
  "argsort.default": ["self:T dim=-1 descending=false", (self, dim, descending) => sort(self, dim, descending)[1]],
  "argsort.stable": ["self:T stable dim=-1 descending=false", (self, _, dim, descending) => sort(self, dim, descending)[1]],
  "topk.default": ["self:T k dim=-1 largest=true sorted=true", topk],
  "kthvalue.default": ["self:T k dim=-1 keepdim=false", kthvalue],
  "mode.default": ["self:T dim=-1 keepdim=false", mode],
  "median.default": ["self:T", medianOfAll(false)],
  "median.dim": ["self:T dim keepdim=false", (self, dim, keepdim) => median(self, dim, keepdim, false)],
  "nanmedian.default": ["self:T", medianOfAll(true)],
  "nanmedian.dim": ["self:T dim keepdim=false", (self, dim, keepdim) => median(self, dim, keepdim, true)],
  "searchsorted.Tensor": [`sorted_sequence:T self:T ${SEARCH}`, searchsorted],
  "searchsorted.Scalar": [`sorted_sequence:T self:S ${SEARCH}`, searchsorted],
  "bucketize.Tensor": [
    "self:T boundaries:T out_int32=false right=false",
    (self, boundaries, int32, right) => searchsorted(boundaries, self, int32, right, null, null),
  ],
};
