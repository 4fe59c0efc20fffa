/** Heatmap: one matrix or a grid of heads, on one scale; cells are walked, read out and, where told, edited. */
import { brushOver } from "./brush.mjs";
import { cellPainter } from "./cells.mjs";
import { axesOf, makeScale, overCells } from "./heatmap_axes.mjs";
import { contentOf, fitOf, laidOut, panelShape, hatchedWord } from "./heatmap_content.mjs";
import { isItem, resolve } from "./sources.mjs";
import { frameView, listenTheme, make, makeSvg, onWidth, sameMarks, writeText } from "../shared/dom.mjs";
import { cellText, countOf, itemName } from "../shared/format.mjs";
import { painter as scenePainter } from "../shared/scene.mjs";
import { cellAt, walk } from "./layout.mjs";

/** @import { Context, Marks } from "./index.mjs" */
/** @import { Shape } from "../shared/scene.mjs" */
/** @import { Content } from "./heatmap_content.mjs" */
/** @import { Cell, Layout } from "./layout.mjs" */
/** @import { Frame, Tensor } from "./sources.mjs" */

/** @typedef {{now: Content, layout: Layout|null, stage: HTMLElement, cursor: Cell}} Shown from the first frame on */

/**
 * @param {any} spec
 * @param {Context} context
 */
export function createHeatmap(spec, context) {
  const element = frameView("heatmap", spec.title);
  const stage = make("div", "lt-stage");
  const canvas = document.createElement("canvas");
  const svg = makeSvg();
  stage.tabIndex = 0;
  stage.setAttribute("role", "application");
  stage.setAttribute("aria-roledescription", spec.edit ? "editable heatmap" : "heatmap");
  stage.append(canvas, svg);
  if (spec.edit) stage.classList.add("lt-editable");
  if (spec.words) stage.classList.add("lt-drawn-on"); // strokes of a finger go any way
  const paintScene = scenePainter(svg);
  const { bar, readout, legend } = makeScale(spec);
  element.append(stage, bar);
  const painter = cellPainter(canvas, context.glides);
  const names = { rows: spec.rows_axis, cols: spec.cols_axis, panels: spec.panels_axis };
  /** @type {Content & {frame: Frame, edited: Tensor|null}|null} what is drawn: data, sizes, labels */
  let now = null;
  let layout = /** @type {Layout|null} */ (null);
  /** @type {Marks} */
  let marks = {};
  let cursor = { panel: 0, row: 0, col: 0 };
  let focused = false;
  const fine = spec.fine ?? 1; // cells, each way, that stand for one of the mask: pixels of a patch
  let drawnKey = "";
  /** @type {{at: unknown[], shape: Shape}} the axes, and the layout, row and column that they were made for */
  let axes = { at: [], shape: ["g"] };

  const sizing = onWidth(element, () => now && draw());
  /** @param {Frame} frame */
  function update(frame) {
    const content = contentOf(spec, frame, context.controls);
    if (!content) return;
    now = { ...content, frame, edited: spec.edit ? resolve({ control: spec.edit }, frame) : null };
    draw();
  }

  function draw() {
    if (!now) return;
    const width = sizing.width();
    const key = JSON.stringify([width, grown(), now.panels, now.rows, now.cols, now.xLabels, now.yLabels, now.titles]);
    if (key !== drawnKey || !layout) layout = relayout(now, width);
    drawnKey = key;
    legend(now.limits, context.theme(), hatchedWord(spec), now.own, now.levels);
    const fit = fitOf(spec, now, layout);
    bar.classList.toggle("lt-unwritten", !fit && spec.annotate !== false && !now.levels && !spec.edit);
    painter.paint({ ...now, layout, anyHidden: now.any, scale: spec.scale, theme: context.theme(), fit });
    drawMarks();
  }

  const grown = () => "grown" in element.dataset; // its row had room left

  /** @param {Content & {frame: Frame}} content @param {number} width */
  function relayout(content, width) {
    const { panels, rows, cols } = content;
    cursor = { panel: Math.min(cursor.panel, panels - 1), row: Math.min(cursor.row, rows - 1), col: Math.min(cursor.col, cols - 1) };
    const fresh = laidOut(spec, content, content.frame, context.controls, width, grown());
    element.style.setProperty("--lt-spare", `${fresh.spare}px`);
    svg.setAttribute("width", String(fresh.width));
    svg.setAttribute("height", String(fresh.height));
    stage.style.width = `${fresh.width}px`;
    stage.style.height = `${fresh.height}px`;
    stage.setAttribute("aria-label", describe(content));
    return fresh;
  }

  /** @param {Content} content */
  function describe(content) {
    const what = spec.title ?? spec.source.output ?? spec.source.control ?? "values";
    const panels = content.panels > 1 ? `${content.panels} ${names.panels}, ` : "";
    const how = spec.edit
      ? " Arrow keys walk the cells, Enter or Space switches one, o tells how its number was made."
      : " Arrow keys walk the cells, Enter tells how a number was made.";
    return `Heatmap of ${what}: ${panels}${countOf(content.rows, names.rows)} by ${countOf(content.cols, names.cols)}.${how}`;
  }

  function drawMarks() {
    if (!now || !layout) return;
    const { cell, origins, panelWidth, panelHeight } = layout;
    const row = within(marks[names.rows], now.rows);
    const col = within(marks[names.cols], now.cols);
    const { width: w, height: h } = cell;
    /** @type {(kind: string, x: number, y: number, width: number, height: number) => Shape} */
    const box = (kind, x, y, width, height) => ["rect", { class: kind, x, y, width, height }];
    const boxes = origins.flatMap(({ x, y }, p) => [
      row !== null && box("lt-row", x, y + row * h, panelWidth, h),
      col !== null && box("lt-col", x + col * w, y, w, panelHeight),
      row !== null && col !== null && !(focused && p === cursor.panel) && box("lt-box", x + col * w, y + row * h, w, h),
    ]);
    if (focused) {
      const { x, y } = origins[cursor.panel];
      boxes.push(...["lt-halo", "lt-focus"].map((kind) => box(kind, x + cursor.col * w, y + cursor.row * h, w, h)));
    }
    const at = [layout, row, col];
    if (at.some((part, k) => part !== axes.at[k])) axes = { at, shape: ["g", { class: "lt-axes" }, axesOf(layout, spec, row, col)] };
    paintScene([
      axes.shape, // the very one of the last time is left alone
      ["g", { class: "lt-over" }, overCells(layout, spec, now)],
      ["g", { class: "lt-marks" }, boxes.filter((shape) => shape !== false)],
    ]);
    const panel = within(marks[names.panels], now.panels) ?? (now.panels === 1 || focused ? cursor.panel : null);
    writeText(readout, row !== null && col !== null && panel !== null ? say(now, { panel, row, col }) : "");
  }

  /** @param {Content} content @param {Cell} cell */
  function say({ rows, cols, data, titles, xLabels, yLabels, any, hidden, levels }, { panel, row, col }) {
    const i = row * cols + col;
    return cellText({
      panel: titles[panel],
      row: itemName(names.rows, row, yLabels),
      col: itemName(names.cols, col, xLabels),
      value: Number(data[panel * rows * cols + i]),
      masked: any && hidden(panel, i) ? hatchedWord(spec) : "",
      levels,
    });
  }

  /** @param {Cell|null} cell */
  function mark(cell) {
    if (!now) return;
    /** @type {Marks} */
    const next = { [names.rows]: cell?.row ?? null, [names.cols]: cell?.col ?? null };
    if (now.panels > 1) next[names.panels] = cell?.panel ?? null;
    if (sameMarks(next, marks)) return;
    highlight({ ...marks, ...next });
    context.highlight(next);
  }

  /** @param {Marks} next */
  function highlight(next) {
    marks = next ?? {};
    drawMarks();
  }

  /** Set one cell of the mask; the whole mask goes back to the figure. @param {Cell} cell @param {boolean} value @param {boolean} final */
  function setCell({ row, col }, value, final) {
    if (!now?.edited) return;
    const { rows, cols } = panelShape(now.edited.shape);
    if (row >= rows * fine || col >= cols * fine) return;
    const data = Array.from(now.edited.data, Boolean);
    data[placeOf({ row, col }, cols)] = value;
    now.edited = { ...now.edited, data: data.map(Number) };
    give(data, cols, final);
  }

  /** @param {boolean[]} data @param {number} cols @param {boolean} final */
  function give(data, cols, final) {
    const rows = Array.from({ length: data.length / cols }, (_, r) => data.slice(r * cols, (r + 1) * cols));
    context.set(spec.edit, rows, { final });
  }

  /** The mask as it was before a stroke that was not meant. @param {Tensor} saved */
  function restore(saved) {
    if (now) now.edited = saved;
    give(Array.from(saved.data, Boolean), panelShape(saved.shape).cols, true);
  }

  const placeOf = (/** @type {Pick<Cell, "row"|"col">} */ { row, col }, /** @type {number} */ cols) =>
    Math.floor(row / fine) * cols + Math.floor(col / fine);
  const isKept = (/** @type {Cell} */ cell) => Boolean(now?.edited?.data[placeOf(cell, panelShape(now.edited.shape).cols)]);

  /** @param {{clientX: number, clientY: number}} at */
  function pointed({ clientX, clientY }) {
    const box = stage.getBoundingClientRect();
    return now && layout ? cellAt(layout, now.rows, now.cols, clientX - box.left, clientY - box.top) : null;
  }

  brushOver(stage, {
    drawing: Boolean(spec.words),
    cellAt: pointed,
    mark(cell) {
      if (cell) cursor = cell;
      mark(cell);
    },
    hovered: mark,
    edit: spec.edit && { isKept, setCell, saved: () => now?.edited, restore },
  });
  stage.addEventListener("pointerleave", (event) => {
    // a finger "leaves" as soon as it is lifted: the cell that it touched stays marked
    if (event.pointerType !== "touch" && !event.buttons) mark(focused ? cursor : null);
  });
  stage.addEventListener("focus", () => {
    focused = stage.matches(":focus-visible");
    if (focused && now) {
      mark(cursor);
      context.announce(say(now, cursor));
    }
    drawMarks();
  });
  stage.addEventListener("blur", () => {
    focused = false;
    mark(null);
    drawMarks();
  });
  stage.addEventListener("keydown", (event) => {
    if (!now || !layout || event.altKey || event.metaKey) return;
    if (spec.edit && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      const kept = !isKept(cursor);
      setCell(cursor, kept, true);
      context.announce(
        `${itemName(names.rows, cursor.row, now.yLabels)}, ${itemName(names.cols, cursor.col, now.xLabels)}: ${(spec.words ?? ["kept", hatchedWord(spec) || "masked"])[kept ? 0 : 1]}`,
      );
      return;
    }
    const next = walk(cursor, event.key, { ctrl: event.ctrlKey, ...now });
    if (!next) return;
    event.preventDefault();
    cursor = next;
    focused = true;
    mark(cursor);
    drawMarks();
    context.announce(say(now, cursor));
  });
  const stopTheme = listenTheme(context, () => {
    if (!now) return;
    drawnKey = "";
    draw();
  });
  const shown = () => ({ now, layout, stage, cursor });
  return { element, update, highlight, shown, destroy: () => (sizing.stop(), stopTheme(), element.remove()) };
}

/** @param {number|null|undefined} index @param {number} count */
function within(index, count) {
  return isItem(index) && index >= 0 && index < count ? index : null;
}
