/**
 * Whole numbers beyond 2^53, which no float64 holds: a tensor of them has an `exact` BigInt64Array beside its data, and
 * wraps round as torch's does. An operator runs as ever; only where such a number comes in or comes out is it run here.
 */
import { isFloat, isInteger, resultType, settle, sumType } from "./dtype.mjs";
import { broadcastShapes } from "./broadcast.mjs";
import { reducedShape, rowsOver } from "./reduce.mjs";
import { alongAxis } from "./softmax.mjs";
import { axesOf, expanded } from "./tensor.mjs";

/** @import { DType, Numbers } from "./dtype.mjs" */
/** @import { Node } from "./program.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

/** @typedef {Pick<Node, "op"|"kernel"|"parameters">} Running a node, as far as it matters here */

/** @type {Record<string, number>} */
const BITS = { int64: 64, int32: 32, int16: 16, int8: 8 };
/** @param {DType} dtype @param {bigint} x */
const fit = (dtype, x) => (dtype === "uint8" ? BigInt.asUintN(8, x) : BigInt.asIntN(BITS[dtype], x));
/** @param {number} x */
const isLarge = (x) => !(Math.abs(x) <= Number.MAX_SAFE_INTEGER);
/** @param {unknown} value @returns {value is Tensor} */
const isTensor = (value) => value !== null && typeof value === "object" && "dtype" in value;
/** @template T @param {T|T[]} value @returns {T[]} */
const list = (value) => (Array.isArray(value) ? value : [value]);

/** The whole numbers of a tensor, exactly. @param {Tensor} self */
const bigOf = (self) => self.exact ?? BigInt64Array.from(self.data, BigInt);

/**
 * A tensor of whole numbers, which wrap where the dtype ends.
 * @param {number[]} shape @param {DType} dtype @param {ArrayLike<bigint>} numbers @returns {Tensor}
 */
export function exactTensor(shape, dtype, numbers) {
  const exact = BigInt64Array.from(numbers, (x) => fit(dtype, x));
  const data = Float64Array.from(exact, Number);
  return data.some(isLarge) ? { shape, dtype, data, exact } : { shape, dtype, data };
}

/** @param {bigint} x @param {bigint} y */
const floorDivide = (x, y) => x / y - (x % y !== 0n && x % y < 0n !== y < 0n ? 1n : 0n);
/** @param {bigint} x @param {bigint} y */
const power = (x, y) => {
  if (y < 0n) return x === 1n || (x === -1n && y % 2n === 0n) ? 1n : x === -1n ? -1n : 0n;
  let out = 1n;
  for (let base = x, left = y; left > 0n; left >>= 1n, base = BigInt.asIntN(64, base * base)) {
    if (left & 1n) out = BigInt.asIntN(64, out * base);
  }
  return out;
};

/** @param {bigint} y */
const outside = (y) => y < 0n || y > 63n;

/** @typedef {(x: bigint, y: bigint, option: any) => bigint} Big a factor, or the mode of a division, comes last */

/** @type {Record<string, Big>} */
const pairs = {
  add: (x, y, alpha) => x + alpha * y,
  sub: (x, y, alpha) => x - alpha * y,
  rsub: (x, y, alpha) => y - alpha * x,
  mul: (x, y) => x * y,
  pow: power,
  floor_divide: floorDivide,
  div: (x, y, mode) => (mode === "floor" ? floorDivide(x, y) : x / y),
  remainder: (x, y) => x - y * floorDivide(x, y),
  fmod: (x, y) => x % y,
  bitwise_and: (x, y) => x & y,
  bitwise_or: (x, y) => x | y,
  bitwise_xor: (x, y) => x ^ y,
  bitwise_left_shift: (x, y) => (outside(y) ? 0n : x << y),
  bitwise_right_shift: (x, y) => (outside(y) ? (x < 0n ? -1n : 0n) : x >> y),
};
pairs.__lshift__ = pairs.bitwise_left_shift;
pairs.__rshift__ = pairs.bitwise_right_shift;

/** @type {Record<string, (x: bigint) => bigint>} */
const ones = {
  neg: (x) => -x,
  abs: (x) => (x < 0n ? -x : x),
  square: (x) => x * x,
  bitwise_not: (x) => ~x,
};

/** @typedef {[step: (total: bigint, x: bigint) => bigint, start: bigint, running: boolean]} Total */

/** @type {Record<string, Total>} */
const totals = {
  sum: [(total, x) => total + x, 0n, false],
  prod: [(total, x) => BigInt.asIntN(64, total * x), 1n, false],
  cumsum: [(total, x) => total + x, 0n, true],
  cumprod: [(total, x) => BigInt.asIntN(64, total * x), 1n, true],
};

// Only move, compare or choose numbers. What gives places or signs gives numbers of its own.
const MOVES = new Set(
  (
    "view reshape expand permute t transpose squeeze unsqueeze select slice diagonal unfold as_strided split " +
    "unbind cat stack flip roll repeat clone alias detach index index_select gather take_along_dim where " +
    "masked_fill masked_scatter index_copy select_scatter slice_scatter diagonal_scatter tril triu constant_pad_nd fill " +
    "maximum minimum amax amin max min aminmax cummax cummin clamp clamp_min clamp_max relu sort topk eq ne lt le gt ge " +
    "argmax argmin argsort sign sgn count_nonzero any all logical_not logical_and logical_or logical_xor index_put positive " +
    "embedding copy searchsorted bucketize"
  ).split(" "),
);
const OWN = new Set(["argmax", "argmin", "argsort", "sign", "sgn", "count_nonzero", "searchsorted", "bucketize"]);
const POINTS = new Set(["index", "indices", "condition", "mask"]); // arguments that say where, and are no numbers to move
const COPIES = new Set(["_to_copy", "to", "full", "full_like", "scalar_tensor", "arange", "new_full", "lift_fresh_copy"]);

/** The places of a tensor's elements, as a tensor that can be moved about. @param {Tensor} self @returns {Tensor} */
const placesOf = ({ shape, data }) => ({ shape, dtype: "int64", data: Float64Array.from(data, (_, i) => i) });

/** @param {Big} f @param {Tensor} self @param {Tensor} other @param {Tensor|string|null} third */
function onPairs(f, self, other, third) {
  const shape = broadcastShapes(self.shape, other.shape);
  const [a, b] = [self, other].map((one) => {
    const numbers = bigOf(one);
    return Array.from(expanded(placesOf(one), shape).data, (i) => numbers[i]);
  });
  const option = third && typeof third === "object" ? bigOf(third)[0] : (third ?? 1n);
  return exactTensor(
    shape,
    resultType(self, other),
    a.map((x, i) => f(x, b[i], option)),
  );
}

/**
 * Sums and products: of all, along axes, or running along one.
 * @param {Total} how @param {Tensor} self @param {any} dim one axis, where they run; else also a list, or null
 * @param {boolean} keepdim @param {DType} dtype
 */
function total([step, start, running], self, dim, keepdim, dtype) {
  const numbers = bigOf(self);
  const type = dtype ?? sumType(self.dtype);
  /** @type {bigint[]} */
  const found = [];
  /** @param {Numbers} data @param {number} from @param {number} length @param {Numbers|null} out */
  const count = (data, from, length, out) => {
    let sum = start;
    for (let i = from; i < from + length; i += 1) {
      sum = step(sum, numbers[data[i]]);
      if (out) out[i] = found.push(sum) - 1;
    }
    return sum;
  };
  if (running) {
    const order = alongAxis([placesOf(self)], dim, "int64", (data, out, from, length) => count(data, from, length, out));
    return exactTensor(
      order.shape,
      type,
      Array.from(order.data, (i) => found[i]),
    );
  }
  const axes = axesOf(dim, self.shape.length);
  const { data, rows, length } = rowsOver(placesOf(self), axes);
  const sums = Array.from({ length: rows }, (_, row) => count(data, row * length, length, null));
  return exactTensor(reducedShape(self.shape, axes, keepdim), type, sums);
}

/**
 * Runs an operator on small numbers in the same order, with 0 for 0, and puts the large ones back.
 * @param {Running} node @param {string} name @param {any[]} args
 */
function moved(node, name, args) {
  const taking = args.map((value, i) => (POINTS.has(node.parameters[i].name) ? [] : list(value).filter(isTensor)));
  const tensors = taking.flat();
  if (tensors.some(({ dtype }) => isFloat(dtype))) return node.kernel(...args);
  const sorted = [...new Set([0n, ...tensors.flatMap((one) => [...bigOf(one)])])].sort((x, y) => (x < y ? -1 : 1));
  const zero = sorted.indexOf(0n);
  const codes = new Map(sorted.map((x, i) => [x, i - zero]));
  const coded = (/** @type {Tensor} */ one) => ({
    ...one,
    exact: undefined,
    data: Float64Array.from(bigOf(one), (x) => codes.get(x) ?? 0),
  });
  const small = args.map((value, i) => {
    if (taking[i].length === 0) return value;
    return Array.isArray(value) ? value.map(coded) : coded(value);
  });
  const results = list(node.kernel(...small));
  return results.map((one, k) => {
    const ours = one && isInteger(one.dtype) && !OWN.has(name) && (k === 0 || ["split", "unbind", "aminmax"].includes(name));
    return ours
      ? exactTensor(
          one.shape,
          one.dtype,
          Array.from(one.data, (code) => sorted[code + zero]),
        )
      : one;
  });
}

/** @param {Running} node @param {any[]} args @returns {Tensor | (Tensor|null)[]} */
function exactly(node, args) {
  const name = node.op.split(".")[1];
  const [self, other, third] = args;
  if (name in pairs && isInteger(resultType(self, other)) && (name !== "div" || third)) {
    return onPairs(pairs[name], self, other, third);
  }
  if (name in ones) return exactTensor(self.shape, self.dtype, Array.from(bigOf(self), ones[name]));
  if (name in totals) {
    const at = Object.fromEntries(node.parameters.map((parameter, i) => [parameter.name, args[i]]));
    const dtype = at.dtype ?? sumType(self.dtype);
    if (isInteger(dtype) && !isFloat(self.dtype)) return total(totals[name], self, at.dim ?? null, at.keepdim ?? false, dtype);
  }
  if (MOVES.has(name) && !(name === "index_put" && args[3])) return moved(node, name, args);
  const results = list(node.kernel(...args));
  if (results.every((one) => !one || !isInteger(one.dtype))) return results;
  const source = args.find((value) => isTensor(value) && value.exact) ?? (isTensor(self) ? self : null);
  if (!COPIES.has(name)) {
    throw new Error("whole numbers beyond 2^53 are not exact here: take remainders earlier.");
  }
  const { shape, dtype, data } = /** @type {Tensor} */ (results[0]); // a copy is one tensor
  const numbers = source?.exact && source.data.length === data.length ? source.exact : null;
  const filled = source?.exact && source.data.length === 1 ? source.exact[0] : null;
  return [exactTensor(shape, dtype, numbers ?? Array.from(data, (x) => filled ?? BigInt(x)))];
}

/** @param {Tensor|null} value */
const beyond = (value) => value && isInteger(value.dtype) && value.data.some(isLarge);

/** @param {any} value @returns {boolean} */
function isExact(value) {
  if (value === null || typeof value !== "object") return false;
  return Array.isArray(value) ? typeof value[0] === "object" && value.some(isExact) : value.exact !== undefined;
}

/** Runs a node's kernel on its arguments. @param {Running} node @param {any[]} args @returns {(Tensor|null)[]} */
export function runKernel(node, args) {
  let given = false;
  for (let k = 0; k < args.length; k += 1) given ||= isExact(args[k]);
  let results = given ? [] : list(node.kernel(...args));
  if (given || results.some(beyond)) results = list(exactly(node, args));
  for (let k = 0; k < results.length; k += 1) {
    const value = results[k];
    if (value) settle(value.dtype, value.data);
  }
  return results;
}

/**
 * A tensor whose whole numbers were read as BigInt where they need it.
 * @param {Tensor} self @param {(i: number) => bigint} read @returns {Tensor}
 */
export const withExact = (self, read) => (beyond(self) ? { ...self, exact: BigInt64Array.from(self.data, (_, i) => read(i)) } : self);
