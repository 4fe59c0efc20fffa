// A question with a few answers to choose from: native radio buttons.

import { h } from "../../../../livetorch/js/shared/dom.mjs";
import { marked } from "./marked.mjs";

/**
 * @param {any} spec
 * @param {{id: string}} context
 */
export function createChoice(spec, { id }) {
  const inputs = spec.options.map((/** @type {any} */ _, /** @type {number} */ i) => h("input", { type: "radio", name: id, value: i }));
  const labels = spec.options.map((/** @type {any} */ option, /** @type {number} */ i) =>
    h("label", { class: "lt-option" }, inputs[i], h("span", {}, ...marked(option.text))),
  );
  return {
    element: h("fieldset", { class: "lt-choice" }, h("legend", { class: "lt-ask" }, ...marked(spec.question)), ...labels),
    get() {
      const chosen = inputs.findIndex((/** @type {HTMLInputElement} */ input) => input.checked);
      return chosen < 0 ? null : chosen;
    },
    /** @param {any} value */
    set(value) {
      inputs.forEach((/** @type {HTMLInputElement} */ input, /** @type {number} */ i) => (input.checked = i === value));
    },
    valid: (/** @type {any} */ value) => value in inputs,
    judge: (/** @type {number} */ value) => ({
      right: value === spec.answer,
      lead: value === spec.answer ? "Right." : "No.",
      text: spec.options[value].why,
    }),
    answer: () => spec.answer,
    nothing: "Choose an answer first.",
  };
}
