/** Operators on the bits of two tensors. */
import { runOf } from "./broadcast.mjs";
import { arithmetic } from "./binary.mjs";

/** @import { Numeric, Run } from "./broadcast.mjs" */
/** @import { Kernel, Table } from "./registry.mjs" */

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

const PAIR = "self:T other:T";
const SCALAR = "self:T other:S";
/** @param {Run} run @returns {Kernel} */
const pair = (run) => (self, other) => arithmetic(run, self, other);

/** @type {Table} */
export const bitwise = {};
for (const name of Object.keys(narrow)) {
  bitwise[`${name}.Tensor`] = [PAIR, pair(bits(name))];
  bitwise[`${name}.Scalar`] = [SCALAR, pair(bits(name))];
}
