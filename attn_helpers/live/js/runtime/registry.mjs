/** All operators by the names that torch gives them. */
import { activations } from "./activation.mjs";
import { binary } from "./binary.mjs";
import { brackets } from "./brackets.mjs";
import { creation } from "./create.mjs";
import { indexing } from "./indexing.mjs";
import { joining } from "./joining.mjs";
import { linearAlgebra } from "./linalg.mjs";
import { products } from "./matmul.mjs";
import { normalisation } from "./normalise.mjs";
import { reduction } from "./reduce.mjs";
import { alongOneAxis } from "./softmax.mjs";
import { sorting } from "./sort.mjs";
import { ternary } from "./ternary.mjs";
import { unary } from "./unary.mjs";
import { views } from "./views.mjs";
import { parseSignature } from "./schema.mjs";

const tables = [
  activations,
  alongOneAxis,
  binary,
  brackets,
  creation,
  indexing,
  joining,
  linearAlgebra,
  normalisation,
  products,
  reduction,
  sorting,
  ternary,
  unary,
  views,
];

/** @type {Map<string, {signature: string, kernel: Function}>} */
const registry = new Map();
for (const table of tables) {
  for (const [name, [signature, kernel]] of Object.entries(table)) registry.set(`aten.${name}`, { signature, kernel });
}

/** Names of all operators, in order. */
export const operators = [...registry.keys()].sort();

/** Parameters and kernel of an operator, or undefined. */
export function findOperator(name) {
  const entry = registry.get(name);
  return entry && { parameters: parseSignature(entry.signature), kernel: entry.kernel };
}
