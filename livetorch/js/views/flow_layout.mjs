/** Where the matrices of a flow stand: stages from left to right in as few lines as there is room for. Pure functions. */
import { titleOf } from "./flow_content.mjs";
import { shorten, textWidth } from "../shared/format.mjs";

/** @typedef {import("./flow_content.mjs").Matrix} Matrix */
/** @typedef {import("./flow_content.mjs").Cell} Cell */
/** @typedef {{x: number, y: number, left: number, top: number, cell: {width: number, height: number}, title: string, rowNames: string[], colNames: string[], turn: number}} Place x, y of the first cell; left, top of all; turn: of the columns' names */
/** @typedef {{x: number, y: number, width: number, lines: string[]}} Arrow */
/** @typedef {{width: number, height: number, places: Place[], arrows: Arrow[]}} Layout */

const CELLS = [44, 42, 40, 38, 36, 34, 32, 30]; // widths of cells with a number in them
const TALL = 27; // pixels of a cell with a number
const LOWER = 24; // and on a wide page, where all of it is to be seen at once
const TITLE = 19;
const NAMES = 16; // of the line with the names of columns
const UNDER = 16; // between two matrices of a stage, and two lines of stages
const MOST_NAME = 62;
const ROOMY = 702; // pixels, as those of a still picture, above which the words of a step have longer lines
const SIZE = 12; // of letters in and around cells

/** The words of a step in lines of at most some pixels. @param {string} step @param {number} width of all */
function wordLines(step, width) {
  const most = width > ROOMY ? 84 : 50;
  /** @type {string[]} */
  const lines = [];
  for (const word of step.split(" ").filter(Boolean)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length && textWidth(longer.replaceAll("_", ""), SIZE) <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** How wide the name of a row or a column is at most. @param {string} name */
const nameWidth = (name) => textWidth(shorten(name, MOST_NAME, SIZE), SIZE);

/** Whether the names of columns are turned, for they are wider than cells. @param {Matrix} matrix @param {number} cell */
const turned = ({ colNames }, cell) => cell >= SIZE && colNames.some((name) => textWidth(name, SIZE) > cell - 2);

/** The room that the names of rows take at the left. @param {Matrix} matrix */
const gutter = ({ rowNames }) => Math.ceil(Math.max(0, ...rowNames.map(nameWidth))) + 6;

/**
 * How wide stages are, and which stand in each line.
 * @param {Matrix[]} matrices
 * @param {{stages: number[][], steps: string[]}} spec
 * @param {number} width
 */
function measured(matrices, { stages, steps }, width) {
  const gaps = stages.map((_, s) =>
    s ? Math.max(34, 12 + Math.max(0, ...wordLines(steps[s - 1] ?? "", width).map((line) => textWidth(line, SIZE)))) : 0,
  );
  /** Whether a stage leaves out the names of its rows: those of the one matrix before it, in the same line. @param {number} s */
  const bare = (s) =>
    stages[s].length === 1 &&
    stages[s - 1]?.length === 1 &&
    String(matrices[stages[s][0]].rowNames) === String(matrices[stages[s - 1][0]].rowNames);
  const before = (/** @type {number} */ s, /** @type {boolean} */ first) =>
    !first && bare(s) ? 2 : Math.max(...stages[s].map((p) => gutter(matrices[p])));
  const cell = (/** @type {number} */ p, /** @type {number} */ wish) => {
    const room = width - gutter(matrices[p]) - 2 - gaps[Math.min(1, gaps.length - 1)];
    const fit = (/** @type {number} */ pixels) => Math.max(4, Math.min(wish, Math.floor((10 * pixels) / matrices[p].cols) / 10));
    return fit(room - beyond(p, fit(room)));
  };
  /** How far the last name of a matrix's columns reaches beyond them. @param {number} p @param {number} cell */
  const beyond = (p, cell) =>
    turned(matrices[p], cell) ? Math.max(0, 0.64 * nameWidth(matrices[p].colNames.at(-1) ?? "") + 8 - cell / 2) : 0;
  const wide = (/** @type {number} */ s, /** @type {boolean} */ first, /** @type {number} */ wish) =>
    Math.ceil(
      Math.max(
        ...stages[s].map((p) => Math.max(before(s, first) + cell(p, wish) * matrices[p].cols + 2, textWidth(titleOf(matrices[p]), 13) + 2)),
      ),
    );
  /** The stages of each line. @param {number} wish of a cell @param {number} most pixels of a line */
  const lines = (wish, most) => {
    /** @type {number[][]} */
    const all = [];
    let used = Infinity;
    stages.forEach((_, s) => {
      if (used + gaps[s] + wide(s, false, wish) > most) {
        all.push([]);
        used = 0;
      }
      const line = all[all.length - 1];
      used += gaps[s] + wide(s, !line.length, wish);
      line.push(s);
    });
    return all;
  };
  return { gaps, bare, before, cell, wide, lines };
}

/**
 * @param {Matrix[]} matrices
 * @param {{stages: number[][], steps: string[]}} spec
 * @param {number} width
 * @returns {Layout}
 */
export function flowLayout(matrices, spec, width) {
  const { stages, steps } = spec;
  const { gaps, bare, before, cell: cellOf, wide, lines } = measured(matrices, spec, width);
  const least = CELLS[CELLS.length - 1];
  const fewest = lines(least, width).length;
  const wish = CELLS.find((each) => lines(each, width).length === fewest) ?? least;
  let most = width; // no line much longer than the others
  while (most > 160 && lines(wish, most - 8).length === fewest) most -= 8;
  /** @type {Place[]} */
  const places = [];
  /** @type {Arrow[]} */
  const arrows = [];
  const heads = matrices.map((matrix, p) => headOf(matrix, cellOf(p, wish)));
  let [top, right] = [0, 0];
  for (const line of lines(wish, most)) {
    let [x, tallest] = [0, 0];
    /** Stages whose rows are named once, so that they stand beside each other. @type {{high: number, parts: number[], arrows: Arrow[], height: number}[]} */
    const groups = [];
    const groupOf = line.map((s, at) => {
      if (!at || !bare(s)) groups.push({ high: 0, parts: [], arrows: [], height: 0 });
      const group = groups[groups.length - 1];
      group.high = Math.max(group.high, heads[stages[s][0]].high);
      return group;
    });
    for (const [at, s] of line.entries()) {
      const [first, group] = [!at, groupOf[at]];
      const lead = gaps[s];
      const side = before(s, first);
      let y = top;
      for (const p of stages[s]) {
        const names = p === stages[s][0] ? group.high : heads[p].high;
        const cell = cellOf(p, wish);
        const height = cell >= 24 ? (width > ROOMY ? LOWER : TALL) : Math.max(10, cell);
        const named = side > 2 && height >= 13;
        places[p] = {
          left: x + lead,
          top: y,
          x: x + lead + side,
          y: y + TITLE + names,
          cell: { width: cell, height },
          title: titleOf(matrices[p]),
          rowNames: matrices[p].rowNames.map((name) => (named ? shorten(name, MOST_NAME, SIZE) : "")),
          colNames: heads[p].texts,
          turn: heads[p].turn,
        };
        y += TITLE + names + height * matrices[p].rows + UNDER;
        group.parts.push(p);
      }
      if (s) {
        const arrow = { x, y: (places[stages[s][0]].y + y - UNDER) / 2, width: lead, lines: wordLines(steps[s - 1] ?? "", width) };
        arrows.push(arrow);
        group.arrows.push(arrow);
      }
      group.height = Math.max(group.height, y - top);
      x += lead + wide(s, first, wish);
      right = Math.max(right, x);
      tallest = Math.max(tallest, y - top);
    }
    for (const group of groups) centre(group, tallest, places);
    top += tallest;
  }
  return { width: right, height: Math.ceil(top - UNDER + 2), places, arrows };
}

/** The corner and size of a cell. @param {Layout} layout @param {Cell} cell */
export function cellBox({ places }, { part, row, col }) {
  const { x, y, cell } = places[part];
  return { x: x + col * cell.width, y: y + row * cell.height, width: cell.width, height: cell.height };
}

/** The cell at a point, or null. @param {Layout} layout @param {Matrix[]} matrices @param {number} px @param {number} py @returns {Cell|null} */
export function flowCellAt({ places }, matrices, px, py) {
  for (const [part, { x, y, cell }] of places.entries()) {
    const [col, row] = [Math.floor((px - x) / cell.width), Math.floor((py - y) / cell.height)];
    if (row >= 0 && col >= 0 && row < matrices[part].rows && col < matrices[part].cols) return { part, row, col };
  }
  return null;
}

/**
 * Where a key leads: within a matrix, over its edge to the next one.
 * @param {Cell} cell
 * @param {KeyboardEvent|{key: string}} event
 * @param {Matrix[]} matrices
 * @param {number[][]} stages
 * @returns {Cell|null}
 */
export function walkFlow({ part, row, col }, { key }, matrices, stages) {
  const s = stages.findIndex((stage) => stage.includes(part));
  const at = stages[s].indexOf(part);
  const { rows, cols } = matrices[part];
  const into = (/** @type {number|undefined} */ p, /** @type {number} */ r, /** @type {number} */ c) =>
    p === undefined ? { part, row, col } : { part: p, row: Math.min(r, matrices[p].rows - 1), col: Math.min(c, matrices[p].cols - 1) };
  const beside = (/** @type {number} */ to) => stages[to]?.[Math.min(at, stages[to].length - 1)];
  switch (key) {
    case "ArrowRight":
      return col + 1 < cols ? { part, row, col: col + 1 } : into(beside(s + 1), row, 0);
    case "ArrowLeft":
      return col > 0 ? { part, row, col: col - 1 } : into(beside(s - 1), row, Infinity);
    case "ArrowDown":
      return row + 1 < rows ? { part, row: row + 1, col } : into(stages[s][at + 1], 0, col);
    case "ArrowUp":
      return row > 0 ? { part, row: row - 1, col } : into(stages[s][at - 1], Infinity, col);
    case "Home":
      return { part, row, col: 0 };
    case "End":
      return { part, row, col: cols - 1 };
    case "PageDown":
      return into(part + 1 < matrices.length ? part + 1 : undefined, row, col);
    case "PageUp":
      return into(part > 0 ? part - 1 : undefined, row, col);
    default:
      return null;
  }
}

/** The names of the columns, which are turned where they have no room, and how high they are. @param {Matrix} matrix @param {number} cell */
function headOf(matrix, cell) {
  const turn = turned(matrix, cell) ? -50 : 0;
  const texts = matrix.colNames.map((name) => shorten(name, turn ? MOST_NAME : cell - 2, SIZE));
  const high = turn ? Math.ceil(0.77 * Math.max(...texts.map((name) => textWidth(name, SIZE))) + 12) : NAMES;
  return { turn, high, texts: texts.map((name) => (turn || textWidth(name, SIZE) <= cell + 1 ? name : "")) };
}

/** Move a group down to the middle of its line. @param {{parts: number[], arrows: Arrow[], height: number}} group @param {number} tallest @param {Place[]} places */
function centre({ parts, arrows, height }, tallest, places) {
  const down = Math.floor((tallest - height) / 2);
  for (const p of parts) {
    places[p].top += down;
    places[p].y += down;
  }
  for (const arrow of arrows) arrow.y += down;
}
