/** Heatmap: one matrix or a grid of heads, on one scale; cells are walked, read out and, where told, edited. */
import { make, makeSvg, sameMarks, writeText } from "../shared/dom.mjs";
import { countOf, itemName } from "../shared/format.mjs";
import { painter as scenePainter } from "../shared/scene.mjs";
import { brushOver } from "./brush.mjs";
import { cellPainter } from "./cells.mjs";
import { openView } from "./frame.mjs";
import { heardTable, makeScale } from "./heatmap_beside.mjs";
import { axesOf, contentOf, fitOf, hatchedWord, laidOut, markShapes, overCells, panelShape, wordAt } from "./heatmap_picture.mjs";
import { axisLabels, cellAt, grownWidth, TALLEST, walk } from "./layout.mjs";
import { boxOn, padded, sameSource, within } from "./places.mjs";
import { size } from "./size.mjs";
import { itemOf, labelsOf, otherFrames, resolve } from "./sources.mjs";

/** @import { Context, Marks } from "./index.mjs" */
/** @import { Kind } from "./kind.mjs" */
/** @import { Shape } from "../shared/scene.mjs" */
/** @import { Content } from "./heatmap_picture.mjs" */
/** @import { Cell, Layout } from "./layout.mjs" */
/** @import { Frame, Tensor } from "./sources.mjs" */

export { ghost } from "./heatmap_ghost.mjs";
export { still } from "./heatmap_still.mjs";
export const part = "";
export const tells = true;
export const level = () => /** @type {const} */ ("picture");

/** @type {Kind["sizeOf"]} */
export function sizeOf(spec, frame, controls) {
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
    small: across <= 6 ? left + 30 * cols : cols < 16 ? min : left + 6 * cols, // few cells keep their numbers, of many the pattern is seen
    tight: Math.min(min, Math.max(132, left + 14 * cols)),
    ideal,
    most: ideal,
    grown: Math.max(ideal, left + grownWidth(rows, spec.annotate !== false && !picture) * cols),
    pair: [spec.rows_axis, spec.cols_axis, rows, cols, left].join(),
  };
}

// ---- in the page

/**
 * @typedef {object} State
 * @property {Content & {frame: Frame}|null} now what is drawn: data, sizes, labels
 * @property {Layout|null} layout
 * @property {Marks} marks
 * @property {Cell} cursor of the arrow keys
 * @property {boolean} focused
 *
 * @typedef {{rows: string, cols: string, panels: string}} Names of the axes
 * @typedef {{now: Content, layout: Layout|null, stage: HTMLElement, cursor: Cell}} Shown from the first frame on
 */

/** @param {any} spec @param {Context} context */
export function create(spec, context) {
  /** @type {State} */
  const at = { now: null, layout: null, marks: {}, cursor: { panel: 0, row: 0, col: 0 }, focused: false };
  /** @type {Names} */
  const names = { rows: spec.rows_axis, cols: spec.cols_axis, panels: spec.panels_axis };
  const { bar, readout, legend } = makeScale(spec);
  const drawing = openSheet(spec, context.glides);
  const heard = heardTable(spec, names, called(spec));
  const view = openView(spec, context, {
    draw: () => draw(true),
    drawing,
    called: spec.edit ? "editable heatmap" : "heatmap",
    above: [heard.element],
    below: [bar],
  });
  const { element, stage, destroy } = view;
  const edit = spec.edit ? createEdits(spec, context) : null;
  let drawnKey = "";
  /** Whether its row had room left, and whether there are too many rows for a tall one. */
  const given = () => ({ grown: "grown" in element.dataset, low: Number(element.dataset.low ?? 0) });
  if (globalThis.MutationObserver)
    new MutationObserver(() => draw(false)).observe(element, { attributeFilter: ["data-low", "data-grown"] });

  /** @param {Frame} frame */
  function update(frame) {
    const content = contentOf(spec, frame, context.controls);
    if (!content) return;
    at.now = { ...content, frame };
    edit?.follow(frame);
    heard.follow(content);
    draw(false);
  }

  /** @param {boolean} anew whether all is laid out again */
  function draw(anew) {
    if (!at.now) return;
    const { panels, rows, cols, xLabels, yLabels, titles, limits, own, levels, any } = at.now;
    const key = JSON.stringify([view.width(), given(), panels, rows, cols, xLabels, yLabels, titles]);
    if (anew || key !== drawnKey || !at.layout) at.layout = relayout(at.now);
    drawnKey = key;
    legend(limits, context.theme(), hatchedWord(spec), own, levels);
    const fit = fitOf(spec, at.now, at.layout);
    bar.classList.toggle("lt-unwritten", !fit && spec.annotate !== false && !levels && !spec.edit);
    drawing.cells.paint({ ...at.now, layout: at.layout, anyHidden: any, scale: spec.scale, theme: context.theme(), fit });
    drawMarks();
  }

  /** @param {Content & {frame: Frame}} content */
  function relayout(content) {
    at.cursor = kept(at.cursor, content);
    /** @type {ReturnType<typeof laidOut>} */
    const fresh = (spec.lay ?? laidOut)(spec, content, content.frame, context.controls, view.width(), given());
    element.style.setProperty("--lt-spare", `${fresh.spare}px`);
    drawing.resize(fresh, content);
    view.name(describe(spec, names, content));
    return fresh;
  }

  function drawMarks() {
    if (!at.now || !at.layout) return;
    const cell = markedCell(at, names);
    drawing.around(at.layout, at.now, cell, at.focused ? at.cursor : null);
    const { panel, row, col } = cell;
    writeText(readout, panel !== null && row !== null && col !== null ? say(spec, names, at.now, { panel, row, col }) : "");
  }

  /** @param {Marks} next */
  function highlight(next) {
    at.marks = next ?? {};
    drawMarks();
  }

  listenHands(stage, spec, context, { at, names, edit, highlight, drawMarks });
  if (spec.words && edit) {
    const clear = make("button", "lt-button lt-clear", "Clear");
    clear.onclick = edit.clear;
    readout.before(clear);
  }
  const shown = () => ({ now: at.now, layout: at.layout, stage, cursor: at.cursor });
  return { element, update, highlight, shown, destroy };
}

/** The cursor, in what there is now. @param {Cell} cursor @param {Content} content @returns {Cell} */
const kept = ({ panel, row, col }, { panels, rows, cols }) => ({
  panel: Math.min(panel, panels - 1),
  row: Math.min(row, rows - 1),
  col: Math.min(col, cols - 1),
});

/**
 * The stage: cells on a canvas, and over it as shapes what stands around and upon them.
 * @param {any} spec @param {(() => boolean)|undefined} glides
 */
function openSheet(spec, glides) {
  const stage = make("div", "lt-stage");
  const canvas = document.createElement("canvas");
  const svg = makeSvg();
  stage.append(canvas, svg);
  if (spec.edit) stage.classList.add("lt-editable");
  const pad = make("div", "lt-drawn-on"); // over the cells, and no more: strokes of a finger go any way there
  if (spec.words) stage.append(pad);
  const paintScene = scenePainter(svg);
  /** @type {{of: unknown[], shape: Shape}} the axes, and the layout, row and column that they were made for */
  let axesNow = { of: [], shape: ["g"] };
  return {
    stage,
    cells: cellPainter(canvas, glides),
    /** @param {Layout} layout @param {Content} content */
    resize({ width, height, origins: [{ x, y }], cell }, { rows, cols }) {
      pad.style.inset = `${y}px auto auto ${x}px`;
      pad.style.width = `${cols * cell.width}px`;
      pad.style.height = `${rows * cell.height}px`;
      svg.setAttribute("width", String(width));
      svg.setAttribute("height", String(height));
      stage.style.width = `${width}px`;
      stage.style.height = `${height}px`;
    },
    /** @param {Layout} layout @param {Content} content @param {ReturnType<typeof markedCell>} marked @param {Cell|null} cursor where the focus is */
    around(layout, content, { row, col }, cursor) {
      const of = [layout, row, col];
      if (of.some((one, k) => one !== axesNow.of[k])) axesNow = { of, shape: ["g", { class: "lt-axes" }, axesOf(layout, spec, row, col)] };
      paintScene([
        axesNow.shape, // the very one of the last time is left alone
        ["g", { class: "lt-over" }, overCells(layout, spec, content)],
        ["g", { class: "lt-marks" }, markShapes(layout, row, col, cursor)],
      ]);
    },
  };
}

/** The row, the column and the panel that are marked, each or null. @param {State} at @param {Names} names */
function markedCell({ now, marks, cursor, focused }, names) {
  const { rows = 0, cols = 0, panels = 0 } = now ?? {};
  return {
    row: itemOf(marks[names.rows], rows),
    col: itemOf(marks[names.cols], cols),
    panel: itemOf(marks[names.panels], panels) ?? (panels === 1 || focused ? cursor.panel : null),
  };
}

const called = (/** @type {any} */ { title, source }) => title ?? source.output ?? source.control ?? "values";

/** What screen readers say of it. @param {any} spec @param {Names} names @param {Content} content */
function describe(spec, names, content) {
  const panels = content.panels > 1 ? `${content.panels} ${names.panels}, ` : "";
  const how = spec.edit
    ? " Arrow keys walk the cells, Enter or Space switches one, o tells how its number was made."
    : " Arrow keys walk the cells, Enter tells how a number was made.";
  return `Heatmap of ${called(spec)}: ${panels}${countOf(content.rows, names.rows)} by ${countOf(content.cols, names.cols)}.${how}`;
}

/** What a cell is called and holds: "head 2, query 3, key 1: 0.62". @param {any} spec @param {Names} names @param {Content} content @param {Cell} cell */
function say(spec, names, content, { panel, row, col }) {
  const { titles, xLabels, yLabels, cols } = content;
  const place = [titles[panel], itemName(names.rows, row, yLabels), itemName(names.cols, col, xLabels)].filter(Boolean);
  return `${place.join(", ")}: ${wordAt(spec, content, panel, row * cols + col)}`;
}

/**
 * The mask that is edited: cells are switched one by one, and the whole mask goes back to the figure.
 * @param {any} spec @param {Context} context
 */
function createEdits(spec, context) {
  const fine = spec.fine ?? 1; // cells, each way, that stand for one of the mask: pixels of a patch
  /** @type {Tensor|null} */
  let mask = null;
  const placeOf = (/** @type {Cell} */ { row, col }) =>
    Math.floor(row / fine) * panelShape(mask?.shape ?? []).cols + Math.floor(col / fine);

  /** @param {boolean[]} data @param {number} cols @param {boolean} final */
  function give(data, cols, final) {
    const rows = Array.from({ length: data.length / cols }, (_, r) => data.slice(r * cols, (r + 1) * cols));
    context.set(spec.edit, rows, { final });
  }

  return {
    /** @param {Frame} frame */
    follow: (frame) => void (mask = resolve({ control: spec.edit }, frame)),
    isKept: (/** @type {Cell} */ cell) => Boolean(mask?.data[placeOf(cell)]),
    saved: () => mask,
    /** @param {Cell} cell @param {boolean} value @param {boolean} final */
    setCell(cell, value, final) {
      if (!mask) return;
      const { rows, cols } = panelShape(mask.shape);
      if (cell.row >= rows * fine || cell.col >= cols * fine) return;
      const data = Array.from(mask.data, Boolean);
      data[placeOf(cell)] = value;
      mask = { ...mask, data: data.map(Number) };
      give(data, cols, final);
    },
    /** A sheet without a stroke. */
    clear: () =>
      mask &&
      give(
        Array.from(mask.data, () => false),
        panelShape(mask.shape).cols,
        true,
      ),
    /** The mask as it was before a stroke that was not meant. @param {Tensor} before */
    restore(before) {
      mask = before;
      give(Array.from(before.data, Boolean), panelShape(before.shape).cols, true);
    },
  };
}

/**
 * Hands on the cells: a pointer marks and paints them, arrow keys walk them.
 * @param {HTMLElement} stage
 * @param {any} spec
 * @param {Context} context
 * @param {{at: State, names: Names, edit: ReturnType<typeof createEdits>|null, highlight: (marks: Marks) => void, drawMarks: () => void}} how
 */
function listenHands(stage, spec, context, { at, names, edit, highlight, drawMarks }) {
  /** @param {Cell|null} cell */
  function mark(cell) {
    if (!at.now) return;
    /** @type {Marks} */
    const next = { [names.rows]: cell?.row ?? null, [names.cols]: cell?.col ?? null };
    if (at.now.panels > 1) next[names.panels] = cell?.panel ?? null;
    if (sameMarks(next, at.marks)) return;
    highlight({ ...at.marks, ...next });
    context.highlight(next);
  }

  /** @param {Content} now */
  const announce = (now) => context.announce(say(spec, names, now, at.cursor));

  brushOver(stage, {
    drawing: Boolean(spec.words),
    cellAt({ clientX, clientY }) {
      const box = stage.getBoundingClientRect();
      return at.now && at.layout ? cellAt(at.layout, at.now.rows, at.now.cols, clientX - box.left, clientY - box.top) : null;
    },
    mark(cell) {
      if (cell) at.cursor = cell;
      mark(cell);
    },
    hovered: mark,
    edit,
  });
  stage.addEventListener("pointerleave", (event) => {
    // a finger "leaves" as soon as it is lifted: the cell that it touched stays marked
    if (event.pointerType !== "touch" && !event.buttons) mark(at.focused ? at.cursor : null);
  });
  stage.addEventListener("focus", () => {
    at.focused = stage.matches(":focus-visible");
    if (at.focused && at.now) {
      mark(at.cursor);
      announce(at.now);
    }
    drawMarks();
  });
  stage.addEventListener("blur", () => {
    at.focused = false;
    mark(null);
    drawMarks();
  });
  stage.addEventListener("keydown", (event) => {
    if (!at.now || !at.layout || event.altKey || event.metaKey) return;
    if (edit && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      context.announce(switched(spec, names, at, edit));
      return;
    }
    const next = walk(at.cursor, event.key, { ctrl: event.ctrlKey, ...at.now });
    if (!next) return;
    event.preventDefault();
    at.cursor = next;
    at.focused = true;
    mark(at.cursor);
    drawMarks();
    announce(at.now);
  });
}

/** Switch the cell that the arrow keys have led to; what is said of it. @param {any} spec @param {Names} names @param {State} at @param {ReturnType<typeof createEdits>} edit */
function switched(spec, names, { cursor, now }, edit) {
  const kept = !edit.isKept(cursor);
  edit.setCell(cursor, kept, true);
  const words = spec.words ?? [spec.levels?.[0][1] ?? "kept", hatchedWord(spec) || "masked"];
  return `${itemName(names.rows, cursor.row, now?.yLabels)}, ${itemName(names.cols, cursor.col, now?.xLabels)}: ${words[kept ? 0 : 1]}`;
}

// ---- its numbers

const WHOLE = { row: 0, col: 0 }; // where it begins, unless a window shows a part of it

/** @type {Kind["numberAt"]} */
export function numberAt({ source }, { now, layout, stage, cursor, from = WHOLE }, pointed) {
  const [x, y] = pointed ? within(stage, pointed) : [];
  const cell = pointed ? layout && cellAt(layout, now.rows, now.cols, x, y) : cursor;
  return cell && { source, index: [cell.panel, from.row + cell.row, from.col + cell.col] };
}

/** @type {Kind["boxesOf"]} */
export function boxesOf(spec, { now, layout, stage, from = WHOLE }, source, index) {
  const masks = sameSource(spec.mask, source);
  if (!layout || (!masks && !sameSource(spec.source, source))) return [];
  const [panel, down, across] = padded(index, 3);
  const [row, col] = [down - from.row, across - from.col];
  const { width, height } = layout.cell;
  if (row < 0 || col < 0 || row >= now.rows || col >= now.cols) return [];
  const origins = /** @type {Layout["origins"]} */ (layout.origins);
  const panels = masks && index.length < 3 ? origins : origins.slice(panel, panel + 1);
  return panels.map(({ x, y }) => boxOn(stage, x + col * width, y + row * height, width, height));
}

/** @type {Kind["axes"]} */
export const axes = (spec) => [
  [spec.panels_axis, spec.titles && { values: spec.titles }],
  [spec.rows_axis, spec.yticks],
  [spec.cols_axis, spec.xticks],
];
