// A link that reopens a page with its figures in a given state: "#lt:kernel-weights=width:0.3,kernel:1".
//
// Everything in a link is untrusted: each setting is parsed by the control that it is for, clamped to the control's
// range, and dropped when it makes no sense. Nothing of it is ever used as anything but a number or plain text.

import { kindOf } from "../controls/index.mjs";

/** @typedef {import("../controls/base.mjs").Control} Control */
/** @typedef {Record<string, any>} Settings */

const PREFIX = "#lt:";
const LONGEST = 8000; // characters of a hash that are looked at
const MOST_STEPS = 100000;
const STEPS = "@";

/**
 * The part of a link that belongs to one figure. Settings at their default are left out.
 * @param {{name: string, controls: Control[]}} spec
 * @param {Settings} settings
 * @param {{steps?: number, defaults?: Settings}} [more] steps: to be done again after the settings are in place
 */
export function encodeState(spec, settings, { steps = 0, defaults = {} } = {}) {
  const parts = [];
  for (const control of spec.controls) {
    const { toLink } = kindOf(control);
    const text = toLink(control, settings[control.name]);
    const usual = control.name in defaults ? toLink(control, defaults[control.name]) : null;
    if (text !== null && text !== usual) parts.push(`${encodeURIComponent(control.name)}:${text}`);
  }
  if (steps > 0) parts.push(`${STEPS}:${steps}`);
  return `${PREFIX}${encodeURIComponent(spec.name)}=${parts.join(",")}`;
}

/**
 * The text for each figure that a hash names; an empty object for any other hash.
 * @param {string} hash
 * @returns {Record<string, string>}
 */
export function splitHash(hash) {
  /** @type {Record<string, string>} */
  const found = Object.create(null);
  if (typeof hash !== "string" || !hash.startsWith(PREFIX) || hash.length > LONGEST) return found;
  for (const part of hash.slice(PREFIX.length).split("&")) {
    const at = part.indexOf("=");
    if (at <= 0) continue;
    try {
      found[decodeURIComponent(part.slice(0, at))] = part.slice(at + 1);
    } catch {
      // not a name: leave it out
    }
  }
  return found;
}

/**
 * The valid settings in a figure's part of a link; what makes no sense is left out.
 * @param {{controls: Control[], carry?: any}} spec
 * @param {string} text
 * @returns {{settings: Settings, steps: number}}
 */
export function decodeState(spec, text) {
  /** @type {Settings} */
  const settings = {};
  let steps = 0;
  for (const part of text.split(",")) {
    const at = part.indexOf(":");
    if (at <= 0) continue;
    const value = part.slice(at + 1);
    try {
      const name = decodeURIComponent(part.slice(0, at));
      if (name === STEPS && /^\d{1,6}$/.test(value) && spec.carry) steps = Math.min(Number(value), MOST_STEPS, spec.carry.steps);
      const control = spec.controls.find((each) => each.name === name);
      const setting = control && kindOf(control).fromLink(control, value);
      if (control && setting !== undefined) settings[control.name] = setting;
    } catch {
      // nonsense: the default stays
    }
  }
  return { settings, steps };
}
