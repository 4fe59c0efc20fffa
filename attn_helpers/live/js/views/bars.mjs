/** Bars: one number for each item of an axis; of a matrix, the row of the marked query. */
import { axisBottom } from "d3-axis";
import { scaleBand } from "d3-scale";
import { seriesColours } from "./colour.mjs";
import { labelsOf, resolve } from "./data.mjs";
import { frameView, listenTheme, make, onPoint, onWidth } from "./dom.mjs";
import { countOf, formatNumber, itemName } from "./format.mjs";
import { axisLabels, textWidth } from "./layout.mjs";
import { makePlot } from "./plot.mjs";
import { calmDomain, domainOf } from "./scales.mjs";

/** The row that is shown: of a matrix the marked one, else the first. */
export function shownRow({ shape, data }, index) {
  const length = shape.at(-1) ?? 1;
  const count = shape.length > 1 ? shape[0] : 1;
  const row = Number.isInteger(index) && index >= 0 && index < count ? index : 0;
  return { row, many: shape.length > 1, values: Array.from({ length }, (_, i) => Number(data[row * length + i])) };
}

/**
 * @param {any} spec
 * @param {any} context
 */
export function createBars(spec, context) {
  const element = frameView("bars", spec.title);
  const plot = makePlot(spec);
  const { stage, layers } = plot;
  const readout = make("div", "al-view-foot al-readout");
  element.append(stage, readout);
  stage.tabIndex = 0;
  stage.setAttribute("role", "application");
  stage.setAttribute("aria-roledescription", "bar chart");
  const names = layers.marks.append("g");
  const figures = layers.points.append("g");
  let frame = null;
  let now = null;
  let marks = {};
  let domain = null;
  let chosen = 0; // the query whose row is shown while none is marked
  const band = scaleBand().paddingInner(0.25).paddingOuter(0.15);
  const sizing = onWidth(element, () => frame && draw());

  function update(next) {
    frame = next;
    draw();
  }

  function draw() {
    const tensor = resolve(spec.source, frame);
    if (!tensor) return;
    const labels = labelsOf(spec.labels, frame, context.controls);
    now = { ...shownRow(tensor, chosen), labels };
    domain = calmDomain(domain, domainOf(tensor.data, spec.ylim, { zero: true }));
    const width = sizing.width();
    const { values } = now;
    const guess = axisLabels(labels, values.length, (width - 60) / values.length, false);
    const height = Math.round(Math.min(240, Math.max(160, width * 0.36)) + guess.size);
    plot.setScales({ width, height: height - guess.size, xDomain: [0, 1], yDomain: domain, xAxis: false });
    plot.svg.setAttribute("height", String(height + (spec.xlabel ? 4 : 0)));
    band.domain(values.map((_, i) => i)).range(plot.x.range()).paddingInner(Math.max(0.25, 1 - (56 * values.length) / (plot.box.right - plot.box.left)));
    drawBars(values);
    const foot = axisLabels(labels, values.length, band.step(), false);
    names.attr("class", "al-axis al-x").attr("transform", `translate(0,${plot.box.bottom})`)
      .call(axisBottom(band).tickValues(foot.ticks).tickFormat((i) => foot.texts[i]).tickSize(0).tickPadding(6));
    names.select(".domain").remove();
    names.selectAll("text").attr("text-anchor", foot.turn ? "end" : null).attr("dx", foot.turn ? "-0.4em" : null)
      .attr("transform", foot.turn ? `rotate(${foot.turn})` : null);
    plot.svg.querySelector(".al-axes > .al-axis-title")?.setAttribute("y", String(height));
    stage.setAttribute("aria-label", `Bars of ${spec.title ?? spec.source.output ?? "values"}: ${countOf(values.length, spec.axis)}. Arrow keys left and right walk the bars.`);
    drawMarks();
  }

  function drawBars(values) {
    const colours = seriesColours(context.theme());
    const zero = plot.y(Math.min(Math.max(0, domain[0]), domain[1]));
    const top = (v) => plot.y(Math.min(Math.max(Number.isFinite(v) ? v : 0, domain[0]), domain[1]));
    layers.areas.selectAll("rect").data(values).join("rect").attr("class", "al-bar")
      .attr("x", (_, i) => band(i)).attr("width", band.bandwidth())
      .attr("y", (v) => Math.min(zero, top(v))).attr("height", (v) => Math.abs(zero - top(v)))
      .style("fill", (v) => colours[v < 0 ? 1 : 0]);
    layers.curves.selectAll("line").data([zero]).join("line").attr("class", "al-zero")
      .attr("x1", plot.box.left).attr("x2", plot.box.right).attr("y1", (y) => y).attr("y2", (y) => y);
    const room = band.step() >= textWidth(formatNumber(-0.25), 11) + 2;
    figures.selectAll("text").data(room ? values : []).join("text").attr("class", "al-bar-number")
      .attr("x", (_, i) => band(i) + band.bandwidth() / 2).attr("y", (v) => (v < 0 ? Math.min(top(v) + 12, plot.box.bottom - 2) : Math.max(top(v) - 4, plot.box.top + 6)))
      .text((v) => formatNumber(v));
  }

  function drawMarks() {
    const i = marks[spec.axis] ?? null;
    layers.areas.selectAll("rect").classed("al-marked", (_, j) => j === i);
    names.selectAll(".tick").classed("al-marked", (j) => j === i);
    const query = now.many ? `${itemName(spec.query_axis, now.row)}${i === null ? "" : ", "}` : "";
    readout.textContent = query + (i === null || i >= now.values.length ? "" : say(i));
  }

  const say = (i) => `${itemName(spec.axis, i, now.labels)}: ${formatNumber(now.values[i])}`;

  function highlight(next) {
    marks = next ?? {};
    if (!frame) return;
    const query = marks[spec.query_axis];
    if (now?.many && Number.isInteger(query) && query !== chosen) {
      chosen = query;
      draw();
    } else if (now) drawMarks();
  }

  function mark(i) {
    if ((marks[spec.axis] ?? null) === i) return;
    highlight({ ...marks, [spec.axis]: i });
    context.highlight({ [spec.axis]: i });
  }

  const over = (event) => {
    if (!now) return;
    const i = Math.floor((event.clientX - stage.getBoundingClientRect().left - plot.box.left) / band.step());
    mark(i >= 0 && i < now.values.length ? i : null);
  };
  onPoint(stage, over, () => mark(null));
  stage.addEventListener("blur", () => mark(null));
  stage.addEventListener("keydown", (event) => {
    if (!now) return;
    const last = now.values.length - 1;
    const from = marks[spec.axis] ?? -1;
    const to = { ArrowLeft: Math.max(0, from - 1), ArrowRight: Math.min(last, from + 1), Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    mark(to);
    context.announce(say(to));
  });
  const stopTheme = listenTheme(context, () => frame && draw());
  return { element, update, highlight, destroy: () => (sizing.stop(), stopTheme(), element.remove()) };
}
