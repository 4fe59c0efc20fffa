/** What is written as JSON: a Program, and numbers, which travel as base64, little endian: into the arrays of their dtype, and back. */
import { allocate, isDType } from "./dtype.mjs";
import { withExact } from "./exact.mjs";
import { sizeOf, tensor } from "./tensor.mjs";

/** @import { DType, Numbers } from "./dtype.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

const LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1; // the processor keeps numbers as they travel

/** The bytes that a base64 text stands for; bytes as they are. @returns {Uint8Array} @param {string|Uint8Array} text */
export function bytesOf(text) {
  if (typeof text !== "string") return text;
  const all = /** @type {any} */ (globalThis); // a large model's: what newer browsers and Node do themselves takes a tenth
  if (all.Uint8Array.fromBase64) return all.Uint8Array.fromBase64(text);
  if (all.Buffer) return new Uint8Array(all.Buffer.from(text, "base64"));
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

const real = new Float32Array(1);
const word = new Uint32Array(real.buffer);

/** The number that 16 bits of bfloat16 stand for: the upper half of a float32. @param {number} bits */
function bfloatToNumber(bits) {
  word[0] = bits << 16;
  return real[0];
}

/** The number that 16 bits of float16 stand for: those of a float32 whose exponent counts from elsewhere. @param {number} bits */
export function halfToNumber(bits) {
  word[0] = ((bits & 0x8000) << 16) | ((bits & 0x7fff) << 13);
  const number = real[0] * 2 ** 112;
  return Math.abs(number) < 65536 ? number : bits & 1023 ? NaN : number * Infinity;
}

/**
 * Type as stored -> bytes per value and how to read one.
 * @type {Record<string, [number, (view: DataView, at: number) => number]>}
 */
const readers = {
  bool: [1, (view, at) => (view.getUint8(at) ? 1 : 0)],
  uint8: [1, (view, at) => view.getUint8(at)],
  int8: [1, (view, at) => view.getInt8(at)],
  int16: [2, (view, at) => view.getInt16(at, true)],
  int32: [4, (view, at) => view.getInt32(at, true)],
  int64: [8, (view, at) => Number(view.getBigInt64(at, true))],
  float16: [2, (view, at) => halfToNumber(view.getUint16(at, true))],
  bfloat16: [2, (view, at) => bfloatToNumber(view.getUint16(at, true))],
  float32: [4, (view, at) => view.getFloat32(at, true)],
  float64: [8, (view, at) => view.getFloat64(at, true)],
};

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-"; // -31 to 31

/**
 * A matrix of whole numbers, a letter for each, with one scale for each row (axis 0) or column.
 * @param {{dtype: DType, shape: number[], letters: string, axis: number}} constant @param {Numbers} scales
 */
function lettered({ dtype, shape, letters, axis }, scales) {
  const [rows, cols] = shape;
  const out = allocate(dtype, rows * cols);
  if (scales.length !== shape[axis] || letters.length !== out.length) {
    throw new Error(`a constant of shape [${shape}] in letters got ${letters.length} of them and ${scales.length} scales.`);
  }
  const numbers = new Float64Array(128).fill(NaN);
  for (let i = 0; i < LETTERS.length; i += 1) numbers[LETTERS.charCodeAt(i)] = i - 31;
  for (let row = 0, at = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1, at += 1) out[at] = numbers[letters.charCodeAt(at)] * scales[axis === 0 ? row : col];
  }
  const wrong = out.findIndex(Number.isNaN);
  if (wrong >= 0) throw new Error(`a constant has no letter ${JSON.stringify(letters[wrong])}.`);
  return tensor(shape, dtype, out);
}

/** Whole numbers, each run of them times its scale. @param {number[]} shape @param {DType} dtype @param {Int8Array} whole @param {string} scales */
function scaled(shape, dtype, whole, scales) {
  const by = new Float32Array(bytesOf(scales).slice().buffer);
  const out = allocate(dtype, whole.length);
  const wide = whole.length / by.length;
  for (let row = 0, at = 0; row < by.length; row += 1) {
    const scale = by[row];
    for (let end = at + wide; at < end; at += 1) out[at] = whole[at] * scale;
  }
  return tensor(shape, dtype, out);
}

/** @typedef {{dtype: DType, shape: number[], data: string|Uint8Array, stored?: string, letters?: string, axis?: number, scales?: string}} Constant */

/** A constant of a Program as a tensor. @param {Constant} constant @returns {Tensor} */
export function decodeConstant({ dtype, shape, data, stored = dtype, letters, axis = 0, scales }) {
  if (letters !== undefined) {
    return lettered({ dtype, shape, letters, axis }, decodeConstant({ dtype, shape: [shape[axis]], data, stored }).data);
  }
  if (!isDType(dtype)) throw new Error(`a constant has the dtype ${dtype}, which the runtime lacks.`);
  if (!Object.hasOwn(readers, stored)) throw new Error(`constants cannot be stored as ${stored}.`);
  const [width, read] = readers[stored];
  const bytes = bytesOf(data);
  const size = sizeOf(shape);
  if (bytes.length !== size * width) {
    throw new Error(`a constant of shape [${shape}] needs ${size * width} bytes, got ${bytes.length}.`);
  }
  if (scales !== undefined) return scaled(shape, dtype, new Int8Array(bytes.buffer, bytes.byteOffset, size), scales);
  if (stored === "float32" && dtype === stored && LITTLE) return tensor(shape, dtype, new Float32Array(bytes.buffer));
  const view = new DataView(bytes.buffer);
  const out = allocate(dtype, size);
  for (let i = 0; i < size; i += 1) out[i] = read(view, i * width);
  /** @param {number} i */
  const read64 = (/** @type {number} */ i) => view.getBigInt64(i * width, true);
  return dtype === "int64" && stored === "int64" ? withExact(tensor(shape, dtype, out), read64) : tensor(shape, dtype, out);
}

/** @type {Record<string, [number, (view: DataView, at: number, value: number) => void]>} */
const writers = {
  bool: [1, (view, at, value) => view.setUint8(at, value)],
  int64: [8, (view, at, value) => view.setBigInt64(at, BigInt(value), true)],
  float32: [4, (view, at, value) => view.setFloat32(at, value, true)],
};

/** The base64 text of a tensor's numbers. @param {{dtype?: string, data: ArrayLike<number>}} tensor */
export function encodeNumbers({ dtype = "float32", data }) {
  const [width, write] = writers[dtype];
  const view = new DataView(new ArrayBuffer(data.length * width));
  for (let i = 0; i < data.length; i += 1) write(view, i * width, data[i]);
  let text = "";
  for (const byte of new Uint8Array(view.buffer)) text += String.fromCharCode(byte);
  return btoa(text);
}

// ---- a Program

/**
 * @typedef {{op: string, args?: any[], kwargs?: Record<string, any>, outs?: number}} Call an operator, as JSON has it
 * @typedef {{name: string, value: number}} Output
 * @typedef {object} Program
 * @property {string} format @property {number} version
 * @property {Input[]} inputs @property {(Constant|{pool: number})[]} constants @property {Call[]} nodes
 * @property {Output[]} outputs
 * @property {any} [source] where each value comes from in the Python source (open/ reads it)
 * @typedef {{name: string, shape: number[], dtype: DType}} Input what a Program declares
 */

const FORMAT = "livetorch/program";
const VERSIONS = [1, 2]; // 2 says where each value comes from (`source`), and leaves out empty kwargs and a single result

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`the Program is not JSON: ${/** @type {Error} */ (error).message}`);
  }
}

/** Parses and checks the frame of a Program. @param {any} source @returns {Program} */
export function readProgram(source) {
  const program = typeof source === "string" ? parse(source) : source;
  if (program?.format !== FORMAT) {
    throw new Error(`a Program must have the format "${FORMAT}", got ${JSON.stringify(program?.format)}.`);
  }
  if (!VERSIONS.includes(program.version)) {
    throw new Error(`this runtime reads versions ${VERSIONS.join(" and ")} of Programs, got ${JSON.stringify(program.version)}.`);
  }
  for (const part of ["inputs", "constants", "nodes", "outputs"]) {
    if (!Array.isArray(program[part])) throw new Error(`the Program has no list "${part}".`);
  }
  for (const { name, dtype } of program.inputs) {
    if (!isDType(dtype)) throw new Error(`input "${name}" has the dtype ${dtype}, which the runtime lacks.`);
  }
  return program;
}

/**
 * A constant by itself, or the entry of the figure's pool that it points to.
 * @param {Constant|{pool: number}} constant @param {any[]} [pool]
 */
export function readConstant(constant, pool) {
  if (!("pool" in constant)) return decodeConstant(constant);
  const entry = pool?.[constant.pool];
  if (!entry) throw new Error(`the Program needs entry ${constant.pool} of a pool of constants.`);
  const found = ready.get(entry) ?? decodeConstant(entry);
  ready.set(entry, found);
  return found;
}

/** What a pool's entries hold, read once for all Programs of a figure: a large model's weights would else lie there several times. @type {WeakMap<object, Tensor>} */
const ready = new WeakMap();
