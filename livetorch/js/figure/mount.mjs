// One live figure in the page: a model, the elements that show it, and the hands that move it.
import { currentTheme, h, oncePerFrame, reducedMotion, watchTheme } from "../shared/dom.mjs";
import { kindOf } from "../controls/index.mjs";
import { viewOf } from "../views/index.mjs";
import { surround } from "./card.mjs";
import { createHands } from "./hands.mjs";
import { createModel } from "./model.mjs";
import { arrangeViews } from "./rows.mjs";
import { createSleeper } from "./sleeper.mjs";
import { veil } from "./veil.mjs";

/** @import { Context, Marks, View } from "../views/index.mjs" */

let figures = 0; // for ids that are unique on the page
const noPart = () => Promise.reject(new Error("this page lacks that part"));

/**
 * @typedef {object} Options
 * @property {string} [state] the figure's part of a link
 * @property {Record<string, any>} [settings] settings that a kernel has, in their wire form
 * @property {(final: boolean) => void} [changed] told of new settings; final: a hand has let go
 * @property {(name: string) => Promise<any>} [partOf] fetches what a part of the script holds
 * @property {boolean} [linkable] whether the page can be reopened in a state by a link
 * @property {string} [embed] where the figure stands by itself, for other pages to show
 * @property {((waited: boolean) => Promise<void>)|""|false} [whole] fetches what `spec` lacks; until then it shows `spec.first`
 */

/**
 * Build a figure inside an element, whose content it replaces.
 * @param {any} element
 * @param {any} spec the figure's JSON
 * @param {Options} [options]
 */
export function mount(element, spec, options = {}) {
  const { state = "", settings = {}, changed = () => {}, partOf = noPart, whole = false } = options;
  figures += 1;
  const figureId = `lt-${figures}-${spec.name}`;
  const speech = createSpeech();
  const drawing = createDrawing(() => model, speech.problem);
  const told = (/** @type {boolean|"also"} */ final) => (final && hands.note(final === "also"), changed(Boolean(final)));
  const hearer = {
    stale: drawing.ask,
    ran: drawing.now,
    changed: told,
    said: speech.announce,
    failed: speech.problem,
    place: () => element.firstChild,
  };
  const worker = () => partOf("worker");
  const made = createModel(spec, { ...hearer, moved: (names) => controls.show(names) }, { given: settings, reducedMotion, worker });
  const awake = { model: made, wake: async () => {}, woken: Promise.resolve() };
  const { model, wake, woken } = whole ? createSleeper(made, whole) : awake;
  woken.then(model.warm);
  const hands = createHands(spec, model, { partOf, ...speech });
  const theme = createTheme(element);
  const controls = createControls(spec, figureId, model);
  const open = createOpener(spec, partOf, wake);
  const reader = async (/** @type {any} */ view) => {
    const [part, { createReader }] = await Promise.all([open(false), partOf("reads")]);
    return createReader(spec, view, { frame: model.current, program: model.program, controls: model.controls }, part);
  };
  const { views, pointed, context, stop } = createViews(spec, { figureId, model, announce: speech.announce, theme, reader });
  for (const view of views) drawing.followers.add(view);
  const around = { hands, element, controls, views, pointed, context, model, drawing, speech, partOf, open, woken, options };
  const { card, stage, destroy } = surround(spec, figureId, around);

  element.classList.add("livetorch", "lt-mounted");
  element.replaceChildren(card);
  context.cardIs(card);
  const { sizes, stop: stopArranging } = arrangeViews(stage, spec, views, { model, attempt: drawing.attempt });
  veil(
    element,
    spec,
    views,
    sizes.map(({ ideal }) => ideal),
  );
  controls.show(Object.keys(controls.widgets));
  drawing.paint();
  const opened = state ? model.open(state) : Promise.resolve();
  drawing.flush();

  const handle = createHandle(spec, model, drawing.flush, {
    ready: () => (whole ? wake().then(() => opened) : opened),
    destroy() {
      for (const end of [drawing.cancel, stop, model.destroy, theme.stop, stopArranging, destroy]) end();
      for (const view of views) view.destroy();
      element.replaceChildren();
      delete element.livetorch;
    },
  });
  element.livetorch = handle;
  return handle;
}

/** What fetches all that opens numbers. @param {any} spec @param {(name: string) => Promise<any>} partOf @param {(waited?: boolean) => Promise<void>} wake */
const createOpener =
  (spec, partOf, wake) =>
  async (waited = true) => {
    const [part] = await Promise.all([partOf("open"), wake(waited)]);
    await part.fetchRules(spec, partOf);
    return part;
  };

/** What a figure says: announcements for screen readers, and what is wrong, for everyone. */
function createSpeech() {
  // The same text twice in a row would not be read again, so that one of two regions takes it in turn.
  const regions = [0, 1].map(() => h("div", { class: "lt-spoken", role: "status", "aria-live": "polite" }));
  const alert = h("p", { class: "lt-problem", role: "alert", hidden: true });
  let turn = 0;
  return {
    regions,
    alert,
    /** @param {string} text */
    announce(text) {
      regions[turn % 2].textContent = "";
      turn += 1;
      regions[turn % 2].textContent = text;
    },
    /** @param {string} text "": nothing is wrong any more */
    problem(text) {
      if (alert.textContent === text) return;
      alert.textContent = text;
      alert.hidden = !text;
    },
  };
}

/**
 * What draws each new frame for all who follow.
 * @param {() => any} model
 * @param {(text: string) => void} problem
 */
function createDrawing(model, problem) {
  /** @type {Set<{update: (frame: any) => void}>} */
  const followers = new Set();

  /** @type {any} */
  let drawn = null;

  /** What fails in one keeps no other from showing what is true. */
  function draw() {
    const frame = model().current();
    if (frame === drawn) return; // a worker still computes
    /** @type {unknown} */
    let wrong = null;
    for (const one of followers) {
      try {
        one.update(frame);
      } catch (error) {
        wrong ??= error;
      }
    }
    if (wrong) throw wrong;
    drawn = frame;
  }

  /** @param {() => void} work */
  function attempt(work) {
    try {
      work();
      return true;
    } catch (error) {
      problem(`This figure could not be computed: ${error instanceof Error ? error.message : error}`);
      return false;
    }
  }

  const paint = () => void (attempt(draw) && problem(model().trouble()));
  const { ask, flush, cancel } = oncePerFrame(paint);
  return { followers, attempt, paint, ask, flush, cancel, now: () => ((drawn = null), attempt(draw)) };
}

/** The theme of a page, which the figure's element carries and whoever asks is told. @param {HTMLElement} element */
function createTheme(element) {
  /** @type {Set<(theme: "light"|"dark") => void>} */
  const told = new Set();
  const show = (/** @type {"light"|"dark"} */ theme) => element.setAttribute("data-lt-theme", theme);
  show(currentTheme());
  const stop = watchTheme((theme) => {
    show(theme);
    for (const callback of told) callback(theme);
  });
  return {
    stop,
    /** @param {(theme: "light"|"dark") => void} callback @returns {() => void} */
    listen(callback) {
      told.add(callback);
      return () => told.delete(callback);
    },
  };
}

/**
 * The fields of the controls, except those that a view lets the reader move; they show the present settings.
 * @param {any} spec @param {string} figureId @param {any} model
 */
function createControls(spec, figureId, model) {
  const inViews = new Set(
    spec.views.flatMap((/** @type {any} */ view) => [view.drag, view.edit, view.muting?.name].flat().filter(Boolean)),
  );
  /** @type {Record<string, import("../controls/base.mjs").Widget>} */
  const widgets = {};
  for (const control of spec.controls) {
    const { element: make } = kindOf(control);
    if (!make || inViews.has(control.name)) continue;
    const id = `${figureId}-${control.name}`;
    const widget = make(control, { id, set: (value, more) => model.set(control.name, value, more) });
    if (control.description) widget.element.append(h("span", { class: "lt-note", id: `${id}-about` }, control.description));
    if (control.when) widget.wait = waiting(widget.element, control.when, spec.controls);
    widgets[control.name] = widget;
  }
  /** @param {string[]} names whose settings are others now */
  function show(names) {
    const present = model.state();
    for (const name of names) widgets[name]?.update(present[name]);
    for (const widget of Object.values(widgets)) widget.wait?.(present);
  }
  return { widgets, show };
}

/**
 * What makes a control grey at settings of others at which it does nothing: it cannot be used, and its name says why.
 * @param {HTMLElement} element
 * @param {Record<string, any[]>} when
 * @param {any[]} controls
 */
function waiting(element, when, controls) {
  const conditions = Object.entries(when).map(([other, settings]) => {
    const { label, options } = controls.find(({ name }) => name === other);
    const words = settings.map((one) => options?.[one] ?? (typeof one === "boolean" ? (one ? "on" : "off") : one));
    return `${label}: ${words.join(" or ")}`;
  });
  const reason = h("span", { class: "lt-spoken" });
  element.querySelector("label, .lt-label, button")?.append(reason);
  return (/** @type {Record<string, any>} */ state) => {
    const idle = Object.keys(when).some((other) => !when[other].includes(state[other]));
    element.classList.toggle("lt-idle", idle);
    for (const field of element.querySelectorAll("input, select, button")) /** @type {any} */ (field).disabled = idle;
    reason.textContent = idle ? ` (only with ${conditions.join(", ")})` : "";
  };
}

/**
 * The views, and the items that are pointed at in them.
 * @param {any} spec
 * @param {{figureId: string, model: any, announce: (text: string) => void, theme: ReturnType<typeof createTheme>, reader: Context["reader"]}} figure
 */
function createViews(spec, { figureId, model, announce, theme, reader }) {
  /** @type {Marks} */
  let marks = {};
  /** @type {HTMLElement|null} */
  let card = null;
  const marker = oncePerFrame(() => {
    for (const one of marked) one.highlight(marks);
  });
  const context = {
    figureId,
    set: model.set,
    highlight(/** @type {Marks} */ next) {
      marks = { ...marks, ...next };
      marker.ask();
    },
    announce,
    controls: model.controls,
    reader,
    reducedMotion,
    glides: () => Boolean(card?.classList.contains("lt-glide")) && !model.steps().running,
    theme: currentTheme,
    onTheme: theme.listen,
    cardIs: (/** @type {HTMLElement} */ made) => void (card = made),
    /** Who else hears of marks. @param {() => void} highlight */
    onMarks: (highlight) => void marked.add({ highlight }),
  };
  /** Of each view the items that it has told of. @type {Marks[]} */
  const pointed = [];
  const views = spec.views.map((/** @type {any} */ view, /** @type {number} */ i) => {
    const highlight = (/** @type {Marks} */ next) => {
      pointed[i] = { ...pointed[i], ...next };
      context.highlight(next);
    };
    return viewOf(view.kind, "create")(view, { ...context, highlight });
  });
  /** @type {Set<{highlight: (marks: Marks) => void}>} */
  const marked = new Set(views);
  return { views: /** @type {View[]} */ (views), pointed, context, stop: marker.cancel };
}

/**
 * What a page's scripts, tests and widgets drive the figure by.
 * @param {any} spec @param {any} model @param {() => void} flush @param {{ready: () => Promise<unknown>, destroy: () => void}} more
 */
function createHandle(spec, model, flush, { ready, destroy }) {
  const { state, wire, history, run, stop, look, restart, reset, open, link, receive } = model;
  return {
    spec,
    get ready() {
      return ready();
    },
    state,
    wire,
    /** @param {string} name @param {any} value */
    set(name, value) {
      if (!Object.hasOwn(model.controls, name)) throw new Error(`The figure ${spec.name} has no control ${name}.`);
      if (!model.accepts(name, value)) throw new Error(`${name} cannot be set to ${JSON.stringify(value)}.`);
      model.set(name, value);
    },
    outputs() {
      flush();
      return model.current(true).outputs;
    },
    history,
    step: run,
    stop,
    look,
    restart,
    reset,
    open,
    link,
    receive,
    destroy,
  };
}
