// One live figure in the page: a model, the elements that show it, and the hands that move it.
import { h, oncePerFrame } from "../shared/dom.mjs";
import { currentTheme, reducedMotion, watchTheme } from "../shared/theme.mjs";
import { viewOf } from "../views/index.mjs";
import { buildCard, buildControls } from "./card.mjs";
import { createComparing } from "./comparing.mjs";
import { createModel } from "./model.mjs";
import { watchHands } from "./motion.mjs";
import { createNumbers } from "./numbers.mjs";
import { createOpening } from "./opening.mjs";
import { arrange } from "./rows.mjs";
import { createSleeper } from "./sleeper.mjs";
import { createSpeech } from "./speech.mjs";
import { createToolbar } from "./toolbar.mjs";
import { createTracks } from "./tracks.mjs";

let figures = 0; // for ids that are unique on the page
const noPart = () => Promise.reject(new Error("this page lacks that part"));

/**
 * Build a figure inside an element, whose content it replaces.
 * @param {any} element
 * @param {any} spec the figure's JSON
 * @param {object} [options]
 * @param {string} [options.state] the figure's part of a link
 * @param {Record<string, any>} [options.settings] settings that a kernel has, in their wire form
 * @param {(final: boolean) => void} [options.changed] told of new settings; final: a hand has let go
 * @param {(name: string) => Promise<any>} [options.partOf] fetches what a part of the script holds
 * @param {boolean} [options.linkable] whether the page can be reopened in a state by a link
 * @param {string} [options.embed] where the figure stands by itself, for other pages to show
 * @param {((waited: boolean) => Promise<void>)|""|false} [options.whole] fetches what `spec` lacks; until then it shows `spec.first`
 */
export function mount(
  element,
  spec,
  { state = "", settings = {}, changed = () => {}, partOf = noPart, linkable = false, embed = "", whole = false } = {},
) {
  figures += 1;
  const figureId = `lt-${figures}-${spec.name}`;
  const { announce, problem, ...speech } = createSpeech();
  const made = createModel(
    spec,
    {
      moved: showControls,
      stale: () => painter.ask(),
      ran: () => attempt(draw),
      changed,
      said: announce,
      failed: problem,
    },
    { given: settings, reducedMotion },
  );
  const { model, wake, woken } = createSleeper(made, whole || null);
  const painter = oncePerFrame(paint);

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

  function paint() {
    if (attempt(draw)) problem(model.trouble());
  }

  /** What each view needs at the setting that the figure starts with. */
  function sizes() {
    /** @type {any} */
    let frame = { outputs: {}, state: model.state(), history: null };
    attempt(() => (frame = model.current()));
    return spec.views.map((/** @type {any} */ view) => viewOf(view.kind, "sizeOf")(view, frame, model.controls));
  }

  function draw() {
    const frame = model.current();
    /** @type {unknown} */
    let wrong = null;
    for (const part of [...views, numbers, comparing, tracks, ...(panel ? [panel] : [])]) {
      try {
        part.update(frame);
      } catch (error) {
        wrong ??= error; // the other views still show what is true
      }
    }
    toolbar.update(model.steps(), model.past());
    if (wrong) throw wrong;
  }

  /** @param {string[]} names */
  function showControls(names) {
    const present = model.state();
    for (const name of names) widgets[name]?.update(present[name]);
    for (const widget of Object.values(widgets)) widget.wait?.(present);
  }

  /** @type {Record<string, number|null>} */
  let marks = {};
  const marker = oncePerFrame(() => {
    for (const view of views) view.highlight(marks);
    comparing.update();
  });

  /** @type {Set<(theme: "light"|"dark") => void>} */
  const themed = new Set();
  /** @type {import("../views/index.mjs").Context} */
  const context = {
    figureId,
    set: model.set,
    highlight(next) {
      marks = { ...marks, ...next };
      marker.ask();
    },
    announce,
    controls: model.controls,
    /** What follows the numbers of a view to those that made them; fetched when first asked for. */
    async reader(view) {
      await wake();
      return (await partOf("open")).createReader(spec, view, { frame: model.current, program: model.program, controls: model.controls });
    },
    reducedMotion,
    glides: () => card.classList.contains("lt-glide"),
    theme: currentTheme,
    onTheme(callback) {
      themed.add(callback);
      return () => themed.delete(callback);
    },
  };

  const widgets = buildControls(spec, figureId, model.set);
  /** Of each view the items that it has told of. @type {Record<string, number|null>[]} */
  const pointed = [];
  /** @type {import("../views/index.mjs").View[]} */
  const views = spec.views.map((/** @type {any} */ view, /** @type {number} */ i) =>
    viewOf(view.kind, "create")(view, {
      ...context,
      highlight(next) {
        pointed[i] = { ...pointed[i], ...next };
        context.highlight(next);
      },
    }),
  );
  const numbers = createNumbers(spec, () => {
    painter.flush();
    numbers.update(model.current());
  });
  const code = async () => (await partOf("embed")).snippet(spec, { url: embed + model.link(), height: element.offsetHeight });
  const toolbar = createToolbar(spec, { ...model, link: linkable ? model.link : null, embed: embed ? code : null, announce, problem });
  const comparing = createComparing(spec, {
    partOf,
    announce,
    failed: problem,
    context: { views, controls: model.controls, theme: currentTheme, frame: model.current },
  });
  const stage = h("div", { class: "lt-views" });
  /** @type {any} the panel that says how a number was made, once it has been asked for */
  let panel = null;
  const opening = createOpening(spec, {
    views,
    pointed,
    openPart: async () => (await Promise.all([partOf("open"), wake(true)]))[0],
    opened: (made) => (panel = made),
    failed: problem,
    context: { ...context, program: model.program, frame: model.current },
  });
  const partAwake = (/** @type {string} */ name) => woken.then(() => partOf(name));
  const tracks = createTracks(spec, {
    widgets: Object.values(widgets),
    partOf: partAwake,
    busy: () => model.steps().running,
    frame: model.current,
  });
  const fields = Object.values(widgets).map((widget) => widget.element);
  toolbar.tools.splice(1, 0, comparing.element);
  const card = buildCard(spec, figureId, { fields, stage, opening, toolbar, numbers: numbers.element, speech });

  if (spec.picks) {
    const figure = { ...model, views, pointed, announce };
    partOf("picks").then(({ createPicks }) => createPicks(spec, figure).listen(card), problem);
  }
  opening.listen(card);
  watchHands(card, reducedMotion);

  const showTheme = (/** @type {"light"|"dark"} */ theme) => element.setAttribute("data-lt-theme", theme);
  showTheme(currentTheme());
  const stopTheme = watchTheme((theme) => {
    showTheme(theme);
    for (const callback of themed) callback(theme);
    comparing.update();
  });

  element.classList.add("livetorch", "lt-mounted");
  element.replaceChildren(card);
  const level = views.find((view) => view.level)?.level?.keep(spec.views, views); // a plot brings what keeps it
  const elements = views.map((/** @type {any} */ view) => view.element);
  const stopArranging = arrange(stage, elements, sizes(), spec.rows, level?.place);
  showControls(Object.keys(widgets));
  paint();
  const opened = state ? model.open(state) : Promise.resolve();
  painter.flush();

  const handle = {
    spec,
    get ready() {
      return whole ? wake().then(() => opened) : opened;
    },
    state: model.state,
    wire: model.wire,
    set(/** @type {string} */ name, /** @type {any} */ value) {
      if (!Object.hasOwn(model.controls, name)) throw new Error(`The figure ${spec.name} has no control ${name}.`);
      if (!model.set(name, value)) throw new Error(`${name} cannot be set to ${JSON.stringify(value)}.`);
    },
    outputs() {
      painter.flush();
      return model.current().outputs;
    },
    history: model.history,
    step: model.run,
    stop: model.stop,
    look: model.look,
    restart: model.restart,
    reset: model.reset,
    open: model.open,
    link: model.link,
    receive: model.receive,
    destroy() {
      painter.cancel();
      marker.cancel();
      model.destroy();
      stopTheme();
      stopArranging();
      level?.stop();
      panel?.destroy();
      comparing.destroy();
      tracks.destroy();
      for (const view of views) view.destroy();
      element.replaceChildren();
      delete element.livetorch;
    },
  };
  element.livetorch = handle;
  return handle;
}
