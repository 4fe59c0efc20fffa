/** Operators that join, cut, pad and turn tensors round. */
import { promoteTypes } from "./dtype.mjs";
import { filled } from "./broadcast.mjs";
import { axisOf, blank, cast, gatherStrided, sizeOf, stridesOf, tensor, writeStrided } from "./tensor.mjs";
import { select, slice, unsqueeze } from "./reshape.mjs";

/** @import { Kernel, Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

const FEW = 64; // numbers that are copied one by one as quickly

/**
 * Tensors one after the other along an axis; torch skips 1-d tensors without elements.
 * @param {Tensor[]} list @param {number} dim
 */
export function cat(list, dim) {
  const tensors = list.filter(({ shape }) => shape.length !== 1 || shape[0] !== 0);
  const dtype = list.map((entry) => entry.dtype).reduce((a, b) => promoteTypes(a, b));
  if (tensors.length === 0) return tensor([0], dtype);
  const axis = axisOf(dim, tensors[0].shape.length);
  const shape = tensors[0].shape.slice();
  shape[axis] = tensors.reduce((length, part) => length + part.shape[axis], 0);
  const out = blank(shape, dtype);
  const outer = sizeOf(shape.slice(0, axis));
  const inner = sizeOf(shape.slice(axis + 1));
  let start = 0;
  for (const part of tensors) {
    const { data } = cast(part, dtype);
    const run = part.shape[axis] * inner;
    const width = shape[axis] * inner;
    for (let k = 0; k < outer; k += 1) {
      if (run > FEW) out.data.set(data.subarray(k * run, (k + 1) * run), k * width + start);
      else for (let i = 0; i < run; i += 1) out.data[k * width + start + i] = data[k * run + i];
    }
    start += run;
  }
  return out;
}

/** @param {Tensor[]} list @param {number} dim */
const stack = (list, dim) =>
  cat(
    list.map((part) => unsqueeze(part, dim)),
    axisOf(dim, list[0].shape.length + 1),
  );

/** @param {Tensor} self @param {number[]} sizes @param {number} dim */
function splitSizes(self, sizes, dim) {
  let start = 0;
  return sizes.map((size) => {
    const part = slice(self, dim, start, start + size, 1);
    start += size;
    return part;
  });
}

/** @param {Tensor} self @param {number} size @param {number} dim */
function split(self, size, dim) {
  const length = self.shape[axisOf(dim, self.shape.length)];
  const sizes = [];
  for (let start = 0; start < length || sizes.length === 0; start += size) sizes.push(Math.min(size, length - start));
  return splitSizes(self, sizes, dim);
}

/**
 * As many equal parts as fit; the last may be shorter, and there may be fewer parts than asked for.
 * @param {Tensor} self @param {number} chunks @param {number} dim
 */
function chunk(self, chunks, dim) {
  const length = self.shape[axisOf(dim, self.shape.length)];
  return length === 0 ? splitSizes(self, new Array(chunks).fill(0), dim) : split(self, Math.ceil(length / chunks), dim);
}

/** @param {Tensor} self @param {number} dim */
function unbind(self, dim) {
  const axis = axisOf(dim, self.shape.length);
  return Array.from({ length: self.shape[axis] }, (_, index) => select(self, axis, index));
}

/** @param {Tensor} self @param {number[]} dims */
function flip(self, dims) {
  const strides = stridesOf(self.shape);
  let offset = 0;
  for (const dim of self.shape.length === 0 ? [] : dims) {
    const axis = axisOf(dim, self.shape.length);
    offset += strides[axis] * (self.shape[axis] - 1);
    strides[axis] = -strides[axis];
  }
  return gatherStrided(self, self.shape, strides, offset);
}

/**
 * Adds a border of one value, or cuts where the padding is negative; pairs start at the last axis.
 * @param {Tensor} self @param {number[]} pad @param {Tensor} value
 */
function constantPad(self, pad, value) {
  let part = self;
  const shape = self.shape.slice();
  const offsets = shape.map(() => 0);
  for (let k = 0; k < pad.length / 2; k += 1) {
    const axis = shape.length - 1 - k;
    const [before, after] = [pad[2 * k], pad[2 * k + 1]];
    const length = self.shape[axis];
    part = slice(part, axis, Math.max(0, -before), length + Math.min(0, after), 1);
    shape[axis] = length + before + after;
    offsets[axis] = Math.max(0, before);
  }
  const strides = stridesOf(shape);
  const offset = offsets.reduce((sum, place, axis) => sum + place * strides[axis], 0);
  return writeStrided(filled(shape, self.dtype, value.data[0]), part, part.shape, strides, offset);
}

/** @type {Table} */
export const joining = {
  "cat.default": ["tensors:L dim=0", cat],
  "stack.default": ["tensors:L dim=0", stack],
  "split.Tensor": ["self:T split_size dim=0", split],
  "split.sizes": ["self:T split_size dim=0", splitSizes],
  "split_with_sizes.default": ["self:T split_sizes dim=0", splitSizes],
  "chunk.default": ["self:T chunks dim=0", chunk],
  "unbind.int": ["self:T dim=0", unbind],
  "flip.default": ["self:T dims", flip],
  "constant_pad_nd.default": ["self:T pad value:S=0", constantPad],
};
