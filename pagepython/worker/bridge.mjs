/**
 * What the page's torch calls: tensors that views share, and the operators of the runtime by their names.
 *
 * A kernel of the runtime reads and makes dense tensors and writes into none. A torch tensor may be a view: `Strided` is
 * one, with a storage that several may share. No formula stands here: an operator is called by its name.
 */
import { convert, isInteger } from "../../livetorch/js/runtime/dtype.mjs";
import { decodeConstant } from "../../livetorch/js/runtime/encoding.mjs";
import { exactTensor, runKernel } from "../../livetorch/js/runtime/exact.mjs";
import { findOperator, operators } from "../../livetorch/js/runtime/load.mjs";
import { scalar, sizeOf, stridesOf, tensor, walk } from "../../livetorch/js/runtime/tensor.mjs";

import { keepsOrder, orderLike, turnedForm, turns } from "./layout.mjs";
import { likeTorch } from "./ties.mjs";

export * as random from "./random.mjs";

/** @import { DType, Numbers } from "../../livetorch/js/runtime/dtype.mjs" */
/** @import { Tensor } from "../../livetorch/js/runtime/tensor.mjs" */

/** @param {unknown} value @returns {value is Tensor} */
const isTensor = (value) => value !== null && typeof value === "object" && "dtype" in value && "data" in value;

export class Strided {
  /**
   * @param {{data: Numbers, exact?: BigInt64Array}} storage beyond 2^53 a float64 does not hold whole numbers (runtime/exact.mjs)
   * @param {DType} dtype
   * @param {number[]} shape @param {number[]} strides @param {number} offset
   */
  constructor(storage, dtype, shape, strides, offset) {
    this.storage = storage;
    this.dtype = dtype;
    this.shape = shape;
    this.strides = strides;
    this.offset = offset;
  }

  /** Whether its numbers lie one after the other. */
  get contiguous() {
    const dense = stridesOf(this.shape);
    return sizeOf(this.shape) === 0 || this.shape.every((length, axis) => length === 1 || this.strides[axis] === dense[axis]);
  }

  /** Type, shape, strides, offset and whether it is dense, for Python to read at once. */
  get form() {
    return `${this.dtype}|${this.shape}|${this.strides}|${this.offset}|${this.contiguous ? 1 : ""}`;
  }

  /** Its numbers as a kernel reads them; they share memory with the storage where they can. @returns {Tensor} */
  dense() {
    const { data, exact } = this.storage;
    const found = { shape: this.shape, dtype: this.dtype, data: this.read(data) };
    return exact ? { ...found, exact: this.read(exact) } : found;
  }

  /** Its numbers in an array of its storage. @template {Numbers|BigInt64Array} T @param {T} all @returns {T} */
  read(all) {
    const { shape, offset } = this;
    const size = sizeOf(shape);
    if (this.contiguous) return size === all.length ? all : /** @type {T} */ (all.subarray(offset, offset + size));
    const out = new /** @type {any} */ (all.constructor)(size);
    let to = 0;
    walk(shape, [this.strides], [offset], ([from], [step], length) => {
      for (let i = 0; i < length; i += 1) out[to++] = all[from + i * step];
    });
    return out;
  }
}

/** @param {Tensor} made */
function owned({ shape, dtype, data, exact }) {
  return new Strided({ data, exact }, dtype, shape, stridesOf(shape), 0);
}

/** A tensor with its axes in another order. @param {Strided} self @param {number[]} order */
function turned(self, order) {
  const { shape, strides } = turnedForm(self, order);
  return new Strided(self.storage, self.dtype, shape, strides, self.offset);
}

/**
 * The order in which the axes of a result lie in memory, or null where it is the usual one.
 * @param {any[]} args @param {number[]} [shape] of the result: that to which the operands broadcast
 */
function orderOf(args, shape) {
  const given = args.filter((value) => value instanceof Strided);
  if (given.every((value) => value.contiguous)) return null;
  const rank = Math.max(...given.map((value) => value.shape.length));
  const lengths = Array.from({ length: rank }, (_, axis) => given.map((value) => value.shape[axis + value.shape.length - rank] ?? 1));
  const long = lengths.map((each) => [...new Set(each.filter((length) => length !== 1))]);
  if (long.some((each) => each.length > 1)) return null; // they do not broadcast, which the operator says
  const order = orderLike(shape ?? long.map(([length]) => length ?? 1), given);
  return order.every((axis, k) => axis === k) ? null : order;
}

/** The way back from an order of axes. @param {number[]} order */
const inverse = (order) => order.map((_, axis) => order.indexOf(axis));

/** A result with its numbers in the order of the operands. @param {Strided} made @param {any[]} args */
function laid(made, args) {
  const order = orderOf(args, made.shape);
  if (!order) return made;
  return turned(owned(turned(made, order).dense()), inverse(order));
}

/** An argument as a kernel reads it. @param {any} value @returns {any} */
function argument(value) {
  if (value instanceof Strided) return value.dense();
  if (Array.isArray(value)) return value.map(argument);
  return value === undefined ? null : value;
}

/** Names and signatures of all operators, as JSON: name -> [[parameter, kind, required, default], ...]. */
export function signatures() {
  const read = (/** @type {string} */ name) =>
    /** @type {any} */ (findOperator(name)).parameters.map((/** @type {any} */ p) => [p.name, p.kind, p.required, p.initial ?? null]);
  return JSON.stringify(Object.fromEntries(operators.map((name) => [name.slice(5), read(name)])));
}

/**
 * Runs an operator; what it gives (a tensor, or a list where there are several) shares no memory with what it was given.
 * @param {string} op @param {any[]} args in the order of its signature
 */
export function call(op, ...args) {
  const operator = /** @type {NonNullable<ReturnType<typeof findOperator>>} */ (findOperator(`aten.${op}`));
  const order = turns(op) && args.at(-1) !== "dense" ? orderOf(args) : null;
  const given = (order ? args.map((value) => (value instanceof Strided ? turned(value, order) : value)) : args).map(argument);
  const seen = new Set(
    given
      .flat()
      .filter(isTensor)
      .map(({ data }) => data.buffer),
  );
  const results = runKernel({ op: `aten.${op}`, ...operator, kernel: likeTorch[op] ?? operator.kernel }, given);
  const own = (/** @type {Tensor|null} */ result) => {
    if (!result) return undefined;
    const made = owned(seen.has(result.data.buffer) ? { ...result, data: result.data.slice(), exact: result.exact?.slice() } : result);
    return order ? turned(made, inverse(order)) : keepsOrder(op) ? laid(made, args) : made;
  };
  return results.length === 1 ? own(results[0]) : results.map(own);
}

/** A plain number for a kernel: a float stays one although it may be whole. @param {number|bigint} value @param {boolean} isFloat */
export function plain(value, isFloat) {
  if (typeof value === "bigint") return exactTensor([], "int64", [value]);
  return isFloat ? scalar(value, "float32") : scalar(value);
}

/** A tensor of numbers that Python gives. @param {Float64Array} numbers @param {number[]} shape @param {DType} dtype */
export const make = (numbers, shape, dtype) => owned(tensor(shape, dtype, convert(numbers, "float64", dtype)));

/** A tensor of whole numbers, some beyond 2^53. @param {BigInt64Array} numbers @param {number[]} shape @param {DType} dtype */
export const makeExact = (numbers, shape, dtype) => owned(exactTensor(shape, dtype, numbers));

/**
 * A tensor of numbers given as bytes. @param {string} data little endian, in base64 @param {DType} dtype @param {number} length
 */
export const decode = (data, dtype, length) => owned(decodeConstant({ dtype, shape: [length], data }));

/** Another view of the same storage. @param {Strided} self @param {number[]} form its shape, then its strides @param {number} offset */
export function view(self, form, offset) {
  const rank = form.length / 2;
  return new Strided(self.storage, self.dtype, form.slice(0, rank), form.slice(rank), offset);
}

/** The numbers of a tensor one after the other, for Python to read. @param {Strided} self */
export function numbers(self) {
  const { data, exact } = self.dense();
  return exact ?? data;
}

/** The least and the largest number of a tensor. @param {Strided} self */
export function limits(self) {
  let [low, high] = [Infinity, -Infinity];
  for (const x of self.dense().data) {
    if (x < low) low = x;
    if (x > high) high = x;
  }
  return [low, high];
}

/** Writes the numbers of a tensor of the same shape into a view. @param {Strided} self @param {Strided} source */
export function write(self, source) {
  const { data } = self.storage;
  const given = source.dense();
  if (given.exact && isInteger(self.dtype)) self.storage.exact ??= BigInt64Array.from(data, BigInt);
  const { exact } = self.storage;
  const large = exact && (given.exact ?? BigInt64Array.from(given.data, (x) => BigInt(Math.trunc(x))));
  const values = given.dtype === self.dtype ? given.data.slice() : convert(given.data, given.dtype, self.dtype);
  let from = 0;
  walk(self.shape, [self.strides], [self.offset], ([to], [step], length) => {
    for (let i = 0; i < length; i += 1, from += 1) {
      data[to + i * step] = values[from];
      if (exact && large) exact[to + i * step] = large[from];
    }
  });
}
