/** Elementwise loops over one, two or more operands, broadcast as torch does. */
import { cast, readAs, sizeOf, stridesOf, tensor } from "./tensor.mjs";
import { expandStrides, walk } from "./strided.mjs";
import { resultType } from "./dtype.mjs";

const same = (a, b) => a.length === b.length && a.every((length, axis) => length === b[axis]);

/** The shape that several shapes broadcast to. */
export function broadcastShapes(...shapes) {
  const rank = Math.max(0, ...shapes.map((shape) => shape.length));
  const out = new Array(rank).fill(1);
  for (const shape of shapes) {
    const missing = rank - shape.length;
    shape.forEach((length, k) => {
      const axis = missing + k;
      if (length === 1 || length === out[axis]) return;
      if (out[axis] !== 1) {
        throw new Error(`shapes ${shapes.map((s) => `[${s}]`).join(" and ")} do not broadcast together.`);
      }
      out[axis] = length;
    });
  }
  return out;
}

/** Applies `f` to every element. */
export function mapOne(self, dtype, f) {
  const out = tensor(self.shape, dtype);
  const { data } = self;
  const result = out.data;
  for (let i = 0; i < result.length; i += 1) result[i] = f(data[i]);
  return out;
}

/** A loop over one run of two operands, for operators whose speed does not matter. */
export const runOf = (f) => (a, at, stepA, b, bt, stepB, out, to, length) => {
  for (let i = 0; i < length; i += 1) out[to + i] = f(a[at + i * stepA], b[bt + i * stepB]);
};

/**
 * Applies a run loop (see `runOf`) to two operands read in the dtype that torch computes in.
 * @param {Function} run
 * @param {import("./dtype.mjs").DType} dtype of the result
 */
export function mapTwo(run, a, b, dtype) {
  if (same(a.shape, b.shape)) return flat(run, a, b, 1, 1, a.shape, dtype);
  if (b.data.length === 1 && b.shape.length <= a.shape.length) return flat(run, a, b, 1, 0, a.shape, dtype);
  if (a.data.length === 1 && a.shape.length <= b.shape.length) return flat(run, a, b, 0, 1, b.shape, dtype);
  const shape = broadcastShapes(a.shape, b.shape);
  const out = tensor(shape, dtype);
  const strides = [expandStrides(a.shape, shape), expandStrides(b.shape, shape), stridesOf(shape)];
  walk(shape, strides, [0, 0, 0], (offsets, steps, length) => {
    run(a.data, offsets[0], steps[0], b.data, offsets[1], steps[1], out.data, offsets[2], length);
  });
  return out;
}

function flat(run, a, b, stepA, stepB, shape, dtype) {
  const out = tensor(shape, dtype);
  run(a.data, 0, stepA, b.data, 0, stepB, out.data, 0, out.data.length);
  return out;
}

/** Both operands in their common dtype, and that dtype. */
export function promoted(a, b) {
  const dtype = resultType(a, b);
  return { a: readAs(a, dtype), b: readAs(b, dtype), dtype };
}

/** Three operands, the case that occurs (`where`, `clamp`, `lerp`, ...). */
export function mapThree(a, b, c, dtype, f) {
  const shape = broadcastShapes(a.shape, b.shape, c.shape);
  const out = tensor(shape, dtype);
  const strides = [a, b, c].map((operand) => expandStrides(operand.shape, shape));
  const result = out.data;
  let to = 0;
  walk(shape, [...strides, stridesOf(shape)], [0, 0, 0, 0], ([at, bt, ct], [stepA, stepB, stepC], length) => {
    for (let i = 0; i < length; i += 1) {
      result[to + i] = f(a.data[at + i * stepA], b.data[bt + i * stepB], c.data[ct + i * stepC]);
    }
    to += length;
  });
  return out;
}

/** A tensor of one value. */
export function filled(shape, dtype, value) {
  const out = tensor(shape, dtype);
  const one = cast({ shape: [], dtype: "float64", data: Float64Array.of(Number(value)) }, dtype).data[0];
  if (one !== 0 && sizeOf(shape) > 0) out.data.fill(one);
  return out;
}
