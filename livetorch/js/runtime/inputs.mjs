/** Checks what a caller gives to `run` and turns it into tensors. */
import { isFloat, isInteger, settle } from "./dtype.mjs";
import { sizeOf, tensor } from "./tensor.mjs";

/** @import { DType } from "./dtype.mjs" */

/** @typedef {{name: string, shape: number[], dtype: DType}} Input what a Program declares */

/** Shape and data of a number, a bool or nested lists of them. @param {any} value */
function fromLists(value) {
  /** @type {number[]} */
  const shape = [];
  for (let part = value; Array.isArray(part); part = part[0]) shape.push(part.length);
  return { shape, data: Array.isArray(value) ? value.flat(Infinity) : [value] };
}

/** @param {unknown} value @returns {value is {shape: unknown, data: any}} */
const isTensorLike = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** @param {Input} input @param {any} given by a caller, unchecked */
function readInput({ name, shape, dtype }, given) {
  if (given === undefined || given === null) throw new Error(`input "${name}" is missing.`);
  const { shape: got, data } = isTensorLike(given) ? given : fromLists(given);
  if (!Array.isArray(got) || data?.length === undefined) {
    throw new Error(`input "${name}" must be {shape, data}, a number or nested lists.`);
  }
  if (got.length !== shape.length || got.some((length, axis) => length !== shape[axis])) {
    throw new Error(`input "${name}" must have the shape [${shape}], got [${got}].`);
  }
  if (data.length !== sizeOf(shape)) {
    throw new Error(`input "${name}" of shape [${shape}] needs ${sizeOf(shape)} values, got ${data.length}.`);
  }
  return convertInput(name, shape, dtype, data);
}

/** @param {string} name @param {number[]} shape @param {DType} dtype @param {ArrayLike<unknown>} data */
function convertInput(name, shape, dtype, data) {
  const out = tensor(shape, dtype);
  if (isFloat(dtype) && data instanceof Float32Array) {
    out.data.set(data); // most of all: a model's parameters, from step to step
    settle(dtype, out.data);
    return out;
  }
  for (let i = 0; i < data.length; i += 1) {
    const value = Number(data[i]);
    if (isInteger(dtype) && !Number.isInteger(value)) {
      throw new Error(`input "${name}" holds integers (${dtype}), got ${String(data[i])}.`);
    }
    if (isInteger(dtype) && Math.abs(value) > 2 ** 53) {
      throw new Error(`input "${name}" holds integers up to 2^53, got ${value}.`);
    }
    out.data[i] = dtype === "bool" ? (value === 0 ? 0 : 1) : value;
  }
  settle(dtype, out.data);
  return out;
}

/**
 * One tensor per declared input, in their order.
 * @param {Input[]} declared
 * @param {Record<string, any>} given
 */
export function readInputs(declared, given) {
  const names = declared.map(({ name }) => name);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new Error(`the Program has no input "${unknown}"; it has ${names.join(", ") || "none"}.`);
  }
  return declared.map((input) => readInput(input, Object.hasOwn(given, input.name) ? given[input.name] : undefined));
}
