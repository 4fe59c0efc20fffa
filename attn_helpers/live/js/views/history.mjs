/** Curves of outputs over the steps taken so far. */
import { line } from "d3-shape";
import { seriesColours } from "./colour.mjs";
import { frameView, listenTheme, make, onWidth } from "./dom.mjs";
import { formatNumber } from "./format.mjs";
import { makePlot } from "./plot.mjs";
import { calmDomain, domainOf } from "./scales.mjs";

/**
 * The numbers of each series, one for each step, step 0 first.
 * @returns {{label: string, values: number[]}[]}
 */
export function seriesOf(spec, { history, outputs }) {
  const steps = history?.length ? history : [outputs];
  return spec.series.map(({ output, label }) => ({ label, values: steps.map((step) => Number(step[output]?.data[0] ?? NaN)) }));
}

/** Whole powers of ten around positive numbers. @param {number[]} numbers @param {number[] | null} given */
export function logDomain(numbers, given) {
  if (given) return given;
  if (!numbers.length) return [0.1, 1];
  const [low, high] = [Math.floor(Math.log10(Math.min(...numbers))), Math.ceil(Math.log10(Math.max(...numbers)))];
  return [10 ** low, 10 ** Math.max(high, low + 1)];
}

/** How far the step axis reaches: a round number, so that it does not move at each step. @param {number} steps */
export function stepReach(steps) {
  return [10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find((reach) => reach >= steps) ?? Math.ceil(steps / 5000) * 5000;
}

/**
 * @param {any} spec
 * @param {any} context
 */
export function createHistory(spec, context) {
  const element = frameView("history", spec.title);
  const plot = makePlot(spec);
  const { stage, layers } = plot;
  const readout = make("div", "al-view-foot al-readout");
  element.append(stage, readout);
  stage.setAttribute("role", "img");
  let series = [];
  let domain = null;
  const drawable = (v) => Number.isFinite(v) && (!spec.log || v > 0);
  const path = line().defined(drawable).x((_, i) => plot.x(i)).y((v) => plot.y(v));
  const sizing = onWidth(element, () => series.length && draw());

  function update(frame) {
    series = seriesOf(spec, frame);
    draw();
  }

  function draw() {
    const width = sizing.width();
    const last = Math.max(0, ...series.map((s) => s.values.length - 1));
    const numbers = series.flatMap((s) => s.values.filter(drawable));
    const wanted = spec.log ? logDomain(numbers, spec.ylim) : domainOf(numbers, spec.ylim, { zero: true });
    domain = last === 0 ? wanted : calmDomain(domain, wanted);
    const height = Math.round(Math.min(240, Math.max(170, width * 0.4)));
    plot.setScales({ width, height, xDomain: [0, stepReach(last)], yDomain: domain });
    const colours = seriesColours(context.theme());
    layers.curves.selectAll("path").data(series).join("path").attr("class", "al-curve")
      .style("stroke", (_, i) => colours[i % 6]).attr("d", (s) => path(s.values));
    const ends = series.map((s) => ({ i: s.values.length - 1, v: s.values.at(-1) })).filter((p) => drawable(p.v));
    layers.points.selectAll("circle").data(ends).join("circle").attr("class", "al-dot").attr("r", 4.5)
      .attr("cx", (p) => plot.x(p.i)).attr("cy", (p) => plot.y(p.v)).style("fill", (_, i) => colours[i % 6]);
    const text = `${spec.xlabel || "step"} ${last}: ${series.map((s) => `${s.label} ${formatNumber(s.values.at(-1), 4)}`).join(", ")}`;
    readout.textContent = text;
    stage.setAttribute("aria-label", `Curve of ${series.map((s) => s.label).join(", ")} over ${last} steps. ${text}`);
  }

  const stopTheme = listenTheme(context, () => series.length && draw());
  return { element, update, highlight: () => {}, destroy: () => (sizing.stop(), stopTheme(), element.remove()) };
}
