/** The kernels of the engine, run on a few numbers in float64: what an operator gives without a formula of its own. */
import { runKernel } from "../runtime/exact.mjs";
import { allocate, isFloat } from "../runtime/dtype.mjs";
import { isRef } from "../runtime/schema.mjs";
import { numberAt } from "./trail.mjs";

/** @import { DType } from "../runtime/dtype.mjs" */
/** @import { Node } from "../runtime/program.mjs" */
/** @import { Tensor } from "../runtime/tensor.mjs" */

/**
 * A tensor of numbers as they are: a comparison rounds its other side to their dtype.
 * @param {(number|bigint)[]} numbers @param {DType} dtype @param {number[]} shape @returns {Tensor}
 */
export function ownTensorOf(numbers, dtype, shape) {
  const out = tensorOf(numbers, dtype, shape);
  const data = allocate(dtype, numbers.length);
  data.set(out.data);
  return { ...out, dtype, data };
}

/**
 * A tensor of numbers, in float64 where the dtype holds floats.
 * @param {(number|bigint)[]} numbers @param {DType} dtype @param {number[]} shape @returns {Tensor}
 */
export function tensorOf(numbers, dtype, shape) {
  const data = dtype === "bool" ? Uint8Array.from(numbers, Number) : Float64Array.from(numbers, Number);
  /** @type {Tensor} */
  const out = { shape, dtype: isFloat(dtype) ? "float64" : dtype, data };
  return !isFloat(dtype) && numbers.some((x) => typeof x === "bigint") ? { ...out, exact: BigInt64Array.from(numbers, BigInt) } : out;
}

/**
 * Runs a node's kernel with other arguments.
 * @param {Node} node
 * @param {any[]} args
 * @param {number} k which result
 * @param {number} i which number of it
 */
export function runOn(node, args, k = 0, i = 0) {
  const wide = node.parameters.map(({ name }, n) => (name === "dtype" && isFloat(args[n] ?? "bool") ? "float64" : args[n]));
  const result = /** @type {Tensor} */ (runKernel(node, wide)[k]); // one that the Program reads
  return numberAt(result, i);
}

/** What an argument is: "cell" for a tensor of the Program, "number" for a plain number, null for anything else. @param {any} value */
export function kindOf(value) {
  if (isRef(value)) return "tensor";
  return value && typeof value === "object" && value.weak ? "number" : null;
}
