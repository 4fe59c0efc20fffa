/** The views by the name that a figure's JSON calls them. */
import { createHeatmap } from "./heatmap.mjs";
import { createTokens } from "./tokens.mjs";

/** @import { Theme } from "../shared/colour.mjs" */
/** @import { Frame } from "./sources.mjs" */

/**
 * @typedef {Record<string, number|null>} Marks of each axis the item that is pointed at
 *
 * @typedef {object} Context what a figure gives its views
 * @property {string} figureId
 * @property {(name: string, value: any, more?: {final: boolean}) => unknown} set a control
 * @property {(marks: Marks) => void} highlight in all views
 * @property {(text: string) => void} announce
 * @property {Record<string, any>} controls by name
 * @property {(spec: any) => Promise<any>} reader fetches what says how the cells of a flow were made
 * @property {() => boolean} reducedMotion
 * @property {() => boolean} [glides] whether numbers may run to where they go
 * @property {() => Theme} theme
 * @property {(told: () => void) => unknown} [onTheme]
 *
 * @typedef {object} View
 * @property {HTMLElement} element
 * @property {(frame: Frame) => void} update
 * @property {(marks: Marks) => void} highlight
 * @property {{own: () => number, set: (high: number) => void, keep: typeof import("./level.mjs").keepLevel}} [level] of a plot: the
 *   height that it has, and gets beside others, and what keeps them alike
 * @property {() => any} shown what is drawn, for the panel of opened numbers
 * @property {() => void} destroy
 */

/** @type {Record<string, (spec: any, context: Context) => View>} */
const here = { heatmap: createHeatmap, tokens: createTokens };

/** The other views, and the part that has each. */
export const elsewhere = {
  arcs: "arcs",
  bars: "plots",
  flow: "flow",
  history: "plots",
  lines: "plots",
  number: "plots",
  plane: "plots",
  strip: "plots",
  table: "table",
};

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
