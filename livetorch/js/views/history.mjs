/** Curves of outputs over the steps taken so far. */
import { createLevel } from "./level.mjs";
import { seriesColours } from "../shared/colour.mjs";
import { make, writeText } from "../shared/dom.mjs";
import { pictured } from "../shared/format.mjs";
import { makeReadout, openPicture } from "./frame.mjs";
import { beside, layer, leftOut, pathOf, plotBox, rememberedBox } from "./plot.mjs";
import { legendShapes, showLegend } from "./legend.mjs";
import { around, sameSource, smallest, within } from "./places.mjs";
import { calmDomain, domainOf } from "./scales.mjs";
import { size } from "./size.mjs";

/** @import { Frame, Scene } from "./sources.mjs" */
/** @import { Context } from "./index.mjs" */
/** @import { Kind } from "./kind.mjs" */
/** @typedef {import("../shared/scene.mjs").Shape} Shape */

export const part = "plots";
export const tells = false;
export const ghost = null;
export const level = () => /** @type {const} */ ("plot");
export const sizeOf = () => size(250, 250, 640); // what is beside it comes first: its curve is yet to be drawn

/**
 * @typedef {{label: string, values: number[]}} Series one number for each step, step 0 first
 *
 * @param {any} spec @param {Frame} frame @returns {Series[]}
 */
export function seriesOf(spec, { history, outputs }) {
  const steps = history?.length ? history : [outputs];
  return spec.series.map((/** @type {{output: string, label: string}} */ { output, label }) => ({
    label,
    values: steps.map((step) => Number(step[output]?.data[0] ?? NaN)),
  }));
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
  return (
    [10, 20, 50, 100, 200, 300, 400, 500, 600, 800, 1000, 2000, 3000, 5000].find((reach) => reach >= steps) ??
    Math.ceil(steps / 5000) * 5000
  );
}

/** @param {Series[]} series */
const lastOf = (series) => Math.max(0, ...series.map((s) => s.values.length - 1));
/** @param {any} spec @param {number} v */
const drawable = (spec, v) => Number.isFinite(v) && (!spec.log || v > 0);

/** How far the numbers reach. @param {any} spec @param {Series[]} series */
function reachOf(spec, series) {
  const numbers = series.flatMap((s) => s.values.filter((v) => drawable(spec, v)));
  return spec.log ? logDomain(numbers, spec.ylim) : domainOf(numbers, spec.ylim, { zero: true });
}

/**
 * The drawing.
 * @param {any} spec
 * @param {{series: Series[], domain: number[], width: number, theme: "light"|"dark", at?: number|null, least?: number,
 *   box?: typeof plotBox}} what at: a past step that the other views show; least: the height of what stands beside it
 */
export function historyPicture(spec, { series, domain, width, theme, at = null, least = 0, box: boxOf = plotBox }) {
  const own = Math.round(Math.min(240, Math.max(170, width * 0.4)));
  const height = beside(own, least, width);
  const { xlabel, ylabel, log } = spec;
  const box = boxOf({ width, height, xDomain: [0, stepReach(lastOf(series))], yDomain: domain, xlabel, ylabel, log });
  const colours = seriesColours(theme);
  /** @type {Shape[]} */
  const curves = series.map(({ values }, i) => {
    const d = pathOf(
      values.map((_, x) => box.x(x)),
      values.map((v) => (drawable(spec, v) ? box.y(v) : NaN)),
      (j) => drawable(spec, values[j]),
    );
    return ["path", { class: "lt-curve", stroke: colours[i % 6], d }];
  });
  /** Where each curve is now; NaN: nowhere. */
  const now = series.map(({ values }) => {
    const step = at ?? values.length - 1;
    return [box.x(step), drawable(spec, values[step]) ? box.y(values[step]) : NaN];
  });
  /** @type {Shape[]} */
  const ends = now.flatMap(([cx, cy], i) => (cy === cy ? [["circle", { class: "lt-dot", r: 4.5, cx, cy, fill: colours[i % 6] }]] : []));
  /** @type {Shape[]} */
  const rule = at === null ? [] : [["line", { class: "lt-rule", x1: box.x(at), x2: box.x(at), y1: box.top, y2: box.bottom }]];
  const missing = series.flatMap(({ values }) => values).filter((v) => !Number.isFinite(v)).length;
  return {
    width: box.width,
    height: box.height,
    own,
    now,
    shapes: [box.axes, layer("curves", curves), layer("points", [...rule, ...ends, ...leftOut(missing, box)])],
  };
}

/** The names of the curves. @param {{label: string}[]} series @param {"light"|"dark"} theme */
const entriesOf = (series, theme) => series.map(({ label }, i) => ({ label, colour: seriesColours(theme)[i % 6] }));

/** What the numbers are at a step. @param {any} spec @param {Series[]} series */
function say(spec, series, at = lastOf(series)) {
  return `${spec.xlabel || "step"} ${at}: ${series.map((s) => `${s.label} ${pictured(s.values[at], 4)}`).join(", ")}`;
}

/** As a picture. @param {any} spec @param {Scene} scene @param {number} width */
export function still(spec, { frame, theme, least }, width) {
  const series = seriesOf(spec, frame);
  const head = legendShapes(entriesOf(series, theme), width);
  return { ...historyPicture(spec, { series, domain: reachOf(spec, series), width, theme, least }), head, foot: say(spec, series) };
}

// ---- in the page

/** @param {any} spec @param {Context} context */
export function create(spec, context) {
  const readout = makeReadout();
  const legend = make("div", "lt-legend");
  const view = openPicture(spec, context, { draw, role: "img", above: [legend], below: [readout] });
  const box = rememberedBox();
  /** @type {Series[]} */
  let series = [];
  /** @type {number|null} */
  let at = null;
  let named = ""; // the theme that the legend has
  /** @type {number[]|null} */
  let domain = null;
  /** @type {ReturnType<typeof historyPicture>|null} */
  let drawn = null;
  const beside = createLevel(() => drawn?.own ?? 0, draw); // its height, and that of what stands beside it

  /** @param {Frame} frame */
  function update(frame) {
    series = seriesOf(spec, frame);
    at = frame.at ?? null;
    draw();
  }

  function draw() {
    if (!series.length) return; // its row may be level before it has a frame
    const wanted = reachOf(spec, series);
    domain = lastOf(series) === 0 ? wanted : calmDomain(domain, wanted);
    drawn = historyPicture(spec, { series, domain, width: view.width(), theme: context.theme(), at, least: beside.least, box });
    view.paint(drawn);
    if (named !== context.theme()) showLegend(legend, entriesOf(series, (named = context.theme())));
    const text = say(spec, series, at ?? undefined);
    writeText(readout, text);
    view.name(`Curve of ${series.map((s) => s.label).join(", ")} over ${lastOf(series)} steps. ${text}`);
  }

  const shown = () => ({ drawn, stage: view.stage });
  return { element: view.element, update, highlight: () => {}, shown, level: beside, destroy: view.destroy };
}

/** The present step's numbers: those of the steps before are not there any more. @type {Kind["numberAt"]} */
export function numberAt({ series }, { drawn, stage }, pointed) {
  const all = series.map((/** @type {{output: string}} */ { output }) => ({ source: { output }, index: [] }));
  if (!pointed) return all.length > 1 ? { all, words: "the present step" } : (all[0] ?? null);
  const [, y] = within(stage, pointed);
  return all[smallest(drawn.now.map((/** @type {number[]} */ [, here]) => Math.abs(here - y)))] ?? null;
}

/** @type {Kind["boxesOf"]} */
export const boxesOf = ({ series }, { drawn, stage }, source) =>
  (drawn?.now ?? []).flatMap((/** @type {number[]} */ [x, y], /** @type {number} */ i) =>
    y === y && sameSource({ output: series[i].output }, source) ? [around(stage, x, y)] : [],
  );

export const axes = () => [];
