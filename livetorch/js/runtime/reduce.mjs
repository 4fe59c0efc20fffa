/** Operators that reduce axes to one value: sums, means, extremes, any and all. */
import { isFloat, sumType } from "./dtype.mjs";
import { axesOf, cast, permuted, sizeOf, tensor } from "./tensor.mjs";

/** @import { DType, Numbers } from "./dtype.mjs" */
/** @import { Kernel, Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

/** @typedef {(data: Numbers, start: number, length: number) => number} OfRow what a row comes to */
/** @typedef {(x: number, y: number) => boolean} Better */
/** @typedef {number|number[]|null} Axes all of them, where it is null */

/**
 * The tensor with the named axes moved to the end, and the lengths of both groups.
 * @param {Tensor} self @param {number[]} axes
 */
export function rowsOver(self, axes) {
  const kept = self.shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
  const order = [...kept, ...axes.slice().sort((a, b) => a - b)];
  const rows = sizeOf(kept.map((axis) => self.shape[axis]));
  const length = sizeOf(axes.map((axis) => self.shape[axis]));
  return { data: permuted(self, order).data, rows, length };
}

/**
 * The shape that is left when axes are reduced.
 * @param {number[]} shape @param {number[]} axes @param {boolean} keepdim
 */
export function reducedShape(shape, axes, keepdim) {
  if (keepdim) return shape.map((length, axis) => (axes.includes(axis) ? 1 : length));
  return shape.filter((_, axis) => !axes.includes(axis));
}

/**
 * Applies `f(data, start, length)` to every row of reduced elements.
 * @param {Tensor} self @param {number[]} axes @param {boolean} keepdim @param {DType} dtype @param {OfRow} f
 */
export function reduce(self, axes, keepdim, dtype, f) {
  const { data, rows, length } = rowsOver(self, axes);
  const out = tensor(reducedShape(self.shape, axes, keepdim), dtype);
  for (let row = 0; row < rows; row += 1) out.data[row] = f(data, row * length, length);
  return out;
}

/** @type {OfRow} */
function sumRow(data, start, length) {
  let total = 0;
  for (let i = start; i < start + length; i += 1) total += data[i];
  return total;
}

/** @type {OfRow} */
export const meanRow = (data, start, length) => sumRow(data, start, length) / length;

/** The place of the extreme value: the first of equals, or the first NaN. @param {Better} better @returns {OfRow} */
export const bestPlace = (better) => (data, start, length) => {
  let best = start;
  for (let i = start; i < start + length; i += 1) {
    if (Number.isNaN(data[i])) return i - start;
    if (better(data[i], data[best])) best = i;
  }
  return best - start;
};
/** @type {Better} */
export const greater = (x, y) => x > y;
/** @type {Better} */
export const less = (x, y) => x < y;

/** @param {Tensor} self @param {Axes} dim @param {boolean} keepdim @param {DType|null} dtype */
function sum(self, dim, keepdim, dtype) {
  const type = dtype ?? sumType(self.dtype);
  const source = dtype ? cast(self, dtype) : self;
  return reduce(source, axesOf(dim, self.shape.length), keepdim, type, sumRow);
}

/** @param {Tensor} self @param {Axes} dim @param {boolean} keepdim @param {DType|null} dtype */
export function mean(self, dim, keepdim, dtype) {
  const source = dtype ? cast(self, dtype) : self;
  if (!isFloat(source.dtype)) throw new Error(`the mean needs a float tensor, got ${source.dtype}.`);
  return reduce(source, axesOf(dim, self.shape.length), keepdim, source.dtype, (data, start, length) => {
    const total = sumRow(data, start, length);
    return (source.dtype === "float64" ? total : Math.fround(total)) / length; // a sum beyond the type is infinite
  });
}

/** @param {Tensor} self @param {Axes} dim @param {boolean} keepdim @param {Better} better */
export function extreme(self, dim, keepdim, better) {
  const place = bestPlace(better);
  const axes = axesOf(dim, self.shape.length);
  const length = sizeOf(axes.map((axis) => self.shape[axis]));
  if (length === 0 && sizeOf(reducedShape(self.shape, axes, false)) > 0) {
    throw new Error("the largest or smallest of no elements does not exist.");
  }
  return reduce(self, axes, keepdim, self.dtype, (data, start, n) => data[start + place(data, start, n)]);
}

/**
 * Extreme along one axis with its place: `max.dim` and `min.dim`.
 * @param {Tensor} self @param {Axes} dim @param {boolean} keepdim @param {Better} better
 */
function extremeWithPlace(self, dim, keepdim, better) {
  const places = placeOfExtreme(self, dim, keepdim, better);
  const axes = axesOf(dim, self.shape.length);
  const { data, length } = rowsOver(self, axes);
  if (axes.length !== 1 || length === 0) return [extreme(self, dim, keepdim, better), places];
  const best = tensor(places.shape, self.dtype);
  for (let row = 0; row < best.data.length; row += 1) best.data[row] = data[row * length + places.data[row]];
  return [best, places];
}

/** @param {Better} better @returns {Kernel} */
const place = (better) => (self, dim, keepdim) => placeOfExtreme(self, dim, keepdim, better);

/** @param {Tensor} self @param {Axes} dim @param {boolean} keepdim @param {Better} better */
function placeOfExtreme(self, dim, keepdim, better) {
  if (self.shape.length === 0) return tensor([], "int64");
  const axes = axesOf(dim, self.shape.length);
  return reduce(self, axes, keepdim, "int64", bestPlace(better));
}

/** @param {Tensor} self @param {Axes} dim @param {boolean} keepdim */
function anyOf(self, dim, keepdim) {
  return reduce(self, axesOf(dim, self.shape.length, true), keepdim, self.dtype === "uint8" ? "uint8" : "bool", (data, start, length) => {
    for (let i = start; i < start + length; i += 1) if (data[i] !== 0) return 1;
    return 0;
  });
}

/** @param {Tensor} self @param {Axes} dim @param {boolean} keepdim */
function allOf(self, dim, keepdim) {
  return reduce(self, axesOf(dim, self.shape.length, true), keepdim, self.dtype === "uint8" ? "uint8" : "bool", (data, start, length) => {
    for (let i = start; i < start + length; i += 1) if (data[i] === 0) return 0;
    return 1;
  });
}

/** @type {Table} */
export const reduction = {
  "sum.default": ["self:T dtype=null", (self, dtype) => sum(self, null, false, dtype)],
  "sum.dim_IntList": ["self:T dim keepdim=false dtype=null", sum],
  "mean.default": ["self:T dtype=null", (self, dtype) => mean(self, null, false, dtype)],
  "mean.dim": ["self:T dim keepdim=false dtype=null", mean],
  "amax.default": ["self:T dim=[] keepdim=false", (self, dim, keepdim) => extreme(self, dim, keepdim, greater)],
  "amin.default": ["self:T dim=[] keepdim=false", (self, dim, keepdim) => extreme(self, dim, keepdim, less)],
  "max.default": ["self:T", (self) => extreme(self, null, false, greater)],
  "min.default": ["self:T", (self) => extreme(self, null, false, less)],
  "max.dim": ["self:T dim keepdim=false", (self, dim, keepdim) => extremeWithPlace(self, dim, keepdim, greater)],
  "min.dim": ["self:T dim keepdim=false", (self, dim, keepdim) => extremeWithPlace(self, dim, keepdim, less)],
  "argmax.default": ["self:T dim=null keepdim=false", place(greater)],
  "argmin.default": ["self:T dim=null keepdim=false", place(less)],
  "any.default": ["self:T", (self) => anyOf(self, null, false)],
  "any.dim": ["self:T dim keepdim=false", anyOf],
  "any.dims": ["self:T dim=null keepdim=false", anyOf],
  "all.default": ["self:T", (self) => allOf(self, null, false)],
  "all.dim": ["self:T dim keepdim=false", allOf],
  "all.dims": ["self:T dim=null keepdim=false", allOf],
};
