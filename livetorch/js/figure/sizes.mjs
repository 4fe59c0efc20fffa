// How much room a view needs, from what it draws at first; the same for the page and for the still picture.

import { axisLabels, grownWidth, TALLEST } from "../views/layout.mjs";
import { textWidth } from "../shared/letters.mjs";
import { labelsOf, otherFrames, resolve } from "../views/sources.mjs";
import { tablesOf } from "../views/table_content.mjs";

/**
 * Widths in pixels: the least, the least beside a map of the same kind (`pair`), the best, the most that is of use, and
 * what a wide page may give that has room left.
 * @typedef {{min: number, tight: number, ideal: number, most: number, grown: number, pair: string|null}} Size
 */

const WIDE = 10000; // all that there is
const BOLD = 14.5; // pixels, for the measure of a title of 13: bold letters are wider

/** @param {number} min @param {number} ideal @param {number} [most] @returns {Size} */
const size = (min, ideal, most = ideal) => ({ min, tight: min, ideal, most, grown: most, pair: null });

/** @type {Record<string, (spec: any, frame: any, controls: any) => Size>} */
const kinds = {
  heatmap: ofHeatmap,
  table: ofTable,
  bars(spec, frame) {
    const count = resolve(spec.source, frame)?.shape.at(-1) ?? 1;
    if (spec.shares) return kinds.strip(spec, frame, {});
    return size(Math.max(250, 60 + 22 * count), Math.max(320, 60 + 44 * count), 640);
  },
  lines: () => size(300, 440, 720),
  strip: () => size(280, 560, 960),
  number: (spec) => size(Math.max(120, Math.ceil(textWidth(spec.title, BOLD))), 200),
  plane: () => size(300, 400, 480),
  arcs: () => size(280, 400, WIDE), // where rows have no room they are columns
  history: () => size(250, 250, 640), // what is beside it comes first: its curve is yet to be drawn
};

/**
 * @param {any} spec of the view
 * @param {import("../views/sources.mjs").Frame} frame
 * @param {any} controls
 * @returns {Size}
 */
export function sizeOf(spec, frame, controls) {
  return kinds[spec.kind]?.(spec, frame, controls) ?? size(WIDE, WIDE);
}

/** @param {any} spec @param {import("../views/sources.mjs").Frame} frame @param {any} controls @returns {Size} */
function ofHeatmap(spec, frame, controls) {
  const tensor = resolve(spec.source, frame);
  if (!tensor) return size(280, 340);
  const [across, down = 1] = [...tensor.shape].reverse();
  const left = (spec.ylabel ? 18 : 0) + axisLabels(labelsOf(spec.yticks, frame, controls), down, 20, true).size + 11;
  const [tall, wide] = spec.span ?? [1, 1];
  const [cols, rows] = [across * wide, down * tall];
  const shapes = [tensor.shape, ...otherFrames(spec, frame).map((other) => resolve(spec.source, other)?.shape ?? [])];
  if (shapes.some(([first, , third]) => third !== undefined && first > 1)) {
    const grid = (/** @type {number} */ most, /** @type {number} */ cell) =>
      Math.max(...shapes.map((shape) => Math.min(shape.at(-3) ?? 1, most) * (cell * (shape.at(-1) ?? 1) + 14)));
    return size(left + grid(2, 16), left + grid(4, 34));
  }
  const cell = Math.min(46, TALLEST / rows);
  const written = spec.annotate !== false && across <= 12;
  const picture = spec.block || spec.span; // its pixels are square
  const ideal = Math.max(220, left + cell * cols);
  const bare = cols < 24 ? 14 : 7; // of a cell without a number
  const min = Math.min(ideal, Math.max(190, left + (written ? 34 * across : bare * cols)));
  return {
    min,
    tight: Math.min(min, Math.max(132, left + 14 * cols)),
    ideal,
    most: ideal,
    grown: Math.max(ideal, left + grownWidth(rows, spec.annotate !== false && !picture) * cols),
    pair: [spec.rows_axis, spec.cols_axis, rows, cols, left].join(),
  };
}

/** @param {any} spec @param {import("../views/sources.mjs").Frame} frame @param {any} controls @returns {Size} */
function ofTable(spec, frame, controls) {
  const wide = (/** @type {string[]} */ texts) => Math.max(0, ...texts.map((text) => textWidth(text, 12.5)));
  const tables = /** @type {any[]} */ (tablesOf(spec, frame, controls));
  const widths = tables.map(({ cols, rows, corner }) => {
    const first = wide([...rows.map((/** @type {any} */ row) => row.name), corner]);
    const count = rows[0]?.cells.length ?? 0;
    const columns = Array.from(
      { length: count },
      (_, c) => wide([cols?.[c] ?? "", ...rows.map((/** @type {any} */ row) => `${row.cells[c] ?? ""}0`)]) + 18,
    );
    return first + 12 + columns.reduce((sum, width) => sum + width, 0);
  });
  const need = Math.ceil(Math.max(160, ...widths));
  return size(need, need + 12);
}
