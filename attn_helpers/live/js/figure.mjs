// One live figure: its controls, its views, its numbers, and the Programs that connect them.

import { brokenOutput, createHistory, createRunner, nextSettings } from "./carry.mjs";
import { arrange } from "./columns.mjs";
import { controls as makers } from "./controls/index.mjs";
import { h, oncePerFrame } from "./dom.mjs";
import { createNumbers } from "./numbers.mjs";
import { load } from "./runtime.mjs";
import { defaultSettings, fromWire, inputsOf, programIndex, toWire, validSetting } from "./settings.mjs";
import { decodeState, encodeState } from "./state.mjs";
import { currentTheme, reducedMotion, watchTheme } from "./theme.mjs";
import { createToolbar } from "./toolbar.mjs";
import { views as viewMakers } from "./views/index.mjs";

/** @typedef {import("./settings.mjs").Settings} Settings */

let figures = 0; // for ids that are unique on the page

/**
 * Build a figure inside an element, whose content it replaces.
 * @param {any} element
 * @param {any} spec the figure's JSON
 * @param {object} [options]
 * @param {string} [options.state] the figure's part of a link
 * @param {Settings} [options.settings] settings that a kernel has, in their wire form
 * @param {(settings: Settings) => void} [options.changed] told of new settings, in their wire form
 * @param {boolean} [options.linkable] whether the page can be reopened in a state by a link
 */
export function mount(element, spec, { state = "", settings: given = {}, changed = () => {}, linkable = false } = {}) {
  if (spec.format !== "attention-live/figure" || spec.version !== 1) {
    throw new Error(`This page's script cannot show a figure of format ${spec.format}, version ${spec.version}.`);
  }
  figures += 1;
  const figureId = `al-${figures}-${spec.name}`;
  const byName = Object.fromEntries(spec.controls.map((/** @type {any} */ control) => [control.name, control]));
  const defaults = defaultSettings(spec.controls);
  let settings = { ...defaults };
  let frame = { outputs: /** @type {Record<string, any>} */ ({}), state: settings, history: /** @type {any} */ (null) };
  let base = settings; // what the run of steps began with
  let replayable = true; // whether the steps since then can be done again from `base`
  let destroyed = false;
  const history = spec.carry ? createHistory() : null;
  const painter = oncePerFrame(paint);

  // ---- computing

  /** @type {any[]} */
  const loaded = [];
  function run() {
    const index = programIndex(spec, settings);
    loaded[index] ??= load(spec.programs[index], { pool: spec.pool });
    const program = loaded[index];
    const inputs = {};
    for (const control of spec.controls) {
      if (!control.variant) Object.assign(inputs, inputsOf(control, settings[control.name]));
    }
    const wanted = program.inputs.map((/** @type {any} */ input) => [input.name, inputs[input.name]]);
    return program.run(Object.fromEntries(wanted));
  }

  function compute() {
    frame = { outputs: run(), state: settings, history: history?.frames ?? null };
  }

  let stale = true;
  function refresh() {
    if (!stale) return;
    compute();
    stale = false;
    history?.replaceLast(frame.outputs);
  }

  function paint() {
    try {
      refresh();
      draw();
      problem("");
    } catch (error) {
      problem(`This figure could not be computed: ${error instanceof Error ? error.message : error}`);
    }
  }

  function draw() {
    /** @type {unknown} */
    let wrong = null;
    for (const part of [...views, numbers]) {
      try {
        part.update(frame);
      } catch (error) {
        wrong ??= error; // the other views still show what is true
      }
    }
    toolbar.update({ steps: history?.steps ?? 0, running: runner?.running ?? false });
    if (wrong) throw wrong;
  }

  // ---- settings

  /** @param {string} name @param {any} value @param {{final?: boolean}} [more] */
  function set(name, value, { final = true } = {}) {
    const control = byName[name];
    const valid = control && validSetting(control, value);
    if (valid === undefined) return false;
    apply({ ...settings, [name]: valid }, [name]);
    tell(final);
    return true;
  }

  /** @param {Settings} next @param {string[]} names */
  function apply(next, names) {
    const carriedByHand = names.some((name) => spec.carry?.names[name]);
    settings = next;
    if (history) {
      if (carriedByHand || history.steps === 0) restartFrom(next);
      else replayable = false;
    }
    showControls(names);
    stale = true;
    painter.ask();
  }

  /** @param {Settings} start */
  function restartFrom(start) {
    base = start;
    replayable = true;
    history?.clear();
  }

  /** @param {string[]} [names] */
  function showControls(names = Object.keys(widgets)) {
    for (const name of names) widgets[name]?.update(settings[name]);
  }

  // A kernel is told at once when a hand lets go, and a few times a second while it moves.
  /** @type {ReturnType<typeof setTimeout>|null} */
  let telling = null;
  /** @param {boolean} now */
  function tell(now) {
    if (telling !== null && now) clearTimeout(telling);
    else if (telling !== null) return;
    const say = () => {
      telling = null;
      changed(Object.fromEntries(spec.controls.map((/** @type {any} */ c) => [c.name, toWire(c, settings[c.name])])));
    };
    telling = now ? null : setTimeout(say, 80);
    if (now) say();
  }

  /** Take settings that are not the reader's doing: from a kernel. @param {Settings} wire */
  function receive(wire) {
    const next = { ...settings };
    const names = [];
    for (const [name, value] of Object.entries(wire)) {
      const control = byName[name];
      if (!control || JSON.stringify(toWire(control, settings[name])) === JSON.stringify(value)) continue;
      const setting = control.kind === "state" || spec.carry?.names[name] ? fromWire(control, value) : validSetting(control, value);
      if (setting === undefined) continue;
      next[name] = setting;
      names.push(name);
    }
    if (names.length) apply(next, names);
  }

  // ---- steps

  function step() {
    try {
      return takeStep();
    } catch (error) {
      problem(`This step could not be computed: ${error instanceof Error ? error.message : error}`);
      return false;
    }
  }

  function takeStep() {
    refresh();
    const broken = brokenOutput(spec, frame.outputs);
    if (broken) {
      announce(`Stopped: ${broken} is no longer a number that a step can start from.`);
      problem(`Stopped at step ${history?.steps}: ${broken} is no longer a finite number. Press Restart.`);
      return false;
    }
    settings = nextSettings(spec, settings, frame.outputs);
    compute();
    history?.push(frame.outputs);
    return (history?.steps ?? 0) < spec.carry.steps;
  }

  function drawRun() {
    if (destroyed) return;
    showControls(Object.keys(spec.carry.names));
    draw();
    tell(false);
  }

  const runner = spec.carry
    ? createRunner({
        step,
        draw: drawRun,
        ended: () => {
          toolbar.update({ steps: history?.steps ?? 0, running: false });
          tell(true);
          announce(`Stopped after ${history?.steps} steps.`);
          for (const done of waiting.splice(0)) done();
        },
        reducedMotion,
        pace: spec.carry.pace,
      })
    : null;

  /** @type {(() => void)[]} */
  const waiting = [];

  /**
   * Do some steps, in slices that leave the page free; resolves when they are done.
   * @param {number} count
   * @param {boolean} [unhurried] at the figure's pace, for someone who watches
   */
  function steps(count, unhurried = false) {
    if (!runner) return Promise.resolve();
    painter.flush();
    problem("");
    return new Promise((done) => {
      waiting.push(() => done(undefined));
      runner.start(count, unhurried);
      toolbar.update({ steps: history?.steps ?? 0, running: true });
    });
  }

  function oneStep() {
    runner?.stop();
    painter.flush();
    problem("");
    const before = history?.steps ?? 0;
    step();
    drawRun();
    tell(true);
    if ((history?.steps ?? 0) > before) announce(`Step ${history?.steps}`);
  }

  function restart() {
    runner?.stop();
    const next = { ...settings };
    for (const name of Object.keys(spec.carry.names)) if (name in base) next[name] = base[name];
    settings = next;
    restartFrom(settings);
    showControls();
    stale = true;
    painter.ask();
    tell(true);
    announce("Back at step 0");
  }

  function reset() {
    runner?.stop();
    settings = { ...defaults };
    restartFrom(settings);
    showControls();
    stale = true;
    painter.ask();
    tell(true);
    announce("All controls are back at their start.");
  }

  /** The figure's part of a link to this state. */
  function link() {
    const count = history?.steps ?? 0;
    if (count > 0 && replayable) return encodeState(spec, base, { steps: count, defaults });
    return encodeState(spec, settings, { defaults });
  }

  /** Take the settings of a link; what makes no sense in it stays at the default. @param {string} text */
  function open(text) {
    runner?.destroy();
    const { settings: wanted, steps: count } = decodeState(spec, text);
    settings = { ...defaults, ...wanted };
    restartFrom(settings);
    showControls();
    stale = true;
    painter.ask();
    if (count > 0) steps(count);
  }

  // ---- what all parts share

  let spoken = 0;
  /** @param {string} text */
  function announce(text) {
    // The same text twice in a row would not be read again, so that one of two regions takes it in turn.
    live[spoken % 2].textContent = "";
    spoken += 1;
    live[spoken % 2].textContent = text;
  }

  /** @param {string} text */
  function problem(text) {
    if (alert.textContent === text) return;
    alert.textContent = text;
    alert.hidden = !text;
  }

  /** @type {Record<string, number|null>} */
  let marks = {};
  const marker = oncePerFrame(() => {
    for (const view of views) view.highlight(marks);
  });

  /** @type {Set<(theme: "light"|"dark") => void>} */
  const themed = new Set();
  const context = {
    figureId,
    set: (/** @type {string} */ name, /** @type {any} */ value, /** @type {any} */ more = {}) => set(name, value, more),
    highlight(/** @type {Record<string, number|null>} */ next) {
      marks = { ...marks, ...next };
      marker.ask();
    },
    announce,
    controls: byName,
    reducedMotion,
    theme: currentTheme,
    onTheme(/** @type {(theme: "light"|"dark") => void} */ callback) {
      themed.add(callback);
      return () => themed.delete(callback);
    },
  };

  // ---- building

  const live = [0, 1].map(() => h("div", { class: "al-spoken", role: "status", "aria-live": "polite" }));
  const alert = h("p", { class: "al-problem", role: "alert", hidden: true });
  const widgets = buildControls(spec, figureId, set);
  const views = spec.views.map((/** @type {any} */ view) => {
    const make = viewMakers[view.kind];
    if (!make) throw new Error(`This page's script has no view of kind ${view.kind}.`);
    return make(view, context);
  });
  const numbers = createNumbers(spec, () => {
    painter.flush();
    numbers.update(frame);
  });
  const toolbar = createToolbar(spec, { oneStep, steps, stop: () => runner?.stop(), restart, reset, link: linkable ? link : null, announce });

  const card = h("div", { class: "al-card" });
  const titleId = `${figureId}-title`;
  const title = h("div", { class: "al-title", id: titleId }, spec.title ?? "");
  const fields = h("div", { class: "al-controls" });
  for (const control of spec.controls) if (widgets[control.name]) fields.append(widgets[control.name].element);
  const stage = h("div", { class: "al-views" });
  card.append(
    ...[
      spec.title ? title : null,
      fields.childElementCount ? fields : null,
      toolbar.run,
      stage,
      alert,
      spec.caption ? h("figcaption", { class: "al-caption" }, spec.caption) : null,
      h("div", { class: "al-foot" }, toolbar.tools, numbers.element),
      ...live,
    ].filter((part) => part !== null),
  );
  card.setAttribute("role", "group");
  // JupyterLab has commands on the arrow keys, and asks only the focused element whether it wants them itself.
  card.addEventListener("focusin", ({ target }) => target.setAttribute("data-lm-suppress-shortcuts", "true"));
  if (spec.title) card.setAttribute("aria-labelledby", titleId);
  else card.setAttribute("aria-label", `Live figure ${spec.name.replaceAll("-", " ")}`);

  const showTheme = (/** @type {"light"|"dark"} */ theme) => element.setAttribute("data-al-theme", theme);
  showTheme(currentTheme());
  const stopTheme = watchTheme((theme) => {
    showTheme(theme);
    for (const callback of themed) callback(theme);
  });

  element.classList.add("attention-live", "al-mounted");
  element.replaceChildren(card);
  const stopArranging = arrange(stage, views.map((/** @type {any} */ view) => view.element));
  receiveFirst();
  showControls();
  paint();
  const ready = state ? openFirst() : Promise.resolve();

  function receiveFirst() {
    for (const [name, value] of Object.entries(given)) {
      const control = byName[name];
      const setting = control && (control.kind === "state" || spec.carry?.names[name] ? fromWire(control, value) : validSetting(control, value));
      if (setting !== undefined) settings = { ...settings, [name]: setting };
    }
    base = settings;
  }

  async function openFirst() {
    open(state);
    painter.flush();
    if (runner?.running) await new Promise((done) => waiting.push(() => done(undefined)));
  }

  const handle = {
    spec,
    ready,
    state: () => ({ ...settings }),
    set(/** @type {string} */ name, /** @type {any} */ value) {
      if (!byName[name]) throw new Error(`The figure ${spec.name} has no control ${name}.`);
      if (!set(name, value)) throw new Error(`${name} cannot be set to ${JSON.stringify(value)}.`);
    },
    outputs() {
      painter.flush();
      return frame.outputs;
    },
    history: () => history?.frames ?? null,
    step: steps,
    stop: () => runner?.stop(),
    restart,
    reset,
    open,
    link,
    receive,
    destroy() {
      destroyed = true;
      painter.cancel();
      marker.cancel();
      runner?.destroy();
      if (telling !== null) clearTimeout(telling);
      stopTheme();
      stopArranging();
      for (const view of views) view.destroy();
      element.replaceChildren();
      delete element.attentionLive;
    },
  };
  element.attentionLive = handle;
  return handle;
}

/**
 * The elements of the controls, except those that a view lets the reader move.
 * @param {any} spec
 * @param {string} figureId
 * @param {(name: string, value: any, more?: {final: boolean}) => void} set
 * @returns {Record<string, {element: HTMLElement, update: (value: any) => void}>}
 */
function buildControls(spec, figureId, set) {
  const inViews = new Set(spec.views.flatMap((/** @type {any} */ view) => [view.drag, view.edit].flat().filter(Boolean)));
  /** @type {Record<string, any>} */
  const widgets = {};
  for (const control of spec.controls) {
    const make = makers[control.kind];
    if (!make || inViews.has(control.name)) continue;
    const id = `${figureId}-${control.name}`;
    const widget = make(control, { id, set: (value, more) => set(control.name, value, more) });
    if (control.description) widget.element.append(h("span", { class: "al-note", id: `${id}-about` }, control.description));
    widgets[control.name] = widget;
  }
  return widgets;
}
