// Settings as they travel to a kernel and back.

import { kindOf } from "../controls/index.mjs";

/** @typedef {Record<string, any>} Settings */

/** @param {any} spec the figure's JSON */
export function createWires({ controls, carry }) {
  /** @type {Map<string, any>} */
  const byName = new Map(controls.map((/** @type {any} */ control) => [control.name, control]));
  const carried = carry?.names ?? {};
  return {
    /** @param {Settings} wire settings by name; those that make no sense are left out */
    from(wire) {
      /** @type {Settings} */
      const found = {};
      for (const [name, value] of Object.entries(wire)) {
        const control = byName.get(name);
        const setting = control && kindOf(control).fromWire(control, value, Object.hasOwn(carried, name));
        if (setting !== undefined && setting !== null) found[name] = setting;
      }
      return found;
    },

    /** @param {Settings} settings */
    to: (settings) => Object.fromEntries(controls.map((/** @type {any} */ c) => [c.name, kindOf(c).toWire(c, settings[c.name])])),
  };
}
