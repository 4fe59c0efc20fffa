/** The box of a plot: two scales, and axes as shapes. Pure functions of sizes and domains. */
import { hueClass } from "../shared/colour.mjs";
import { minus, pictured, sayLeftOut, textWidth } from "../shared/format.mjs";
import { createScale } from "./scale.mjs";

/** @typedef {import("../shared/scene.mjs").Shape} Shape */

const WIDE = 1e6; // an axis from 1 to so much is written in powers of ten
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/**
 * @param {{width: number, height: number, xDomain: number[], yDomain: number[], xlabel?: string, ylabel?: string,
 *   log?: boolean, xlog?: boolean, equal?: boolean, head?: number, foot?: number|null}} what
 *   log: a logarithmic y axis, xlog: x axis; equal: one unit on both axes; head: pixels above the box;
 *   foot: pixels that the caller needs under the box for names of its own in place of the x axis
 */
export function plotBox({
  width,
  height,
  xDomain,
  yDomain,
  xlabel = "",
  ylabel = "",
  log = false,
  xlog = false,
  equal = false,
  head = 10,
  foot = null,
}) {
  const y = createScale(yDomain, { log });
  const yCount = Math.max(2, Math.round(height / 55));
  const written = tickText(y, yCount, log);
  const yTicks = y.ticks(yCount).map((at) => ({ at, text: written(at) }));
  const left = Math.ceil(Math.max(...yTicks.map(({ text }) => textWidth(text))) + 12 + (ylabel ? 18 : 0));
  const under = (foot ?? 24) + (xlabel ? 18 : 0);
  const top = head;
  let [right, bottom] = [width - 12, height - under];
  if (equal) {
    const unit = Math.min((right - left) / (xDomain[1] - xDomain[0]), (bottom - top) / (yDomain[1] - yDomain[0]));
    right = left + unit * (xDomain[1] - xDomain[0]);
    bottom = top + unit * (yDomain[1] - yDomain[0]);
  }
  const x = createScale(xDomain, { log: xlog }).draw([left, right]);
  y.draw([bottom, top]);
  const xCount = Math.max(2, Math.round((right - left) / 70));
  const xWritten = tickText(x, xCount, xlog);
  const full = bottom + under;
  const shapes = yTicks.map(({ at, text }) => tick(left, y(at), right - left, 0, { x: -7, dy: "0.32em", "text-anchor": "end" }, text));
  if (foot === null) {
    for (const at of x.ticks(xCount))
      shapes.push(tick(x(at), bottom, 0, top - bottom, { y: 7, dy: "0.71em", "text-anchor": "middle" }, xWritten(at)));
  }
  /** @type {Shape[]} */
  const titles = [];
  if (xlabel) titles.push(["text", { class: `lt-axis-title${hueClass(xlabel)}`, x: (left + right) / 2, y: full - 4 }, xlabel]);
  if (ylabel)
    titles.push([
      "text",
      { class: `lt-axis-title${hueClass(ylabel)}`, transform: `translate(12,${(top + bottom) / 2}) rotate(-90)` },
      ylabel,
    ]);
  /** @type {Shape} */
  const axes = ["g", { class: "lt-axes", "aria-hidden": "true" }, [["g", { class: "lt-axis" }, shapes], ...titles]];
  return { x, y, left, top, right, bottom, width: right + 12, height: full, axes };
}

/**
 * The name of a place on an axis and the line that leads from there across the plot.
 * @param {number} x @param {number} y @param {number} dx @param {number} dy
 * @param {Record<string, any>} where @param {string} words
 * @returns {Shape}
 */
function tick(x, y, dx, dy, where, words) {
  const line = dx ? { x2: dx } : { y2: dy };
  return [
    "g",
    { class: "tick", transform: `translate(${x},${y})` },
    [
      ["line", line],
      ["text", where, words],
    ],
  ];
}

/** The height of a plot that stands beside something higher. @param {number} own @param {number} least what that has @param {number} width */
export const beside = (own, least, width) => Math.max(own, Math.min(least, Math.round(1.15 * width)));

/** A box that is made anew only when what it depends on has changed. */
export function rememberedBox() {
  let key = "";
  /** @type {any} */
  let box = null;
  return (/** @type {Parameters<typeof plotBox>[0]} */ what) => {
    const wanted = JSON.stringify(what);
    if (wanted !== key) box = plotBox(what);
    key = wanted;
    return /** @type {ReturnType<typeof plotBox>} */ (box);
  };
}

/**
 * How ticks are written: with as many decimals as their step has; on a logarithmic axis only 1, 2 and 5, and
 * powers of ten on one that spans many of them.
 * @param {import("./scale.mjs").Scale} scale @param {number} count @returns {(value: number) => string}
 */
export function tickText(scale, count, log = false) {
  const [a, b] = scale.ticks(count);
  const decimals = Math.min(6, Math.max(0, -Math.floor(Math.log10(Math.abs(b - a) || 1) + 1e-6)));
  const [low, high] = scale.domain;
  if (log && high / low >= WIDE) return (value) => power(Math.round(Math.log10(value)));
  if (log) return (value) => (/^[125]/.test(value.toExponential()) ? minus(String(Number(value.toPrecision(1)))) : "");
  if (Math.abs(b - a) < 1e-6) return (value) => (value === 0 ? "0" : minus(value.toExponential(1)));
  return (value) => (Math.abs(value) >= 1e5 ? minus(value.toExponential(1)) : pictured(value, decimals));
}

/** A power of ten as it is written by hand: 10⁻³, but 1 and 10. @param {number} exponent */
const power = (exponent) =>
  exponent === 0
    ? "1"
    : `10${exponent === 1 ? "" : [...String(exponent)].map((sign) => (sign === "-" ? "⁻" : RAISED[Number(sign)])).join("")}`;

/**
 * The path along points; it breaks where one is not drawable.
 * @param {number[]} xs @param {number[]} ys in pixels
 * @param {(i: number) => boolean} drawable
 */
export function pathOf(xs, ys, drawable) {
  let path = "";
  let pen = "M";
  for (let i = 0; i < ys.length; i += 1) {
    const here = drawable(i);
    if (here) path += `${pen}${tenth(xs[i])},${tenth(ys[i])}`;
    pen = here ? "L" : "M";
  }
  // a single point between gaps is seen as a dot: line caps are round
  return path.replace(/M([^ML]*)(?=M|$)/g, "M$1Z");
}

/** A place to a tenth of a pixel. @param {number} x */
const tenth = (x) => Math.round(10 * x) / 10;

/** Whether all numbers of a list can be drawn. @param {number[]} numbers */
export const areFinite = (...numbers) => numbers.every(Number.isFinite);

/**
 * A line that says how many numbers a plot leaves out.
 * @param {number} count
 * @param {{right: number, top: number}} box
 * @returns {Shape[]}
 */
export function leftOut(count, { right, top }) {
  return count ? [["text", { class: "lt-left-out", x: right - 4, y: top + 11 }, sayLeftOut(count)]] : [];
}

/** A group that screen readers are not told of. @param {string} name @param {Shape[]} shapes @returns {Shape} */
export const layer = (name, shapes) => ["g", { class: `lt-${name}`, "aria-hidden": "true" }, shapes];

/** How curves are dashed, one after another. */
export const DASHES = ["", "7 4", "2 3", "9 3 2 3", "4 2", "1 3"];
