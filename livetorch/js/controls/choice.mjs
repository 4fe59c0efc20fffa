import { h } from "../shared/dom.mjs";
import { alike, describedBy, tensor } from "./base.mjs";
import { createSegments, fewOptions } from "./segments.mjs";

/** @typedef {import("./base.mjs").Context} Context */

/** One of several options, kept as its number. @type {import("./base.mjs").Kind} */
export const dropdown = {
  ...alike,
  valid(control, value) {
    const index = typeof value === "string" ? control.options.indexOf(value) : value;
    return Number.isInteger(index) && index >= 0 && index < control.options.length ? index : undefined;
  },
  // else it chooses a Program
  inputs: ({ name, tensors }, value) => (tensors ? { [name]: tensor(tensors.shape, tensors.dtype, tensors.data[value]) } : {}),
  fromOutput: (_, output) => output.data[0],
  toLink: (_, value) => String(value),
  fromLink: (control, text) => dropdown.valid(control, /^\d+$/.test(text) ? Number(text) : NaN),
  element: createDropdown,
};

/** @type {import("./base.mjs").Kind} */
export const checkbox = {
  ...alike,
  valid: (_, value) => (typeof value === "boolean" ? value : undefined),
  inputs: (control, value) => ({ [control.name]: tensor([], "bool", [Number(value)]) }),
  fromOutput: (_, output) => Boolean(output.data[0]),
  toLink: (_, value) => (value ? "1" : "0"),
  fromLink: (_, text) => (text === "1" || text === "0" ? text === "1" : undefined),
  element: createCheckbox,
};

/**
 * A few options beside each other, else a native drop-down list.
 * @param {any} control
 * @param {Context} context
 */
function createDropdown(control, { id, set }) {
  if (fewOptions(control.options)) return createSegments(control, control.options, { id, set });
  const select = h("select", {
    id,
    class: "lt-select",
    "aria-describedby": describedBy(control, id),
    onchange: () => set(select.selectedIndex, { final: true }),
  });
  for (const option of control.options) select.append(h("option", {}, option));
  return {
    element: h("div", { class: "lt-control lt-dropdown" }, h("label", { for: id, class: "lt-label" }, control.label), select),
    /** @param {number} value */
    update(value) {
      if (select.selectedIndex !== value) select.selectedIndex = value;
    },
  };
}

/**
 * A native checkbox.
 * @param {any} control
 * @param {Context} context
 */
function createCheckbox(control, { id, set }) {
  const input = h("input", {
    id,
    type: "checkbox",
    "aria-describedby": describedBy(control, id),
    onchange: () => set(input.checked, { final: true }),
  });
  return {
    element: h("div", { class: "lt-control lt-checkbox" }, h("label", { for: id, class: "lt-check" }, input, h("span", {}, control.label))),
    /** @param {boolean} value */
    update(value) {
      input.checked = value;
    },
  };
}
