/** Where things go: sizes, margins, which labels are shown. Pure functions of sizes and texts. */

import { FONT, shorten, textWidth, visibleToken } from "../shared/format.mjs";

const GAP = 14;
const LARGEST = 64; // pixels of a cell that has grown
/** No map is much taller: it is seen whole with its controls and what stands around it. */
export const TALLEST = 360;

export const LOW = 240; // where a figure has many rows of views
export const LOWER = 180; // where many views stand beside each other on a wide page

/** How high the cells of a single map are where its row has room left, and no map gets much taller. @param {number} rows */
const grownHeight = (rows) => Math.max(Math.min(46, TALLEST / rows), Math.min(LARGEST, 300 / rows));

/** How wide they are: those with numbers a little wider than high. @param {number} rows @param {boolean} written */
export const grownWidth = (rows, written) => Math.min(LARGEST, (written ? 1.3 : 1) * grownHeight(rows));

/**
 * Which items of an axis get a label, so that labels do not touch.
 * Numbers fall on 1, 5, 10, ...; names on every n-th from the first.
 * @param {number} count
 * @param {number} space pixels for one item
 * @param {number} need pixels that a label takes
 * @param {boolean} numbers
 * @returns {number[]} indices
 */
export function thinTicks(count, space, need, numbers) {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((s) => s * space >= need) ?? 1000;
  const all = Array.from({ length: count }, (_, i) => i);
  if (step === 1 || !numbers) return all.filter((i) => i % step === 0);
  const kept = all.filter((i) => (i + 1) % step === 0);
  return (step - 1) * space >= need ? [0, ...kept] : kept;
}

/**
 * Labels of one axis, shortened, turned when they do not fit side by side.
 * @param {string[] | null} labels
 * @param {number} count
 * @param {number} space pixels for one item
 * @param {boolean} upright whether labels stand above each other (the y axis)
 */
export function axisLabels(labels, count, space, upright) {
  const texts = Array.from({ length: count }, (_, i) => shorten(labels ? visibleToken(labels[i] ?? "·") : String(i + 1), 90));
  const widest = Math.max(0, ...texts.map((text) => textWidth(text)));
  if (upright) return { texts, ticks: thinTicks(count, space, FONT + (labels ? 2 : 6), !labels), turn: 0, size: widest };
  if (!labels) return { texts, ticks: thinTicks(count, space, widest + 11, true), turn: 0, size: FONT };
  const fits = widest + (widest < FONT ? 2 : 5) <= space; // single letters stand closer
  const ticks = thinTicks(count, space, fits ? 0 : FONT + 3, false);
  return { texts, ticks, turn: fits ? 0 : -50, size: fits ? FONT : widest * 0.7 + FONT * 0.7 };
}

/** How many panels stand in a row: as many as stay wide enough, evenly shared out; on a phone smaller ones, so that more of them are not much higher. @param {number} panels @param {number} cols @param {number} room */
export function panelColumns(panels, cols, room) {
  const good = (/** @type {number} */ c) => {
    const width = (room - (c - 1) * GAP) / c;
    return width / cols >= (room < 300 ? 11 : 15) || width >= 108;
  };
  let columns = panels;
  while (columns > 1 && !good(columns)) columns--;
  return Math.ceil(panels / Math.ceil(panels / columns));
}

/**
 * Width and height of one cell, whole pixels unless they are tiny.
 * @param {number} cols @param {number} rows @param {number} room @param {boolean} single
 * @param {boolean} [grown] whether its row has given the map more than it asks for
 * @param {number} [low] pixels that it may not be higher than; 0: as high as it likes
 */
export function cellSize(cols, rows, room, single, grown = false, low = 0) {
  const whole = (/** @type {number} */ x) => (x >= 6 ? Math.floor(x) : x);
  const width = whole(Math.min(grown ? LARGEST : single ? 46 : 34, room / cols));
  const tallest = grown ? grownHeight(rows) : (single ? TALLEST : 320) / rows;
  const most = low ? Math.min(tallest, low / rows) : tallest;
  const height = Math.max(Math.min(width, most), Math.min(22, 150 / rows, most), Math.min(2, width));
  return { width, height: whole(height) };
}

/**
 * Everything a heatmap needs to be drawn.
 * @param {{width: number, panels: number, rows: number, cols: number, xLabels: string[] | null, yLabels: string[] | null,
 *   titles: (string | null)[], xlabel: string, ylabel: string, grid?: boolean, grown?: boolean, low?: number, span?: number[],
 *   most?: number, lower?: number}} what
 *   grid: a single one is drawn as one of several; grown: its cells may be large; low: pixels that it may not be higher than; span: rows and columns of the map
 *   beside it for which a cell stands, and over which it is as large; most: panels in a row; lower: pixels off each cell
 */
export function heatmapLayout({
  width,
  panels,
  rows,
  cols,
  xLabels,
  yLabels,
  titles,
  xlabel,
  ylabel,
  grid = false,
  grown = false,
  low = 0,
  span = [1, 1],
  most = 0,
  lower = 0,
}) {
  const yWidest = axisLabels(yLabels, rows, 20, true).size;
  const left = Math.ceil((ylabel ? 18 : 0) + yWidest + 7);
  const room = Math.max(40, width - left - 2);
  const columns = most || panelColumns(panels, cols, room);
  const [tall, wide] = span;
  const one = cellSize(cols * wide, rows * tall, (room - (columns - 1) * GAP) / columns, panels === 1 && !grid, grown && !grid, low);
  const cell = { width: one.width * wide, height: one.height * tall - lower };
  const x = axisLabels(xLabels, cols, cell.width, false);
  const y = axisLabels(yLabels, rows, cell.height, true);
  const head = titles.some(Boolean) ? 20 : 4;
  const [panelWidth, panelHeight] = [cell.width * cols, cell.height * rows];
  const foot = x.size + 10;
  const lines = Math.ceil(panels / columns);
  // a turned label of the first key reaches to the left of its cell
  const overhang = x.turn ? Math.max(0, x.size - left - cell.width / 2) : 0;
  const origins = Array.from({ length: panels }, (_, p) => ({
    x: left + overhang + (p % columns) * (panelWidth + GAP),
    y: head + Math.floor(p / columns) * (panelHeight + head + GAP / 2),
    first: p % columns === 0,
    last: p + columns >= panels,
  }));
  const bottom = head + lines * panelHeight + (lines - 1) * (head + GAP / 2) + foot;
  return {
    cell,
    columns,
    origins,
    panelWidth,
    panelHeight,
    x,
    y,
    xlabel,
    ylabel,
    titles,
    width: Math.ceil(left + overhang + columns * panelWidth + (columns - 1) * GAP + 2),
    height: Math.ceil(bottom + (xlabel ? 18 : 2)),
    bottom,
  };
}

/** @typedef {ReturnType<typeof heatmapLayout>} Layout */
/** @typedef {{panel: number, row: number, col: number}} Cell */

/**
 * The cell under a point of the picture, or null.
 * @param {Pick<Layout, "origins"|"cell">} layout @param {number} rows @param {number} cols @param {number} px @param {number} py @returns {Cell|null}
 */
export function cellAt(layout, rows, cols, px, py) {
  for (let panel = 0; panel < layout.origins.length; panel++) {
    const { x, y } = layout.origins[panel];
    const col = Math.floor((px - x) / layout.cell.width);
    const row = Math.floor((py - y) / layout.cell.height);
    if (row >= 0 && col >= 0 && row < rows && col < cols) return { panel, row, col };
  }
  return null;
}

/**
 * Where a key press leads from a cell; null for keys that mean nothing here.
 * @param {Cell} cell @param {string} key @param {{ctrl?: boolean, panels: number, rows: number, cols: number}} how @returns {Cell|null}
 */
export function walk({ panel, row, col }, key, { ctrl = false, panels, rows, cols }) {
  const clamp = (/** @type {number} */ v, /** @type {number} */ count) => Math.min(count - 1, Math.max(0, v));
  switch (key) {
    case "ArrowUp":
      return { panel, row: clamp(row - 1, rows), col };
    case "ArrowDown":
      return { panel, row: clamp(row + 1, rows), col };
    case "ArrowLeft":
      return { panel, row, col: clamp(col - 1, cols) };
    case "ArrowRight":
      return { panel, row, col: clamp(col + 1, cols) };
    case "Home":
      return { panel, row: ctrl ? 0 : row, col: 0 };
    case "End":
      return { panel, row: ctrl ? rows - 1 : row, col: cols - 1 };
    case "PageUp":
      return { panel: clamp(panel - 1, panels), row, col };
    case "PageDown":
      return { panel: clamp(panel + 1, panels), row, col };
    default:
      return null;
  }
}
