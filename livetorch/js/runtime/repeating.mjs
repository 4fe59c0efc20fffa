/** Operators that repeat tensors, roll them round, and keep a triangle of them. */
import { cat } from "./joining.mjs";
import { slice } from "./reshape.mjs";
import { axisOf, gatherStrided, reshaped, stridesOf, tensor } from "./tensor.mjs";

/** @import { Kernel, Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

/**
 * The whole tensor, repeated along each axis (`repeats` may name more axes than there are).
 * @param {Tensor} self @param {number[]} repeats
 */
function repeat(self, repeats) {
  const missing = repeats.length - self.shape.length;
  const shape = [...new Array(missing).fill(1), ...self.shape];
  const strides = stridesOf(shape);
  const wide = gatherStrided(
    self,
    shape.flatMap((length, axis) => [repeats[axis], length]),
    strides.flatMap((stride) => [0, stride]),
  );
  return reshaped(
    wide,
    shape.map((length, axis) => length * repeats[axis]),
  );
}

/** @param {Tensor} self @param {number[]} dims */
function tile(self, dims) {
  return repeat(self, [...new Array(Math.max(0, self.shape.length - dims.length)).fill(1), ...dims]);
}

/**
 * Each element `repeats` times in a row along an axis.
 * @param {Tensor} self @param {number} repeats @param {number|null} dim
 */
function repeatInterleave(self, repeats, dim) {
  const flat = dim === null ? reshaped(self, [self.data.length]) : self;
  const axis = axisOf(dim ?? 0, flat.shape.length);
  const shape = [...flat.shape.slice(0, axis + 1), repeats, ...flat.shape.slice(axis + 1)];
  const strides = stridesOf(flat.shape);
  const wide = gatherStrided(flat, shape, [...strides.slice(0, axis + 1), 0, ...strides.slice(axis + 1)]);
  return reshaped(
    wide,
    flat.shape.map((length, k) => (k === axis ? length * repeats : length)),
  );
}

/**
 * Elements move on and come back in at the front; without axes the flattened tensor is rolled.
 * @param {Tensor} self @param {number|number[]} shifts @param {number|number[]} dims @returns {Tensor}
 */
function roll(self, shifts, dims) {
  if (self.data.length === 0) return self;
  const steps = [shifts].flat();
  const axes = [dims ?? []].flat();
  if (axes.length === 0) {
    return reshaped(roll(reshaped(self, [self.data.length]), steps, [0]), self.shape);
  }
  return axes.reduce((out, axis, k) => {
    const length = out.shape[axisOf(axis, out.shape.length)];
    const cut = (((length - steps[k]) % length) + length) % length;
    return cat([slice(out, axis, cut, null, 1), slice(out, axis, 0, cut, 1)], axis);
  }, self);
}

/**
 * Keeps the triangle on one side of a diagonal.
 * @param {(difference: number, diagonal: number) => boolean} keeps @returns {Kernel}
 */
const triangle = (keeps) => (self, diagonal) => {
  const [rows, cols] = self.shape.slice(-2);
  const out = tensor(self.shape, self.dtype);
  for (let i = 0; i < out.data.length; i += 1) {
    const row = Math.floor(i / cols) % rows;
    if (keeps((i % cols) - row, diagonal)) out.data[i] = self.data[i];
  }
  return out;
};

/** @type {Table} */
export const repeating = {
  "repeat.default": ["self:T repeats", repeat],
  "tile.default": ["self:T dims", tile],
  "repeat_interleave.self_int": ["self:T repeats dim=null output_size=null", repeatInterleave],
  "roll.default": ["self:T shifts dims=[]", roll],
  "tril.default": ["self:T diagonal=0", triangle((difference, diagonal) => difference <= diagonal)],
  "triu.default": ["self:T diagonal=0", triangle((difference, diagonal) => difference >= diagonal)],
};
