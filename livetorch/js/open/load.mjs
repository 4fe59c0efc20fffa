/**
 * Runs Programs that can say how their numbers came to be:
 *
 *     const program = load(json);
 *     const { open } = program.run({ width: { shape: [], data: [0.5] } }, { keep: true });
 *     open("output", [0, 2]).text;
 */
import { load as loadProgram } from "../runtime/load.mjs";
import { openProgram } from "./open.mjs";
import { rare } from "./rare.mjs";
import { addRules } from "./rules.mjs";

addRules(rare);

/**
 * Makes a Program ready to run. With `{keep: true}` a run keeps every value, and its outputs have `open(name, index)`,
 * which says how a number came to be (open.mjs).
 * @param {string|object} source the Program, as JSON text or parsed
 * @param {{pool?: object[]}} [options]
 */
export function load(source, options) {
  const loaded = loadProgram(source, options);
  /** @param {Record<string, any>} [given] @param {{keep?: boolean} & import("./open.mjs").About} [more] */
  function run(given, { keep = false, ...about } = {}) {
    const outputs = loaded.run(given);
    if (!keep) return outputs;
    const { open } = openProgram(loaded, given, about);
    return Object.defineProperty(outputs, "open", { value: open });
  }
  return { ...loaded, run };
}
