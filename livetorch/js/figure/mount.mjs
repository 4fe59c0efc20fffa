// One live figure in the page: a model, the elements that show it, and the hands that move it.
import { currentTheme, h, oncePerFrame, reducedMotion, watchTheme } from "../shared/dom.mjs";
import { viewOf } from "../views/index.mjs";
import { buildCard, buildControls } from "./card.mjs";
import { createComparing } from "./comparing.mjs";
import { createHands } from "./hands.mjs";
import { createModel } from "./model.mjs";
import { createNumbers } from "./numbers.mjs";
import { createOpening } from "./opening.mjs";
import { arrange } from "./rows.mjs";
import { createSleeper } from "./sleeper.mjs";
import { createSpeech } from "./speech.mjs";
import { createToolbar } from "./toolbar.mjs";
import { createTracks } from "./tracks.mjs";
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
  const told = (/** @type {boolean} */ final) => (final && hands.note(), changed(final));
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
  const { model, wake, woken } = createSleeper(made, whole || null);
  woken.then(model.warm);
  const hands = createHands(spec, model, { partOf, ...speech });
  const theme = createTheme(element);
  const controls = createControls(spec, figureId, model);
  const reader = async (/** @type {any} */ view) => {
    await wake();
    return (await partOf("open")).createReader(spec, view, { frame: model.current, program: model.program, controls: model.controls });
  };
  const { views, pointed, context, stop } = createViews(spec, { figureId, model, announce: speech.announce, theme, reader });
  for (const view of views) drawing.followers.add(view);
  const open = async () => (await Promise.all([partOf("open"), wake(true)]))[0];
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

/** The fields of the controls, which show the present settings. @param {any} spec @param {string} figureId @param {any} model */
function createControls(spec, figureId, model) {
  const widgets = buildControls(spec, figureId, model.set);
  /** @param {string[]} names whose settings are others now */
  function show(names) {
    const present = model.state();
    for (const name of names) widgets[name]?.update(present[name]);
    for (const widget of Object.values(widgets)) widget.wait?.(present);
  }
  return { widgets, show };
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
    glides: () => Boolean(card?.classList.contains("lt-glide")),
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
 * What stands around the views: buttons, the numbers as tables, the panel of opened numbers, and the card that holds all.
 * @param {any} spec @param {string} figureId
 * @param {any} figure
 */
function surround(
  spec,
  figureId,
  { hands, element, controls, views, pointed, context, model, drawing, speech, partOf, open, woken, options },
) {
  const { announce, problem } = speech;
  const { followers } = drawing;
  const widgets = /** @type {import("../controls/base.mjs").Widget[]} */ (Object.values(controls.widgets));
  const code = async () => (await partOf("embed")).snippet(spec, { url: options.embed + model.link(), height: element.offsetHeight });
  const link = options.linkable ? model.link : null;
  const toolbar = createToolbar(spec, { ...model, link, embed: options.embed ? code : null, announce, problem });
  if (spec.carry) followers.add({ update: () => toolbar.update(model.steps(), model.past()) });
  const present = () => (drawing.flush(), model.current());
  const numbers = createNumbers(spec, followers, present, { partOf, failed: problem });
  const shared = { controls: model.controls, theme: currentTheme, frame: model.current };
  const comparing = createComparing(spec, { partOf, announce, failed: problem, followers, context: { ...shared, views } });
  context.onMarks(comparing.update);
  context.onTheme(comparing.update);
  /** @type {any} the panel that says how a number was made, once it has been asked for */
  let panel = null;
  const opening = createOpening(spec, {
    views,
    pointed,
    openPart: open,
    opened: (made) => followers.add((panel = made)),
    failed: problem,
    context: { ...context, program: model.program, frame: model.current },
  });
  const partAwake = (/** @type {string} */ name) => woken.then(() => partOf(name));
  const tracks = createTracks(spec, { widgets, partOf: partAwake, busy: () => model.steps().running, frame: model.current, followers });
  toolbar.tools.splice(1, 0, comparing.element);
  toolbar.tools.unshift(hands.button);
  const stage = h("div", { class: "lt-views" });
  const held = views.flatMap((/** @type {View} */ view) => view.hold?.(controls.widgets) ?? []);
  const fields = widgets.map((widget) => widget.element).filter((field) => !held.includes(field));
  const card = buildCard(spec, figureId, { fields, stage, opening, toolbar, numbers: numbers.element, speech });
  const pick = (/** @type {any} */ { createPicks }) => createPicks(spec, { ...model, views, pointed, announce }).listen(card);
  if (spec.picks) partOf("picks").then(pick, problem);
  opening.listen(card);
  card.addEventListener("keydown", hands.key);
  watchHands(card, reducedMotion);
  return { card, stage, destroy: () => (panel?.destroy(), comparing.destroy(), tracks.destroy()) };
}

/**
 * Bars and numbers glide to what is new after a press or a key, never while a hand holds something: the card has `lt-glide`
 * while they may.
 * @param {HTMLElement} card @param {() => boolean} calm
 */
function watchHands(card, calm) {
  const show = (/** @type {boolean} */ glides) => card.classList.toggle("lt-glide", glides && !calm());
  const released = () => show(true);
  card.addEventListener("pointerdown", () => {
    show(false);
    for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, released, { once: true, capture: true });
  });
  card.addEventListener("keydown", released);
}

/**
 * Views beside each other, each as wide as it needs at the setting that the figure starts with; returns their sizes and how to stop.
 * @param {HTMLElement} stage @param {any} spec @param {View[]} views
 * @param {{model: any, attempt: (work: () => void) => boolean}} figure
 */
function arrangeViews(stage, spec, views, { model, attempt }) {
  /** @type {any} */
  let frame = { outputs: {}, state: model.state(), history: null };
  attempt(() => (frame = model.current()));
  /** @type {import("../views/size.mjs").Size[]} */
  const sizes = spec.views.map((/** @type {any} */ view) => viewOf(view.kind, "sizeOf")(view, frame, model.controls));
  const level = views.find((view) => view.level)?.level?.keep(spec.views, views); // a plot brings what keeps it
  const elements = views.map((view) => view.element);
  const stop = arrange(stage, elements, sizes, spec.rows, level?.place);
  return { sizes, stop: () => (stop(), level?.stop()) };
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
