/** Constants travel as base64, little endian; this reads them into the arrays of their dtype. */
import { allocate, isDType } from "./dtype.mjs";
import { sizeOf, tensor } from "./tensor.mjs";

/** The bytes that a base64 text stands for. @returns {Uint8Array} */
export function bytesOf(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** The number that 16 bits of float16 stand for. */
export function halfToNumber(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** The number that 16 bits of bfloat16 stand for: the upper half of a float32. */
function bfloatToNumber(bits) {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, bits << 16);
  return view.getFloat32(0);
}

// Type as stored -> bytes per value and how to read one.
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

/**
 * A constant of a Program as a tensor.
 * @param {{dtype: string, shape: number[], data: string, stored?: string}} constant
 */
export function decodeConstant({ dtype, shape, data, stored = dtype }) {
  if (!isDType(dtype)) throw new Error(`a constant has the dtype ${dtype}, which the runtime lacks.`);
  if (!Object.hasOwn(readers, stored)) throw new Error(`constants cannot be stored as ${stored}.`);
  const [width, read] = readers[stored];
  const bytes = bytesOf(data);
  const size = sizeOf(shape);
  if (bytes.length !== size * width) {
    throw new Error(`a constant of shape [${shape}] needs ${size * width} bytes, got ${bytes.length}.`);
  }
  const view = new DataView(bytes.buffer);
  const out = allocate(dtype, size);
  for (let i = 0; i < size; i += 1) out[i] = read(view, i * width);
  return tensor(shape, dtype, out);
}
