/** Operators that pick elements by tensors of indices. */
import { axisOf, blank, reshaped, sizeOf, stridesOf, tensor } from "./tensor.mjs";

/** @import { Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

/** @param {number} index @param {number} length */
export const outside = (index, length) => new Error(`index ${index} is outside an axis of length ${length}.`);

/** An index, checked: only brackets count from the end. @param {number} index @param {number} length */
function placeOf(index, length) {
  if (!(index >= 0 && index < length)) throw outside(index, length);
  return index;
}

/** @param {Tensor} self @param {number} dim @param {Tensor} index */
export function indexSelect(self, dim, index) {
  const source = self.shape.length === 0 ? reshaped(self, [1]) : self;
  const axis = axisOf(dim, source.shape.length);
  const outer = sizeOf(source.shape.slice(0, axis));
  const inner = sizeOf(source.shape.slice(axis + 1));
  const length = source.shape[axis];
  const shape = source.shape.slice();
  shape[axis] = index.data.length;
  const out = blank(shape, self.dtype);
  const places = new Int32Array(index.data.length);
  for (let i = 0; i < places.length; i += 1) places[i] = placeOf(index.data[i], length) * inner;
  const [from, to] = [source.data, out.data];
  for (let k = 0, at = 0; k < outer; k += 1) {
    const start = k * length * inner;
    if (inner === 1) for (let i = 0; i < places.length; i += 1) to[at++] = from[start + places[i]];
    else for (const place of places) for (let i = 0; i < inner; i += 1) to[at++] = from[start + place + i];
  }
  return self.shape.length === 0 ? reshaped(out, []) : out;
}

/** @param {Tensor} weight @param {Tensor} indices */
function embedding(weight, indices) {
  const rows = indexSelect(weight, 0, reshaped(indices, [indices.data.length]));
  return reshaped(rows, [...indices.shape, ...weight.shape.slice(1)]);
}

/**
 * Calls `visit(place in index, place in self)` for every element of an index of gather or scatter.
 * @param {Tensor} self @param {number} dim @param {Tensor} index @param {(i: number, place: number) => void} visit
 */
export function visitIndexed(self, dim, index, visit) {
  const rank = Math.max(1, index.shape.length);
  const shape = index.shape.length === 0 ? [1] : index.shape;
  const target = self.shape.length === 0 ? [1] : self.shape;
  const axis = axisOf(dim, rank);
  const strides = stridesOf(target);
  const own = stridesOf(shape);
  for (let i = 0; i < index.data.length; i += 1) {
    let place = placeOf(index.data[i], target[axis]) * strides[axis];
    for (let k = 0; k < rank; k += 1) if (k !== axis) place += (Math.floor(i / own[k]) % shape[k]) * strides[k];
    visit(i, place);
  }
}

/** @param {Tensor} self @param {number} dim @param {Tensor} index */
function gather(self, dim, index) {
  const out = tensor(index.shape, self.dtype);
  visitIndexed(self, dim, index, (i, place) => {
    out.data[i] = self.data[place];
  });
  return out;
}

/** @type {Table} */
export const indexing = {
  "index_select.default": ["self:T dim index:T", indexSelect],
  "embedding.default": ["weight:T indices:T padding_idx=-1 scale_grad_by_freq=false sparse=false", embedding],
  "gather.default": ["self:T dim index:T sparse_grad=false", gather],
};
