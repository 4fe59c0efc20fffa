// Run, whose line may be out of sight, and the keys that a phone's keyboard hides, above the editor that is being typed in.

import { h } from "../../livetorch/js/shared/dom.mjs";

const KEYS = ["(", ")", "[", "]", ":", "=", "_", "*", "@"]; // as many as a phone has room for: not those that its keyboard shows first

/** @param {() => ReturnType<typeof import("./editor.mjs").createEditor>|null} editor @param {() => void} run */
export function keyRow(editor, run) {
  const key = (/** @type {string} */ label, /** @type {string} */ name, /** @type {() => void} */ press) =>
    h("button", { type: "button", tabindex: "-1", "aria-label": name, onclick: press }, label);
  const row = h(
    "div",
    { class: "ed-keys-row" },
    key("", "run", run),
    key("\u21e5", "indent", () => editor()?.indent(true)),
    key("\u21e4", "indent less", () => editor()?.indent(false)),
    ...KEYS.map((piece) => key(piece, piece, () => editor()?.type(piece))),
  );
  // the editor keeps the focus, or the phone's keyboard would go away
  row.addEventListener("pointerdown", (/** @type {Event} */ event) => event.preventDefault());
  return row;
}
