// Which number of which output stands at a place of a view, and where in the window a number stands: for each kind of
// view a pair of functions, which read what the view has drawn (its `shown`).

import { cellAt } from "../views/layout.mjs";
import { asMap } from "../views/arcs.mjs";
import { tokenAt } from "../views/arcs_layout.mjs";
import { around, boxOn, padded, within } from "./boxes.mjs";

/** @import { Source } from "../views/sources.mjs" */

/**
 * @typedef {{source: Source, index: number[]}} One the last axis last; axes in front of it may be too many
 * @typedef {{all: One[], words: string, sum?: boolean}} Several numbers that stand at one place: a point's coordinates, a row that is summed
 * @typedef {import("./boxes.mjs").Box} Box
 * @typedef {import("./boxes.mjs").Pointed} Pointed
 */

/**
 * @template Shown what the view has drawn
 * @typedef {object} Kind
 * @property {(spec: any, shown: Shown, pointed: Pointed|null) => One|Several|null} at null: where its arrow keys have led
 * @property {(spec: any, shown: Shown, source: Source, index: number[]) => Box[]} of
 */

const NEAR = 14; // pixels from a point, from which it is meant

/** @param {Source|null|undefined} one @param {Source} other */
export const sameSource = (one, other) => Boolean(one) && JSON.stringify(one) === JSON.stringify(other);

/** The place of the smallest. @param {number[]} numbers */
const smallest = (numbers) => numbers.reduce((best, number, i) => (number < numbers[best] || Number.isNaN(numbers[best]) ? i : best), 0);

const largest = (/** @type {number[]} */ numbers) => smallest(numbers.map((number) => -number));

/** The coordinates of a point that a hand moves. @param {Element} target @param {any[]} handles @returns {Several|null} */
function handleAt(target, handles) {
  const handle = /** @type {any} */ (target)?.closest?.(".lt-handle");
  const group = handle && handles.find(({ control }) => control.name === handle.dataset.control);
  if (!group) return null;
  const i = Number(handle.dataset.point);
  const flat = group.control.shape?.length === 1;
  const source = { control: group.control.name };
  return { all: group.points[i].map((/** @type {number} */ _, /** @type {number} */ d) => ({ source, index: flat ? [i] : [i, d] })), words: group.names(i) };
}

/** @type {Kind<import("../views/heatmap.mjs").Shown>} */
const heatmap = {
  at({ source }, { now, layout, stage, cursor }, pointed) {
    const [x, y] = pointed ? within(stage, pointed) : [];
    const cell = pointed ? layout && cellAt(layout, now.rows, now.cols, x, y) : cursor;
    return cell && { source, index: [cell.panel, cell.row, cell.col] };
  },
  of(spec, { now, layout, stage }, source, index) {
    const masks = sameSource(spec.mask, source);
    if (!layout || (!masks && !sameSource(spec.source, source))) return [];
    const [panel, row, col] = padded(index, 3);
    const { width, height } = layout.cell;
    if (row >= now.rows || col >= now.cols) return [];
    const panels = masks && index.length < 3 ? layout.origins : layout.origins.slice(panel, panel + 1);
    return panels.map(({ x, y }) => boxOn(stage, x + col * width, y + row * height, width, height));
  },
};

/** @type {Kind<import("../views/bars.mjs").Shown>} */
const bars = {
  at({ source }, { now, drawn, stage, marked }, pointed) {
    const i = pointed ? drawn.at(within(stage, pointed)[0]) : (marked ?? 0);
    return i >= 0 && i < now.values.length ? { source, index: [now.row, i] } : null;
  },
  of(spec, { now, drawn, stage }, source, index) {
    const [row, i] = padded(index, 2);
    if (!drawn || !sameSource(spec.source, source) || (now.many && row !== now.row)) return [];
    const { top, bottom } = drawn.box;
    const [left, width] = drawn.span(i);
    return [boxOn(stage, left, top - 14, width, bottom - top + 14)];
  },
};

/** @type {Kind<import("../views/table.mjs").Shown>} */
const table = {
  at(_, { places, cursor, box }, pointed) {
    const cell = pointed ? pointed.target.closest("td") : (cursor ?? box.querySelector("tbody td"));
    const { source = null, row = 0, col = 0, sum = false } = (cell && places.get(cell)) || {};
    if (!cell || !source) return null;
    if (!sum) return { source, index: [row ?? 0, col ?? 0] };
    const others = Array.from(places.values()).filter((one) => one.source && !one.sum && one.row === row && sameSource(one.source, source));
    return { all: others.map((one) => ({ source, index: [one.row ?? 0, one.col ?? 0] })), words: `sum of ${cell.parentElement?.querySelector("th")?.textContent}`, sum: true };
  },
  of(_, { places }, source, index) {
    const [row, col] = padded(index, 2);
    const found = Array.from(places).find(([, one]) => one.source && !one.sum && (one.row ?? 0) === row && (one.col ?? 0) === col && sameSource(one.source, source));
    return found ? [found[0].getBoundingClientRect()] : [];
  },
};

/** @type {Kind<import("../views/tokens.mjs").Shown>} */
const tokens = {
  at({ source }, { now, keys, chooser }, pointed) {
    const node = pointed ? pointed.target.closest(".lt-token") : document.activeElement;
    const i = Array.from(keys.children).indexOf(/** @type {any} */ (node));
    if (i < 0) return pointed ? null : { source, index: [now.row, largest(now.keys.map(({ weight }) => weight))] };
    const chooses = pointed && now.asked && keys === chooser && !pointed.target.closest(".lt-token-weight");
    return chooses && !pointed.meant ? null : { source, index: [now.row, i] };
  },
  of(spec, { now, keys }, source, index) {
    const [row, i] = padded(index, 2);
    const node = sameSource(spec.source, source) && (!now.asked || row === now.row) ? keys.children[i] : null;
    return node ? [node.getBoundingClientRect()] : [];
  },
};

/** @type {Kind<import("../views/arcs.mjs").Shown>} */
const arcs = {
  at(spec, shown, pointed) {
    const { now, layout, lines, stage, map, chosen, focus } = shown;
    if (now.many) return heatmap.at(asMap(spec), map.shown(), pointed);
    const { source } = spec;
    const [x, y] = pointed ? within(stage, pointed) : [];
    const ribbon = pointed ? ribbonAt(stage, x, y) : -1;
    if (ribbon >= 0) return { source, index: [lines[ribbon].q, lines[ribbon].k] };
    const token = pointed ? tokenAt(layout, x, y) : focus;
    if (!token) return null;
    const { side, index } = token;
    if (side === "key" || layout.one) return { source, index: [chosen, index] };
    return { source, index: [index, largest(now.weights[index])] };
  },
  of(spec, { now, layout, stage, map }, source, index) {
    if (now?.many) return heatmap.of(asMap(spec), map.shown(), source, index);
    if (!layout || !sameSource(spec.source, source)) return [];
    const [q, k] = padded(index, 2);
    return [layout.queries[q], layout.keys[k]].filter(Boolean).map(({ x, y, width, height }) => boxOn(stage, x, y, width, height));
  },
};

/** The uppermost ribbon at a place, or -1. @param {HTMLElement} stage @param {number} x @param {number} y */
function ribbonAt(stage, x, y) {
  const paths = /** @type {SVGPathElement[]} */ (Array.from(stage.querySelectorAll(".lt-ribbons path")));
  return paths.findLastIndex((path) => path.isPointInStroke(new DOMPoint(x, y)));
}

/** @type {Kind<import("../views/lines.mjs").Shown>} */
const lines = {
  at(spec, { now, drawn, stage, at }, pointed) {
    const held = handleAt(pointed ? pointed.target : /** @type {Element} */ (document.activeElement), drawn.handles);
    if (held) return held;
    const one = (/** @type {import("../views/lines.mjs").Curve} */ { source, row }, /** @type {number} */ i) => ({ source, index: [row, i] });
    if (!pointed) {
      const all = now.curves.map((curve) => one(curve, at ?? 0));
      return all.length > 1 ? { all, words: `the curves at ${spec.xlabel || "x"} = ${now.curves[0].xs[at ?? 0]}` } : (all[0] ?? null);
    }
    const [x, y] = within(stage, pointed);
    const { box } = drawn;
    const far = now.points.map((point) => Math.hypot(box.x(point[0]) - x, box.y(point[1]) - y));
    const near = smallest(far);
    if (far[near] <= NEAR) return { all: [spec.points.x, spec.points.y].map((source) => ({ source, index: [near] })), words: `point ${near + 1}` };
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
    const points = spec.points && [spec.points.x, spec.points.y].some((one) => sameSource(one, source)) && now.points[i] ? [now.points[i]] : [];
    const held = drawn.handles.filter(({ control }) => sameSource({ control: control.name }, source));
    const dragged = held.flatMap(({ points: all, at, control }) => (all[control.shape?.length === 1 ? i : row] ? [at(all[control.shape?.length === 1 ? i : row])] : []));
    return [...curves.map(({ xs, ys }) => [x(xs[i]), y(ys[i])]), ...points.map(([px, py]) => [x(px), y(py)]), ...dragged].map(([px, py]) => around(stage, px, py));
  },
};

/** @type {Kind<import("../views/plane.mjs").Shown>} */
const plane = {
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

/** The present step's numbers: those of the steps before are not there any more. @type {Kind<any>} */
const history = {
  at({ series }) {
    const all = series.map((/** @type {{output: string}} */ { output }) => ({ source: { output }, index: [] }));
    return all.length > 1 ? { all, words: "the present step" } : (all[0] ?? null);
  },
  of: () => [],
};

/** @type {Kind<{stage: HTMLElement}>} */
const number = {
  at: ({ source }) => ({ source, index: [] }),
  of: (spec, { stage }, source) => (sameSource(spec.source, source) ? [stage.getBoundingClientRect()] : []),
};

/** @type {Kind<ReturnType<ReturnType<typeof import("../views/flow.mjs").createFlow>["shown"]>>} */
const flow = {
  at({ parts }, { stage, cellOf, cursor, again }, pointed) {
    const [x, y] = pointed ? within(stage, pointed) : [];
    const cell = pointed ? (again || pointed.meant ? cellOf(x, y) : null) : cursor;
    return cell && { source: parts[cell.part].source, index: [cell.row, cell.col] };
  },
  of({ parts }, { stage, boxOf }, source, index) {
    const [row, col] = padded(index, 2);
    const found = parts.flatMap((/** @type {any} */ one, /** @type {number} */ part) => (sameSource(one.source, source) ? [boxOf({ part, row, col })] : []));
    return found.filter((/** @type {any} */ box) => box !== null).map((/** @type {{x: number, y: number, width: number, height: number}} */ { x, y, width, height }) => boxOn(stage, x, y, width, height));
  },
};

/** @type {Record<string, Kind<any>>} */
const kinds = { arcs, bars, flow, heatmap, history, lines, number, plane, table, tokens };

/** The number or numbers at a place of a view. @param {any} spec @param {any} shown @param {Pointed|null} pointed */
export function numberAt(spec, shown, pointed) {
  return Object.hasOwn(kinds, spec.kind) ? kinds[spec.kind].at(spec, shown, pointed) : null;
}

/** Where a view shows a number. @param {any} spec @param {any} shown @param {Source} source @param {number[]} index */
export function boxesOf(spec, shown, source, index) {
  return Object.hasOwn(kinds, spec.kind) ? kinds[spec.kind].of(spec, shown, source, index) : [];
}
