// A few options beside each other, each one press away: native radio buttons drawn as one bar.

import { textWidth } from "../shared/format.mjs";
import { h } from "../shared/dom.mjs";
import { describedBy } from "./base.mjs";

const MOST = 5;
const ROOM = 330; // pixels that the bar may take

/** Whether options are few and short enough to stand beside each other. @param {string[]} options */
export function fewOptions(options) {
  const need = options.reduce((sum, option) => sum + Math.max(28, textWidth(option, 13) + 22), 0);
  return options.length > 1 && options.length <= MOST && need <= ROOM;
}

/**
 * @param {any} control
 * @param {string[]} options
 * @param {import("./base.mjs").Context} context told the number of the option
 */
export function createSegments(control, options, { id, set }) {
  const inputs = options.map((_, i) => h("input", { type: "radio", name: id, value: i, onchange: () => set(i, { final: true }) }));
  const bar = h(
    "div",
    { class: "lt-segments" },
    ...options.map((option, i) => h("label", { class: "lt-segment" }, inputs[i], h("span", {}, option))),
  );
  const element = h(
    "div",
    { class: "lt-control lt-choice", role: "radiogroup", "aria-labelledby": `${id}-label`, "aria-describedby": describedBy(control, id) },
    h("span", { id: `${id}-label`, class: "lt-label" }, control.label),
    bar,
  );
  return {
    element,
    /** @param {number} chosen */
    update(chosen) {
      inputs.forEach((input, i) => (input.checked = i === chosen));
    },
  };
}
