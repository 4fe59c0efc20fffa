// State that flows on: outputs fed back as inputs, one step at a time or as a run that never blocks the page.

import { kindOf } from "../controls/index.mjs";

/** @typedef {Record<string, any>} Settings */

const FRAME_BUDGET = 8; // milliseconds of steps between two paintings
const QUIET_BUDGET = 40; // the same with reduced motion, where the picture is drawn rarely
const QUIET_PAUSE = 600; // milliseconds between two drawings with reduced motion
const KEPT_NUMBERS = 64; // outputs larger than this are not kept for each step
const KEPT_STEPS = 20000;

/**
 * The settings of the next step.
 * @param {{controls: any[], carry: {names: Record<string, string>}}} spec
 * @param {Settings} settings
 * @param {Record<string, any>} outputs
 * @returns {Settings}
 */
export function nextSettings(spec, settings, outputs) {
  const after = { ...settings };
  for (const [name, output] of Object.entries(spec.carry.names)) {
    const control = spec.controls.find((each) => each.name === name);
    if (control) after[name] = kindOf(control).fromOutput(control, outputs[output]);
  }
  return after;
}

/**
 * Whether every carried number is one that a further step can start from.
 * @param {{controls: any[], carry: {names: Record<string, string>}}} spec
 * @param {Record<string, any>} outputs
 * @returns {string|null} the name of a carried output that has become nan, or infinite where a control cannot hold it
 */
export function brokenOutput(spec, outputs) {
  for (const [name, output] of Object.entries(spec.carry.names)) {
    const control = spec.controls.find((each) => each.name === name);
    if (!control) continue;
    const { data } = outputs[output];
    const { broken } = kindOf(control);
    for (let i = 0; i < data.length; i += 1) if (broken(data[i])) return output;
  }
  return null;
}

/**
 * The small outputs of a step, copied.
 * @param {Record<string, any>} outputs
 */
function kept(outputs) {
  /** @type {Record<string, any>} */
  const small = {};
  for (const [name, { shape, dtype, data }] of Object.entries(outputs)) {
    if (data.length <= KEPT_NUMBERS) small[name] = { shape, dtype, data: data.slice() };
  }
  return small;
}

/**
 * What came out at each step since the run began.
 */
export function createSteps() {
  /** @type {Record<string, any>[]} */
  let frames = [];
  return {
    get frames() {
      return frames;
    },
    get count() {
      return Math.max(0, frames.length - 1);
    },
    /** Begin again: the next outputs are those of step 0. */
    clear() {
      frames = [];
    },
    /** @param {Record<string, any>} outputs */
    push(outputs) {
      if (frames.length <= KEPT_STEPS) frames.push(kept(outputs));
    },
    /** The same step came out differently: a control was moved. @param {Record<string, any>} outputs */
    replaceLast(outputs) {
      frames[Math.max(0, frames.length - 1)] = kept(outputs);
    },
  };
}

/**
 * A run of steps, cut into slices between which the page can paint and answer.
 * @param {object} options
 * @param {() => boolean|null} options.step does one step; false ends the run, null: not now
 * @param {() => boolean} options.waits whether a worker still computes the last one
 * @param {() => void} options.draw shows where the run is
 * @param {() => void} options.ended
 * @param {() => boolean} options.reducedMotion
 * @param {number|null} [options.pace] steps a second, or as many as there is time for
 * @param {(callback: (time: number) => void) => number} [options.frame]
 * @param {(handle: number) => void} [options.cancelFrame]
 * @param {() => number} [options.now]
 */
export function createRunner({
  step,
  waits,
  draw,
  ended,
  reducedMotion,
  pace = null,
  frame = (callback) => requestAnimationFrame(callback),
  cancelFrame = (handle) => cancelAnimationFrame(handle),
  now = () => performance.now(),
}) {
  /** @type {number|null} */
  let handle = null;
  let active = false; // also during a slice, when no frame is asked for
  let left = Infinity;
  let paced = true;
  let started = 0;
  let done = 0;
  let drawn = 0;
  let fresh = false; // whether there is something to draw

  const due = () => (pace && paced ? Math.floor(((now() - started) / 1000) * pace) + 1 - done : Infinity);

  /** Do what there is time for until then; says whether the run goes on. @param {number} end */
  function work(end) {
    for (let allowed = due(); left > 0 && allowed > 0; allowed -= 1) {
      const went = step();
      if (went === null) break;
      left = went ? left - 1 : 0;
      done += 1;
      fresh = true;
      if (now() >= end) break;
    }
    return left > 0 || waits();
  }

  function finish() {
    active = false;
    draw();
    ended();
  }

  const slice = () => {
    handle = null;
    const quiet = reducedMotion();
    if (!work(now() + (quiet ? QUIET_BUDGET : FRAME_BUDGET))) return finish();
    if (fresh && (!quiet || now() - drawn >= QUIET_PAUSE)) {
      draw();
      drawn = now();
      fresh = false;
    }
    handle = frame(slice);
    return undefined;
  };

  return {
    get running() {
      return active;
    },
    /**
     * @param {number} [steps]
     * @param {boolean} [unhurried] whether the pace is kept
     */
    start(steps = Infinity, unhurried = true) {
      if (active) return;
      active = true;
      [left, paced, done] = [steps, unhurried, 0];
      started = drawn = now();
      handle = frame(slice);
    },
    /** A worker has answered: the next step need not wait for a frame. */
    go() {
      fresh = true;
      work(now());
    },
    stop() {
      if (!active) return;
      if (handle !== null) cancelFrame(handle);
      handle = null;
      finish();
    },
    /** Stop without drawing: the figure goes away. */
    destroy() {
      if (handle !== null) cancelFrame(handle);
      active = false;
      handle = null;
    },
  };
}
