/** Points and vectors in the plane, with equal units on both axes; those of a control can be dragged. */
import { axisColour, shapeOf } from "../shared/colour.mjs";
import { onPoint } from "../shared/dom.mjs";
import { pictured } from "../shared/format.mjs";
import { openPlot } from "./drag_plot.mjs";
import { titled } from "./frame.mjs";
import { inside, layerOver, rings } from "./ghosts.mjs";
import { handleShapes, markShape, pointText } from "./handles.mjs";
import { placeNames } from "./names.mjs";
import { around, handleAt, meantPoint, padded, sameSource, smallest, within } from "./places.mjs";
import { areFinite, layer, leftOut, plotBox } from "./plot.mjs";
import { domainOf, nearestPoint } from "./scales.mjs";
import { size } from "./size.mjs";
import { isItem, resolve, rowsOf } from "./sources.mjs";

/** @import { Frame, Scene, Source, Tensor } from "./sources.mjs" */
/** @import { Context, Marks } from "./index.mjs" */
/** @import { Kind } from "./kind.mjs" */
/** @typedef {import("../shared/scene.mjs").Shape} Shape */

export const part = "plots";
export const tells = true;
export const level = () => /** @type {const} */ ("picture");
export const sizeOf = () => size(300, 400, 480);

const REACH = 330; // the plane is at most this high

/**
 * The points of each group: their numbers, names and whether arrows lead to them.
 * @typedef {{points: number[][], names: string[], axis: string, source: Source, prefix: string, labels: string[]|null,
 *   arrows: boolean, drag: boolean, domain?: number[][]}} Group
 * @typedef {Group & {control: any}} Moved with the control that hands move it by, or null
 * @typedef {{q: number, k: number, weight: number}} Link between a query and a key
 *
 * @param {any} spec @param {Frame} frame @returns {Group[]}
 */
export function groupsOf(spec, frame) {
  return spec.groups.map((/** @type {Group} */ group) => {
    const tensor = resolve(group.source, frame);
    const points = tensor ? rowsOf(tensor) : [];
    return { ...group, points, names: points.map((_, i) => group.labels?.[i] ?? `${group.prefix}${i + 1}`) };
  });
}

/** Height that gives both axes the same unit in a given width. @param {number} width @param {number[]} x @param {number[]} y */
export function planeHeight(width, x, y) {
  const unit = Math.min((width - 70) / (x[1] - x[0]), REACH / (y[1] - y[0]));
  return unit * (y[1] - y[0]);
}

/**
 * The lines between queries and keys that are heavy enough to be seen.
 * @param {Tensor|null} tensor @param {Pick<Group, "points">[]} [groups] @returns {Link[]}
 */
export function linksOf(tensor, [from, to] = []) {
  if (!tensor || !from || !to) return [];
  return rowsOf(tensor)
    .flatMap((row, q) => row.map((weight, k) => ({ q, k, weight })))
    .filter(({ q, k, weight }) => weight > 0.01 && areFinite(...(from.points[q] ?? [NaN]), ...(to.points[k] ?? [NaN])));
}

/**
 * What is drawn of a frame: groups of points and the lines between them.
 * @typedef {{groups: Moved[], links: Link[]}} Content
 *
 * @param {any} spec @param {Frame} frame @param {Record<string, any>} controls @returns {Content}
 */
export function contentOf(spec, frame, controls) {
  const groups = groupsOf(spec, frame).map((group) => ({
    ...group,
    control: group.drag && "control" in group.source ? controls[group.source.control] : null,
  }));
  return { groups, links: linksOf(resolve(spec.weights, frame), groups) };
}

/** How far the points reach, along both axes. @param {any} spec @param {Content} content */
export function reachOf(spec, { groups }) {
  const along = (/** @type {number} */ d, /** @type {number[]|null} */ given) =>
    domainOf([0, ...groups.flatMap((group) => [...group.points.map((p) => p[d]), ...(group.domain?.[d] ?? [])])], given);
  return { x: along(0, spec.xlim), y: along(1, spec.ylim) };
}

// ---- the drawing

/**
 * @typedef {{domains: {x: number[], y: number[]}, width: number, theme: "light"|"dark", marks?: Record<string, number|null>, box?: typeof plotBox}} How
 *
 * @param {any} spec @param {Content} content @param {How} how
 */
export function planePicture(spec, { groups, links }, { domains, width, theme, marks = {}, box: boxOf = plotBox }) {
  const { xlabel, ylabel } = spec;
  const height = planeHeight(width, domains.x, domains.y) + 34 + (xlabel ? 18 : 0);
  const box = boxOf({ width, height, xDomain: domains.x, yDomain: domains.y, xlabel, ylabel, equal: true });
  const at = (/** @type {number[]} */ [x, y]) => [box.x(x), box.y(y)];
  const origin = at([0, 0]);
  const colour = (/** @type {number} */ g) => axisColour(groups[g].axis, g, theme);
  const marked = (/** @type {number} */ g) => marks[groups[g].axis] ?? null;
  /** @template T @param {(group: Moved, g: number, i: number, at: number[]) => T} draw @returns {T[]} */
  const each = (draw) =>
    groups.flatMap((group, g) => group.points.flatMap((point, i) => (areFinite(...point) ? [draw(group, g, i, at(point))] : [])));
  const missing = groups.flatMap(({ points }) => points).filter((point) => !areFinite(...point)).length;
  const arrows = each(
    (group, g, _, [x2, y2]) => group.arrows && ["line", { class: "lt-arrow", x1: origin[0], y1: origin[1], x2, y2, stroke: colour(g) }],
  );
  const tips = each((group, g, _, to) => group.arrows && ["path", { class: "lt-arrow-tip", d: tip(origin, to), fill: colour(g) }]);
  const fixed = each(
    (group, g, i, [cx, cy]) =>
      !group.drag &&
      markShape(shapeOf(group.axis), 11, cx, cy, { class: marked(g) === i ? "lt-fixed lt-marked" : "lt-fixed", fill: colour(g) }),
  );
  const ends = (/** @type {Link} */ { q, k }) => [...at(groups[0].points[q]), ...at(groups[1].points[k])];
  const led = each((group, _g, _i, to) => group.arrows && [...origin, ...to]).filter((line) => line !== false);
  const lines = [...links.map(ends), ...led];
  const named = each((group, _, i, place) => ({ text: group.names[i], place }));
  const handles = groups.flatMap((group, g) => (group.control ? [handleOf(group, { at, box, marked: marked(g), colour: colour(g) })] : []));
  const kept = (/** @type {any[]} */ list) => /** @type {Shape[]} */ (list.filter(Boolean));
  /** @type {Shape[]} */
  const shapes = [
    box.axes,
    layer("areas", tieShapes(groups, links, at, groups.length ? marked(0) : null)),
    layer("curves", kept([...arrows, ...tips])),
    layer("points", kept(fixed)),
    layer("marks", [...nameShapes(named, box, { origin, lines }), ...leftOut(missing, box)]),
    ["g", { class: "lt-handles" }, handles.map(handleShapes)],
  ];
  return { width: box.width, height: box.height, shapes, box, handles };
}

/** Lines between queries and keys; those of other queries than the marked one are faint. @param {Moved[]} groups @param {Link[]} links @param {(point: number[]) => number[]} at @param {number|null} query @returns {Shape[]} */
function tieShapes(groups, links, at, query) {
  return links.map(({ q, k, weight }) => {
    const [[x1, y1], [x2, y2]] = [at(groups[0].points[q]), at(groups[1].points[k])];
    const wide = 0.5 + 7 * weight;
    const dash = q % 3 ? `${q % 3 === 1 ? 7 : 0} ${wide + 5}` : null; // whose line it is; round ends take of each gap what is wide
    const name = query !== null && q !== query ? "lt-tie lt-faint" : "lt-tie";
    return ["line", { class: name, x1, y1, x2, y2, "stroke-width": wide, "stroke-dasharray": dash }];
  });
}

/** Names would like to stand on the side away from the origin, where arrows do not run. @param {{text: string, place: number[]}[]} named @param {any} box @param {{origin: number[], lines: number[][]}} drawn @returns {Shape[]} */
function nameShapes(named, box, { origin: [x0, y0], lines }) {
  const wanted = named.map(({ text, place: [x, y] }) => ({
    x,
    y,
    text,
    side: /** @type {const} */ ([x >= x0 ? 1 : -1, y <= y0 ? -1 : 1]),
  }));
  return placeNames(wanted, box, lines).map(({ x, y, anchor }, i) => [
    "text",
    { class: "lt-point-name", "text-anchor": anchor, x, y },
    named[i].text,
  ]);
}

/** What the points of a group are drawn and moved by. @param {Moved} group @param {{at: (point: number[]) => number[], box: any, marked: number|null, colour: string}} on */
const handleOf = ({ control, points, axis, names }, { at, box, marked, colour }) => ({
  control,
  points,
  axis,
  at,
  marked,
  colour,
  shape: shapeOf(axis),
  unplace: (/** @type {number} */ px, /** @type {number} */ py) => [box.x.invert(px), box.y.invert(py)],
  names: (/** @type {number} */ i) => names[i],
});

/** The head of an arrow that ends just before its point. @param {number[]} from @param {number[]} to */
export function tip([x0, y0], [x1, y1]) {
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 22) return "";
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const [ex, ey] = [x1 - 8 * ux, y1 - 8 * uy];
  const [bx, by] = [ex - 9 * ux, ey - 9 * uy];
  return `M${ex},${ey}L${bx - 4.5 * uy},${by + 4.5 * ux}L${bx + 4.5 * uy},${by - 4.5 * ux}Z`;
}

/** As a picture. @param {any} spec @param {Scene} scene @param {number} width */
export function still(spec, { frame, controls, theme }, width) {
  const content = contentOf(spec, frame, controls);
  return planePicture(spec, content, { domains: reachOf(spec, content), width, theme });
}

// ---- in the page

/** @typedef {{now: Content, drawn: ReturnType<typeof planePicture>, stage: HTMLElement}} Shown from the first frame on */

/** @param {any} spec @param {Context} context */
export function create(spec, context) {
  const plot = openPlot(spec, context, {
    view: { role: "group" }, // each point that can be moved is a tab stop
    contentOf,
    reachOf,
    pictureOf: (now, how) => planePicture(spec, now, how),
    came: ({ groups }, name) => name(`${titled(spec)}points in the plane. ${groups.map(pointsAt).join("; ")}.`),
    say,
  });
  const { element, stage, update, highlight, destroy } = plot;

  const over = (/** @type {PointerEvent} */ event) => {
    const { now, drawn } = plot.state();
    if (!now || !drawn || /** @type {Element} */ (event.target).closest(".lt-handle")) return;
    const { left, top } = stage.getBoundingClientRect();
    const { x, y } = drawn.box;
    const fixed = now.groups.filter((group) => !group.drag);
    const near = (/** @type {Moved} */ { points }) =>
      nearestPoint(
        points.map((p) => [x(p[0]), y(p[1])]),
        event.clientX - left,
        event.clientY - top,
        14,
      );
    plot.mark(Object.fromEntries(fixed.map((group) => [group.axis, near(group)])));
  };
  onPoint(stage, over, () => plot.tell(Object.fromEntries(spec.groups.map((/** @type {Group} */ group) => [group.axis, null]))));
  function shown() {
    const { now, drawn } = plot.state();
    return { now, drawn, stage };
  }
  return { element, update, highlight, shown, destroy };
}

/** @param {Moved} group */
const pointsAt = ({ points, names }) => points.map((p, i) => `${names[i]} at ${pointText(p)}`).join("; ");

/** What is marked. @param {Content} content @param {Marks} marks */
function say({ groups, links }, marks) {
  const parts = groups.flatMap((g) => {
    const i = marks[g.axis];
    return isItem(i) && g.points[i] ? [`${g.names[i]} (${g.points[i].map((v) => pictured(v)).join(", ")})`] : [];
  });
  const [from, to] = groups;
  const link = to && links.find((l) => l.q === marks[from.axis] && l.k === marks[to.axis]);
  return parts.join(", ") + (link ? `, weight ${pictured(link.weight)}` : "");
}

// ---- its numbers

/** @type {Kind["numberAt"]} */
export function numberAt(spec, { now, drawn, stage }, pointed) {
  const held = handleAt(pointed ? pointed.target : /** @type {Element} */ (document.activeElement), drawn.handles);
  if (held || !pointed) return held;
  const [x, y] = within(stage, pointed);
  const { groups, links } = /** @type {Content} */ (now);
  const place = (/** @type {number[]} */ [px, py]) => [drawn.box.x(px), drawn.box.y(py)];
  const points = groups.flatMap((group) => (group.drag ? [] : group.points.map((point, i) => ({ group, point, i }))));
  const near = meantPoint(points.map(({ point }) => Math.hypot(place(point)[0] - x, place(point)[1] - y)));
  if (near >= 0) {
    const { group, point, i } = points[near];
    return { all: point.map((_, d) => ({ source: group.source, index: [i, d] })), words: group.names[i] };
  }
  const [from, to] = groups;
  const off = links.map(({ q, k }) => offLine(place(from.points[q]), place(to.points[k]), [x, y]));
  const tie = smallest(off);
  return off[tie] <= 7 ? { source: spec.weights, index: [links[tie].q, links[tie].k] } : null;
}

/** How far a place is from a line between two points. @param {number[]} a @param {number[]} b @param {number[]} p */
function offLine(a, b, p) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const share = Math.min(1, Math.max(0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(a[0] + share * dx - p[0], a[1] + share * dy - p[1]);
}

/** @type {Kind["boxesOf"]} */
export function boxesOf(_, { now, drawn, stage }, source, index) {
  const [i] = padded(index, 2);
  const all = /** @type {Content} */ (now).groups;
  const groups = drawn ? all.filter((group) => sameSource(group.source, source) && group.points[i]) : [];
  return groups.map(({ points }) => around(stage, drawn.box.x(points[i][0]), drawn.box.y(points[i][1])));
}

/** @type {Kind["axes"]} */
export function axes({ groups, xlabel, ylabel }, source) {
  const { axis, labels } = groups.find((/** @type {any} */ group) => sameSource(group.source, source));
  return [
    [axis, labels && { values: labels }],
    ["coordinate", { values: [xlabel || "x", ylabel || "y"] }],
  ];
}

/** Rings where points were. @type {NonNullable<Kind["ghost"]>} */
export function ghost(spec, view, then) {
  const groups = spec.groups.map((/** @type {any} */ { source }) => resolve(source, then));
  return layerOver(view, ({ now, drawn: { box } }) => {
    const place = (/** @type {number} */ x, /** @type {number} */ y) => [
      inside(box.x(x), box.left, box.right),
      inside(box.y(y), box.top, box.bottom),
    ];
    return groups.flatMap((/** @type {any} */ tensor, /** @type {number} */ g) =>
      tensor ? rings(rowsOf(tensor), now.groups[g]?.points ?? [], place) : [],
    );
  });
}
