// A link that reopens a page with its figures in a given state: "#lt:kernel-weights=width:0.3,kernel:1".
//
// Everything in a link is untrusted: each setting is parsed by the control that it is for, clamped to the control's
// range, and dropped when it makes no sense. Nothing of it is ever used as anything but a number or plain text. What was
// dropped or moved is told, so that nobody takes another figure for the one that was sent.

import { kindOf } from "../controls/index.mjs";

/** @typedef {import("../controls/base.mjs").Control} Control */
/** @typedef {Record<string, any>} Settings */

const PREFIX = "#lt:";
const LONGEST = 40000; // characters of a hash that are looked at: a typed text of Chinese signs takes 18,000
const LONG = 100; // from which on a link is likely to be cut on its way, and says where it begins and ends
const [BEGIN, END] = ["from", "end"];
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
  const text = parts.join(",");
  return `${PREFIX}${encodeURIComponent(spec.name)}=${text.length < LONG ? text : [BEGIN, text, END].join(",")}`;
}

/**
 * The labels of what a link to this state cannot hold: too many numbers, and not as they were at the start.
 * @param {{controls: Control[]}} spec @param {Settings} settings @param {Settings} defaults
 */
export function tooLarge(spec, settings, defaults) {
  const lost = spec.controls.filter(
    (each) => settings[each.name] !== defaults[each.name] && kindOf(each).toLink(each, settings[each.name]) === null,
  );
  return lost.map(({ label, name }) => label ?? name);
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
    const [, name, state] = /** @type {string[]} */ (/^([^=]*)=?(.*)$/s.exec(part));
    if (!name) continue;
    try {
      found[decodeURIComponent(name)] = state;
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
 * @returns {{settings: Settings, steps: number, wrong: string}} wrong: what a reader is told of what the link said in vain
 */
export function decodeState(spec, text) {
  /** @type {Settings} */
  const settings = {};
  let steps = 0;
  /** @type {Set<string>} */
  const odd = new Set();
  const parts = text.split(",");
  for (const part of parts) {
    if (!part || part === BEGIN || part === END) continue;
    const at = part.indexOf(":");
    const value = part.slice(at + 1);
    let name = part.slice(0, Math.max(at, 0));
    let kept = false;
    try {
      name = decodeURIComponent(name);
      if (name === STEPS && /^\d{1,6}$/.test(value) && spec.carry) {
        steps = Math.min(Number(value), MOST_STEPS, spec.carry.steps);
        kept = steps === Number(value);
      }
      const control = spec.controls.find((each) => each.name === name);
      const setting = control && kindOf(control).fromLink(control, value);
      if (control && setting !== undefined) {
        settings[control.name] = setting;
        kept = says(kindOf(control).toLink(control, setting), value);
        name = control.label ?? name;
      }
    } catch {
      // nonsense: the default stays
    }
    if (!kept) odd.add(name === STEPS ? "steps" : name.slice(0, 40) || "?");
  }
  const cut = parts[0] === BEGIN && parts.at(-1) !== END;
  const wrong = [
    cut && "The link was cut off on its way.",
    odd.size && `The link says what this figure cannot be: ${[...odd].slice(0, 5).join(", ")}.`,
  ].filter(Boolean);
  return { settings, steps, wrong: wrong.join(" ") };
}

/** Whether a setting is what a link says of it, and was not put back into bounds or shortened. @param {string|null} written @param {string} text */
const says = (written, text) =>
  written === null || Number(written) === Number(text) || decodeURIComponent(written) === decodeURIComponent(text);
