/** Operators on the truth or the bits of two tensors. */
import { mapTwo, runOf } from "./broadcast.mjs";
import { arithmetic } from "./binary.mjs";

/** @import { Numeric, Pair, Run } from "./broadcast.mjs" */
/** @import { Kernel, Table } from "./registry.mjs" */

/** @type {Record<string, Pair>} */
const logical = {
  logical_and: (x, y) => x !== 0 && y !== 0,
  logical_or: (x, y) => x !== 0 || y !== 0,
  logical_xor: (x, y) => (x !== 0) !== (y !== 0),
};

/** @type {Record<string, Numeric>} */
const narrow = {
  bitwise_and: (x, y) => x & y,
  bitwise_or: (x, y) => x | y,
  bitwise_xor: (x, y) => x ^ y,
};

/** Beyond 32 bits, the slow but exact way. @type {Record<string, Numeric>} */
const wide = {
  bitwise_and: (x, y) => Number(BigInt(x) & BigInt(y)),
  bitwise_or: (x, y) => Number(BigInt(x) | BigInt(y)),
  bitwise_xor: (x, y) => Number(BigInt(x) ^ BigInt(y)),
};
/** @param {number} x */
const isSmall = (x) => (x | 0) === x;

/** @param {string} name */
const bits = (name) => runOf((x, y) => (isSmall(x) && isSmall(y) ? narrow[name](x, y) : wide[name](x, y)));

/** A shift by more places than there are, or by fewer than none, leaves nothing but the sign. @param {number} y */
const outOf = (y) => y < 0 || y > 63;
/** @type {Record<string, Numeric>} */
const shifts = {
  left: (x, y) => (outOf(y) ? 0 : x * 2 ** y),
  right: (x, y) => (outOf(y) ? (x < 0 ? -1 : 0) : Math.floor(x / 2 ** y)),
};

const PAIR = "self:T other:T";
const SCALAR = "self:T other:S";
/** @param {Run} run @returns {Kernel} */
const pair = (run) => (self, other) => arithmetic(run, self, other);

/** @type {Table} */
export const bitwise = {};
for (const [name, f] of Object.entries(logical)) {
  bitwise[`${name}.default`] = [PAIR, (self, other) => mapTwo(runOf(f), self, other, "bool")];
}
for (const name of Object.keys(narrow)) {
  bitwise[`${name}.Tensor`] = [PAIR, pair(bits(name))];
  bitwise[`${name}.Scalar`] = [SCALAR, pair(bits(name))];
}
for (const [side, f] of Object.entries(shifts)) {
  bitwise[`__${side[0]}shift__.Tensor`] = [PAIR, pair(runOf(f))];
  bitwise[`__${side[0]}shift__.Scalar`] = [SCALAR, pair(runOf(f))];
  bitwise[`bitwise_${side}_shift.Tensor`] = [PAIR, pair(runOf(f))];
  bitwise[`bitwise_${side}_shift.Tensor_Scalar`] = [SCALAR, pair(runOf(f))];
}
