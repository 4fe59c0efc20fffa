/** Operators by the names that torch gives them, the common ones and those that are added; and a call of one made ready to run. */
import { binary, bitwise } from "./binary.mjs";
import { brackets } from "./brackets.mjs";
import { creation } from "./create.mjs";
import { indexing } from "./indexing.mjs";
import { joining } from "./joining.mjs";
import { products } from "./matmul.mjs";
import { reduction } from "./reduce.mjs";
import { alongOneAxis } from "./softmax.mjs";
import { ternary } from "./ternary.mjs";
import { unary } from "./unary.mjs";
import { views } from "./reshape.mjs";
import { bindArguments, isRef, parseSignature, referencesOf } from "./schema.mjs";

/** @import { Call } from "./encoding.mjs" */
/** @import { Node } from "./program.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

const tables = [alongOneAxis, binary, bitwise, brackets, creation, indexing, joining, products, reduction, ternary, unary, views];

/**
 * What computes an operator; its arguments are those that its signature names (tensors, numbers, lists, ...).
 * @typedef {(...args: any[]) => Tensor | (Tensor|null)[]} Kernel
 * @typedef {Record<string, [signature: string, kernel: Kernel]>} Table
 */

/** @type {Map<string, {signature: string, kernel: Kernel}>} */
const registry = new Map();

/** @param {Table[]} more */
export function addOperators(more) {
  for (const table of more) {
    for (const [name, [signature, kernel]] of Object.entries(table))
      registry.set(name.startsWith("livetorch.") ? name : `aten.${name}`, { signature, kernel });
  }
}
addOperators(tables);

/** Names of the operators that are here, in order. */
export const operatorNames = () => [...registry.keys()].sort();

/** Parameters and kernel of an operator, or undefined. @param {string} name */
export function findOperator(name) {
  const entry = registry.get(name);
  return entry && { parameters: parseSignature(entry.signature), kernel: entry.kernel };
}

/**
 * A node ready to run: its kernel, its bound arguments, and the numbers of what it reads and writes.
 * @param {Call} call @param {number} first @returns {Node}
 */
export function prepareNode({ op, args, kwargs, outs = 1 }, first) {
  const operator = findOperator(op);
  if (!operator) throw new Error(`the runtime has no operator ${op}.`);
  let bound;
  try {
    bound = bindArguments(operator.parameters, args, kwargs);
  } catch (error) {
    throw new Error(`${op}: ${/** @type {Error} */ (error).message}`);
  }
  const reads = referencesOf(bound);
  const late = reads.find((number) => !(number < first));
  if (late !== undefined) throw new Error(`${op} reads value ${late} before it is computed.`);
  const places = bound.flatMap((value, k) => (isRef(value) ? [k, value.v] : []));
  const lists = bound.flatMap((value, k) => (Array.isArray(value) ? [k] : []));
  return {
    op,
    kernel: operator.kernel,
    parameters: operator.parameters,
    bound,
    places,
    lists,
    reads,
    first,
    outs,
    frees: [],
    bits: 0,
    own: [],
  };
}
