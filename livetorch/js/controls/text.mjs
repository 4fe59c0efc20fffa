import { h, writeText } from "../shared/dom.mjs";
import { knownTokens, textOf, tokensOf, usedIds } from "../shared/tokens.mjs";
import { alike, tensor } from "./base.mjs";

const MOST_TEXT = 2000;

/** What a reader types; a Program gets ids. @type {import("./base.mjs").Kind} */
export const text = {
  ...alike,
  valid: (_, value) => (typeof value === "string" ? value.slice(0, MOST_TEXT) : undefined),
  inputs(control, value) {
    const ids = usedIds(control, value);
    const padded = Array.from({ length: control.length }, (_, i) => ids[i] ?? control.pad);
    return {
      [control.name]: tensor([control.length], "int64", padded),
      [`${control.name}_length`]: tensor([], "int64", [ids.length]),
    };
  },
  fromOutput: (control, output) => textOf(control, output.data),
  toLink: (_, value) => encodeURIComponent(value.replace(/\p{Cs}/gu, "")), // half an emoji has no place in an address
  fromLink: (control, part) => text.valid(control, decodeURIComponent(part)),
  element: createText,
};

/**
 * A text field that says how many tokens are used, and which are not known; examples to pick from are buttons.
 * @param {any} control
 * @param {import("./base.mjs").Context} context
 */
function createText(control, { id, set }) {
  const input = h("input", {
    id,
    type: "text",
    class: "lt-text",
    maxlength: MOST_TEXT,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    "aria-describedby": `${id}-note`,
    oninput: () => set(input.value, { final: false }),
    onchange: () => set(input.value, { final: true }),
  });
  const note = h("span", { id: `${id}-note`, class: "lt-note" });
  const pick = (/** @type {string} */ example) => h("button", { type: "button", class: "lt-button", onclick: () => set(example) }, example);
  const buttons = control.examples?.map(pick);
  const picks = buttons && h("div", { class: "lt-examples", role: "group", "aria-label": `${control.label}: examples` }, ...buttons);
  const search = control.suggestions && createSearch(control.suggestions, { id, set });
  return {
    element: h(
      "div",
      { class: picks || search ? "lt-control lt-words lt-with-choice" : "lt-control lt-words" },
      h("label", { for: id, class: "lt-label" }, control.label),
      input,
      note,
      picks,
      search,
    ),
    /** @param {string} value */
    update(value) {
      if (input.value !== value) input.value = value;
      writeText(note, describe(control, value));
      for (const each of buttons ?? []) each.setAttribute("aria-pressed", String(each.textContent === value));
    },
  };
}

/**
 * @param {any} control
 * @param {string} value
 */
export function describe(control, value) {
  const known = knownTokens(control, value).length + (control.ends ?? []).length;
  const strange = [...new Set(tokensOf(control, value).filter((token) => control.vocabulary && !control.vocabulary.includes(token)))];
  const unit = /** @type {any} */ ({ word: "words", piece: "tokens", library: "tokens" })[control.unit] ?? "characters";
  const parts = [`${Math.min(known, control.length)} of ${control.length} ${unit}`];
  if (known > control.length) parts.push(`${known - control.length} cut off`);
  if (strange.length) parts.push(`${control.unknown === null ? "left out" : "unknown"}: ${strange.slice(0, 5).join(" ")}`);
  return parts.join("; ");
}

/**
 * A field that finds one of many texts by its words, with the browser's own list.
 * @param {string[]} texts
 * @param {import("./base.mjs").Context} context
 */
function createSearch(texts, { id, set }) {
  const list = h("datalist", { id: `${id}-texts` }, ...texts.map((text) => h("option", { value: text })));
  const choose = (/** @type {any} */ event) => {
    if (!texts.includes(event.target.value)) return;
    set(event.target.value);
    event.target.value = "";
  };
  const field = h("input", {
    id: `${id}-search`,
    type: "search",
    class: "lt-text",
    list: `${id}-texts`,
    autocomplete: "off",
    placeholder: "a word",
    oninput: choose,
    onchange: choose,
  });
  const name = h("label", { for: `${id}-search`, class: "lt-label" }, `Search ${texts.length} examples`);
  return h("div", { class: "lt-search" }, name, field, list);
}
