/** Operators that only look at the same elements in another shape or order. */
import { axesOf, axisOf, cast, expanded, gatherStrided, permuted, reshaped, sizeOf, stridesOf, writeStrided } from "./tensor.mjs";

/** @import { Kernel, Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

/** A shape in which one length may be -1. @param {number[]} shape @param {number} size */
function fittedShape(shape, size) {
  const open = shape.indexOf(-1);
  const known = sizeOf(shape.filter((length) => length !== -1));
  const out = shape.slice();
  if (open >= 0) out[open] = known === 0 ? 0 : size / known;
  if (sizeOf(out) !== size || out.some((length) => !Number.isInteger(length))) {
    throw new Error(`shape [${shape}] does not hold ${size} elements.`);
  }
  return out;
}

/** @param {Tensor} self @param {number[]} size */
const view = (self, size) => reshaped(self, fittedShape(size, self.data.length));

/** @param {Tensor} self @param {number[]} size */
function expand(self, size) {
  const missing = size.length - self.shape.length;
  const shape = size.map((length, axis) => (length === -1 ? self.shape[axis - missing] : length));
  self.shape.forEach((length, axis) => {
    if (length !== 1 && length !== shape[axis + missing]) {
      throw new Error(`shape [${self.shape}] cannot be expanded to [${size}].`);
    }
  });
  return expanded(self, shape);
}

/** @param {Tensor} self @param {number[]} dims */
const permute = (self, dims) =>
  permuted(
    self,
    dims.map((axis) => axisOf(axis, self.shape.length)),
  );

/** @param {Tensor} self @param {number} dim0 @param {number} dim1 */
function transpose(self, dim0, dim1) {
  const rank = self.shape.length;
  if (rank === 0) return self;
  const order = self.shape.map((_, axis) => axis);
  const [a, b] = [axisOf(dim0, rank), axisOf(dim1, rank)];
  [order[a], order[b]] = [b, a];
  return permuted(self, order);
}

/** @param {Tensor} self @param {number|number[]|null} dim */
function squeeze(self, dim) {
  const axes = axesOf(dim, self.shape.length, false);
  return reshaped(
    self,
    self.shape.filter((length, axis) => length !== 1 || !axes.includes(axis)),
  );
}

/** @param {Tensor} self @param {number} dim */
export function unsqueeze(self, dim) {
  const shape = self.shape.slice();
  shape.splice(axisOf(dim, shape.length + 1), 0, 1);
  return reshaped(self, shape);
}

/**
 * A place on an axis as slices count it: from either end, held within the axis.
 * @param {number} length @param {number} place
 */
const within = (length, place) => Math.min(Math.max(place < 0 ? place + length : place, 0), length);

/**
 * Where a part of a tensor lies.
 * @typedef {(self: Tensor, ...rest: any[]) => {shape: number[], strides: number[], offset: number}} Layout
 */

/** @param {Tensor} self @param {number} dim @param {number|null} start @param {number|null} end @param {number} step */
function sliceLayout(self, dim, start, end, step) {
  const axis = axisOf(dim, self.shape.length);
  const length = self.shape[axis];
  const first = within(length, start ?? 0);
  const last = within(length, end ?? length);
  const shape = self.shape.slice();
  const strides = stridesOf(shape);
  const offset = first * strides[axis];
  shape[axis] = Math.max(0, Math.ceil((last - first) / step));
  strides[axis] *= step;
  return { shape, strides, offset };
}

/** @param {Tensor} self @param {number} dim @param {number} index */
function selectLayout(self, dim, index) {
  const axis = axisOf(dim, self.shape.length);
  const length = self.shape[axis];
  if (index < -length || index >= length) throw new Error(`index ${index} is outside an axis of length ${length}.`);
  const strides = stridesOf(self.shape);
  const offset = (index < 0 ? index + length : index) * strides[axis];
  /** @param {number[]} list */
  const without = (list) => list.filter((_, k) => k !== axis);
  return { shape: without(self.shape), strides: without(strides), offset };
}

/** @param {Tensor} self @param {number} offset @param {number} dim1 @param {number} dim2 */
function diagonalLayout(self, offset, dim1, dim2) {
  const rank = self.shape.length;
  const [a, b] = [axisOf(dim1, rank), axisOf(dim2, rank)];
  const strides = stridesOf(self.shape);
  const kept = self.shape.map((_, axis) => axis).filter((axis) => axis !== a && axis !== b);
  const [rows, cols] = [self.shape[a] + Math.min(offset, 0), self.shape[b] - Math.max(offset, 0)];
  const length = Math.max(0, Math.min(rows, cols));
  return {
    shape: [...kept.map((axis) => self.shape[axis]), length],
    strides: [...kept.map((axis) => strides[axis]), strides[a] + strides[b]],
    offset: length === 0 ? 0 : offset >= 0 ? offset * strides[b] : -offset * strides[a],
  };
}

/** @param {Tensor} self @param {number} dimension @param {number} size @param {number} step */
function unfoldLayout(self, dimension, size, step) {
  if (self.shape.length === 0) return { shape: [size], strides: [1], offset: 0 };
  const axis = axisOf(dimension, self.shape.length);
  const shape = self.shape.slice();
  const strides = stridesOf(shape);
  const stride = strides[axis];
  if (size > shape[axis]) throw new Error(`windows of ${size} do not fit in an axis of length ${shape[axis]}.`);
  shape[axis] = Math.floor((shape[axis] - size) / step) + 1;
  strides[axis] = stride * step;
  return { shape: [...shape, size], strides: [...strides, stride], offset: 0 };
}

/**
 * Strides of torch's own memory: right only where torch too holds `self` contiguous.
 * @param {Tensor} _ @param {number[]} shape @param {number[]} strides @param {number|null} offset
 */
const stridedLayout = (_, shape, strides, offset) => ({ shape, strides, offset: offset ?? 0 });

/** @param {Layout} layout @returns {(self: Tensor, ...rest: any[]) => Tensor} */
const read =
  (layout) =>
  (self, ...args) => {
    const { shape, strides, offset } = layout(self, ...args);
    return gatherStrided(self, shape, strides, offset);
  };

/** @param {Layout} layout @returns {Kernel} */
const write =
  (layout) =>
  (self, src, ...args) => {
    const { shape, strides, offset } = layout(self, ...args);
    const values = expand(cast(src, self.dtype), shape);
    return writeStrided(self, values, shape, strides, offset);
  };

export const slice = read(sliceLayout);
export const select = read(selectLayout);

const SLICE = "dim=0 start=null end=null step=1";
const DIAGONAL = "offset=0 dim1=0 dim2=1";
/** @type {[string, Kernel]} */
const same = ["self:T", (self) => self];

/** @type {Table} */
export const views = {
  "alias.default": same,
  "clone.default": ["self:T memory_format=null", (self) => self],
  "detach.default": same,
  "lift_fresh_copy.default": same,
  "contiguous.default": ["self:T memory_format=null", (self) => self],
  "view.default": ["self:T size", view],
  "reshape.default": ["self:T shape", view],
  "expand.default": ["self:T size implicit=false", expand],
  "permute.default": ["self:T dims", permute],
  "transpose.int": ["self:T dim0 dim1", transpose],
  "t.default": ["self:T", (self) => (self.shape.length < 2 ? self : transpose(self, 0, 1))],
  "squeeze.default": ["self:T", (self) => squeeze(self, null)],
  "squeeze.dim": ["self:T dim", squeeze],
  "squeeze.dims": ["self:T dim", squeeze],
  "unsqueeze.default": ["self:T dim", unsqueeze],
  "slice.Tensor": [`self:T ${SLICE}`, slice],
  "slice_scatter.default": [`self:T src:T ${SLICE}`, write(sliceLayout)],
  "select.int": ["self:T dim index", select],
  "select_scatter.default": ["self:T src:T dim index", write(selectLayout)],
  "diagonal.default": [`self:T ${DIAGONAL}`, read(diagonalLayout)],
  "diagonal_scatter.default": [`self:T src:T ${DIAGONAL}`, write(diagonalLayout)],
  "unfold.default": ["self:T dimension size step", read(unfoldLayout)],
  "as_strided.default": ["self:T size stride storage_offset=null", read(stridedLayout)],
  "as_strided_scatter.default": ["self:T src:T size stride storage_offset=null", write(stridedLayout)],
  "copy.default": ["self:T src:T non_blocking=false", (self, src) => expand(cast(src, self.dtype), self.shape)],
};
