/** The drawing of curves and scattered points over one x axis. */
import { axisColour, roleColour, seriesColours, shapeOf } from "../shared/colour.mjs";
import { singular } from "../shared/format.mjs";
import { handleShapes, markShape, pointsIn } from "./handles.mjs";
import { legendShapes } from "./legend.mjs";
import { areFinite, beside, DASHES, layer, leftOut, pathOf, plotBox } from "./plot.mjs";
import { domainOf } from "./scales.mjs";
import { resolve, rowsOf } from "./sources.mjs";

/** @import { Theme } from "../shared/colour.mjs" */
/** @import { Frame, Scene, Source } from "./sources.mjs" */
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
      list.push({
        label: spec.labels?.[list.length] ?? (all.length > 1 ? `${part.label} ${i + 1}` : part.label),
        xs,
        ys,
        source: part.source,
        row: i,
      });
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
export function contentOf(spec, frame, controls) {
  const drags = spec.drag.map((/** @type {string} */ name, /** @type {number} */ h) => {
    const control = controls[name];
    return {
      name,
      control,
      flat: control.shape?.[1] === 1,
      axis: control.axis ?? spec.drag_axes?.[h] ?? null,
      points: pointsIn(frame.state[name]),
    };
  });
  return { curves: curvesOf(spec, frame), points: pointsOf(spec, frame), drags };
}

/** How far the numbers reach, along both axes. @param {any} spec @param {Content} content */
export function reachOf(spec, { curves, points, drags }) {
  const limits = drags.map(({ control }) => control.domain).filter(Boolean);
  const dragged = drags.flatMap((one) => one.points);
  const xs = [...curves.flatMap((c) => c.xs), ...points.map((p) => p[0]), ...dragged.map((p) => p[0]), ...limits.flatMap((d) => d[0])];
  const ys = [...curves.flatMap((c) => c.ys), ...points.map((p) => p[1]), ...limits.flatMap((d) => d[1] ?? [])];
  return { x: domainOf(xs, spec.xlim, { exact: !points.length || spec.xlog }), y: domainOf(ys, spec.ylim, { exact: spec.ylog }) };
}

/** @param {any} spec @param {Content} content @param {Theme} theme @returns {import("./legend.mjs").Entry[]} */
export function entriesOf(spec, { curves }, theme) {
  const colours = seriesColours(theme);
  const entries = curves.map(({ label }, i) => ({ label, colour: colours[i % colours.length], dash: DASHES[i % DASHES.length] }));
  const axis = spec.points?.axis;
  const key = shapeOf(axis) === "square" && { fill: axisColour(axis, 0, theme) };
  return spec.points?.label ? [...entries, { label: spec.points.label, ...key }] : entries;
}

/**
 * The drawing.
 * @param {any} spec
 * @param {Content} content
 * @param {{domains: {x: number[], y: number[]}, width: number, theme: "light"|"dark", at?: number|null, point?: number|null,
 *   marks?: Record<string, number|null>, least?: number, box?: typeof plotBox}} how at, point: what is marked; least: the height of
 *   what stands beside it
 */
export function linesPicture(
  spec,
  { curves, points, drags },
  { domains, width, theme, at = null, point = null, marks = {}, least = 0, box: boxOf = plotBox },
) {
  const own = Math.round(Math.min(330, Math.max(210, width * 0.52)));
  const height = beside(own, least, width);
  const { xlabel, ylabel } = spec;
  const box = boxOf({
    width,
    height,
    xDomain: domains.x,
    yDomain: domains.y,
    xlabel,
    ylabel,
    log: Boolean(spec.ylog),
    xlog: Boolean(spec.xlog),
  });
  const drawable = (/** @type {number} */ x, /** @type {number} */ y) => areFinite(x, y) && (!spec.ylog || y > 0);
  const colours = seriesColours(theme);
  const colour = (/** @type {number} */ i) => colours[i % colours.length];
  /** @type {Shape[]} */
  const paths = curves.map(({ xs, ys }, i) => {
    const d = pathOf(xs.map(box.x), ys.map(box.y), (j) => drawable(xs[j], ys[j]));
    return ["path", { class: "lt-curve", stroke: colour(i), "stroke-dasharray": DASHES[i % DASHES.length] || null, d }];
  });
  /** @type {Shape[]} */
  const scattered = points.flatMap(([x, y], j) => {
    if (!drawable(x, y)) return [];
    const [cx, cy, axis] = [box.x(x), box.y(y), spec.points?.axis];
    const marked = j === point ? " lt-marked" : "";
    if (shapeOf(axis) === "square")
      return [markShape("square", 9, cx, cy, { class: `lt-fixed${marked}`, fill: axisColour(axis, 0, theme) })];
    return [["circle", { class: `lt-point${marked}`, r: 4, cx, cy }]];
  });
  /** @type {Shape[]} */
  const stems = !spec.stems
    ? []
    : points
        .filter(([x, y]) => drawable(x, y))
        .map(([x, y]) => ["line", { class: "lt-stem", x1: box.x(x), x2: box.x(x), y1: box.y(0), y2: box.y(y) }]);
  const missing = [...points, ...curves.flatMap(({ xs, ys }) => ys.map((y, i) => [xs[i], y]))].filter(([x, y]) => !drawable(x, y)).length;
  const stand = at === null || !areFinite(curves[0].xs[at]) ? null : box.x(curves[0].xs[at]);
  /** @type {Shape[]} */
  const rule = stand === null ? [] : [["line", { class: "lt-rule", x1: stand, x2: stand, y1: box.top, y2: box.bottom }]];
  /** @type {Shape[]} */
  const dots =
    at === null
      ? []
      : curves.flatMap(({ xs, ys }, s) =>
          drawable(xs[at], ys[at]) ? [["circle", { class: "lt-dot", r: 4.5, cx: box.x(xs[at]), cy: box.y(ys[at]), fill: colour(s) }]] : [],
        );
  const handles = drags.map(({ name, control, flat, axis, points: dragged }) => ({
    control: { ...control, name },
    points: dragged,
    axis,
    marked: axis === null ? null : (marks[axis] ?? null),
    at: (/** @type {number[]} */ point) => [box.x(point[0]), flat ? box.bottom : box.y(point[1])],
    unplace: (/** @type {number} */ px, /** @type {number} */ py) => (flat ? [box.x.invert(px)] : [box.x.invert(px), box.y.invert(py)]),
    colour: flat ? roleColour("query", theme) : axisColour(axis ?? "keys", 0, theme),
    names: (/** @type {number} */ i) => control.labels?.[i] ?? `${singular(control.label ?? name)} ${i + 1}`,
    shape: flat ? "line" : shapeOf(axis ?? "keys"),
    rise: box.top - box.bottom,
  }));
  /** @type {Shape[]} */
  const shapes = [
    box.axes,
    layer("curves", paths),
    layer("points", [...stems, ...scattered]),
    layer("marks", [...rule, ...dots, ...leftOut(missing, box)]),
    ["g", { class: "lt-handles" }, handles.map(handleShapes)],
  ];
  return { width: box.width, height: box.height, own, shapes, box, handles };
}

/** As a picture. @param {any} spec @param {Scene} scene @param {number} width */
export function stillLines(spec, { frame, controls, theme, least }, width) {
  const content = contentOf(spec, frame, controls);
  const picture = linesPicture(spec, content, { domains: reachOf(spec, content), width, theme, least });
  return { ...picture, head: legendShapes(entriesOf(spec, content, theme), width) };
}
