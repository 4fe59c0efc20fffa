/** A plane with two linear axes that several views draw into. */
import { axisBottom, axisLeft } from "d3-axis";
import { scaleLinear, scaleLog } from "d3-scale";
import { group, make, makeSvg } from "./dom.mjs";
import { formatNumber, minus } from "./format.mjs";
import { textWidth } from "./layout.mjs";

/**
 * @param {{xlabel?: string, ylabel?: string, log?: boolean}} spec names of the axes; log: a logarithmic y axis
 */
export function makePlot({ xlabel = "", ylabel = "", log = false }) {
  const stage = make("div", "al-stage");
  const svg = makeSvg();
  svg.removeAttribute("aria-hidden");
  stage.append(svg);
  const back = group(svg, "al-axes").attr("aria-hidden", "true");
  const layers = {};
  for (const name of ["areas", "curves", "points", "marks"]) layers[name] = group(svg, `al-${name}`).attr("aria-hidden", "true");
  layers.handles = group(svg, "al-handles");
  const axes = { x: back.append("g"), y: back.append("g") };
  const titles = { x: back.append("text").attr("class", "al-axis-title").text(xlabel), y: back.append("text").attr("class", "al-axis-title").text(ylabel) };
  const plot = { stage, svg, layers, x: scaleLinear(), y: log ? scaleLog() : scaleLinear(), box: null, setScales };
  let drawn = "";

  /**
   * Set size and domains; draws the axes again only when something changed.
   * @param {{width: number, height: number, xDomain: number[], yDomain: number[], equal?: boolean, xAxis?: boolean}} what
   */
  function setScales({ width, height, xDomain, yDomain, equal = false, xAxis = true }) {
    const key = JSON.stringify([width, height, xDomain, yDomain]);
    if (key === drawn) return false;
    drawn = key;
    const yTicks = Math.max(2, Math.round(height / 55));
    plot.y.domain(yDomain);
    const widest = Math.max(...plot.y.ticks(yTicks).map((t) => textWidth(tickText(plot.y, yTicks, log)(t))));
    const box = { left: Math.ceil(widest + 12 + (ylabel ? 18 : 0)), right: 12, top: 10, bottom: (xAxis ? 24 : 8) + (xlabel ? 18 : 0) };
    let [right, bottom] = [width - box.right, height - box.bottom];
    if (equal) {
      const unit = Math.min((right - box.left) / (xDomain[1] - xDomain[0]), (bottom - box.top) / (yDomain[1] - yDomain[0]));
      right = box.left + unit * (xDomain[1] - xDomain[0]);
      bottom = box.top + unit * (yDomain[1] - yDomain[0]);
    }
    plot.x.domain(xDomain).range([box.left, right]);
    plot.y.range([bottom, box.top]);
    plot.box = { left: box.left, top: box.top, right, bottom };
    const [fullWidth, fullHeight] = [right + box.right, bottom + box.bottom];
    svg.setAttribute("width", String(fullWidth));
    svg.setAttribute("height", String(fullHeight));
    const xTicks = Math.max(2, Math.round((right - box.left) / 70));
    if (xAxis) lineAxis(axes.x, axisBottom(plot.x).ticks(xTicks).tickFormat(tickText(plot.x, xTicks)), `translate(0,${bottom})`, bottom - box.top, true);
    lineAxis(axes.y, axisLeft(plot.y).ticks(yTicks).tickFormat(tickText(plot.y, yTicks, log)), `translate(${box.left},0)`, right - box.left, false);
    titles.x.attr("x", (box.left + right) / 2).attr("y", fullHeight - 4);
    titles.y.attr("transform", `translate(12,${(box.top + bottom) / 2}) rotate(-90)`);
    return true;
  }
  return plot;
}

/** How ticks are written: with as many decimals as their step has; on a logarithmic axis only 1, 2 and 5. */
export function tickText(scale, count, log = false) {
  const [a, b] = scale.ticks(count);
  const decimals = Math.min(6, Math.max(0, -Math.floor(Math.log10(Math.abs(b - a) || 1) + 1e-6)));
  if (log) return (value) => (/^[125]/.test(value.toExponential()) ? minus(String(Number(value.toPrecision(1)))) : "");
  return (value) => (Math.abs(value) >= 1e5 ? minus(value.toExponential(1)) : formatNumber(value, decimals));
}

/** An axis with faint lines across the plot, without the bar along it. */
function lineAxis(place, axis, transform, across, horizontal) {
  place.attr("class", "al-axis").attr("transform", transform).call(axis.tickSize(0).tickPadding(7));
  place.select(".domain").remove();
  place.selectAll(".tick line").attr(horizontal ? "y2" : "x2", horizontal ? -across : across);
}
