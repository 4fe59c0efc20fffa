// A figure without a page: its settings, the Programs that they run, the steps taken, the link to all that.

import { kindOf } from "../controls/index.mjs";
import { watched } from "./far.mjs";
import { decodeState, encodeState, tooLarge } from "./link.mjs";
import { createPast } from "./past.mjs";
import { checkFormat, createPrograms, first } from "./programs.mjs";
import { brokenOutput, createRunner, createSteps, nextSettings } from "./steps.mjs";
import { createWires } from "./wires.mjs";

/**
 * @typedef {Record<string, any>} Settings
 * @typedef {{outputs: Record<string, any>, state: Settings, history: Record<string, any>[]|null, at?: number}} Frame at: a past step
 */

/**
 * What a model tells whoever shows it.
 * @typedef {object} Hearer
 * @property {(names: string[]) => void} moved these settings are others now
 * @property {() => void} stale the frame is another now: draw it soon
 * @property {() => void} ran a run has come on or ended: draw it now
 * @property {(final: boolean|"also") => void} changed as `moved`, for a kernel: not told of what it sent itself
 * @property {(text: string) => void} said worth an announcement
 * @property {(text: string) => void} failed what is wrong; "": nothing any more
 * @property {() => any} place the figure's card, where a worker shows how far it is
 */
const nothing = () => {};
const deaf = { moved: nothing, stale: nothing, ran: nothing, changed: nothing, said: nothing, failed: nothing, place: () => null };

/**
 * @param {any} spec the figure's JSON
 * @param {Partial<Hearer>} [hearer]
 * @param {{given?: Settings, reducedMotion?: () => boolean, worker?: () => Promise<any>}} [more] given: settings in their
 *   wire form; worker: fetches what runs Programs beside the page
 */
export function createModel(spec, hearer = {}, { given = {}, reducedMotion = () => false, worker } = {}) {
  checkFormat(spec);
  /** @type {Hearer} */
  const tell = { ...deaf, ...hearer };
  const each = (/** @type {(control: any) => any} */ of) =>
    Object.fromEntries(spec.controls.map((/** @type {any} */ control) => [control.name, of(control)]));
  const [byName, kinds] = [each((control) => control), each(kindOf)];
  const defaults = each((control) => kinds[control.name].initial(control));
  const wires = createWires(spec);
  const programs = createPrograms(spec);
  const run = watched(spec, programs.run, () => worker?.().then(goFar, () => {}));
  const state = createState(spec, { ...defaults, ...wires.from(given) }, run);
  /** @param {any} part */
  function goFar({ createFar }) {
    const came = (/** @type {Settings} */ at, /** @type {any} */ outputs) => (state.came(at, outputs), stepping.came());
    state.far = createFar(spec, { feed: programs.feed, came }, tell.place);
  }
  const stepping = createStepping(spec, state, tell, reducedMotion);
  const { apply, beginAt, begin, restart, trouble } = createBeginnings(state, stepping, tell, Object.keys(byName));

  /** The nearest setting that makes sense; undefined: there is none. @param {string} name @param {any} value */
  const valid = (name, value) => (Object.hasOwn(byName, name) ? kinds[name].valid(byName[name], value) : undefined);

  return {
    controls: byName,
    current: state.current,
    wire: () => wires.to(state.settings()),
    state: () => ({ ...state.shown() }),
    history: state.history,
    steps: () => ({ count: state.count(), running: stepping.running() }),
    past: state.past,
    ...looking(state, stepping, tell),
    accepts: (/** @type {string} */ name, /** @type {any} */ value) => valid(name, value) !== undefined,

    /**
     * @param {string} name
     * @param {any} value
     * @param {{final?: boolean|"also"}} [more] final: a hand has let go; also: of what it did before, this is a part
     * @returns {boolean} whether the value makes sense
     */
    set(name, value, { final = true } = {}) {
      const setting = valid(name, value);
      if (setting === undefined) return false;
      if (state.count() > 0 && spec.carry?.restart?.includes(name)) restart({ [name]: setting });
      else apply({ [name]: setting });
      tell.changed(final);
      return true;
    },

    /** Take settings that are not the reader's doing: from a kernel. @param {Settings} sent */
    receive(sent) {
      const before = wires.to(state.settings());
      const differs = (/** @type {[string, unknown]} */ [name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value);
      apply(wires.from(Object.fromEntries(Object.entries(sent).filter(differs))));
    },

    /** The Program that gave the present frame, and what it was fed. */
    program: () => programs.at(state.current().state),
    run: (/** @type {number} */ most, unhurried = false) => stepping.run(most, unhurried, trouble()),
    oneStep: stepping.oneStep,
    stop: stepping.stop,
    reset: () => begin({ ...defaults }, "All controls are back at their start."),
    restart: () => restart({}),
    trouble,
    /** Have the worker read its Program before a hand waits for it. */
    warm: () => state.far?.ask(state.settings()),
    ...linking(spec, state, defaults),

    /** Take the settings of a link; what makes no sense in it stays at the default. @param {string} text */
    open(text) {
      stepping.destroy();
      const { settings: wanted, steps: most, wrong } = decodeState(spec, text);
      beginAt({ ...defaults, ...wanted }, wrong);
      return most > 0 ? stepping.run(most, false, wrong) : Promise.resolve();
    },

    destroy: () => (stepping.destroy(), state.far?.end()),
  };
}

/**
 * Other settings, which a run of steps goes on with or begins anew from.
 * @param {State} state @param {{stop: () => void}} stepping @param {Hearer} tell @param {string[]} all the controls
 */
function createBeginnings(state, stepping, tell, all) {
  let trouble = ""; // what of the link that was opened came to nothing, until a hand moves something

  /** @param {Settings} next some settings by name */
  function apply(next) {
    const names = Object.keys(next);
    if (!names.length) return;
    state.change(next);
    trouble = "";
    tell.moved(names);
    tell.stale();
  }

  /** Another beginning: all controls are shown anew. @param {Settings} start @param {string} wrong of it */
  function beginAt(start, wrong = "") {
    state.begin(start);
    trouble = wrong;
    tell.moved(all);
    tell.stale();
  }

  /** The same by a reader's hand. @param {Settings} start @param {string} word what is announced */
  function begin(start, word) {
    stepping.stop();
    beginAt(start);
    tell.changed(true);
    tell.said(word);
  }

  /** Back to what was carried at the beginning. @param {Settings} more other settings by name */
  const restart = (more) => begin({ ...state.settings(), ...state.start(), ...more }, "Back at step 0");
  return { apply, beginAt, begin, restart, trouble: () => trouble };
}

/**
 * The settings of a figure, the frame that they give, and the steps that it has been through.
 * @param {any} spec @param {Settings} start
 * @param {(settings: Settings) => Record<string, any>} run gives the outputs
 */
function createState(spec, start, run) {
  const carried = Object.keys(spec.carry?.names ?? {});
  const steps = spec.carry ? createSteps() : null;
  const past = spec.carry ? createPast(carried) : null;
  let settings = start;
  let base = settings; // what the run of steps began with
  let replayable = true; // whether the steps since then can be done again from `base`
  let stepped = false; // whether a step was begun whose numbers have not come
  /** @type {Frame} */
  let frame = { outputs: first(spec.first ?? {}), state: spec.first ? settings : {}, history: null };
  /** @type {Settings|null} what the worker was asked for last */
  let asked = null;
  const count = () => (steps?.count ?? 0) + Number(stepped);
  const history = () => steps?.frames ?? null;
  const shown = () => past?.shown(settings) ?? settings;
  /** @param {Settings} at */
  const ask = (at) => void (asked === at || self.far.ask((asked = at)));

  /** @param {Settings} at @param {Record<string, any>} outputs */
  function take(at, outputs) {
    frame = { outputs, state: at, history: history(), at: past?.at() ?? undefined };
    if (at !== settings) return;
    if (stepped) {
      stepped = false;
      steps?.push(outputs);
      past?.keep(count(), settings);
    } else steps?.replaceLast(outputs);
  }

  /** @param {Settings} next */
  function begin(next) {
    settings = base = next;
    replayable = true;
    stepped = false;
    steps?.clear();
    past?.clear();
  }

  const self = {
    /** @type {any} asks a worker for the frame at some settings, once there is one */
    far: null,
    carried,
    count,
    shown,
    begin,
    settings: () => settings,
    history,
    /** What was carried at the beginning. */
    start: () => Object.fromEntries(carried.filter((name) => name in base).map((name) => [name, base[name]])),
    /** What the run began with, if its steps can be done again. */
    replays: () => (count() > 0 && replayable ? base : null),
    /** The steps that can be looked at, the last one last, and the one that is. */
    past: () => ({ kept: [...new Set([...(past?.steps() ?? []), count()])], at: past?.at() ?? count() }),
    /** @param {number|null} step a kept one, or null: the present */
    look: (step) => past?.look(step !== null && step < count() ? step : null),

    /** The worker's answer; without outputs: it cannot say. @param {Settings} at @param {Record<string, any>|null} outputs */
    came(at, outputs) {
      if (!outputs) self.far = null;
      else take(at, outputs);
    },

    /** Whether a worker computes what there is to draw. */
    waits: () => self.far && frame.state !== shown(),

    /** What there is to draw, and as long as a worker computes, what there was; throws what makes it impossible. @param {boolean} [now] do not wait */
    current(now = false) {
      const at = shown();
      if (frame.state === at) return frame;
      if (self.far && !now) ask(at);
      else take(at, run(at));
      return frame;
    },

    /** @param {Settings} next some settings by name: a step goes on with them, or the run begins anew */
    change(next) {
      const begins = count() === 0 || Object.keys(next).some((name) => carried.includes(name));
      if (begins) return begin({ ...shown(), ...next });
      settings = { ...settings, ...next };
      replayable = false;
      return undefined;
    },

    /** One step on. @param {Settings} next */
    advance(next) {
      if (count() === 0) {
        past?.keep(0, settings);
        steps?.replaceLast(frame.outputs); // which may be those that the page brought
      }
      const outputs = self.far ? null : run(next);
      settings = next;
      stepped = true;
      if (outputs) take(next, outputs);
      else ask(next);
    },
  };
  return self;
}

/** @typedef {ReturnType<typeof createState>} State */

/** @param {unknown} error */
const reason = (error) => (error instanceof Error ? error.message : String(error));

/**
 * Steps, one at a time or as a run.
 * @param {any} spec @param {State} state @param {Hearer} tell @param {() => boolean} reducedMotion
 */
function createStepping(spec, state, tell, reducedMotion) {
  const { carry } = spec;
  const { count } = state;

  /** Whether another step may follow; null: not before the worker has answered. */
  function step() {
    if (!carry) return false;
    try {
      state.look(null);
      const { outputs } = state.current();
      if (state.waits()) return null;
      const broken = brokenOutput({ controls: spec.controls, carry }, outputs);
      if (broken) {
        tell.said(`Stopped: ${broken} is no longer a number that a step can start from.`);
        tell.failed(`Stopped at step ${count()}: ${broken} is no longer a finite number. Press Restart.`);
        return false;
      }
      state.advance(nextSettings({ controls: spec.controls, carry }, state.settings(), outputs));
      return count() < carry.steps;
    } catch (error) {
      tell.failed(`This step could not be computed: ${reason(error)}`);
      return false;
    }
  }

  function show() {
    tell.moved(state.carried);
    tell.ran();
    tell.changed(false);
  }

  /** @type {(() => void)[]} */
  const waiting = [];
  function ended() {
    tell.changed(true);
    tell.said(`Stopped after ${count()} steps.`);
    for (const done of waiting.splice(0)) done();
  }
  const runner = carry ? createRunner({ step, waits: state.waits, draw: show, ended, reducedMotion, pace: carry.pace }) : null;

  return {
    running: () => runner?.running ?? false,
    stop: () => runner?.stop(),
    destroy: () => runner?.destroy(),
    /** A worker has answered. */
    came() {
      if (runner?.running) return runner.go();
      tell.moved(state.carried);
      return tell.stale();
    },

    /**
     * Do some steps, in slices that leave the page free; resolves when they are done.
     * @param {number} most
     * @param {boolean} unhurried at the figure's pace, for someone who watches
     * @param {string} trouble that stays
     */
    run(most, unhurried, trouble) {
      if (!runner) return Promise.resolve();
      tell.failed(trouble);
      const done = new Promise((resolve) => waiting.push(() => resolve(undefined)));
      runner.start(most, unhurried);
      tell.ran();
      return done;
    },

    oneStep() {
      runner?.stop();
      tell.failed("");
      const before = count();
      if (step() === null) return runner?.start(1, false);
      show();
      tell.changed(true);
      if (count() > before) tell.said(`Step ${count()}`);
      return undefined;
    },
  };
}

/** Looking back. @param {State} state @param {{stop: () => void}} stepping @param {Hearer} tell */
const looking = (state, stepping, tell) => ({
  /** Look at a step that is kept; the run stays where it is. @param {number} at */
  look(at) {
    stepping.stop();
    state.look(at);
    tell.moved(state.carried);
    tell.stale();
  },
});

/** @param {any} spec @param {State} state @param {Settings} defaults */
const linking = (spec, state, defaults) => ({
  /** The figure's part of a link to this state. */
  link() {
    const base = state.replays();
    return base ? encodeState(spec, base, { steps: state.count(), defaults }) : encodeState(spec, state.settings(), { defaults });
  },
  /** What such a link leaves out. */
  unlinked: () => (state.replays() ? [] : tooLarge(spec, state.settings(), defaults)),
});
