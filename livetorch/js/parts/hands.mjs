// Fetched by a page when a reader first takes something back, or asks which keys a figure has.
import { h } from "../shared/dom.mjs";
import { areOff, turn } from "../figure/hands.mjs";

/** @typedef {{button: HTMLElement, announce: (text: string) => void, past: any[], last: any, busy: boolean}} Hands */

/** One thing that a hand did is taken back. @param {any} spec @param {any} model @param {Hands} hands */
export function undo(spec, model, hands) {
  const to = hands.past.pop();
  if (!to) return hands.announce("There is nothing to undo.");
  hands.busy = true;
  model.stop();
  const now = model.state();
  for (const { name } of spec.controls) if (now[name] !== to[name]) model.set(name, to[name]);
  Object.assign(hands, { busy: false, last: model.state() });
  hands.button.hidden = !hands.past.length;
  if (hands.button.hidden && document.activeElement === document.body) hands.button.parentElement?.querySelector("button")?.focus();
  return hands.announce("Undone.");
}

/** The keys of a figure, as a table. @param {any} spec @param {any} _ @param {Hands} hands */
export function list(spec, _, hands) {
  const has = (/** @type {string} */ field) => spec.views.some((/** @type {any} */ view) => view[field]);
  const rows = [
    ["Tab", "to the next control, picture or button"],
    ["Arrow keys", `move a slider${has("drag") ? " or a point" : ""}, walk from number to number`],
    ...(has("edit") ? [["Space", "switches the cell that you are on"]] : []),
    ...(has("muting") ? [["Space", "lets the token that you are on be looked at, or not"]] : []),
    ...(has("zoom")
      ? [
          ["+ and −", "make a map larger and smaller, as Ctrl and the wheel do, or two fingers"],
          ["0", "shows the whole map"],
        ]
      : []),
    [has("edit") ? "o" : "Enter, or o", "says how the number that you are on was made"],
    ["Ctrl+Z", "takes back what was done last"],
    ["Escape", "closes what was opened"],
  ];
  const words = () => (areOff() ? "Switch the keys o and ? on" : "Switch the keys o and ? off");
  const single = h(
    "button",
    { type: "button", class: "lt-button", onclick: () => (turn(!areOff()), (single.textContent = words())) },
    words(),
  );
  const made = h(
    "dialog",
    { class: "lt-keys", "aria-labelledby": "lt-keys-title", onclose: () => made.remove() },
    h("h2", { class: "lt-title", id: "lt-keys-title" }, "Keys of a live figure"),
    h("table", {}, ...rows.map(([key, does]) => h("tr", {}, h("th", { scope: "row" }, key), h("td", {}, does)))),
    h("p", {}, "They work while something in a figure has the focus; ? shows this list on the whole page."),
    h("button", { type: "button", class: "lt-button", onclick: () => made.close() }, "Close"),
    " ",
    single,
  );
  hands.button.closest(".lt-card")?.append(made);
  made.showModal();
}
