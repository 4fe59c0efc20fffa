// The Programs of a figure: which one runs for some settings, and what it is fed.

import { kindOf } from "../controls/index.mjs";
import { decodeConstant } from "../runtime/encoding.mjs";
import { load } from "../runtime/program.mjs";

/** @param {any} spec */
export function checkFormat(spec) {
  if (spec.format === "livetorch/figure" && spec.version === 1) return;
  throw new Error(`This page's script cannot show a figure of format ${spec.format}, version ${spec.version}.`);
}

/**
 * Which Program runs for these settings.
 * @param {{controls: any[], variants: {controls: string[], keys: Record<string, number>}}} spec
 * @param {Record<string, any>} settings
 */
export function programIndex(spec, settings) {
  const byName = Object.fromEntries(spec.controls.map((control) => [control.name, control]));
  const options = spec.variants.controls.map((name) => kindOf(byName[name]).option(byName[name], settings[name]));
  return spec.variants.keys[options.join(",")];
}

/** The outputs at the settings that a figure begins with. @param {Record<string, any>} stored */
export const first = (stored) => Object.fromEntries(Object.entries(stored).map(([name, each]) => [name, decodeConstant(each)]));

/** @param {any} spec the figure's JSON */
export function createPrograms(spec) {
  /** @type {any[]} */
  const loaded = [];
  const feeding = spec.controls.filter((/** @type {any} */ { variant }) => !variant);
  const kinds = feeding.map(kindOf);

  /** What all controls give at some settings, and which Program takes it. @param {Record<string, any>} settings */
  function feed(settings) {
    /** @type {Record<string, any>} */
    const fed = {};
    for (const [i, control] of feeding.entries()) Object.assign(fed, kinds[i].inputs(control, settings[control.name]));
    return { index: programIndex(spec, settings), fed };
  }

  /** The Program that runs for some settings, and what it is fed. @param {Record<string, any>} settings */
  function at(settings) {
    const { index, fed } = feed(settings);
    const program = (loaded[index] ??= load(spec.programs[index], { pool: spec.pool }));
    return { program, inputs: Object.fromEntries(program.inputs.map((/** @type {{name: string}} */ { name }) => [name, fed[name]])) };
  }

  return {
    feed,
    at,
    /** @param {Record<string, any>} settings @returns {Record<string, any>} outputs by name */
    run(settings) {
      const { program, inputs } = at(settings);
      return program.run(inputs);
    },
  };
}
