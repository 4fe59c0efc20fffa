// The figure's numbers, ready to be opened: the engine's record of its Program at the present settings.

import { wordsOf } from "../open/figure.mjs";
import { openProgram } from "../open/open.mjs";
import { kindOf } from "../controls/index.mjs";
import { itemLabels, nameOf } from "./names.mjs";

/**
 * @param {import("../shared/spec.d.ts").Spec} spec
 * @param {{frame: () => any, program: () => {program: any, inputs: any}, controls: Record<string, any>}} figure
 */
export function createExplainer(spec, { frame, program, controls }) {
  /** Which control each input of the Program comes from. @param {any} state */
  function owners(state) {
    const moved = Object.values(controls).filter((control) => !control.variant);
    return Object.fromEntries(
      moved.flatMap((control) => Object.keys(kindOf(control).inputs(control, state[control.name])).map((name) => [name, control])),
    );
  }

  /** The outputs that views show. */
  const marked = Object.keys(frame().outputs).filter((name) =>
    spec.views.some((/** @type {any} */ view) => JSON.stringify(view).includes(JSON.stringify({ output: name }))),
  );

  /** A frame in which every number of an output opens. */
  return function explained() {
    const now = frame();
    const { program: loaded, inputs } = program();
    const from = owners(now.state);
    const words = Object.fromEntries(Object.entries(from).map(([name, control]) => [name, wordsOf(control, name)]));
    const called = Object.fromEntries(Object.entries(from).map(([name, control]) => [name, control.label.toLowerCase()]));
    const labels = itemLabels(spec, now, controls);
    const { open } = openProgram(loaded, inputs, { controls: words, labels, called, marked });
    return { ...now, open, owners: from, labels, words: (/** @type {any} */ item) => nameOf(spec, item, now, controls) };
  };
}
