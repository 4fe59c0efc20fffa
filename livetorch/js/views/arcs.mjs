/** Arcs: tokens joined by ribbons as wide as the weights; one token's ribbons stand out, and a sentence says them. */
import { frameView, listenTheme, make, makeStage, onPoint, onWidth } from "../shared/dom.mjs";
import { arcsOf, chosenOf, sayArcs } from "./arcs_content.mjs";
import { tokenAt } from "./arcs_layout.mjs";
import { arcsPicture } from "./arcs_picture.mjs";
import { createHeatmap } from "./heatmap.mjs";

/** @import { Context, Marks } from "./index.mjs" */
/** @typedef {import("./arcs_content.mjs").Content} Content */
/** @typedef {import("./arcs_content.mjs").Focus} Focus */

const PASS = 4000; // milliseconds for going through all queries once

/** The heatmap that stands for arcs of too many tokens. @param {any} spec */
export const asMap = ({ names, tokens, query_tokens, ...spec }) => ({
  ...spec,
  kind: "heatmap",
  xlabel: names[1],
  ylabel: names[0],
  xticks: tokens,
  yticks: query_tokens ?? tokens,
  titles: null,
  vmin: null,
  vmax: null,
  scale: "sequential",
  annotate: "auto",
  edit: null,
  mask: null,
  rows_axis: spec.query_axis,
  cols_axis: spec.axis,
  panels_axis: "heads",
  title: null,
});

/**
 * @typedef {object} Shown from the first frame on
 * @property {Content} now
 * @property {import("./arcs_layout.mjs").Layout} layout
 * @property {{q: number, k: number}[]} lines
 * @property {HTMLElement} stage
 * @property {any} map the heatmap in its place
 * @property {number} chosen
 * @property {Focus|null} focus
 */

/**
 * @param {any} spec
 * @param {Context} context
 */
export function createArcs(spec, context) {
  const element = frameView("arcs", spec.title);
  const { stage, paint } = makeStage();
  const said = make("p", "lt-arcs-said");
  stage.tabIndex = 0;
  stage.setAttribute("role", "application");
  stage.setAttribute("aria-roledescription", "arcs");
  element.append(stage, said);
  /** @type {ReturnType<typeof createHeatmap>|null} */
  let map = null; // made when there are too many tokens
  /** @type {Content|null} */
  let now = null;
  /** @type {import("./arcs_layout.mjs").Layout|null} */
  let layout = null;
  /** @type {{q: number, k: number}[]} the ribbons, as they lie above each other */
  let lines = [];
  let chosen = spec.query;
  /** @type {Focus|null} */
  let pointed = null; // a token under the pointer, or one that another view points at
  const sizing = onWidth(element, () => draw());
  const play = spec.play ? player(element, () => now?.queries.length ?? 0, choose, context) : null;

  /** @param {import("./sources.mjs").Frame} frame */
  function update(frame) {
    now = arcsOf(spec, frame, context.controls) ?? now;
    if (!now) return;
    stage.hidden = said.hidden = now.many;
    if (now.many && !map) element.append((map = createHeatmap(asMap(spec), context)).element);
    if (map) map.element.hidden = !now.many;
    if (now.many) map?.update(frame);
    else draw();
  }

  /** The token whose ribbons stand out: the one pointed at, else the chosen query. @returns {Focus} */
  function focus() {
    const content = /** @type {Content} */ (now);
    const there = pointed && pointed.index < (pointed.side === "query" ? content.queries : content.keys).length;
    return there ? /** @type {Focus} */ (pointed) : chosenOf(content, chosen);
  }

  function draw() {
    if (!now || now.many) return;
    const drawn = arcsPicture(spec, now, { width: sizing.width(), theme: context.theme(), focus: focus() });
    ({ layout, lines } = drawn);
    paint(drawn);
    const parts = sayArcs(spec, now, focus());
    const text = parts.map((part) => part.text).join("");
    if (said.textContent === text) return;
    said.replaceChildren(...parts.map((part) => make("span", part.role ? `lt-of-${part.role}` : "", part.text)));
    stage.setAttribute(
      "aria-label",
      `${spec.title ? `${spec.title}: ` : ""}${spec.names.join(" and ")}. ${text} Arrow keys choose another token, Enter tells how its weight was made.`,
    );
  }

  /** @param {number} i */
  function choose(i) {
    chosen = i;
    pointed = null;
    draw();
    context.highlight({ [spec.query_axis]: i, [spec.axis]: null });
  }

  /** @param {Focus|null} found */
  function point(found) {
    play?.stop();
    if (found?.side === pointed?.side && found?.index === pointed?.index) return undefined;
    if (found?.side === "query") return found.index === chosen && !pointed ? undefined : choose(found.index);
    pointed = found;
    draw();
    return context.highlight({ [spec.axis]: found?.index ?? null });
  }

  onPoint(
    stage,
    (event) => {
      if (!layout) return;
      const box = stage.getBoundingClientRect();
      point(tokenAt(layout, event.clientX - box.left, event.clientY - box.top));
    },
    () => point(null),
  );
  stage.addEventListener("keydown", (event) => {
    if (!now || !layout) return;
    const [back, on, ...across] = layout.upright
      ? ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]
      : ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
    const { side, index } = focus();
    const lastOf = (/** @type {string} */ of) =>
      (of === "query" ? /** @type {Content} */ (now).queries : /** @type {Content} */ (now).keys).length - 1;
    const to = { [back]: Math.max(0, index - 1), [on]: Math.min(lastOf(side), index + 1), Home: 0, End: lastOf(side) }[event.key];
    const other = across.includes(event.key) && spec.rows === 2;
    if (to === undefined && !other) return;
    event.preventDefault();
    const next = side === "query" ? "key" : "query";
    point(other ? { side: next, index: Math.min(index, lastOf(next)) } : { side, index: /** @type {number} */ (to) });
    context.announce(said.textContent ?? "");
  });

  /** @param {any} marks */
  function highlight(marks) {
    map?.highlight(marks);
    const query = marks?.[spec.query_axis];
    const key = marks?.[spec.axis];
    if (Number.isInteger(query)) chosen = query;
    pointed = Number.isInteger(key) && !Number.isInteger(query) ? { side: "key", index: key } : null;
    draw();
  }

  const stopTheme = listenTheme(context, draw);
  const shown = () => ({
    now,
    layout,
    lines,
    stage,
    map,
    chosen: now && !now.many ? chosenOf(now, chosen).index : 0,
    focus: now && !now.many ? focus() : null,
  });
  return { element, update, highlight, shown, destroy: () => (sizing.stop(), stopTheme(), play?.stop(), map?.destroy(), element.remove()) };
}

/**
 * Goes through the queries once when the view comes into sight, unless less motion is wanted.
 * @param {HTMLElement} element
 * @param {() => number} count
 * @param {(i: number) => void} show
 * @param {{reducedMotion: () => boolean}} context
 */
function player(element, count, show, { reducedMotion }) {
  /** @type {ReturnType<typeof setInterval>|undefined} */
  let timer;
  let i = 0;
  const hands = ["pointerdown", "keydown", "wheel"];
  const stop = () => {
    clearInterval(timer);
    seen?.disconnect();
    for (const kind of hands) document.removeEventListener(kind, hand, true);
  };
  // the wheel that has brought the view into sight turns on for a moment
  const hand = (/** @type {Event} */ { type }) => (type !== "wheel" || i > 1) && stop();
  const start = () => {
    seen?.disconnect();
    // wherever they are: who writes into the field below is shown what was written, and who scrolls on is not called back
    for (const kind of hands) document.addEventListener(kind, hand, { capture: true, passive: true });
    timer = setInterval(() => (i < count() ? show(i++) : stop()), PASS / Math.max(1, count()));
  };
  const seen =
    globalThis.IntersectionObserver && !reducedMotion()
      ? new IntersectionObserver((all) => all.some((one) => one.isIntersecting) && start(), { threshold: 0.6 })
      : null;
  seen?.observe(element);
  return { stop };
}
