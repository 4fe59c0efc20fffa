/** Heatmap: one matrix or a grid of heads, on one scale; cells are walked, read out and, where told, edited. */
import { axisBottom, axisLeft } from "d3-axis";
import { scaleBand } from "d3-scale";
import { cellPainter } from "./cells.mjs";
import { colourLimits, rampStops } from "./colour.mjs";
import { cropped, labelsOf, resolve } from "./data.mjs";
import { frameView, group, listenTheme, make, makeSvg, onWidth, sameMarks } from "./dom.mjs";
import { cellText, countOf, formatNumber, itemName } from "./format.mjs";
import { cellAt, heatmapLayout, numbersFit, walk } from "./layout.mjs";

/** Shapes (queries, keys) and (heads, queries, keys) as panels, rows, cols. @param {number[]} shape */
export function panelShape(shape) {
  const [cols, rows, panels = 1] = [...shape].reverse();
  return { panels, rows, cols };
}

/**
 * Which cells may not be attended to: (panel, i) -> boolean, from a mask of the same or one panel.
 * @param {{shape: number[], data: ArrayLike<number>} | null} mask
 */
export function hiddenCells(mask, { panels, rows, cols }) {
  if (!mask) return { hidden: () => false, any: false };
  const of = panelShape(mask.shape);
  const shared = of.panels !== panels;
  const hidden = (p, i) => {
    const [r, c] = [Math.floor(i / cols), i % cols];
    if (r >= of.rows || c >= of.cols) return false;
    return !mask.data[(shared ? 0 : p * of.rows * of.cols) + r * of.cols + c];
  };
  let any = false;
  for (let i = 0; i < mask.data.length && !any; i++) any = !mask.data[i];
  return { hidden, any };
}

/**
 * @param {any} spec
 * @param {any} context
 */
export function createHeatmap(spec, context) {
  const element = frameView("heatmap", spec.title);
  const stage = make("div", "al-stage");
  const canvas = document.createElement("canvas");
  const svg = makeSvg();
  stage.tabIndex = 0;
  stage.setAttribute("role", "application");
  stage.setAttribute("aria-roledescription", spec.edit ? "editable heatmap" : "heatmap");
  stage.append(canvas, svg);
  if (spec.edit) stage.classList.add("al-editable");
  if (spec.words) stage.style.touchAction = "none"; // a drawing: strokes of a finger go any way
  const axes = group(svg, "al-axes");
  const marksLayer = group(svg, "al-marks");
  const { bar, readout, legend } = makeFoot(spec);
  element.append(stage, bar);

  const painter = cellPainter(canvas);
  const names = { rows: spec.rows_axis, cols: spec.cols_axis, panels: spec.panels_axis };
  let now = null; // what is drawn: data, sizes, labels
  let layout = null;
  let marks = {};
  let cursor = { panel: 0, row: 0, col: 0 };
  let focused = false;
  let brush = null; // the value that is being painted into a mask
  let stroke = null; // where the brush was last
  let drawnKey = "";

  const sizing = onWidth(element, () => now && draw());

  function update(frame) {
    const whole = resolve(spec.source, frame);
    if (!whole) return;
    const tensor = cropped(whole, spec, frame, context.controls);
    const size = panelShape(tensor.shape);
    const mask = resolve(spec.mask, frame);
    const hide = hiddenCells(mask, size);
    const count = size.rows * size.cols;
    const kept = (i) => !hide.any || !hide.hidden(Math.floor(i / count), i % count);
    now = {
      ...size, data: tensor.data, ...hide,
      edited: spec.edit ? resolve({ control: spec.edit }, frame) : null,
      limits: colourLimits(tensor.data, spec, kept),
      xLabels: labelsOf(spec.xticks, frame, context.controls),
      yLabels: labelsOf(spec.yticks, frame, context.controls),
      titles: Array.from({ length: size.panels }, (_, p) => spec.titles?.[p] ?? (size.panels > 1 ? itemName(names.panels, p) : null)),
    };
    draw();
  }

  function draw() {
    const width = sizing.width();
    const key = JSON.stringify([width, now.panels, now.rows, now.cols, now.xLabels, now.yLabels, now.titles]);
    if (key !== drawnKey) relayout(width);
    drawnKey = key;
    now.layout = layout;
    const big = Math.max(1, ...now.limits.map(Math.abs));
    const fit = spec.annotate === false ? null : numbersFit(layout.cell, now.limits[0] < 0, big);
    legend(now.limits, context.theme(), now.any || Boolean(spec.edit && !spec.words));
    painter.paint({ ...now, anyHidden: now.any, scale: spec.scale, theme: context.theme(), fit });
    drawMarks();
  }

  function relayout(width) {
    cursor = { panel: Math.min(cursor.panel, now.panels - 1), row: Math.min(cursor.row, now.rows - 1), col: Math.min(cursor.col, now.cols - 1) };
    layout = heatmapLayout({ ...now, width, xlabel: spec.xlabel, ylabel: spec.ylabel });
    svg.setAttribute("width", layout.width);
    svg.setAttribute("height", layout.height);
    stage.style.width = `${layout.width}px`;
    stage.style.height = `${layout.height}px`;
    drawAxes();
    stage.setAttribute("aria-label", describe());
  }

  function describe() {
    const what = spec.title ?? spec.source.output ?? spec.source.control ?? "values";
    const panels = now.panels > 1 ? `${now.panels} ${names.panels}, ` : "";
    const how = spec.edit ? " Arrow keys walk the cells, Enter or Space switches one." : " Arrow keys walk the cells.";
    return `Heatmap of ${what}: ${panels}${countOf(now.rows, names.rows)} by ${countOf(now.cols, names.cols)}.${how}`;
  }

  function drawAxes() {
    axes.selectAll("*").remove();
    layout.origins.forEach((origin, p) => {
      const place = (x, y) => axes.append("g").attr("transform", `translate(${x},${y})`);
      if (layout.titles[p]) place(origin.x + layout.panelWidth / 2, origin.y - 7).append("text").attr("class", "al-panel-title").text(layout.titles[p]);
      if (origin.last) bandAxis(place(origin.x, origin.y + layout.panelHeight), axisBottom, layout.x, layout.panelWidth, now.cols, "al-x");
      if (origin.first) bandAxis(place(origin.x, origin.y), axisLeft, layout.y, layout.panelHeight, now.rows, "al-y");
    });
    const middle = (layout.origins[0].x + layout.origins[layout.columns - 1].x + layout.panelWidth) / 2;
    if (spec.xlabel) axes.append("text").attr("class", "al-axis-title").attr("x", middle).attr("y", layout.height - 4).text(spec.xlabel);
    const centre = (layout.origins[0].y + layout.origins.at(-1).y + layout.panelHeight) / 2;
    if (spec.ylabel) axes.append("text").attr("class", "al-axis-title").attr("transform", `translate(12,${centre}) rotate(-90)`).text(spec.ylabel);
  }

  function drawMarks() {
    const row = within(marks[names.rows], now.rows);
    const col = within(marks[names.cols], now.cols);
    const { width: w, height: h } = layout.cell;
    const boxes = [];
    layout.origins.forEach(({ x, y }, p) => {
      if (row !== null) boxes.push({ kind: "al-row", x, y: y + row * h, w: layout.panelWidth, h });
      if (col !== null) boxes.push({ kind: "al-col", x: x + col * w, y, w, h: layout.panelHeight });
      if (row !== null && col !== null && !(focused && p === cursor.panel)) boxes.push({ kind: "al-box", x: x + col * w, y: y + row * h, w, h });
    });
    if (focused) {
      const { x, y } = layout.origins[cursor.panel];
      const box = { x: x + cursor.col * w, y: y + cursor.row * h, w, h };
      boxes.push({ kind: "al-halo", ...box }, { kind: "al-focus", ...box });
    }
    marksLayer.selectAll("rect").data(boxes).join("rect").attr("class", (b) => b.kind)
      .attr("x", (b) => b.x).attr("y", (b) => b.y).attr("width", (b) => b.w).attr("height", (b) => b.h);
    axes.selectAll(".al-y .tick").classed("al-marked", (i) => i === row);
    axes.selectAll(".al-x .tick").classed("al-marked", (i) => i === col);
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

  const isKept = ({ row, col }) => Boolean(now.edited?.data[row * panelShape(now.edited.shape).cols + col]);

  function pointed(event) {
    const box = stage.getBoundingClientRect();
    return now?.layout ? cellAt(now.layout, now.rows, now.cols, event.clientX - box.left, event.clientY - box.top) : null;
  }

  stage.addEventListener("pointermove", (event) => {
    const cell = pointed(event);
    if (brush !== null) {
      // a fast stroke is followed between two events, so that it leaves no gaps
      for (let part = 1 / 16; part <= 1; part += 1 / 16) {
        const passed = pointed({
          clientX: stroke.clientX + part * (event.clientX - stroke.clientX),
          clientY: stroke.clientY + part * (event.clientY - stroke.clientY),
        });
        if (passed && isKept(passed) !== brush) setCell(passed, brush, false);
      }
      stroke = event;
    }
    mark(cell);
  });
  stage.addEventListener("pointerdown", (event) => {
    const cell = pointed(event);
    if (!cell || event.button > 0) return;
    cursor = cell;
    mark(cell);
    if (!spec.edit) return;
    brush = !isKept(cell);
    stroke = event;
    stage.setPointerCapture?.(event.pointerId);
    setCell(cell, brush, false);
  });
  const lift = () => {
    if (brush !== null) setCell(cursor, isKept(cursor), true);
    brush = null;
  };
  stage.addEventListener("pointerup", lift);
  stage.addEventListener("pointercancel", lift);
  stage.addEventListener("pointerleave", (event) => {
    // a finger "leaves" as soon as it is lifted: the cell that it touched stays marked
    if (brush === null && event.pointerType !== "touch") mark(focused ? cursor : null);
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
  return { element, update, highlight, destroy: () => (sizing.stop(), stopTheme(), element.remove()) };
}

function within(index, count) {
  return Number.isInteger(index) && index >= 0 && index < count ? index : null;
}

/** An axis of names: d3 places ticks and labels, `labels` tells which are shown and how they are turned. */
function bandAxis(place, axis, labels, length, count, className) {
  const scale = scaleBand(Array.from({ length: count }, (_, i) => i), [0, length]);
  const draw = axis(scale).tickValues(labels.ticks).tickFormat((i) => labels.texts[i]).tickSize(3).tickPadding(3);
  place.attr("class", `al-axis ${className}`).call(draw);
  place.select(".domain").remove();
  if (labels.turn) {
    place.selectAll("text").attr("text-anchor", "end").attr("dx", "-0.5em").attr("dy", "0.1em").attr("transform", `rotate(${labels.turn})`);
  }
}

/** The line under the cells: the scale and what the marked cell holds. */
function makeFoot(spec) {
  const bar = make("div", "al-view-foot");
  const low = make("span", "al-scale-end");
  const ramp = make("span", "al-ramp");
  const high = make("span", "al-scale-end");
  const swatch = make("span", "al-swatch");
  const masked = make("span", "al-scale-end", "masked");
  const readout = make("span", "al-readout");
  const scale = make("span", "al-scale");
  scale.append(low, ramp, high, swatch, masked);
  bar.append(scale, readout);
  const legend = (limits, theme, showMask) => {
    ramp.style.background = `linear-gradient(to right, ${rampStops(spec.scale, theme).join(",")})`;
    const tidy = (v) => (Number.isInteger(v) ? formatNumber(v, 0) : formatNumber(v, 2));
    low.textContent = tidy(limits[0]);
    high.textContent = tidy(limits[1]);
    swatch.hidden = masked.hidden = !showMask;
  };
  return { bar, readout, legend };
}
