/**
 * Runs Programs: torch functions that were traced to a list of ATen operators. It asks for no document.
 *
 *     const program = load(json);
 *     const { output } = program.run({ width: { shape: [], data: [0.5] } });
 *
 * No attention formula stands here or in any module below: only operators. What says how a number came to be stands
 * above: open/load.mjs.
 */
import "./lanes.mjs";
import { rare } from "./rare.mjs";
import { addOperators, findOperator, operatorNames } from "./registry.mjs";

addOperators(rare);

/** Names of all operators, in order: "aten.add.Tensor". */
export const operators = operatorNames();

/** Makes a Program ready to run. */
export { load } from "./program.mjs";

/** Parameters and kernel of an operator by its name, or undefined. */
export { findOperator };
