import { checkbox, dropdown } from "./choice.mjs";
import { slider } from "./slider.mjs";
import { state } from "./state.mjs";
import { mask, matrix, points } from "./table.mjs";
import { text } from "./text.mjs";

/** The kinds of controls by the name that a figure's JSON calls them. @type {Record<string, import("./base.mjs").Kind>} */
const kinds = { slider, dropdown, checkbox, text, points, matrix, mask, state };

/** @param {{kind: string}} control */
export function kindOf({ kind }) {
  if (!Object.hasOwn(kinds, kind)) throw new Error(`This page's script has no control of kind ${kind}.`);
  return kinds[kind];
}
