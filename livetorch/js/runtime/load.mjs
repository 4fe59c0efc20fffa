/**
 * Runs Programs: torch functions that were traced to a list of ATen operators. It asks for no document.
 *
 *     const program = load(json);
 *     const { output } = program.run({ width: { shape: [], data: [0.5] } });
 *
 * No attention formula stands here or in any module below: only operators.
 */
import { openProgram } from "../open/open.mjs";
import { load as loadProgram } from "./program.mjs";
import { rare } from "./rare.mjs";
import { addOperators, findOperator, operatorNames } from "./registry.mjs";

/**
 * Makes a Program ready to run. With `{keep: true}` a run keeps every value, and its outputs have `open(name, index)`,
 * which says how a number came to be (open/open.mjs).
 * @param {string|object} source the Program, as JSON text or parsed
 * @param {{pool?: object[]}} [options]
 */
export function load(source, options) {
  const loaded = loadProgram(source, options);
  /** @param {Record<string, any>} [given] @param {{keep?: boolean} & import("../open/open.mjs").About} [more] */
  function run(given, { keep = false, ...about } = {}) {
    const outputs = loaded.run(given);
    if (!keep) return outputs;
    const { open } = openProgram(loaded, given, about);
    return Object.defineProperty(outputs, "open", { value: open });
  }
  return { ...loaded, run };
}

addOperators(rare);

/** Names of all operators, in order: "aten.add.Tensor". */
export const operators = operatorNames();

/** Parameters and kernel of an operator by its name, or undefined. */
export { findOperator };
