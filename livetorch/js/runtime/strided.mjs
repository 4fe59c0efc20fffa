/**
 * Walking over elements that do not lie side by side: shape, strides and offset into contiguous data.
 * Axes are joined where every operand allows it, so that the innermost loop is as long as it can be.
 */
import { allocate } from "./dtype.mjs";
import { reshaped, sizeOf, stridesOf, tensor } from "./tensor.mjs";

/** @import { Tensor } from "./tensor.mjs" */

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
    const few = allocate(self.dtype, size); // copied sooner than made a part of
    for (let i = 0; i < size; i += 1) few[i] = source[offset + i];
    return tensor(shape, self.dtype, few);
  }
  const out = allocate(self.dtype, size);
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
