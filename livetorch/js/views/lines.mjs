/** Curves and scattered points over one x axis; points that belong to a control can be dragged. */
import { axisColour, roleColour, seriesColours, shapeOf } from "../shared/colour.mjs";
import { make, onPoint } from "../shared/dom.mjs";
import { itemName, pictured, singular } from "../shared/format.mjs";
import { openPlot } from "./drag_plot.mjs";
import { titled } from "./frame.mjs";
import { inside, layerOver, rings } from "./ghosts.mjs";
import { handleShapes, markShape, pointsIn } from "./handles.mjs";
import { legendShapes, showLegend } from "./legend.mjs";
import { createLevel } from "./level.mjs";
import { around, handleAt, meantPoint, padded, sameSource, smallest, within } from "./places.mjs";
import { areFinite, beside, DASHES, layer, leftOut, pathOf, plotBox } from "./plot.mjs";
import { domainOf, nearest, nearestPoint } from "./scales.mjs";
import { size } from "./size.mjs";
import { itemOf, resolve, rowsOf } from "./sources.mjs";
import { steppedTo } from "./walk.mjs";

/** @import { Theme } from "../shared/colour.mjs" */
/** @import { Frame, Scene, Source } from "./sources.mjs" */
/** @import { Context, Marks } from "./index.mjs" */
/** @import { Kind } from "./kind.mjs" */
/** @typedef {import("../shared/scene.mjs").Shape} Shape */

export const part = "plots";
export const tells = true;
export const level = () => /** @type {const} */ ("plot");
export const sizeOf = () => size(300, 440, 720);

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

// ---- the drawing

/**
 * @typedef {{domains: {x: number[], y: number[]}, width: number, theme: "light"|"dark", at?: number|null, point?: number|null,
 *   marks?: Record<string, number|null>, least?: number, box?: typeof plotBox}} How at, point: what is marked; least: the height of
 *   what stands beside it
 *
 * @param {any} spec @param {Content} content @param {How} how
 */
export function linesPicture(spec, { curves, points, drags }, how) {
  const { domains, width, theme, at = null, point = null, marks = {}, least = 0, box: boxOf = plotBox } = how;
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
  const missing = [...points, ...curves.flatMap(({ xs, ys }) => ys.map((y, i) => [xs[i], y]))].filter(([x, y]) => !drawable(x, y)).length;
  const seen = points.flatMap(([x, y], j) => (drawable(x, y) ? [{ x: box.x(x), y: box.y(y), j }] : []));
  /** @type {Shape[]} */
  const stems = spec.stems ? seen.map(({ x, y }) => ["line", { class: "lt-stem", x1: x, x2: x, y1: box.y(0), y2: y }]) : [];
  const handles = drags.map((drag) => handleOf(drag, { box, theme, marks }));
  /** @type {Shape[]} */
  const shapes = [
    box.axes,
    layer("curves", curveShapes(curves, { box, theme, drawable })),
    layer("points", [...stems, ...pointShapes(seen, spec.points?.axis, point, theme)]),
    layer("marks", [...(at === null ? [] : standShapes(curves, at, { box, theme, drawable })), ...leftOut(missing, box)]),
    ["g", { class: "lt-handles" }, handles.map(handleShapes)],
  ];
  return { width: box.width, height: box.height, own, shapes, box, handles };
}

/** @typedef {{box: ReturnType<typeof plotBox>, theme: Theme, drawable: (x: number, y: number) => boolean}} On the box of a plot */

/** @param {Curve[]} curves @param {On} on @returns {Shape[]} */
function curveShapes(curves, { box, theme, drawable }) {
  const colours = seriesColours(theme);
  return curves.map(({ xs, ys }, i) => {
    const d = pathOf(xs.map(box.x), ys.map(box.y), (j) => drawable(xs[j], ys[j]));
    return ["path", { class: "lt-curve", stroke: colours[i % colours.length], "stroke-dasharray": DASHES[i % DASHES.length] || null, d }];
  });
}

/** @param {{x: number, y: number, j: number}[]} seen @param {string|null|undefined} axis @param {number|null} marked @param {Theme} theme @returns {Shape[]} */
function pointShapes(seen, axis, marked, theme) {
  return seen.map(({ x: cx, y: cy, j }) => {
    const mark = j === marked ? " lt-marked" : "";
    if (shapeOf(axis) === "square") return markShape("square", 9, cx, cy, { class: `lt-fixed${mark}`, fill: axisColour(axis, 0, theme) });
    return ["circle", { class: `lt-point${mark}`, r: 4, cx, cy }];
  });
}

/** The rule at a place along the curves, and where it meets each. @param {Curve[]} curves @param {number} at @param {On} on @returns {Shape[]} */
function standShapes(curves, at, { box, theme, drawable }) {
  const colours = seriesColours(theme);
  const [x0] = [curves[0].xs[at]];
  const stand = areFinite(x0) ? box.x(x0) : null;
  /** @type {Shape[]} */
  const rule = stand === null ? [] : [["line", { class: "lt-rule", x1: stand, x2: stand, y1: box.top, y2: box.bottom }]];
  /** @type {Shape[]} */
  const dots = curves.flatMap(({ xs, ys }, s) =>
    drawable(xs[at], ys[at])
      ? [["circle", { class: "lt-dot", r: 4.5, cx: box.x(xs[at]), cy: box.y(ys[at]), fill: colours[s % colours.length] }]]
      : [],
  );
  return [...rule, ...dots];
}

/** What the points of a control are drawn and moved by. @param {Drag} drag @param {{box: any, theme: Theme, marks: Marks}} on */
const handleOf = ({ name, control, flat, axis, points }, { box, theme, marks }) => ({
  control: { ...control, name },
  points,
  axis,
  marked: axis === null ? null : (marks[axis] ?? null),
  at: (/** @type {number[]} */ point) => [box.x(point[0]), flat ? box.bottom : box.y(point[1])],
  unplace: (/** @type {number} */ px, /** @type {number} */ py) => (flat ? [box.x.invert(px)] : [box.x.invert(px), box.y.invert(py)]),
  colour: flat ? roleColour("query", theme) : axisColour(axis ?? "keys", 0, theme),
  names: (/** @type {number} */ i) => control.labels?.[i] ?? `${singular(control.label ?? name)} ${i + 1}`,
  shape: flat ? "line" : shapeOf(axis ?? "keys"),
  rise: box.top - box.bottom,
});

/** As a picture. @param {any} spec @param {Scene} scene @param {number} width */
export function still(spec, { frame, controls, theme, least }, width) {
  const content = contentOf(spec, frame, controls);
  const picture = linesPicture(spec, content, { domains: reachOf(spec, content), width, theme, least });
  return { ...picture, head: legendShapes(entriesOf(spec, content, theme), width) };
}

// ---- in the page

/** @typedef {{now: Content, drawn: ReturnType<typeof linesPicture>, stage: HTMLElement, at: number|null}} Shown from the first frame on */

/** @param {any} spec @param {Context} context */
export function create(spec, context) {
  const legend = make("div", "lt-legend");
  let named = ""; // what the legend says
  /** @type {number|null} where the reader stands on the curves */
  let at = null;
  const own = createLevel(
    () => plot.state().drawn?.own ?? 0,
    () => plot.redraw(),
  );
  const plot = openPlot(spec, context, {
    view: { called: "chart", above: [legend] },
    contentOf,
    reachOf,
    pictureOf(now, how) {
      const point = spec.points?.axis ? how.marks[spec.points.axis] : null;
      return linesPicture(spec, now, { ...how, at: position(now, how.marks), point, least: own.least });
    },
    came(now, name) {
      const key = now.curves.map((c) => c.label).join("\n") + context.theme();
      if (named === key) return;
      named = key;
      showLegend(legend, entriesOf(spec, now, context.theme()));
      name(describe(spec, now));
    },
    say(now, marks) {
      const i = position(now, marks);
      return i !== null ? say(spec, now, i) : "";
    },
  });

  /** The index on the curves that is marked: by the linked axis, or where the reader stands. @param {Content} now @param {Marks} marks */
  function position({ curves }, marks) {
    const count = curves[0]?.xs.length ?? 0;
    const linked = spec.axis ? marks[spec.axis] : null;
    return itemOf(Number.isInteger(linked) ? linked : at, count);
  }

  /** @param {number|null} i @param {number|null} [point] */
  function stand(i, point = null) {
    at = i;
    /** @type {Marks} */
    const next = {};
    if (spec.points?.axis) next[spec.points.axis] = point;
    if (spec.axis) next[spec.axis] = i;
    if (!plot.mark(next)) plot.redraw();
  }

  const { element, stage, update, highlight, destroy } = plot;
  onCurves(stage, plot, stand, () => (at = null));
  stage.addEventListener("blur", () => stand(null));
  stage.addEventListener("keydown", (event) => {
    const { now, marks } = plot.state();
    const count = now?.curves[0]?.xs.length ?? 0;
    if (event.target !== stage || !now || !count) return;
    const to = steppedTo(event.key, position(now, marks) ?? -1, count);
    if (to === undefined) return;
    event.preventDefault();
    stand(to);
    context.announce(say(spec, now, to));
  });
  function shown() {
    const { now, drawn, marks } = plot.state();
    return { now, drawn, stage, at: now ? position(now, marks) : null };
  }
  return { element, update, highlight, shown, level: own, destroy };
}

/** What screen readers say of it. @param {any} spec @param {Content} content */
function describe(spec, { curves }) {
  const what = curves.map((c) => c.label).join(", ");
  const kind = curves.length === 1 ? "curve" : "curves";
  return `${titled(spec)}${kind} of ${what || "nothing"}${spec.xlabel ? ` over ${spec.xlabel}` : ""}. Arrow keys left and right walk along the curve, Enter tells how a number was made.`;
}

/** What the curves are at a place. @param {any} spec @param {Content} content @param {number} i */
function say(spec, { curves }, i) {
  const x = `${spec.axis && !spec.xlabel ? itemName(spec.axis, i) : spec.xlabel || "x"} ${pictured(curves[0].xs[i])}`;
  return `${x}: ${curves.map((c) => `${c.label} ${pictured(c.ys[i])}`).join(", ")}`;
}

/**
 * A pointer over the curves stands at the place that is nearest along x, and at a scattered point.
 * @param {HTMLElement} stage
 * @param {{state: () => {now: Content|null, drawn: any}, held: () => boolean}} plot
 * @param {(i: number|null, point?: number|null) => void} stand
 * @param {() => void} leave while a hand drags: what is drawn next is marked nowhere
 */
function onCurves(stage, { state, held }, stand, leave) {
  const over = (/** @type {PointerEvent} */ event) => {
    const { now, drawn } = state();
    if (held()) return leave();
    if (!now?.curves.length || !drawn) return;
    const box = stage.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const { x: across, y: up, left, right } = drawn.box;
    const places = now.points.map(([x, y]) => [across(x), up(y)]);
    const i = px < left - 5 || px > right + 5 ? null : nearest(now.curves[0].xs, across.invert(px));
    stand(i, nearestPoint(places, px, py, 14));
  };
  onPoint(stage, over, () => stand(null));
}

// ---- its numbers

/** @type {Kind["numberAt"]} */
export function numberAt(spec, { now, drawn, stage, at }, pointed) {
  const held = handleAt(pointed ? pointed.target : /** @type {Element} */ (document.activeElement), drawn.handles);
  if (held) return held;
  const one = (/** @type {Curve} */ { source, row }, /** @type {number} */ i) => ({ source, index: [row, i] });
  const { curves, points } = /** @type {Content} */ (now);
  if (!pointed) {
    const all = curves.map((curve) => one(curve, at ?? 0));
    return all.length > 1 ? { all, words: `the curves at ${spec.xlabel || "x"} = ${curves[0].xs[at ?? 0]}` } : (all[0] ?? null);
  }
  const [x, y] = within(stage, pointed);
  const { box } = drawn;
  const near = meantPoint(points.map((point) => Math.hypot(box.x(point[0]) - x, box.y(point[1]) - y)));
  if (near >= 0)
    return {
      all: [spec.points.x, spec.points.y].map((source) => ({ source, index: [near] })),
      words: `point ${near + 1}`,
    };
  if (!curves.length || x < box.left - 5 || x > box.right + 5 || y > box.bottom + 5) return null;
  // a click tells whole pixels: what the pointer has marked is meant as long as it is as near as that
  const places = curves.map(({ xs }) => smallest(xs.map((here, i) => Math.max(0, Math.abs(box.x(here) - x) - (i === at ? 2 : 0)))));
  const curve = smallest(curves.map(({ ys }, c) => Math.abs(box.y(ys[places[c]]) - y)));
  return one(curves[curve], places[curve]);
}

/** @type {Kind["boxesOf"]} */
export function boxesOf(spec, { now, drawn, stage }, source, index) {
  if (!drawn) return [];
  const { x, y } = drawn.box;
  const [row, i] = padded(index, 2);
  const content = /** @type {Content} */ (now);
  const curves = content.curves.filter((curve) => sameSource(curve.source, source) && curve.row === row && i < curve.xs.length);
  const scattered = spec.points && [spec.points.x, spec.points.y].some((one) => sameSource(one, source)) && content.points[i];
  const held = drawn.handles.filter((/** @type {any} */ { control }) => sameSource({ control: control.name }, source));
  const dragged = held.flatMap((/** @type {any} */ { points: all, at, control }) => {
    const point = all[control.shape?.length === 1 ? i : row];
    return point ? [at(point)] : [];
  });
  const places = [
    ...curves.map(({ xs, ys }) => [x(xs[i]), y(ys[i])]),
    ...(scattered ? [[x(scattered[0]), y(scattered[1])]] : []),
    ...dragged,
  ];
  return places.map(([px, py]) => around(stage, px, py));
}

/** A place on a curve is called by its x. @type {Kind["axes"]} */
export const axes = ({ x, xlabel, y, labels }, source) =>
  y.some((/** @type {any} */ one) => sameSource(one.source, source))
    ? [
        ["curve", y.length === 1 && labels && { values: labels }],
        [xlabel || "x", null, x ?? {}],
      ]
    : [["point", null]];

/** Dashed curves, and rings where points were. @type {NonNullable<Kind["ghost"]>} */
export function ghost(spec, view, then) {
  const xs = resolve(spec.x, then);
  const old = pointsOf(spec, then);
  return layerOver(view, ({ now, drawn: { box } }) => {
    const place = (/** @type {number} */ x, /** @type {number} */ y) => [box.x(x), inside(box.y(y), box.top, box.bottom)];
    const curves = now.curves.flatMap((/** @type {any} */ { source, row }) => {
      const tensor = resolve(source, then);
      const ys = tensor && rowsOf(tensor)[row];
      if (!ys) return [];
      let pen = "M";
      const d = ys.map((y, i) => {
        const x = xs ? Number(xs.data[i]) : i + 1;
        if (!Number.isFinite(x) || !Number.isFinite(y)) return (pen = "M") && "";
        const step = `${pen}${place(x, y).map((px) => px.toFixed(1))}`;
        pen = "L";
        return step;
      });
      return [/** @type {Shape} */ (["path", { class: "lt-ghost-line", d: d.join("") }])];
    });
    return [...curves, ...rings(old, now.points, place)];
  });
}
