// A link that reopens a page with its figures in a given state: "#al:kernel-weights=width:0.3,kernel:1".
//
// Everything in a link is untrusted: each setting is parsed by the control that it is for, clamped to the control's
// range, and dropped when it makes no sense. Nothing of it is ever used as anything but a number or plain text.

import { decodeTensor, encodeTensor, validSetting } from "./settings.mjs";

/** @typedef {import("./settings.mjs").Control} Control */
/** @typedef {import("./settings.mjs").Settings} Settings */

const PREFIX = "#al:";
const LONGEST = 8000; // characters of a hash that are looked at
const LONGEST_TABLE = 1024; // numbers of one control that are put in a link
const MOST_STEPS = 100000;
const STEPS = "@";

/** @param {number} x */
const short = (x) => String(Number(x.toPrecision(9)));

/**
 * @param {Control} control
 * @param {any} value
 * @returns {string|null} null: too large for a link
 */
function encodeSetting(control, value) {
  switch (control.kind) {
    case "slider":
      return short(value);
    case "dropdown":
      return String(value);
    case "checkbox":
      return value ? "1" : "0";
    case "text":
      return encodeURIComponent(value);
    case "mask": {
      const bits = value.flat().map(Number).join("");
      return bits.length > LONGEST_TABLE ? null : bits;
    }
    case "points":
    case "matrix": {
      const numbers = value.flat();
      return numbers.length > LONGEST_TABLE ? null : numbers.map(short).join("_");
    }
    case "state":
      if (value.data.length > LONGEST_TABLE) return null;
      return encodeTensor(value).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    default:
      return null;
  }
}

/** @param {string} text */
function number(text) {
  return /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : NaN;
}

/**
 * @param {any[]} numbers
 * @param {number[]} shape
 */
function rows(numbers, [count, columns]) {
  if (numbers.length !== count * columns) return undefined;
  return Array.from({ length: count }, (_, row) => numbers.slice(row * columns, (row + 1) * columns));
}

/**
 * @param {Control} control
 * @param {string} text
 * @returns {any} undefined: nonsense
 */
function decodeSetting(control, text) {
  switch (control.kind) {
    case "slider":
      return validSetting(control, number(text));
    case "dropdown":
      return validSetting(control, /^\d+$/.test(text) ? Number(text) : NaN);
    case "checkbox":
      return text === "1" || text === "0" ? text === "1" : undefined;
    case "text":
      return validSetting(control, decodeURIComponent(text));
    case "mask":
      return /^[01]+$/.test(text) ? validSetting(control, rows(Array.from(text, (bit) => bit === "1"), control.shape)) : undefined;
    case "points":
    case "matrix":
      return validSetting(control, rows(text.split("_").map(number), control.shape));
    case "state":
      return decodeTensor({
        shape: control.shape,
        dtype: control.dtype,
        value: text.replaceAll("-", "+").replaceAll("_", "/"),
      });
    default:
      return undefined;
  }
}

/**
 * The part of a link that belongs to one figure. Settings at their default are left out.
 * @param {{name: string, controls: Control[]}} spec
 * @param {Settings} settings
 * @param {{steps?: number, defaults?: Settings}} [more] steps: to be done again after the settings are in place
 */
export function encodeState(spec, settings, { steps = 0, defaults = {} } = {}) {
  const parts = [];
  for (const control of spec.controls) {
    const text = encodeSetting(control, settings[control.name]);
    const usual = control.name in defaults ? encodeSetting(control, defaults[control.name]) : null;
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
      const setting = control && decodeSetting(control, value);
      if (control && setting !== undefined) settings[control.name] = setting;
    } catch {
      // nonsense: the default stays
    }
  }
  return { settings, steps };
}
