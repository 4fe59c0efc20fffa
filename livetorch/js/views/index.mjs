/** The kinds of views that are here, by the name that a figure's JSON calls them. */

/** @import { Theme } from "../shared/colour.mjs" */
/** @import { Frame } from "./sources.mjs" */
/** @import { Kind } from "./kind.mjs" */

/**
 * @typedef {Record<string, number|null>} Marks of each axis the item that is pointed at
 *
 * @typedef {object} Context what a figure gives its views
 * @property {string} figureId
 * @property {(name: string, value: any, more?: {final: boolean|"also"}) => unknown} set a control
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
 * @property {(widgets: Record<string, {element: HTMLElement}>) => HTMLElement[]} [hold] takes fields of controls that have their place in it
 * @property {() => void} [rest] ends what it plays, and chooses what was chosen first: all controls go back to their start
 * @property {() => any} shown what is drawn, for the panel of opened numbers
 * @property {() => void} destroy
 */

/** @type {Record<string, Partial<Kind>>} */
const kinds = {};

/** The part that brings each of the others. The build knows; modules by themselves have none. @type {Record<string, string>} */
const elsewhere = /** @type {any} */ (globalThis).LIVETORCH_VIEWS ?? {};

/** Kinds of views, or halves of them, that have come. @param {Record<string, Partial<Kind>>} more by name */
export function addViews(more) {
  for (const [name, half] of Object.entries(more)) kinds[name] = { ...kinds[name], ...half };
}

/**
 * What a kind of view says of itself.
 * @template {keyof Kind} Field
 * @param {string} kind @param {Field} field @returns {Kind[Field]}
 */
export function viewOf(kind, field) {
  if (!Object.hasOwn(kinds, kind)) {
    throw new Error(`This page's script has no view of kind ${kind}. It has ${Object.keys(kinds).sort().join(", ") || "none"}.`);
  }
  const said = kinds[kind][field];
  if (said === undefined) throw new Error(`The view ${kind} has no ${field} here: that half of it has not come.`);
  return /** @type {Kind[Field]} */ (said);
}

/** Whether something of a pinned state stays in a view; what shows it comes when it is first asked for. @param {{kind: string}} view */
export const hasGhost = ({ kind }) => kinds[kind]?.ghost !== null;

/** The part that a view waits for, or null. @param {string} kind @returns {string|null} */
export function partOfView(kind) {
  const here = Object.hasOwn(kinds, kind) && kinds[kind].create;
  return here || !Object.hasOwn(elsewhere, kind) ? null : elsewhere[kind];
}
