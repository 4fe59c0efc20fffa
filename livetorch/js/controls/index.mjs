import * as all from "./all.mjs";

/** The kinds of controls by the name that a figure's JSON calls them. @type {Record<string, import("./base.mjs").Kind>} */
export const kinds = { ...all };

/** @param {{kind: string}} control */
export function kindOf({ kind }) {
  if (!Object.hasOwn(kinds, kind)) {
    throw new Error(`This page's script has no control of kind ${kind}. It has ${Object.keys(kinds).sort().join(", ")}.`);
  }
  return kinds[kind];
}
