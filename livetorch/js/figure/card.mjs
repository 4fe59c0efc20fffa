// The card of a figure: where title, controls, views, caption and buttons stand, and what these do.

import { currentTheme, h, reducedMotion } from "../shared/dom.mjs";
import { createComparing } from "./comparing.mjs";
import { createNumbers } from "./numbers.mjs";
import { createOpening } from "./opening.mjs";
import { createToolbar } from "./toolbar.mjs";
import { createTracks } from "./tracks.mjs";

/** @import { View } from "../views/index.mjs" */

/**
 * What stands around the views: buttons, the numbers as tables, the panel of opened numbers, and the card that holds all.
 * @param {any} spec @param {string} figureId
 * @param {any} figure
 */
export function surround(
  spec,
  figureId,
  { hands, element, controls, views, pointed, context, model, drawing, speech, partOf, open, woken, options },
) {
  const { announce, problem } = speech;
  const { followers } = drawing;
  const widgets = /** @type {import("../controls/base.mjs").Widget[]} */ (Object.values(controls.widgets));
  const code = async () => (await partOf("embed")).snippet(spec, { url: options.embed + model.link(), height: element.offsetHeight });
  const link = options.linkable ? model.link : null;
  const reset = () => (views.forEach((/** @type {View} */ view) => view.rest?.()), model.reset());
  const calm = () => reducedMotion() || model.steps().running; // a run's next step comes before a glide has ended
  const toolbar = createToolbar(spec, { ...model, reset, link, embed: options.embed ? code : null, announce, problem });
  if (spec.carry)
    followers.add({ update: () => (toolbar.update(model.steps(), model.past()), calm() && card.classList.remove("lt-glide")) });
  const present = () => (drawing.flush(), model.current());
  const numbers = createNumbers(spec, followers, present, { partOf, failed: problem });
  const shared = { controls: model.controls, theme: currentTheme, frame: model.current };
  const listen = (/** @type {() => void} */ update) => (context.onMarks(update), context.onTheme(update));
  const comparing = createComparing(spec, { partOf, announce, failed: problem, followers, listen, context: { ...shared, views } });
  /** @type {any} the panel that says how a number was made, once it has been asked for */
  let panel = null;
  const opening = createOpening(spec, {
    views,
    pointed,
    openPart: open,
    opened: (made) => followers.add((panel = made)),
    failed: problem,
    context: { ...context, program: model.program, frame: model.current, partOf },
  });
  const partAwake = (/** @type {string} */ name) => woken.then(() => partOf(name));
  const tracks = createTracks(spec, { widgets, partOf: partAwake, busy: () => model.steps().running, frame: model.current, followers });
  toolbar.tools.splice(1, 0, comparing.element);
  toolbar.tools.splice(-1, 0, hands.button); // the last one: where it comes and goes, no other moves under a pointer
  const stage = h("div", { class: "lt-views" });
  const held = views.flatMap((/** @type {View} */ view) => view.hold?.(controls.widgets) ?? []);
  const fields = widgets.map((widget) => widget.element).filter((field) => !held.includes(field));
  const card = buildCard(spec, figureId, { fields, stage, opening, toolbar, numbers: numbers.element, speech });
  const pick = (/** @type {any} */ { createPicks }) => createPicks(spec, { ...model, views, pointed, announce }).listen(card);
  if (spec.picks) partOf("picks").then(pick, problem);
  opening.listen(card);
  card.addEventListener("keydown", hands.key);
  watchHands(card, calm);
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
 * @param {any} spec
 * @param {string} figureId
 * @param {object} parts
 * @param {Element[]} parts.fields
 * @param {Element} parts.stage
 * @param {{slot: Element, button: Element}} parts.opening
 * @param {{run: Element|null, tools: (Element|null)[]}} parts.toolbar
 * @param {Element} parts.numbers
 * @param {{regions: Element[], alert: Element}} parts.speech
 */
function buildCard(spec, figureId, { fields, stage, opening, toolbar, numbers, speech }) {
  const titleId = `${figureId}-title`;
  const doId = `${figureId}-do`;
  const headed = spec.title || spec.do;
  const told = spec.do ? { "aria-describedby": doId } : {};
  const named = spec.title ? { "aria-labelledby": titleId, ...told } : { "aria-label": `Live figure ${spec.name.replaceAll("-", " ")}` };
  return h(
    "div",
    {
      class: "lt-card",
      role: "group",
      ...named,
    },
    headed
      ? h(
          "div",
          { class: "lt-head" },
          opening.button,
          spec.title ? h("div", { class: "lt-title", id: titleId }, spec.title) : null,
          spec.do ? h("div", { class: "lt-do", id: doId }, spec.do) : null,
        )
      : null,
    fields.length ? h("div", { class: "lt-controls" }, ...fields, toolbar.run) : toolbar.run,
    stage,
    opening.slot,
    speech.alert,
    spec.caption ? h("figcaption", { class: "lt-caption" }, spec.caption) : null,
    h("div", { class: "lt-foot" }, h("div", { class: "lt-tools" }, headed ? null : opening.button, ...toolbar.tools), numbers),
    ...speech.regions,
  );
}
