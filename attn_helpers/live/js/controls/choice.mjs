import { h } from "../dom.mjs";

/**
 * A native drop-down list.
 * @param {any} spec
 * @param {{id: string, set: (value: any, more?: {final: boolean}) => void}} context
 */
export function createDropdown(spec, { id, set }) {
  const select = h("select", {
    id,
    class: "al-select",
    "aria-describedby": spec.description ? `${id}-about` : null,
    onchange: () => set(select.selectedIndex, { final: true }),
  });
  for (const option of spec.options) select.append(h("option", {}, option));
  return {
    element: h("div", { class: "al-control al-dropdown" }, h("label", { for: id, class: "al-label" }, spec.label), select),
    /** @param {number} value */
    update(value) {
      if (select.selectedIndex !== value) select.selectedIndex = value;
    },
  };
}

/**
 * A native checkbox.
 * @param {any} spec
 * @param {{id: string, set: (value: any, more?: {final: boolean}) => void}} context
 */
export function createCheckbox(spec, { id, set }) {
  const input = h("input", {
    id,
    type: "checkbox",
    "aria-describedby": spec.description ? `${id}-about` : null,
    onchange: () => set(input.checked, { final: true }),
  });
  return {
    element: h("div", { class: "al-control al-checkbox" }, h("label", { for: id, class: "al-check" }, input, h("span", {}, spec.label))),
    /** @param {boolean} value */
    update(value) {
      input.checked = value;
    },
  };
}
