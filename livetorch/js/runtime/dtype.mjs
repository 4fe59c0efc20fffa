/**
 * Number types: how torch's dtypes are held in typed arrays, rounded and promoted.
 *
 * float16 and bfloat16 live in a Float32Array whose values are rounded after every operator;
 * integers live in a Float64Array (beyond 2^53 see exact.mjs); bool lives in a Uint8Array.
 */

import { zeros } from "./buffers.mjs";

/** @typedef {Float32Array|Float64Array|Uint8Array} Numbers the values of a tensor, as they are held */
/** @typedef {"bool"|"uint8"|"int8"|"int16"|"int32"|"int64"|"float16"|"bfloat16"|"float32"|"float64"} DType */

const BOOL = 0;
const INTEGER = 1;
const FLOAT = 2;

// In promotion order: the later one wins, except that float16 with bfloat16 gives float32, uint8 with int8 int16.
/** @type {Record<DType, {category: number, ArrayType: new (length: number) => Numbers}>} */
const dtypes = {
  bool: { category: BOOL, ArrayType: Uint8Array },
  uint8: { category: INTEGER, ArrayType: Float64Array },
  int8: { category: INTEGER, ArrayType: Float64Array },
  int16: { category: INTEGER, ArrayType: Float64Array },
  int32: { category: INTEGER, ArrayType: Float64Array },
  int64: { category: INTEGER, ArrayType: Float64Array },
  float16: { category: FLOAT, ArrayType: Float32Array },
  bfloat16: { category: FLOAT, ArrayType: Float32Array },
  float32: { category: FLOAT, ArrayType: Float32Array },
  float64: { category: FLOAT, ArrayType: Float64Array },
};
const order = Object.keys(dtypes);

/** Whole numbers of a small type wrap round. @type {Partial<Record<DType, (x: number) => number>>} */
const WRAPS = { uint8: (x) => x & 255, int8: (x) => (x << 24) >> 24, int16: (x) => (x << 16) >> 16, int32: (x) => x | 0 };

/** @param {string} name @returns {name is DType} */
export const isDType = (name) => Object.hasOwn(dtypes, name);
/** @param {DType} dtype */
export const isBool = (dtype) => dtype === "bool";
/** @param {DType} dtype */
export const isInteger = (dtype) => dtypes[dtype].category === INTEGER;
/** @param {DType} dtype */
export const isFloat = (dtype) => dtypes[dtype].category === FLOAT;

/** A fresh array of zeros for `length` values of a dtype. @param {DType} dtype @param {number} length */
export const allocate = (dtype, length) => zeros(dtypes[dtype].ArrayType, length);

/** The common type of two dtypes of equal standing. @param {DType} a @param {DType|undefined} b */
export function promoteTypes(a, b) {
  if (a === b || b === undefined) return a;
  if (a === undefined) return b;
  const [low, high] = order.indexOf(a) < order.indexOf(b) ? [a, b] : [b, a];
  if (low === "uint8" && high === "int8") return "int16";
  return low === "float16" && high === "bfloat16" ? "float32" : high;
}

/**
 * Joins the types of two groups, of which `strong` stands above `weak` (tensors over scalars).
 * @param {DType|undefined} strong @param {DType|undefined} weak
 */
function combine(strong, weak) {
  if (strong === undefined || weak === undefined) return strong ?? weak;
  if (isFloat(strong)) return strong;
  if (isBool(strong) || isFloat(weak)) return promoteTypes(strong, weak);
  return strong;
}

/**
 * The dtype that torch computes in: tensors with axes stand above 0-d tensors, and those above
 * plain numbers, unless the lower group is of a higher category (bool < integer < float).
 * @param {Array<{shape: number[], dtype: DType, weak?: boolean}>} operands
 * @returns {DType}
 */
export function resultType(...operands) {
  /** @type {(DType|undefined)[]} */
  const groups = [undefined, undefined, undefined];
  for (const { weak, shape, dtype } of operands) {
    const group = weak ? 2 : shape.length === 0 ? 1 : 0;
    groups[group] = promoteTypes(dtype, groups[group]);
  }
  // There is an operand, and so a type.
  return /** @type {DType} */ (combine(groups[0], combine(groups[1], groups[2])));
}

/** The dtype of operators that always give floats: integers and bools become float32. @param {DType} dtype */
export const floatType = (dtype) => (isFloat(dtype) ? dtype : "float32");

/** The dtype of a sum: integers and bools are summed as int64. @param {DType} dtype */
export const sumType = (dtype) => (isFloat(dtype) ? dtype : "int64");

/** Rounds float32 values to float16 in place, half to even. @param {Numbers} data */
export function roundToHalf(data) {
  const bits = new Uint32Array(data.buffer, data.byteOffset, data.length);
  // Adding and taking away 1.5 * 2^28 in float64 leaves a multiple of 2^-24, the smallest float16.
  const shift = 1.5 * 2 ** 28;
  for (let i = 0; i < data.length; i += 1) {
    const magnitude = bits[i] & 0x7fffffff;
    if (magnitude >= 0x7f800000) continue; // infinite or NaN
    if (magnitude >= 0x477ff000)
      data[i] = data[i] > 0 ? Infinity : -Infinity; // 65520 and above
    else if (magnitude < 0x38800000) data[i] = Math.sign(data[i]) * (Math.abs(data[i]) + shift - shift);
    else bits[i] = (bits[i] + 0xfff + ((bits[i] >>> 13) & 1)) & 0xffffe000;
  }
}

/** Rounds float32 values to bfloat16 in place, half to even. @param {Numbers} data */
export function roundToBfloat(data) {
  const bits = new Uint32Array(data.buffer, data.byteOffset, data.length);
  for (let i = 0; i < data.length; i += 1) {
    if ((bits[i] & 0x7fffffff) > 0x7f800000) continue; // NaN
    bits[i] = (bits[i] + 0x7fff + ((bits[i] >>> 16) & 1)) & 0xffff0000;
  }
}

/**
 * Brings values that an operator wrote back into the range of their dtype, in place.
 * @param {DType} dtype @param {Numbers} data
 */
export function settle(dtype, data) {
  if (dtype === "float32" || dtype === "float64") return;
  if (dtype === "float16") roundToHalf(data);
  else if (dtype === "bfloat16") roundToBfloat(data);
  // Integers have no -0, which 0 * -1 leaves in a Float64Array.
  else if (dtype === "int64") for (let i = 0; i < data.length; i += 1) data[i] += 0;
  else if (dtype === "bool")
    for (let i = 0; i < data.length; i += 1) data[i] = data[i] ? 1 : 0; // true + true is true
  else if (WRAPS[dtype]) for (let i = 0; i < data.length; i += 1) data[i] = WRAPS[dtype](data[i]);
}

/**
 * A float as processors turn it into an integer: without its fraction; what does not fit, and NaN, is the smallest.
 * @param {number} x @param {DType} to
 */
function truncated(x, to) {
  const limit = to === "int64" ? 2 ** 63 : 2 ** 31; // smaller types are cut from an int32
  const whole = Math.trunc(x) + 0;
  return whole >= -limit && whole < limit ? whole : -limit;
}

/**
 * Copies values into a fresh array of another dtype: floats to integers drop the fraction.
 * @param {Numbers} data @param {DType} from @param {DType} to
 */
export function convert(data, from, to) {
  const out = allocate(to, data.length);
  if (to === "bool") {
    for (let i = 0; i < out.length; i += 1) out[i] = data[i] === 0 ? 0 : 1; // NaN is true
  } else if (isInteger(to) && isFloat(from)) {
    for (let i = 0; i < out.length; i += 1) out[i] = truncated(data[i], to);
  } else {
    out.set(data);
  }
  settle(to, out);
  return out;
}
