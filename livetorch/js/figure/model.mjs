// A figure without a page: its settings, the Programs that they run, the steps taken, the link to all that.

import { kindOf } from "../controls/index.mjs";
import { heard } from "./hearer.mjs";
import { decodeState, encodeState, tooLarge } from "./link.mjs";
import { createPast } from "./past.mjs";
import { checkFormat, createPrograms } from "./programs.mjs";
import { brokenOutput, createRunner, createSteps, nextSettings } from "./steps.mjs";
import { createWires } from "./wires.mjs";

/**
 * @typedef {Record<string, any>} Settings
 * @typedef {{outputs: Record<string, any>, state: Settings, history: Record<string, any>[]|null, at?: number}} Frame at: a past step
 */

/** @param {unknown} error */
const reason = (error) => (error instanceof Error ? error.message : String(error));

/**
 * @param {any} spec the figure's JSON
 * @param {Partial<import("./hearer.mjs").Hearer>} [hearer]
 * @param {{given?: Settings, reducedMotion?: () => boolean}} [more] given: settings in their wire form
 */
export function createModel(spec, hearer = {}, { given = {}, reducedMotion = () => false } = {}) {
  checkFormat(spec);
  const tell = heard(hearer);
  const byName = Object.fromEntries(spec.controls.map((/** @type {any} */ control) => [control.name, control]));
  const defaults = Object.fromEntries(spec.controls.map((/** @type {any} */ c) => [c.name, kindOf(c).initial(c)]));
  const carried = Object.keys(spec.carry?.names ?? {});
  const programs = createPrograms(spec);
  const wires = createWires(spec);
  const steps = spec.carry ? createSteps() : null;
  const past = createPast(carried, programs.run);

  /** @type {Settings} */
  let settings = { ...defaults, ...wires.from(given) };
  let base = settings; // what the run of steps began with
  let replayable = true; // whether the steps since then can be done again from `base`
  let stale = true;
  let trouble = ""; // what of the link that was opened came to nothing, until a hand moves something
  /** @type {Frame} */
  let frame = { outputs: {}, state: settings, history: null };

  // ---- computing

  function compute() {
    frame = { outputs: programs.run(settings), state: settings, history: steps?.frames ?? null };
  }

  const shown = () => past.shown(settings);
  /** What there is to draw; throws what makes it impossible. */
  function current() {
    if (stale) {
      compute();
      stale = false;
      steps?.replaceLast(frame.outputs);
    }
    return past.frame(frame, settings);
  }

  // ---- settings

  /** @param {Settings} start */
  function beginAt(start) {
    settings = base = start;
    replayable = true;
    trouble = "";
    steps?.clear();
    past.clear();
    stale = true;
  }

  /** @param {Settings} next some settings by name */
  function apply(next) {
    const names = Object.keys(next);
    if (!names.length) return;
    const begins = !steps || steps.count === 0 || names.some((name) => carried.includes(name));
    const all = { ...(begins ? shown() : settings), ...next };
    if (begins) beginAt(all);
    else {
      settings = all;
      replayable = false;
      trouble = "";
      stale = true;
      past.moved();
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

  /** Back to what was carried at the beginning. @param {Settings} more other settings by name */
  function restart(more) {
    const start = Object.fromEntries(carried.filter((name) => name in base).map((name) => [name, base[name]]));
    begin({ ...settings, ...start, ...more }, "Back at step 0");
  }

  // ---- steps

  /** Whether another step may follow. */
  function step() {
    try {
      past.look(null);
      const { outputs } = current();
      const broken = brokenOutput(spec, outputs);
      if (broken) {
        tell.said(`Stopped: ${broken} is no longer a number that a step can start from.`);
        tell.failed(`Stopped at step ${steps?.count}: ${broken} is no longer a finite number. Press Restart.`);
        return false;
      }
      if (count() === 0) past.keep(0, settings);
      settings = nextSettings(spec, settings, outputs);
      compute();
      steps?.push(frame.outputs);
      past.keep(count(), settings);
      return count() < spec.carry.steps;
    } catch (error) {
      tell.failed(`This step could not be computed: ${reason(error)}`);
      return false;
    }
  }

  const count = () => steps?.count ?? 0;
  const repeats = () => count() > 0 && replayable;

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
    tell.failed(trouble);
    const ended = new Promise((done) => waiting.push(() => done(undefined)));
    runner.start(most, unhurried);
    tell.ran();
    return ended;
  }

  return {
    controls: byName,
    current,
    wire: () => wires.to(settings),
    state: () => ({ ...shown() }),
    history: () => steps?.frames ?? null,
    steps: () => ({ count: count(), running: runner?.running ?? false }),
    /** The steps that can be looked at, the last one last, and the one that is. */
    past: () => ({ kept: [...new Set([...past.steps(), count()])], at: past.at() ?? count() }),

    /** Look at a step that is kept; the run stays where it is. @param {number} at */
    look(at) {
      runner?.stop();
      past.look(at < count() ? at : null);
      tell.moved(carried);
      tell.stale();
    },

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
      if (count() > 0 && spec.carry.restart?.includes(name)) restart({ [name]: valid });
      else apply({ [name]: valid });
      tell.changed(final);
      return true;
    },

    /** Take settings that are not the reader's doing: from a kernel. @param {Settings} sent */
    receive(sent) {
      const before = wires.to(settings);
      const differs = (/** @type {[string, unknown]} */ [name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value);
      apply(wires.from(Object.fromEntries(Object.entries(sent).filter(differs))));
    },

    /** The Program that gave the present frame, and what it was fed. */
    program: () => programs.at(shown()),
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
    restart: () => restart({}),

    trouble: () => trouble,

    /** The figure's part of a link to this state. */
    link: () => (repeats() ? encodeState(spec, base, { steps: count(), defaults }) : encodeState(spec, settings, { defaults })),
    /** What such a link leaves out. */
    unlinked: () => (repeats() ? [] : tooLarge(spec, settings, defaults)),

    /** Take the settings of a link; what makes no sense in it stays at the default. @param {string} text */
    open(text) {
      runner?.destroy();
      const { settings: wanted, steps: most, wrong } = decodeState(spec, text);
      beginAt({ ...defaults, ...wanted });
      trouble = wrong;
      tell.moved(Object.keys(byName));
      tell.stale();
      return most > 0 ? run(most) : Promise.resolve();
    },

    destroy: () => runner?.destroy(),
  };
}
