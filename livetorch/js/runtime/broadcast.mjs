/** Elementwise loops over one, two or more operands, broadcast as torch does. */
import { blank, cast, expandStrides, readAs, same, sizeOf, stridesOf, tensor, walk } from "./tensor.mjs";
import { isFloat, resultType } from "./dtype.mjs";
import { quick } from "./quick.mjs";

/** @import { DType, Numbers } from "./dtype.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

/** The shape that several shapes broadcast to. @param {...number[]} shapes */
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

/**
 * Applies `f` to every element.
 * @param {Tensor} self @param {DType} dtype @param {(x: number) => number|boolean} f @param {string} [name] a quicker loop has
 */
export function mapOne(self, dtype, f, name = "") {
  const out = blank(self.shape, dtype);
  // torch makes floats of whole numbers before it takes their sine, and so loses what float32 does not hold
  const data = isFloat(dtype) && !isFloat(self.dtype) ? readAs(self, dtype).data : self.data;
  const result = out.data;
  if (name && quick.map(name, data, result)) return out;
  for (let i = 0; i < result.length; i += 1) result[i] = /** @type {number} */ (f(data[i]));
  return out;
}

/**
 * A loop over one run of two operands: data, first place and step of each, then data and place of the result.
 * @callback Run
 * @param {Numbers} a @param {number} at @param {number} stepA
 * @param {Numbers} b @param {number} bt @param {number} stepB
 * @param {Numbers} out @param {number} to @param {number} length
 * @returns {void}
 */

/** @typedef {(x: number, y: number) => number} Numeric */
/** @typedef {(x: number, y: number) => number|boolean} Pair true and false are 1 and 0 */
/** @typedef {(x: number, y: number, z: number) => number} Triple */

/** A loop over one run of two operands, for operators whose speed does not matter. @returns {Run} @param {Pair} f */
export const runOf = (f) => (a, at, stepA, b, bt, stepB, out, to, length) => {
  for (let i = to, x = at, y = bt; i < to + length; i += 1, x += stepA, y += stepB) out[i] = /** @type {number} */ (f(a[x], b[y]));
};

/**
 * Applies a run loop (see `runOf`) to two operands read in the dtype that torch computes in.
 * @param {Run} run @param {Tensor} a @param {Tensor} b
 * @param {DType} dtype of the result
 */
export function mapTwo(run, a, b, dtype) {
  if (b.data.length === 1 && b.shape.length <= a.shape.length) return flat(run, a, b, 1, 0, a.shape, dtype);
  if (a.data.length === 1 && a.shape.length <= b.shape.length) return flat(run, a, b, 0, 1, b.shape, dtype);
  if (same(a.shape, b.shape)) return flat(run, a, b, 1, 1, a.shape, dtype);
  const shape = broadcastShapes(a.shape, b.shape);
  const size = sizeOf(shape);
  if (a.data.length + b.data.length === 2 * size) return flat(run, a, b, 1, 1, shape, dtype); // [8] and [1, 8]
  const out = blank(shape, dtype);
  const strides = [expandStrides(a.shape, shape), expandStrides(b.shape, shape), stridesOf(shape)];
  walk(shape, strides, [0, 0, 0], (offsets, steps, length) => {
    loop(run, a.data, offsets[0], steps[0], b.data, offsets[1], steps[1], out.data, offsets[2], length);
  });
  return out;
}

const MANY = 128; // numbers of a run from which a quicker loop is worth its start

/** A run, by a quicker loop where there is one of its name. @type {(run: Run, ...rest: Parameters<Run>) => void} */
function loop(run, a, at, stepA, b, bt, stepB, out, to, length) {
  if (length >= MANY && quick.pair(run.name, a, at, stepA, b, bt, stepB, out, to, length)) return;
  run(a, at, stepA, b, bt, stepB, out, to, length);
}

/**
 * @param {Run} run @param {Tensor} a @param {Tensor} b @param {number} stepA @param {number} stepB
 * @param {number[]} shape @param {DType} dtype
 */
function flat(run, a, b, stepA, stepB, shape, dtype) {
  const out = blank(shape, dtype);
  loop(run, a.data, 0, stepA, b.data, 0, stepB, out.data, 0, out.data.length);
  return out;
}

/** Both operands in their common dtype, and that dtype. @param {Tensor} a @param {Tensor} b */
export function promoted(a, b) {
  const dtype = resultType(a, b);
  return { a: readAs(a, dtype), b: readAs(b, dtype), dtype };
}

/**
 * A loop over one run of three operands, as `Run` is over two.
 * @callback RunThree
 * @param {Numbers} a @param {number} at @param {number} stepA
 * @param {Numbers} b @param {number} bt @param {number} stepB
 * @param {Numbers} c @param {number} ct @param {number} stepC
 * @param {Numbers} out @param {number} to @param {number} length
 * @returns {void}
 */

/** As `runOf`, over three operands. @returns {RunThree} @param {Triple} f */
export const runOfThree = (f) => (a, at, stepA, b, bt, stepB, c, ct, stepC, out, to, length) => {
  for (let i = 0; i < length; i += 1) out[to + i] = f(a[at + i * stepA], b[bt + i * stepB], c[ct + i * stepC]);
};

/**
 * Three operands, the case that occurs (`where`, `clamp`, `lerp`, ...).
 * @param {RunThree} run @param {Tensor} a @param {Tensor} b @param {Tensor} c @param {DType} dtype
 */
export function mapThree(run, a, b, c, dtype) {
  const shape = broadcastShapes(a.shape, b.shape, c.shape);
  const out = tensor(shape, dtype);
  const strides = [a, b, c].map((operand) => expandStrides(operand.shape, shape));
  let to = 0;
  walk(shape, [...strides, stridesOf(shape)], [0, 0, 0, 0], (offsets, steps, length) => {
    run(a.data, offsets[0], steps[0], b.data, offsets[1], steps[1], c.data, offsets[2], steps[2], out.data, to, length);
    to += length;
  });
  return out;
}

/** A tensor of one value. @param {number[]} shape @param {DType} dtype @param {number} value */
export function filled(shape, dtype, value) {
  const out = tensor(shape, dtype);
  const one = cast({ shape: [], dtype: "float64", data: Float64Array.of(Number(value)) }, dtype).data[0];
  if (one !== 0 && sizeOf(shape) > 0) out.data.fill(one);
  return out;
}
