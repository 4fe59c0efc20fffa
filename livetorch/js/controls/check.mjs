// Whether every kind of control says everything about itself; asked when scripts are built.

/** @typedef {import("./base.mjs").Kind} Kind */

/** @satisfies {readonly (keyof Kind)[]} */
const FIELDS = /** @type {const} */ ([
  "initial",
  "valid",
  "inputs",
  "option",
  "fromOutput",
  "broken",
  "toLink",
  "fromLink",
  "toWire",
  "fromWire",
  "element",
]);

/** Throws where a kind lacks something. @param {Record<string, any>} kinds by name */
export function checkControls(kinds) {
  for (const [name, kind] of Object.entries(kinds)) {
    const lacks = FIELDS.filter((field) => typeof kind[field] !== "function" && !(field === "element" && kind[field] === null));
    if (lacks.length) throw new Error(`The control ${name} is incomplete: in js/controls/ it must have ${lacks.join(", ")} as a function.`);
  }
}
