// Which number of which output stands at a place of a view, and where in the window a number stands: for each kind of
// view a pair of functions, which read what the view has drawn (its `shown`).

import { cellAt } from "../views/layout.mjs";
import { asMap } from "../views/arcs.mjs";
import { tokenAt } from "../views/arcs_layout.mjs";
import { boxOn, padded, within } from "./boxes.mjs";
import { largest, sameSource } from "./kind.mjs";
import { lines, plane } from "./places_in_plots.mjs";

/** @import { Source } from "../views/sources.mjs" */
/** @import { Kind } from "./kind.mjs" */
/** @import { Pointed } from "./boxes.mjs" */

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
    const [x, y] = pointed ? within(stage, pointed) : [];
    const i = pointed ? drawn.at(x, y) : (marked ?? 0);
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
    return {
      all: others.map((one) => ({ source, index: [one.row ?? 0, one.col ?? 0] })),
      words: `sum of ${cell.parentElement?.querySelector("th")?.textContent}`,
      sum: true,
    };
  },
  of(_, { places }, source, index) {
    const [row, col] = padded(index, 2);
    const found = Array.from(places).find(
      ([, one]) => one.source && !one.sum && (one.row ?? 0) === row && (one.col ?? 0) === col && sameSource(one.source, source),
    );
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
    const found = parts.flatMap((/** @type {any} */ one, /** @type {number} */ part) =>
      sameSource(one.source, source) ? [boxOf({ part, row, col })] : [],
    );
    return found
      .filter((/** @type {any} */ box) => box !== null)
      .map((/** @type {{x: number, y: number, width: number, height: number}} */ { x, y, width, height }) =>
        boxOn(stage, x, y, width, height),
      );
  },
};

/** @type {Record<string, Kind<any>>} */
const kinds = { arcs, bars, flow, heatmap, history, lines, number, plane, strip: bars, table, tokens };

/** The number or numbers at a place of a view. @param {import("../shared/spec.d.ts").ViewSpec} spec @param {any} shown @param {Pointed|null} pointed */
export function numberAt(spec, shown, pointed) {
  return Object.hasOwn(kinds, spec.kind) ? kinds[spec.kind].at(spec, shown, pointed) : null;
}

/** Where a view shows a number. @param {import("../shared/spec.d.ts").ViewSpec} spec @param {any} shown @param {Source} source @param {number[]} index */
export function boxesOf(spec, shown, source, index) {
  return Object.hasOwn(kinds, spec.kind) ? kinds[spec.kind].of(spec, shown, source, index) : [];
}
