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

// ---- walking over elements that do not lie side by side: shape, strides and offset into contiguous data. Axes are joined
// where every operand allows it, so that the innermost loop is as long as it can be.

/**
 * Drops axes of length 1 and joins axes that all operands walk through without a jump.
 * @param {number[]} shape @param {number[][]} stridesList
 */
export function joinAxes(shape, stridesList) {
  /** @type {number[]} */
  const lengths = [];
  const joined = stridesList.map(() => /** @type {number[]} */ ([]));
  for (let axis = 0; axis < shape.length; axis += 1) {
    if (shape[axis] === 1) continue;
    const last = lengths.length - 1;
    const joins = last >= 0 && stridesList.every((strides, k) => joined[k][last] === strides[axis] * shape[axis]);
    if (joins) lengths[last] *= shape[axis];
    else lengths.push(shape[axis]);
    const place = lengths.length - 1;
    stridesList.forEach((strides, k) => {
      joined[k][place] = strides[axis];
    });
  }
  return { lengths, strides: joined };
}

/**
 * Calls `visit(offsets, steps, length)` for each innermost run; `offsets` is reused between calls.
 * @param {number[]} shape
 * @param {number[][]} stridesList one list of strides per operand
 * @param {number[]} starts offset of each operand's first element
 * @param {(offsets: number[], steps: number[], length: number) => void} visit
 */
export function walk(shape, stridesList, starts, visit) {
  if (sizeOf(shape) === 0) return;
  const { lengths, strides } = joinAxes(shape, stridesList);
  const inner = lengths.length - 1;
  const offsets = starts.slice();
  if (inner < 0) {
    visit(
      offsets,
      offsets.map(() => 0),
      1,
    );
    return;
  }
  const steps = strides.map((list) => list[inner]);
  const counter = new Array(inner).fill(0);
  const operands = offsets.length;
  for (;;) {
    visit(offsets, steps, lengths[inner]);
    let axis = inner - 1;
    for (; axis >= 0; axis -= 1) {
      counter[axis] += 1;
      for (let k = 0; k < operands; k += 1) offsets[k] += strides[k][axis];
      if (counter[axis] < lengths[axis]) break;
      for (let k = 0; k < operands; k += 1) offsets[k] -= strides[k][axis] * lengths[axis];
      counter[axis] = 0;
    }
    if (axis < 0) return;
  }
}

const FEW = 64;

/** Whether elements lie side by side. @param {number[]} shape @param {number[]} strides */
function inOrder(shape, strides) {
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
    if (shape[axis] === 1) continue;
    if (strides[axis] !== step) return false;
    step *= shape[axis];
  }
  return true;
}

/**
 * The elements at offset + strides as a contiguous tensor; shares the data where they lie in order already.
 * @param {Tensor} self @param {number[]} shape @param {number[]} strides @param {number} [offset]
 */
export function gatherStrided(self, shape, strides, offset = 0) {
  const size = sizeOf(shape);
  if (size === 0) return tensor(shape, self.dtype);
  const source = self.data;
  if (inOrder(shape, strides)) {
    if (size === source.length) return tensor(shape, self.dtype, source);
    if (size > FEW) return tensor(shape, self.dtype, source.subarray(offset, offset + size));
    const few = unwritten(self.dtype, size); // copied sooner than made a part of
    for (let i = 0; i < size; i += 1) few[i] = source[offset + i];
    return tensor(shape, self.dtype, few);
  }
  const out = unwritten(self.dtype, size);
  const { lengths, strides: joined } = joinAxes(shape, [strides]);
  if (lengths.length <= 3) {
    const [planes, rows, cols] = [1, 1, ...lengths].slice(-3);
    const [deep, down, across] = [0, 0, ...joined[0]].slice(-3);
    for (let plane = 0, to = 0; plane < planes; plane += 1) {
      for (let row = 0, start = offset + plane * deep; row < rows; row += 1, start += down) {
        for (let i = 0, at = start; i < cols; i += 1, at += across) out[to++] = source[at];
      }
    }
    return tensor(shape, self.dtype, out);
  }
  let place = 0;
  walk(shape, [strides], [offset], ([from], [step], length) => {
    for (let i = 0, at = from; i < length; i += 1, at += step) out[place + i] = source[at];
    place += length;
  });
  return tensor(shape, self.dtype, out);
}

/**
 * A copy of `self` in which the elements at offset + strides are those of `values` (of that shape).
 * @param {Tensor} self @param {Tensor} values @param {number[]} shape @param {number[]} strides
 * @param {number} [offset]
 */
export function writeStrided(self, values, shape, strides, offset = 0) {
  const out = self.data.slice();
  const source = values.data;
  walk(shape, [strides, stridesOf(shape)], [offset, 0], ([to, from], [step, next], length) => {
    for (let i = 0; i < length; i += 1) out[to + i * step] = source[from + i * next];
  });
  return tensor(self.shape, self.dtype, out);
}

/** Axes in another order. @param {Tensor} self @param {number[]} order */
export function permuted(self, order) {
  const strides = stridesOf(self.shape);
  return gatherStrided(
    self,
    order.map((axis) => self.shape[axis]),
    order.map((axis) => strides[axis]),
  );
}

/**
 * One axis moved to the end, the others in their order: rows to work along.
 * @param {Tensor} self @param {number} axis
 */
export function axisToEnd(self, axis) {
  if (axis >= self.shape.length - 1) return self;
  const order = self.shape.map((_, k) => k).filter((k) => k !== axis);
  return permuted(self, [...order, axis]);
}

/** The last axis moved back to where `axisToEnd` took it from. @param {Tensor} self @param {number} axis */
export function axisFromEnd(self, axis) {
  const rank = self.shape.length;
  if (axis >= rank - 1) return self;
  const order = Array.from({ length: rank - 1 }, (_, k) => k);
  order.splice(axis, 0, rank - 1);
  return permuted(self, order);
}

/**
 * Strides that repeat a smaller shape over a larger one (length-1 and missing axes stand still).
 * @param {number[]} shape @param {number[]} target
 */
export function expandStrides(shape, target) {
  const strides = stridesOf(shape);
  const missing = target.length - shape.length;
  return target.map((_, axis) => (axis < missing || shape[axis - missing] === 1 ? 0 : strides[axis - missing]));
}

/** A tensor repeated over a larger shape. @param {Tensor} self @param {number[]} shape */
export function expanded(self, shape) {
  if (sizeOf(shape) === self.data.length) return reshaped(self, shape);
  return gatherStrided(self, shape, expandStrides(self.shape, shape));
}
