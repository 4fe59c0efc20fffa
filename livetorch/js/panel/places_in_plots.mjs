// Which number stands at a place of a plot, and where in the window: among curves and points, and in the plane.

import { around, padded, within } from "./boxes.mjs";
import { sameSource, smallest } from "./kind.mjs";

/** @import { Kind, Several } from "./kind.mjs" */

const NEAR = 14; // pixels from a point, from which it is meant

/** The coordinates of a point that a hand moves. @param {Element} target @param {any[]} handles @returns {Several|null} */
function handleAt(target, handles) {
  const handle = /** @type {any} */ (target)?.closest?.(".lt-handle");
  const group = handle && handles.find(({ control }) => control.name === handle.dataset.control);
  if (!group) return null;
  const i = Number(handle.dataset.point);
  const flat = group.control.shape?.length === 1;
  const source = { control: group.control.name };
  return {
    all: group.points[i].map((/** @type {number} */ _, /** @type {number} */ d) => ({ source, index: flat ? [i] : [i, d] })),
    words: group.names(i),
  };
}

/** @type {Kind<import("../views/lines.mjs").Shown>} */
export const lines = {
  at(spec, { now, drawn, stage, at }, pointed) {
    const held = handleAt(pointed ? pointed.target : /** @type {Element} */ (document.activeElement), drawn.handles);
    if (held) return held;
    const one = (/** @type {import("../views/lines_picture.mjs").Curve} */ { source, row }, /** @type {number} */ i) => ({
      source,
      index: [row, i],
    });
    if (!pointed) {
      const all = now.curves.map((curve) => one(curve, at ?? 0));
      return all.length > 1 ? { all, words: `the curves at ${spec.xlabel || "x"} = ${now.curves[0].xs[at ?? 0]}` } : (all[0] ?? null);
    }
    const [x, y] = within(stage, pointed);
    const { box } = drawn;
    const far = now.points.map((point) => Math.hypot(box.x(point[0]) - x, box.y(point[1]) - y));
    const near = smallest(far);
    if (far[near] <= NEAR)
      return { all: [spec.points.x, spec.points.y].map((source) => ({ source, index: [near] })), words: `point ${near + 1}` };
    if (!now.curves.length || x < box.left - 5 || x > box.right + 5) return null;
    // a click tells whole pixels: what the pointer has marked is meant as long as it is as near as that
    const places = now.curves.map(({ xs }) => smallest(xs.map((here, i) => Math.max(0, Math.abs(box.x(here) - x) - (i === at ? 2 : 0)))));
    const curve = smallest(now.curves.map(({ ys }, c) => Math.abs(box.y(ys[places[c]]) - y)));
    return one(now.curves[curve], places[curve]);
  },
  of(spec, { now, drawn, stage }, source, index) {
    if (!drawn) return [];
    const { x, y } = drawn.box;
    const [row, i] = padded(index, 2);
    const curves = now.curves.filter((curve) => sameSource(curve.source, source) && curve.row === row && i < curve.xs.length);
    const points =
      spec.points && [spec.points.x, spec.points.y].some((one) => sameSource(one, source)) && now.points[i] ? [now.points[i]] : [];
    const held = drawn.handles.filter(({ control }) => sameSource({ control: control.name }, source));
    const dragged = held.flatMap(({ points: all, at, control }) =>
      all[control.shape?.length === 1 ? i : row] ? [at(all[control.shape?.length === 1 ? i : row])] : [],
    );
    return [...curves.map(({ xs, ys }) => [x(xs[i]), y(ys[i])]), ...points.map(([px, py]) => [x(px), y(py)]), ...dragged].map(([px, py]) =>
      around(stage, px, py),
    );
  },
};

/** @type {Kind<import("../views/plane.mjs").Shown>} */
export const plane = {
  at(spec, { now, drawn, stage }, pointed) {
    const held = handleAt(pointed ? pointed.target : /** @type {Element} */ (document.activeElement), drawn.handles);
    if (held || !pointed) return held;
    const [x, y] = within(stage, pointed);
    const { box } = drawn;
    const place = (/** @type {number[]} */ [px, py]) => [box.x(px), box.y(py)];
    const points = now.groups.flatMap((group) => (group.drag ? [] : group.points.map((point, i) => ({ group, point, i }))));
    const far = points.map(({ point }) => Math.hypot(place(point)[0] - x, place(point)[1] - y));
    const near = smallest(far);
    if (far[near] <= NEAR) {
      const { group, point, i } = points[near];
      return { all: point.map((_, d) => ({ source: group.source, index: [i, d] })), words: group.names[i] };
    }
    const [from, to] = now.groups;
    const off = now.links.map(({ q, k }) => offLine(place(from.points[q]), place(to.points[k]), [x, y]));
    const tie = smallest(off);
    return off[tie] <= 7 ? { source: spec.weights, index: [now.links[tie].q, now.links[tie].k] } : null;
  },
  of(_, { now, drawn, stage }, source, index) {
    const [i] = padded(index, 2);
    const groups = drawn ? now.groups.filter((group) => sameSource(group.source, source) && group.points[i]) : [];
    return groups.map(({ points }) => around(stage, drawn.box.x(points[i][0]), drawn.box.y(points[i][1])));
  },
};

/** How far a place is from a line between two points. @param {number[]} a @param {number[]} b @param {number[]} p */
function offLine(a, b, p) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const part = Math.min(1, Math.max(0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(a[0] + part * dx - p[0], a[1] + part * dy - p[1]);
}
