/** Curves and scattered points over one x axis; points that belong to a control can be dragged. */
import { line } from "d3-shape";
import { seriesColours } from "./colour.mjs";
import { resolve, rowsOf } from "./data.mjs";
import { frameView, listenTheme, make, onPoint, onWidth, sameMarks } from "./dom.mjs";
import { formatNumber, itemName } from "./format.mjs";
import { makeHandles } from "./handles.mjs";
import { makePlot } from "./plot.mjs";
import { calmDomain, domainOf, nearest, nearestPoint } from "./scales.mjs";

const dashes = ["", "7 4", "2 3", "9 3 2 3", "4 2", "1 3"];

/**
 * The curves of a frame: one for each row of each y.
 * @returns {{label: string, xs: number[], ys: number[]}[]}
 */
export function curvesOf(spec, frame) {
  const x = resolve(spec.x, frame);
  const list = [];
  for (const part of spec.y) {
    const tensor = resolve(part.source, frame);
    if (!tensor) continue;
    rowsOf(tensor).forEach((ys, i, all) => {
      const xs = x ? Array.from(x.data, Number) : ys.map((_, j) => j + 1);
      list.push({ label: spec.labels?.[list.length] ?? (all.length > 1 ? `${part.label} ${i + 1}` : part.label), xs, ys });
    });
  }
  return list;
}

/** The scattered points of a frame. @returns {number[][]} */
export function pointsOf(spec, frame) {
  if (!spec.points) return [];
  const [x, y] = [resolve(spec.points.x, frame), resolve(spec.points.y, frame)];
  if (!x || !y) return [];
  return Array.from({ length: Math.min(x.data.length, y.data.length) }, (_, i) => [Number(x.data[i]), Number(y.data[i])]);
}

/**
 * @param {any} spec
 * @param {any} context
 */
export function createLines(spec, context) {
  const element = frameView("lines", spec.title);
  const plot = makePlot(spec);
  const { stage, layers } = plot;
  const legend = make("div", "al-legend");
  const readout = make("div", "al-view-foot al-readout");
  element.append(legend, stage, readout);
  stage.setAttribute("role", "application");
  stage.setAttribute("aria-roledescription", "chart");
  stage.tabIndex = 0;
  const path = line().defined(([, y]) => Number.isFinite(y)).x(([x]) => plot.x(x)).y(([, y]) => plot.y(y));
  const rule = layers.marks.append("line").attr("class", "al-rule");
  const dots = layers.marks.append("g");

  const handles = spec.drag.map((name, h) => {
    const control = context.controls[name];
    const flat = control.shape?.[1] === 1;
    return { name, flat, ...makeHandles(layers.handles, {
      control, context, axis: control.axis ?? spec.drag_axes?.[h] ?? null, shape: flat ? "line" : "circle",
      place: (point) => [plot.x(point[0]), flat ? plot.box.bottom : plot.y(point[1])],
      unplace: (px, py) => (flat ? [plot.x.invert(px)] : [plot.x.invert(px), plot.y.invert(py)]),
      colour: () => seriesColours(context.theme())[flat ? 3 : 1],
      names: (i) => control.labels?.[i] ?? `${control.label ?? name} ${i + 1}`,
    }) };
  });

  let now = null;
  let marks = {};
  let domains = { x: null, y: null };
  let at = null;
  const sizing = onWidth(element, () => now && draw());

  function update(frame) {
    const [curves, points] = [curvesOf(spec, frame), pointsOf(spec, frame)];
    const dragged = spec.drag.flatMap((name) => frame.state[name].map((p) => (Array.isArray(p) ? p : [p])));
    now = { frame, curves, points, dragged };
    draw();
  }

  function reach() {
    const { curves, points, dragged } = now;
    const limits = spec.drag.map((name) => context.controls[name].domain).filter(Boolean);
    const xs = [...curves.flatMap((c) => c.xs), ...points.map((p) => p[0]), ...dragged.map((p) => p[0]), ...limits.flatMap((d) => d[0])];
    const ys = [...curves.flatMap((c) => c.ys), ...points.map((p) => p[1]), ...limits.flatMap((d) => d[1] ?? [])];
    domains = {
      x: calmDomain(domains.x, domainOf(xs, spec.xlim, { exact: !points.length })),
      y: calmDomain(domains.y, domainOf(ys, spec.ylim)),
    };
  }

  function draw() {
    const width = sizing.width();
    reach();
    const height = Math.round(Math.min(330, Math.max(210, width * 0.52)));
    const fresh = plot.setScales({ width, height, xDomain: domains.x, yDomain: domains.y });
    const colours = seriesColours(context.theme());
    layers.curves.selectAll("path").data(now.curves).join("path").attr("class", "al-curve")
      .style("stroke", (_, i) => colours[i % colours.length]).style("stroke-dasharray", (_, i) => dashes[i % dashes.length])
      .attr("d", (c) => path(c.ys.map((y, i) => [c.xs[i], y])));
    layers.points.selectAll("circle").data(now.points).join("circle").attr("class", "al-point").attr("r", 4)
      .attr("cx", (p) => plot.x(p[0])).attr("cy", (p) => plot.y(p[1]));
    for (const handle of handles) {
      handle.update(now.frame.state[handle.name]);
      if (handle.flat) handle.group.selectAll(".al-handle-line").attr("y1", 0).attr("y2", plot.box.top - plot.box.bottom);
    }
    const key = now.curves.map((c) => c.label).join("\n") + context.theme();
    if (fresh || legend.dataset.key !== key) drawLegend(key, colours);
    drawMarks();
  }

  function drawLegend(key, colours) {
    legend.dataset.key = key;
    const entries = now.curves.map((c, i) => entry(c.label, (sample) => {
      sample.style.borderTopColor = colours[i % colours.length];
      sample.style.borderTopStyle = i % dashes.length ? "dashed" : "solid";
    }));
    if (spec.points?.label) entries.push(entry(spec.points.label, (sample) => sample.classList.add("al-sample-point")));
    legend.replaceChildren(...(entries.length > 1 ? entries : []));
    const what = now.curves.map((c) => c.label).join(", ");
    stage.setAttribute("aria-label", `${spec.title ? `${spec.title}: ` : ""}curves of ${what || "nothing"}${spec.xlabel ? ` over ${spec.xlabel}` : ""}. Arrow keys left and right walk along the curve.`);
  }

  function entry(label, style) {
    const item = make("span", "al-legend-item");
    const sample = make("span", "al-sample");
    style(sample);
    item.append(sample, make("span", "", label));
    return item;
  }

  /** The index on the curves that is marked: by the linked axis, or where the reader stands. */
  function position() {
    const linked = spec.axis ? marks[spec.axis] : null;
    const i = Number.isInteger(linked) ? linked : at;
    return i !== null && i >= 0 && i < (now.curves[0]?.xs.length ?? 0) ? i : null;
  }

  function drawMarks() {
    if (!now) return;
    const i = position();
    rule.attr("visibility", i === null ? "hidden" : null);
    if (i !== null) {
      const x = plot.x(now.curves[0].xs[i]);
      rule.attr("x1", x).attr("x2", x).attr("y1", plot.box.top).attr("y2", plot.box.bottom);
    }
    const found = i === null ? [] : now.curves.map((c, s) => ({ x: c.xs[i], y: c.ys[i], s })).filter((p) => Number.isFinite(p.y));
    const colours = seriesColours(context.theme());
    dots.selectAll("circle").data(found).join("circle").attr("class", "al-dot").attr("r", 4.5)
      .attr("cx", (p) => plot.x(p.x)).attr("cy", (p) => plot.y(p.y)).style("fill", (p) => colours[p.s % colours.length]);
    const point = spec.points?.axis ? marks[spec.points.axis] : null;
    layers.points.selectAll("circle").classed("al-marked", (_, j) => j === point);
    handles.forEach((handle, h) => handle.highlight(marks[spec.drag_axes?.[h]] ?? null));
    readout.textContent = i !== null ? say(i) : "";
  }

  function say(i) {
    const x = `${spec.axis && !spec.xlabel ? itemName(spec.axis, i) : spec.xlabel || "x"} ${formatNumber(now.curves[0].xs[i])}`;
    return `${x}: ${now.curves.map((c) => `${c.label} ${formatNumber(c.ys[i])}`).join(", ")}`;
  }

  function mark(next) {
    if (sameMarks(next, Object.fromEntries(Object.keys(next).map((name) => [name, marks[name] ?? null])))) return drawMarks();
    marks = { ...marks, ...next };
    drawMarks();
    context.highlight(next);
  }

  function stand(i, point = null) {
    at = i;
    const next = {};
    if (spec.points?.axis) next[spec.points.axis] = point;
    if (spec.axis) next[spec.axis] = i;
    mark(next);
  }

  const over = (event) => {
    if (!now?.curves.length || handles.some((h) => h.held())) return;
    const box = stage.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const near = nearestPoint(now.points.map(([x, y]) => [plot.x(x), plot.y(y)]), px, py, 14);
    stand(px < plot.box.left - 5 || px > plot.box.right + 5 ? null : nearest(now.curves[0].xs, plot.x.invert(px)), near);
  };
  onPoint(stage, over, () => stand(null));
  stage.addEventListener("blur", () => stand(null));
  stage.addEventListener("keydown", (event) => {
    const count = now?.curves[0]?.xs.length ?? 0;
    if (event.target !== stage || !count) return;
    const from = position() ?? -1;
    const to = { ArrowLeft: Math.max(0, from - 1), ArrowRight: Math.min(count - 1, from + 1), Home: 0, End: count - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    stand(to);
    context.announce(say(to));
  });
  const stopTheme = listenTheme(context, () => now && draw());
  const highlight = (next) => {
    marks = next ?? {};
    drawMarks();
  };
  return { element, update, highlight, destroy: () => (sizing.stop(), stopTheme(), element.remove()) };
}
