/** Heatmap: one matrix or a grid of heads, on one scale; cells are walked, read out and, where told, edited. */
import { brushOver } from "./brush.mjs";
import { cellPainter } from "./cells.mjs";
import { axesOf, makeScale, overCells } from "./heatmap_axes.mjs";
import { contentOf, fitOf, panelShape, showsMask } from "./heatmap_content.mjs";
import { resolve } from "./sources.mjs";
import { frameView, listenTheme, make, makeSvg, onWidth, sameMarks } from "../shared/dom.mjs";
import { cellText, countOf, itemName } from "../shared/format.mjs";
import { painter as scenePainter } from "../shared/scene.mjs";
import { cellAt, heatmapLayout, walk } from "./layout.mjs";

/**
 * @param {any} spec
 * @param {any} context
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

  const painter = cellPainter(canvas);
  const names = { rows: spec.rows_axis, cols: spec.cols_axis, panels: spec.panels_axis };
  let now = null; // what is drawn: data, sizes, labels
  let layout = null;
  let marks = {};
  let cursor = { panel: 0, row: 0, col: 0 };
  let focused = false;
  let drawnKey = "";

  const sizing = onWidth(element, () => now && draw());

  function update(frame) {
    const content = contentOf(spec, frame, context.controls);
    if (!content) return;
    now = { ...content, edited: spec.edit ? resolve({ control: spec.edit }, frame) : null };
    draw();
  }

  function draw() {
    const width = sizing.width();
    const key = JSON.stringify([width, now.panels, now.rows, now.cols, now.xLabels, now.yLabels, now.titles]);
    if (key !== drawnKey) relayout(width);
    drawnKey = key;
    now.layout = layout;
    legend(now.limits, context.theme(), showsMask(spec, now), now.own);
    painter.paint({ ...now, anyHidden: now.any, scale: spec.scale, theme: context.theme(), fit: fitOf(spec, now, layout) });
    drawMarks();
  }

  function relayout(width) {
    cursor = { panel: Math.min(cursor.panel, now.panels - 1), row: Math.min(cursor.row, now.rows - 1), col: Math.min(cursor.col, now.cols - 1) };
    layout = heatmapLayout({ ...now, width, xlabel: spec.xlabel, ylabel: spec.ylabel });
    svg.setAttribute("width", layout.width);
    svg.setAttribute("height", layout.height);
    stage.style.width = `${layout.width}px`;
    stage.style.height = `${layout.height}px`;
    stage.setAttribute("aria-label", describe());
  }

  function describe() {
    const what = spec.title ?? spec.source.output ?? spec.source.control ?? "values";
    const panels = now.panels > 1 ? `${now.panels} ${names.panels}, ` : "";
    const how = spec.edit ? " Arrow keys walk the cells, Enter or Space switches one, o tells how its number was made." : " Arrow keys walk the cells, Enter tells how a number was made.";
    return `Heatmap of ${what}: ${panels}${countOf(now.rows, names.rows)} by ${countOf(now.cols, names.cols)}.${how}`;
  }

  function drawMarks() {
    const row = within(marks[names.rows], now.rows);
    const col = within(marks[names.cols], now.cols);
    const { width: w, height: h } = layout.cell;
    const box = (kind, x, y, width, height) => ["rect", { class: kind, x, y, width, height }];
    const boxes = layout.origins.flatMap(({ x, y }, p) => [
      row !== null && box("lt-row", x, y + row * h, layout.panelWidth, h),
      col !== null && box("lt-col", x + col * w, y, w, layout.panelHeight),
      row !== null && col !== null && !(focused && p === cursor.panel) && box("lt-box", x + col * w, y + row * h, w, h),
    ]);
    if (focused) {
      const { x, y } = layout.origins[cursor.panel];
      boxes.push(...["lt-halo", "lt-focus"].map((kind) => box(kind, x + cursor.col * w, y + cursor.row * h, w, h)));
    }
    paintScene([["g", { class: "lt-axes" }, axesOf(layout, spec, row, col)], ["g", { class: "lt-over" }, overCells(layout, spec, now)], ["g", { class: "lt-marks" }, boxes.filter(Boolean)]]);
    const panel = within(marks[names.panels], now.panels) ?? (now.panels === 1 || focused ? cursor.panel : null);
    readout.textContent = row !== null && col !== null && panel !== null ? say({ panel, row, col }) : "";
  }

  function say({ panel, row, col }) {
    const i = row * now.cols + col;
    return cellText({
      panel: now.titles[panel], row: itemName(names.rows, row, now.yLabels), col: itemName(names.cols, col, now.xLabels),
      value: Number(now.data[panel * now.rows * now.cols + i]), masked: now.any && now.hidden(panel, i),
    });
  }

  function mark(cell) {
    const next = { [names.rows]: cell?.row ?? null, [names.cols]: cell?.col ?? null };
    if (now.panels > 1) next[names.panels] = cell?.panel ?? null;
    if (sameMarks(next, marks)) return;
    highlight({ ...marks, ...next });
    context.highlight(next);
  }

  function highlight(next) {
    marks = next ?? {};
    if (now?.layout) drawMarks();
  }

  /** Set one cell of the mask; the whole mask goes back to the figure. */
  function setCell({ row, col }, value, final) {
    if (!now.edited) return;
    const { rows, cols } = panelShape(now.edited.shape);
    if (row >= rows || col >= cols) return;
    const data = Array.from(now.edited.data, Boolean);
    data[row * cols + col] = value;
    now.edited = { ...now.edited, data };
    context.set(spec.edit, Array.from({ length: rows }, (_, r) => data.slice(r * cols, (r + 1) * cols)), { final });
  }

  /** The mask as it was before a stroke that was not meant. */
  function restore(saved) {
    const { cols } = panelShape(saved.shape);
    const data = Array.from(saved.data, Boolean);
    now.edited = saved;
    context.set(spec.edit, Array.from({ length: data.length / cols }, (_, r) => data.slice(r * cols, (r + 1) * cols)), { final: true });
  }

  const isKept = ({ row, col }) => Boolean(now.edited?.data[row * panelShape(now.edited.shape).cols + col]);

  function pointed(event) {
    const box = stage.getBoundingClientRect();
    return now?.layout ? cellAt(now.layout, now.rows, now.cols, event.clientX - box.left, event.clientY - box.top) : null;
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
      context.announce(say(cursor));
    }
    if (now?.layout) drawMarks();
  });
  stage.addEventListener("blur", () => {
    focused = false;
    mark(null);
    if (now?.layout) drawMarks();
  });
  stage.addEventListener("keydown", (event) => {
    if (!now?.layout || event.altKey || event.metaKey) return;
    if (spec.edit && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      const kept = !isKept(cursor);
      setCell(cursor, kept, true);
      context.announce(`${itemName(names.rows, cursor.row, now.yLabels)}, ${itemName(names.cols, cursor.col, now.xLabels)}: ${(spec.words ?? ["kept", "masked"])[kept ? 0 : 1]}`);
      return;
    }
    const next = walk(cursor, event.key, { ctrl: event.ctrlKey, ...now });
    if (!next) return;
    event.preventDefault();
    cursor = next;
    focused = true;
    mark(cursor);
    drawMarks();
    context.announce(say(cursor));
  });
  const stopTheme = listenTheme(context, () => {
    if (!now) return;
    drawnKey = "";
    draw();
  });
  const shown = () => ({ now, layout, stage, cursor });
  return { element, update, highlight, shown, destroy: () => (sizing.stop(), stopTheme(), element.remove()) };
}

function within(index, count) {
  return Number.isInteger(index) && index >= 0 && index < count ? index : null;
}

