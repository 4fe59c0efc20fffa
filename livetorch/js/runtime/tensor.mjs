/**
 * A tensor is a plain object `{shape, dtype, data}`; its data are always contiguous, last axis fastest.
 * Operators never write into a tensor they were given, so tensors may share their data.
 */
import { allocate, convert, isFloat, unwritten } from "./dtype.mjs";

/** @import { DType, Numbers } from "./dtype.mjs" */

/**
 * @typedef {object} Tensor
 * @property {number[]} shape
 * @property {DType} dtype
 * @property {Numbers} data
 * @property {BigInt64Array} [exact] the numbers, where some lie beyond 2^53 (see exact.mjs)
 * @property {boolean} [weak] true for a plain number, which gives way when types are promoted
 */

/** The number of elements of a shape. @param {number[]} shape */
export function sizeOf(shape) {
  let size = 1;
  for (const length of shape) size *= length;
  return size;
}

/**
 * A tensor around data, or of zeros if there are none.
 * @param {number[]} shape @param {DType} dtype @param {Numbers} [data] @returns {Tensor}
 */
export const tensor = (shape, dtype, data) => ({ shape, dtype, data: data ?? allocate(dtype, sizeOf(shape)) });

/** A tensor of which each number will be written. @param {number[]} shape @param {DType} dtype @returns {Tensor} */
export const blank = (shape, dtype) => ({ shape, dtype, data: unwritten(dtype, sizeOf(shape)) });

/**
 * A plain number as an operand that gives way in type promotion.
 * @param {number|boolean} value @param {DType} [dtype] @returns {Tensor}
 */
export function scalar(value, dtype) {
  const type = dtype ?? (typeof value === "boolean" ? "bool" : Number.isInteger(value) ? "int64" : "float32");
  // Plain floats keep double precision until they meet a tensor.
  return { shape: [], dtype: type, data: Float64Array.of(Number(value)), weak: true };
}

/** How far apart neighbours along each axis lie in contiguous data. @param {number[]} shape @returns {number[]} */
export function stridesOf(shape) {
  const strides = new Array(shape.length);
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
    strides[axis] = step;
    step *= shape[axis];
  }
  return strides;
}

/**
 * An axis counted from the front; 0-d tensors have one axis to name, as in torch.
 * @param {number} axis @param {number} rank
 */
export function axisOf(axis, rank) {
  const limit = Math.max(rank, 1);
  if (!Number.isInteger(axis) || axis < -limit || axis >= limit) {
    throw new Error(`axis must be in [${-limit}, ${limit - 1}], got ${axis}.`);
  }
  return axis < 0 ? axis + limit : axis;
}

/**
 * A list of axes; null, undefined and, where `emptyIsAll`, an empty list mean all of them.
 * @param {number|number[]|null|undefined} axes @param {number} rank
 */
export function axesOf(axes, rank, emptyIsAll = true) {
  const all = Array.from({ length: rank }, (_, axis) => axis);
  if (axes === null || axes === undefined) return all;
  const list = Array.isArray(axes) ? axes : [axes];
  if (list.length === 0) return emptyIsAll ? all : [];
  return list.map((axis) => axisOf(axis, rank)).filter((axis) => axis < rank);
}

/**
 * The same values as another dtype; the tensor itself if it has that dtype already.
 * @param {Tensor} self @param {DType} dtype @returns {Tensor}
 */
export function cast(self, dtype) {
  if (self.dtype === dtype && !self.weak) return self;
  return tensor(self.shape, dtype, convert(self.data, self.dtype, dtype));
}

/**
 * Like `cast`, but leaves values alone that any operator reads rightly as they are.
 * @param {Tensor} self @param {DType} dtype
 */
export function readAs(self, dtype) {
  if (self.weak) return cast(self, dtype);
  if (self.dtype === dtype || self.dtype === "bool") return self;
  const widens = dtype === "float64" || (dtype === "float32" && self.dtype !== "float64");
  return isFloat(self.dtype) && widens ? self : cast(self, dtype);
}

/** Whether two lists hold the same, numbers bit by bit. @param {ArrayLike<unknown>} one @param {ArrayLike<unknown>} other */
export function same(one, other) {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i += 1) if (!Object.is(one[i], other[i])) return false;
  return true;
}

/** The same data under another shape. @returns {Tensor} @param {Tensor} self @param {number[]} shape */
export const reshaped = (self, shape) => ({ shape, dtype: self.dtype, data: self.data });
