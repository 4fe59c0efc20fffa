/** The views by the name that a figure's JSON calls them. */
import { createArcs } from "./arcs.mjs";
import { createHeatmap } from "./heatmap.mjs";
import { createTable } from "./table.mjs";
import { createTokens } from "./tokens.mjs";

/** @type {Record<string, (spec: any, context: any) => any>} */
const here = { arcs: createArcs, heatmap: createHeatmap, table: createTable, tokens: createTokens };

/** The other views, and the part that has each. */
const elsewhere = { bars: "plots", flow: "flow", history: "plots", lines: "plots", number: "plots", plane: "plots" };

/** @param {Record<string, any>} more views by name */
export const addViews = (more) => Object.assign(here, more);

/** @param {string} kind */
export function viewOf(kind) {
  if (!Object.hasOwn(here, kind)) throw new Error(`This page's script has no view of kind ${kind}.`);
  return here[kind];
}

/** The part that a view waits for, or null. @param {string} kind @returns {string|null} */
export function partOfView(kind) {
  if (Object.hasOwn(here, kind) || !Object.hasOwn(elsewhere, kind)) return null;
  return elsewhere[/** @type {keyof typeof elsewhere} */ (kind)];
}
