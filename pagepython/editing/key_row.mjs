// The keys that Python needs and a phone's keyboard hides, above the editor that is being typed in.

import { h } from "../../livetorch/js/shared/dom.mjs";

const KEYS = ["(", ")", "[", "]", ":", "=", "_", ".", ",", "*", "@", '"'];

/** @param {() => ReturnType<typeof import("./editor.mjs").createEditor>|null} editor */
export function keyRow(editor) {
  const key = (/** @type {string} */ label, /** @type {string} */ name, /** @type {() => void} */ press) =>
    h("button", { type: "button", tabindex: "-1", "aria-label": name, onclick: press }, label);
  const row = h(
    "div",
    { class: "ed-keys-row" },
    key("\u21e5", "indent", () => editor()?.indent(true)),
    key("\u21e4", "indent less", () => editor()?.indent(false)),
    ...KEYS.map((piece) => key(piece, piece, () => editor()?.type(piece))),
  );
  // the editor keeps the focus, or the phone's keyboard would go away
  row.addEventListener("pointerdown", (/** @type {Event} */ event) => event.preventDefault());
  return row;
}
