/** Opening the numbers of a live figure: its Program at some settings, and what its controls are to the reader. */
import { kindOf } from "../controls/index.mjs";
import { programIndex } from "../figure/programs.mjs";
import { openProgram } from "./open.mjs";

/** @type {Record<string, string>} */
const WORDS = {
  slider: "your slider",
  dropdown: "your choice",
  checkbox: "your choice",
  text: "what you typed",
  state: "from the step before",
};

/** Whether nothing has changed what is carried from step to step. @param {import("../controls/base.mjs").Control} control @param {any} setting */
const atStart = (control, setting) =>
  control.kind === "state" &&
  kindOf(control)
    .initial(control)
    .data.every((/** @type {number} */ x, /** @type {number} */ i) => Object.is(x, setting.data[i]));

const LONG = 32; // letters of a label

/** What a control is called in a line: of a long label what stands before its explanation. @param {string} label */
export const shortLabel = (label) => (label.length > LONG ? label.replace(/[;:,] .*/s, "") : label);

/**
 * What a number of a control is to the reader.
 * @param {import("../controls/base.mjs").Control} control @param {string} input the control's own, or another that it brings
 * @param {any} [setting] the control's present one
 */
export const wordsOf = (control, input = control.name, setting = null) => {
  const { kind, label, name, tensors, shape } = control;
  if (setting && atStart(control, setting)) return "its value at the start, before any step";
  const own = WORDS[kind] ?? (String(shape) === "1,1" ? "your number" : "your table"); // one that is dragged, such as a line
  const counts = kind === "text" && (input === name ? "the number of a piece of " : "the length of ");
  const said = tensors?.shape.length ? "stored with the figure, for your choice" : `${counts || ""}${own}`; // numbers of an option: the reader chose it, not them
  return label && label !== name && kind !== "state" ? `${said} “${shortLabel(label)}”` : said;
};

/**
 * @param {import("../shared/spec.d.ts").Spec} spec the figure's JSON
 * @param {Record<string, any>} [settings] by control name, as a model's `state()` gives them; by default those it starts with
 * @param {{labels?: Record<string, (string[]|null)[]>}} [more]
 */
export function openFigure(spec, settings = {}, { labels = {} } = {}) {
  const program = spec.programs[programIndex(spec, all(spec, settings))];
  /** @type {Record<string, any>} */
  const fed = {};
  /** @type {Record<string, string>} */
  const controls = {};
  for (const control of spec.controls) {
    if (control.variant) continue;
    const setting = all(spec, settings)[control.name];
    const inputs = kindOf(control).inputs(control, setting);
    Object.assign(fed, inputs);
    for (const name of Object.keys(inputs)) controls[name] = wordsOf(control, name, setting);
  }
  const inputs = Object.fromEntries(program.inputs.map((/** @type {any} */ { name }) => [name, fed[name]]));
  return openProgram(program, inputs, { pool: spec.pool, controls, labels });
}

/** Settings, with the figure's own where none are given. @param {import("../shared/spec.d.ts").Spec} spec @param {Record<string, any>} settings */
const all = (spec, settings) =>
  Object.fromEntries(
    spec.controls.map((/** @type {import("../controls/base.mjs").Control} */ control) => [
      control.name,
      Object.hasOwn(settings, control.name) ? settings[control.name] : kindOf(control).initial(control),
    ]),
  );
