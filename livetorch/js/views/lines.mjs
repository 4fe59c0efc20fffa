/** Curves and scattered points over one x axis; points that belong to a control can be dragged. */
import { axisColour, roleColour, seriesColours } from "../shared/colour.mjs";
import { isItem, resolve } from "./sources.mjs";
import { frameView, listenTheme, make, makeStage, onPoint, onWidth, sameMarks, writeText } from "../shared/dom.mjs";
import { pictured, itemName } from "../shared/format.mjs";
import { handleShapes, moveHandles, pointsIn } from "./handles.mjs";
import { legendShapes, showLegend } from "./legend.mjs";
import { areFinite, DASHES, layer, leftOut, pathOf, plotBox, rememberedBox } from "./plot.mjs";
import { calmDomain, domainOf, nearest, nearestPoint } from "./scales.mjs";
import { rowsOf } from "./sources.mjs";
import { steppedTo } from "./walk.mjs";

/** @import { Theme } from "../shared/colour.mjs" */
/** @import { Frame, Scene, Source } from "./sources.mjs" */
/** @import { Context, Marks } from "./index.mjs" */
/** @typedef {import("../shared/scene.mjs").Shape} Shape */

/**
 * The curves of a frame: one for each row of each y.
 * @typedef {{label: string, xs: number[], ys: number[], source: Source, row: number}} Curve row: of the source
 * @typedef {{name: string, control: any, flat: boolean, axis: string|null, points: number[][]}} Drag points that a hand moves
 * @typedef {{curves: Curve[], points: number[][], drags: Drag[]}} Content
 *
 * @param {any} spec @param {Frame} frame @returns {Curve[]}
 */
export function curvesOf(spec, frame) {
  const x = resolve(spec.x, frame);
  /** @type {Curve[]} */
  const list = [];
  for (const part of spec.y) {
    const tensor = resolve(part.source, frame);
    if (!tensor) continue;
    rowsOf(tensor).forEach((ys, i, all) => {
      const xs = x ? Array.from(x.data, Number) : ys.map((_, j) => j + 1);
      list.push({ label: spec.labels?.[list.length] ?? (all.length > 1 ? `${part.label} ${i + 1}` : part.label), xs, ys, source: part.source, row: i });
    });
  }
  return list;
}

/** The scattered points of a frame. @param {any} spec @param {Frame} frame @returns {number[][]} */
export function pointsOf(spec, frame) {
  if (!spec.points) return [];
  const [x, y] = [resolve(spec.points.x, frame), resolve(spec.points.y, frame)];
  if (!x || !y) return [];
  return Array.from({ length: Math.min(x.data.length, y.data.length) }, (_, i) => [Number(x.data[i]), Number(y.data[i])]);
}

/**
 * What is drawn of a frame: curves, points, and the points that hands move.
 * @param {any} spec @param {Frame} frame @param {Record<string, any>} controls @returns {Content}
 */
function contentOf(spec, frame, controls) {
  const drags = spec.drag.map((/** @type {string} */ name, /** @type {number} */ h) => {
    const control = controls[name];
    return { name, control, flat: control.shape?.[1] === 1, axis: control.axis ?? spec.drag_axes?.[h] ?? null, points: pointsIn(frame.state[name]) };
  });
  return { curves: curvesOf(spec, frame), points: pointsOf(spec, frame), drags };
}

/** How far the numbers reach, along both axes. @param {any} spec @param {Content} content */
function reachOf(spec, { curves, points, drags }) {
  const limits = drags.map(({ control }) => control.domain).filter(Boolean);
  const dragged = drags.flatMap((one) => one.points);
  const xs = [...curves.flatMap((c) => c.xs), ...points.map((p) => p[0]), ...dragged.map((p) => p[0]), ...limits.flatMap((d) => d[0])];
  const ys = [...curves.flatMap((c) => c.ys), ...points.map((p) => p[1]), ...limits.flatMap((d) => d[1] ?? [])];
  return { x: domainOf(xs, spec.xlim, { exact: !points.length }), y: domainOf(ys, spec.ylim) };
}

/** @param {any} spec @param {Content} content @param {Theme} theme @returns {import("./legend.mjs").Entry[]} */
function entriesOf(spec, { curves }, theme) {
  const colours = seriesColours(theme);
  const entries = curves.map(({ label }, i) => ({ label, colour: colours[i % colours.length], dash: DASHES[i % DASHES.length] }));
  return spec.points?.label ? [...entries, { label: spec.points.label }] : entries;
}

/**
 * The drawing.
 * @param {any} spec
 * @param {Content} content
 * @param {{domains: {x: number[], y: number[]}, width: number, theme: "light"|"dark", at?: number|null, point?: number|null,
 *   marks?: Record<string, number|null>, box?: typeof plotBox}} how at, point: what is marked
 */
export function linesPicture(spec, { curves, points, drags }, { domains, width, theme, at = null, point = null, marks = {}, box: boxOf = plotBox }) {
  const height = Math.round(Math.min(330, Math.max(210, width * 0.52)));
  const { xlabel, ylabel } = spec;
  const box = boxOf({ width, height, xDomain: domains.x, yDomain: domains.y, xlabel, ylabel });
  const colours = seriesColours(theme);
  const colour = (/** @type {number} */ i) => colours[i % colours.length];
  /** @type {Shape[]} */
  const paths = curves.map(({ xs, ys }, i) => {
    const d = pathOf(xs.map(box.x), ys.map(box.y), (j) => areFinite(xs[j], ys[j]));
    return ["path", { class: "lt-curve", stroke: colour(i), "stroke-dasharray": DASHES[i % DASHES.length] || null, d }];
  });
  /** @type {Shape[]} */
  const scattered = points.flatMap(([x, y], j) => !areFinite(x, y) ? [] : [["circle", { class: j === point ? "lt-point lt-marked" : "lt-point", r: 4, cx: box.x(x), cy: box.y(y) }]]);
  /** @type {Shape[]} */
  const stems = !spec.stems ? [] : points.filter((pair) => areFinite(...pair)).map(([x, y]) =>
    ["line", { class: "lt-stem", x1: box.x(x), x2: box.x(x), y1: box.y(0), y2: box.y(y) }]);
  const missing = [...points, ...curves.flatMap(({ xs, ys }) => ys.map((y, i) => [xs[i], y]))].filter((pair) => !areFinite(...pair)).length;
  const stand = at === null || !areFinite(curves[0].xs[at]) ? null : box.x(curves[0].xs[at]);
  /** @type {Shape[]} */
  const rule = stand === null ? [] : [["line", { class: "lt-rule", x1: stand, x2: stand, y1: box.top, y2: box.bottom }]];
  /** @type {Shape[]} */
  const dots = at === null ? [] : curves.flatMap(({ xs, ys }, s) =>
    areFinite(xs[at], ys[at]) ? [["circle", { class: "lt-dot", r: 4.5, cx: box.x(xs[at]), cy: box.y(ys[at]), fill: colour(s) }]] : []);
  const handles = drags.map(({ name, control, flat, axis, points: dragged }) => ({
    control: { ...control, name }, points: dragged, axis, marked: axis === null ? null : marks[axis] ?? null,
    at: (/** @type {number[]} */ point) => [box.x(point[0]), flat ? box.bottom : box.y(point[1])],
    unplace: (/** @type {number} */ px, /** @type {number} */ py) => (flat ? [box.x.invert(px)] : [box.x.invert(px), box.y.invert(py)]),
    colour: flat ? roleColour("query", theme) : axisColour(axis ?? "keys", 0, theme),
    names: (/** @type {number} */ i) => control.labels?.[i] ?? `${control.label ?? name} ${i + 1}`,
    shape: /** @type {"line"|"circle"} */ (flat ? "line" : "circle"), rise: box.top - box.bottom,
  }));
  /** @type {Shape[]} */
  const shapes = [
    box.axes, layer("curves", paths), layer("points", [...stems, ...scattered]), layer("marks", [...rule, ...dots, ...leftOut(missing, box)]),
    ["g", { class: "lt-handles" }, handles.map(handleShapes)],
  ];
  return { width: box.width, height: box.height, shapes, box, handles };
}

/** As a picture. @param {any} spec @param {Scene} scene @param {number} width */
export function stillLines(spec, { frame, controls, theme }, width) {
  const content = contentOf(spec, frame, controls);
  const picture = linesPicture(spec, content, { domains: reachOf(spec, content), width, theme });
  return { ...picture, head: legendShapes(entriesOf(spec, content, theme), width) };
}

/** @typedef {{now: Content, drawn: ReturnType<typeof linesPicture>, stage: HTMLElement, at: number|null}} Shown from the first frame on */

/** @param {any} spec @param {Context} context */
export function createLines(spec, context) {
  const element = frameView("lines", spec.title);
  const { stage, paint } = makeStage();
  const legend = make("div", "lt-legend");
  const readout = make("div", "lt-view-foot lt-readout");
  element.append(legend, stage, readout);
  stage.setAttribute("role", "application");
  stage.setAttribute("aria-roledescription", "chart");
  stage.tabIndex = 0;
  const moving = moveHandles(stage, context, (name) => drawn?.handles.find(({ control }) => control.name === name));
  const box = rememberedBox();

  /** @type {Content|null} */
  let now = null;
  /** @type {ReturnType<typeof linesPicture>|null} */
  let drawn = null;
  /** @type {Marks} */
  let marks = {};
  /** @type {{x: number[], y: number[]}|null} */
  let domains = null;
  let named = "";
  /** @type {number|null} */
  let at = null;
  const sizing = onWidth(element, () => now && draw());

  /** @param {Frame} frame */
  function update(frame) {
    now = contentOf(spec, frame, context.controls);
    moving.drawn();
    draw();
  }

  function draw() {
    if (!now) return;
    const wanted = reachOf(spec, now);
    domains = { x: calmDomain(domains?.x ?? null, wanted.x), y: calmDomain(domains?.y ?? null, wanted.y) };
    const key = now.curves.map((c) => c.label).join("\n") + context.theme();
    if (named !== key) {
      named = key;
      showLegend(legend, entriesOf(spec, now, context.theme()));
      const what = now.curves.map((c) => c.label).join(", ");
      stage.setAttribute("aria-label", `${spec.title ? `${spec.title}: ` : ""}curves of ${what || "nothing"}${spec.xlabel ? ` over ${spec.xlabel}` : ""}. Arrow keys left and right walk along the curve, Enter tells how a number was made.`);
    }
    drawMarks();
  }

  /** The index on the curves that is marked: by the linked axis, or where the reader stands. */
  function position() {
    const linked = spec.axis ? marks[spec.axis] : null;
    const i = isItem(linked) ? linked : at;
    return i !== null && i >= 0 && i < (now?.curves[0]?.xs.length ?? 0) ? i : null;
  }

  function drawMarks() {
    if (!now || !domains) return;
    const i = position();
    const point = spec.points?.axis ? marks[spec.points.axis] : null;
    drawn = linesPicture(spec, now, { domains, width: sizing.width(), theme: context.theme(), at: i, point, marks, box });
    paint(drawn);
    writeText(readout, i !== null ? say(now, i) : "");
  }

  /** @param {Content} content @param {number} i */
  function say({ curves }, i) {
    const x = `${spec.axis && !spec.xlabel ? itemName(spec.axis, i) : spec.xlabel || "x"} ${pictured(curves[0].xs[i])}`;
    return `${x}: ${curves.map((c) => `${c.label} ${pictured(c.ys[i])}`).join(", ")}`;
  }

  /** @param {Marks} next */
  function mark(next) {
    if (sameMarks(next, Object.fromEntries(Object.keys(next).map((name) => [name, marks[name] ?? null])))) return drawMarks();
    marks = { ...marks, ...next };
    drawMarks();
    context.highlight(next);
  }

  /** @param {number|null} i @param {number|null} [point] */
  function stand(i, point = null) {
    at = i;
    /** @type {Marks} */
    const next = {};
    if (spec.points?.axis) next[spec.points.axis] = point;
    if (spec.axis) next[spec.axis] = i;
    mark(next);
  }

  const over = (/** @type {PointerEvent} */ event) => {
    if (!now?.curves.length || !drawn || moving.held()) return;
    const box = stage.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const { x: across, y: up, left, right } = drawn.box;
    const near = nearestPoint(now.points.map(([x, y]) => [across(x), up(y)]), px, py, 14);
    stand(px < left - 5 || px > right + 5 ? null : nearest(now.curves[0].xs, across.invert(px)), near);
  };
  onPoint(stage, over, () => stand(null));
  stage.addEventListener("blur", () => stand(null));
  stage.addEventListener("keydown", (event) => {
    const count = now?.curves[0]?.xs.length ?? 0;
    if (event.target !== stage || !now || !count) return;
    const to = steppedTo(event.key, position() ?? -1, count);
    if (to === undefined) return;
    event.preventDefault();
    stand(to);
    context.announce(say(now, to));
  });
  const stopTheme = listenTheme(context, () => now && draw());
  const highlight = (/** @type {Marks} */ next) => {
    marks = next ?? {};
    drawMarks();
  };
  const shown = () => ({ now, drawn, stage, at: now ? position() : null });
  return { element, update, highlight, shown, destroy: () => (sizing.stop(), stopTheme(), element.remove()) };
}
