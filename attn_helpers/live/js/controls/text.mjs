import { h } from "../dom.mjs";
import { tokenId, tokens } from "../settings.mjs";

/**
 * A text field that says how many tokens are used, and which are not known; examples to pick from are buttons.
 * @param {any} spec
 * @param {{id: string, set: (value: any, more?: {final: boolean}) => void}} context
 */
export function createText(spec, { id, set }) {
  const input = h("input", {
    id,
    type: "text",
    class: "al-text",
    maxlength: 2000,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    "aria-describedby": `${id}-note`,
    oninput: () => set(input.value, { final: false }),
    onchange: () => set(input.value, { final: true }),
  });
  const note = h("span", { id: `${id}-note`, class: "al-note" });
  const pick = (/** @type {string} */ text) => h("button", { type: "button", class: "al-button", onclick: () => set(text) }, text);
  const picks = spec.examples && h("div", { class: "al-examples", role: "group", "aria-label": `${spec.label}: examples` }, ...spec.examples.map(pick));
  return {
    element: h("div", { class: "al-control al-words" }, h("label", { for: id, class: "al-label" }, spec.label), input, note, picks),
    /** @param {string} value */
    update(value) {
      if (input.value !== value) input.value = value;
      note.textContent = describe(spec, value);
    },
  };
}

/**
 * @param {any} spec
 * @param {string} text
 */
export function describe(spec, text) {
  const all = tokens(spec, text);
  const known = all.filter((token) => tokenId(spec, token) !== null);
  const strange = [...new Set(all.filter((token) => spec.vocabulary && !spec.vocabulary.includes(token)))];
  const unit = spec.unit === "word" ? "words" : "characters";
  const parts = [`${Math.min(known.length, spec.length)} of ${spec.length} ${unit}`];
  if (known.length > spec.length) parts.push(`${known.length - spec.length} cut off`);
  if (strange.length) parts.push(`${spec.unknown === null ? "left out" : "unknown"}: ${strange.slice(0, 5).join(" ")}`);
  return parts.join("; ");
}
