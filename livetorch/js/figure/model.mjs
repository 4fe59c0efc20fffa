// A figure without a page: its settings, the Programs that they run, the steps taken, the link to all that.

import { kindOf } from "../controls/index.mjs";
import { decodeState, encodeState } from "./link.mjs";
import { createPrograms } from "./programs.mjs";
import { brokenOutput, createRunner, createSteps, nextSettings } from "./steps.mjs";

/**
 * @typedef {Record<string, any>} Settings
 * @typedef {{outputs: Record<string, any>, state: Settings, history: Record<string, any>[]|null}} Frame
 *
 * What a model tells whoever shows it.
 * @typedef {object} Hearer
 * @property {(names: string[]) => void} moved these settings are others now
 * @property {() => void} stale the frame is another now: draw it soon
 * @property {() => void} ran a run has come on or ended: draw it now
 * @property {(final: boolean) => void} changed as `moved`, for a kernel: not told of what it sent itself
 * @property {(text: string) => void} said worth an announcement
 * @property {(text: string) => void} failed what is wrong; "": nothing any more
 */

/** @param {any} spec */
function checkFormat(spec) {
  if (spec.format === "livetorch/figure" && spec.version === 1) return;
  throw new Error(`This page's script cannot show a figure of format ${spec.format}, version ${spec.version}.`);
}

/** @param {unknown} error */
const reason = (error) => (error instanceof Error ? error.message : String(error));

/**
 * @param {any} spec the figure's JSON
 * @param {Partial<Hearer>} [hearer]
 * @param {{given?: Settings, reducedMotion?: () => boolean}} [more] given: settings in their wire form
 */
export function createModel(spec, hearer = {}, { given = {}, reducedMotion = () => false } = {}) {
  checkFormat(spec);
  const nothing = () => {};
  /** @type {Hearer} */
  const tell = { moved: nothing, stale: nothing, ran: nothing, changed: nothing, said: nothing, failed: nothing, ...hearer };
  const byName = Object.fromEntries(spec.controls.map((/** @type {any} */ control) => [control.name, control]));
  const defaults = Object.fromEntries(spec.controls.map((/** @type {any} */ c) => [c.name, kindOf(c).initial(c)]));
  const carried = Object.keys(spec.carry?.names ?? {});
  const programs = createPrograms(spec);
  const steps = spec.carry ? createSteps() : null;

  /** @type {Settings} */
  let settings = { ...defaults, ...fromWire(given) };
  let base = settings; // what the run of steps began with
  let replayable = true; // whether the steps since then can be done again from `base`
  let stale = true;
  /** @type {Frame} */
  let frame = { outputs: {}, state: settings, history: null };

  // ---- computing

  function compute() {
    frame = { outputs: programs.run(settings), state: settings, history: steps?.frames ?? null };
  }

  /** What there is to draw; throws what makes it impossible. */
  function current() {
    if (stale) {
      compute();
      stale = false;
      steps?.replaceLast(frame.outputs);
    }
    return frame;
  }

  // ---- settings

  /** @param {Settings} wire settings by name; those that make no sense are left out */
  function fromWire(wire) {
    /** @type {Settings} */
    const found = {};
    for (const [name, value] of Object.entries(wire)) {
      const control = Object.hasOwn(byName, name) ? byName[name] : null;
      const setting = control && kindOf(control).fromWire(control, value, carried.includes(name));
      if (setting !== undefined && setting !== null) found[name] = setting;
    }
    return found;
  }

  function wire() {
    return Object.fromEntries(spec.controls.map((/** @type {any} */ c) => [c.name, kindOf(c).toWire(c, settings[c.name])]));
  }

  /** @param {Settings} start */
  function beginAt(start) {
    settings = start;
    base = start;
    replayable = true;
    steps?.clear();
    stale = true;
  }

  /** @param {Settings} next some settings by name */
  function apply(next) {
    const names = Object.keys(next);
    if (!names.length) return;
    const all = { ...settings, ...next };
    if (!steps || steps.count === 0 || names.some((name) => carried.includes(name))) beginAt(all);
    else {
      settings = all;
      replayable = false;
      stale = true;
    }
    tell.moved(names);
    tell.stale();
  }

  /** Another beginning: all controls are shown anew. @param {Settings} start @param {string} word what is announced */
  function begin(start, word) {
    runner?.stop();
    beginAt(start);
    tell.moved(Object.keys(byName));
    tell.stale();
    tell.changed(true);
    tell.said(word);
  }

  // ---- steps

  /** Whether another step may follow. */
  function step() {
    try {
      const { outputs } = current();
      const broken = brokenOutput(spec, outputs);
      if (broken) {
        tell.said(`Stopped: ${broken} is no longer a number that a step can start from.`);
        tell.failed(`Stopped at step ${steps?.count}: ${broken} is no longer a finite number. Press Restart.`);
        return false;
      }
      settings = nextSettings(spec, settings, outputs);
      compute();
      steps?.push(frame.outputs);
      return count() < spec.carry.steps;
    } catch (error) {
      tell.failed(`This step could not be computed: ${reason(error)}`);
      return false;
    }
  }

  const count = () => steps?.count ?? 0;

  function showSteps() {
    tell.moved(carried);
    tell.ran();
    tell.changed(false);
  }

  /** @type {(() => void)[]} */
  const waiting = [];
  const runner = spec.carry
    ? createRunner({
        step,
        draw: showSteps,
        ended() {
          tell.changed(true);
          tell.said(`Stopped after ${count()} steps.`);
          for (const done of waiting.splice(0)) done();
        },
        reducedMotion,
        pace: spec.carry.pace,
      })
    : null;

  /**
   * Do some steps, in slices that leave the page free; resolves when they are done.
   * @param {number} most
   * @param {boolean} [unhurried] at the figure's pace, for someone who watches
   */
  function run(most, unhurried = false) {
    if (!runner) return Promise.resolve();
    tell.failed("");
    const ended = new Promise((done) => waiting.push(() => done(undefined)));
    runner.start(most, unhurried);
    tell.ran();
    return ended;
  }

  return {
    controls: byName,
    current,
    wire,
    state: () => ({ ...settings }),
    history: () => steps?.frames ?? null,
    steps: () => ({ count: count(), running: runner?.running ?? false }),

    /**
     * @param {string} name
     * @param {any} value
     * @param {{final?: boolean}} [more] final: a hand has let go
     * @returns {boolean} whether the value makes sense
     */
    set(name, value, { final = true } = {}) {
      const control = Object.hasOwn(byName, name) ? byName[name] : null;
      const valid = control ? kindOf(control).valid(control, value) : undefined;
      if (valid === undefined) return false;
      apply({ [name]: valid });
      tell.changed(final);
      return true;
    },

    /** Take settings that are not the reader's doing: from a kernel. @param {Settings} sent */
    receive(sent) {
      const before = wire();
      const differs = (/** @type {[string, unknown]} */ [name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value);
      apply(fromWire(Object.fromEntries(Object.entries(sent).filter(differs))));
    },

    /** The Program that gave the present frame, and what it was fed. */
    program: () => programs.at(settings),
    run,

    oneStep() {
      runner?.stop();
      tell.failed("");
      const before = count();
      step();
      showSteps();
      tell.changed(true);
      if (count() > before) tell.said(`Step ${count()}`);
    },

    stop: () => runner?.stop(),
    reset: () => begin({ ...defaults }, "All controls are back at their start."),
    restart() {
      const start = Object.fromEntries(carried.filter((name) => name in base).map((name) => [name, base[name]]));
      begin({ ...settings, ...start }, "Back at step 0");
    },

    /** The figure's part of a link to this state. */
    link() {
      if (count() > 0 && replayable) return encodeState(spec, base, { steps: count(), defaults });
      return encodeState(spec, settings, { defaults });
    },

    /** Take the settings of a link; what makes no sense in it stays at the default. @param {string} text */
    open(text) {
      runner?.destroy();
      const { settings: wanted, steps: most } = decodeState(spec, text);
      beginAt({ ...defaults, ...wanted });
      tell.moved(Object.keys(byName));
      tell.stale();
      return most > 0 ? run(most) : Promise.resolve();
    },

    destroy: () => runner?.destroy(),
  };
}
