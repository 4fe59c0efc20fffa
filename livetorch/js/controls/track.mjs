import { h } from "../shared/dom.mjs";

/**
 * The room for a curve on the track of a slider, which a part of the script fills; null where none is wanted, or the reader
 * saves data.
 * @param {any} control
 * @param {string} id
 */
export function createTrack(control, id) {
  if (!control.curve || /** @type {any} */ (globalThis.navigator)?.connection?.saveData) return null;
  return {
    control,
    name: h("span", { class: "lt-track-name", "aria-hidden": "true" }, control.curve.label),
    slot: h("div", { class: "lt-track lt-stale", "aria-hidden": "true" }),
    said: h("span", { class: "lt-spoken", id: `${id}-curve` }),
  };
}
