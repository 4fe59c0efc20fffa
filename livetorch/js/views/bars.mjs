/** Bars: one number for each item of an axis; of a matrix, the row of the marked query. */
import { createLevel } from "./level.mjs";
import { numberColour, seriesColours } from "../shared/colour.mjs";
import { isItem, labelsOf, resolve } from "./sources.mjs";
import { frameView, listenTheme, make, makeStage, onWidth, writeText } from "../shared/dom.mjs";
import { countOf, isCount, itemName, pictured } from "../shared/format.mjs";
import { axisLabels } from "./layout.mjs";
import { textWidth } from "../shared/letters.mjs";
import { beside, layer, leftOut, plotBox, rememberedBox } from "./plot.mjs";
import { calmDomain, domainOf } from "./scales.mjs";
import { createStrip, stillStrip } from "./strip.mjs";
import { markItems } from "./walk.mjs";

/** @import { Frame, Scene, Tensor } from "./sources.mjs" */
/** @import { Context, Marks } from "./index.mjs" */
/** @typedef {import("../shared/scene.mjs").Shape} Shape */

const WIDEST = 56; // pixels of one bar
const NARROWEST = 12; // pixels from which a bar has room for its number, turned

/** The row that is shown: of a matrix the marked one, else the first. @param {Tensor} tensor @param {number} index */
export function shownRow({ shape, data, dtype }, index) {
  const length = shape.at(-1) ?? 1;
  const count = shape.length > 1 ? shape[0] : 1;
  const row = Number.isInteger(index) && index >= 0 && index < count ? index : 0;
  return {
    row,
    many: shape.length > 1,
    whole: isCount({ dtype }),
    values: Array.from({ length }, (_, i) => Number(data[row * length + i])),
  };
}

/** How far the bars reach. @param {any} spec @param {ArrayLike<number>} data */
const reachOf = (spec, data) => domainOf(data, spec.ylim, { zero: true });

/**
 * The drawing.
 * @param {any} spec
 * @param {{values: number[], whole?: boolean, labels: string[]|null, domain: number[], width: number, theme: "light"|"dark", marked?: number|null, least?: number, box?: typeof plotBox}} what
 *   least: the height of what stands beside it
 */
export function barsPicture(spec, { values, whole = false, labels, domain, width, theme, marked = null, least = 0, box: boxOf = plotBox }) {
  const guess = axisLabels(labels, values.length, (width - 60) / values.length, false);
  const decimals = whole ? 0 : 2;
  const longest = Math.max(...domain.map((end) => textWidth(pictured(end, decimals)))); // of all that may come
  const turned = longest + 2 > (width - 60) / values.length;
  const below = domain[0] < 0 ? (turned ? 0 : 14) : 0; // room for the number of the lowest bar
  const foot = 8 + guess.size + (spec.xlabel ? 4 : 0) + below;
  const own = Math.round(Math.min(240, Math.max(160, width * 0.36)) + guess.size) + (spec.xlabel ? 4 : 0) + below;
  const height = beside(own, least, width);
  const box = boxOf({
    width,
    height,
    xDomain: [0, 1],
    yDomain: domain,
    xlabel: spec.xlabel,
    ylabel: spec.ylabel,
    head: turned ? longest + 6 : 17,
    foot,
  });
  const step = (box.right - box.left) / values.length;
  const wide = Math.max(0, Math.min(0.75 * step, WIDEST)); // in what is folded there is no room at all
  const middle = (/** @type {number} */ i) => box.left + (i + 0.5) * step;
  const zero = box.y(Math.min(Math.max(0, domain[0]), domain[1]));
  const top = (/** @type {number} */ v) => box.y(Math.min(Math.max(Number.isFinite(v) ? v : 0, domain[0]), domain[1]));
  const on = (/** @type {number} */ i, /** @type {string} */ name) => (i === marked ? `${name} lt-marked` : name);
  /** @type {Shape[]} */
  const bars = values.map((v, i) => [
    "rect",
    {
      class: on(i, "lt-bar"),
      x: middle(i) - wide / 2,
      width: wide,
      y: Math.min(zero, top(v)),
      height: Math.abs(zero - top(v)),
      fill: spec.hues ? seriesColours(theme)[i % 6] : numberColour(spec, theme, v < 0),
    },
  ]);
  /** @type {Shape[]} */
  const numbers = (step < NARROWEST ? [] : values).map((v, i) => {
    const words = pictured(v, decimals);
    if (turned) {
      const place = `translate(${middle(i) + 4},${Math.min(top(v), zero) - 4}) rotate(-90)`;
      return ["text", { class: "lt-bar-number lt-turned", style: "text-anchor:start", transform: place }, words];
    }
    const y = v < 0 ? top(v) + 13 : Math.max(top(v) - (zero - top(v) < 2 ? 7 : 4), box.top - 4); // clear of the line at 0
    return ["text", { class: "lt-bar-number", x: middle(i), y }, words];
  });
  const { ticks, texts, turn } = axisLabels(labels, values.length, step, false);
  const how = turn
    ? { x: -5, y: 4, dy: "0.71em", "text-anchor": "end", transform: `rotate(${turn})` }
    : { y: 6, dy: "0.71em", "text-anchor": "middle" };
  /** @type {Shape[]} */
  const names = ticks.map((i) => [
    "g",
    { class: on(i, "tick"), transform: `translate(${middle(i)},${box.bottom + below})` },
    [["text", how, texts[i]]],
  ]);
  /** @type {Shape[]} */
  const shapes = [
    box.axes,
    layer("areas", bars),
    layer("curves", [["line", { class: "lt-zero", x1: box.left, x2: box.right, y1: zero, y2: zero }]]),
    layer("points", [...numbers, ...leftOut(values.filter((v) => !Number.isFinite(v)).length, box)]),
    layer("axis lt-x", names),
  ];
  const at = (/** @type {number} */ px, _ = 0) => Math.floor((px - box.left) / step);
  const span = (/** @type {number} */ i) => [box.left + i * step, step];
  return { width: box.width, height: box.height, own, shapes, box, at, span };
}

/** Stacked bars are a strip. @param {any} spec */
const asStrip = (spec) => ({ ...spec, kind: "strip", columns: null, scores: null, mask: null, pointer: spec.shares.pointer });

/**
 * As a picture.
 * @param {any} spec
 * @param {Scene} scene
 * @param {number} width
 */
export function stillBars(spec, { frame, controls, theme, least }, width) {
  if (spec.shares) return stillStrip(asStrip(spec), { frame, controls, theme }, width);
  const tensor = resolve(spec.source, frame);
  const { values, whole } = tensor ? shownRow(tensor, 0) : { values: [], whole: false };
  const labels = labelsOf(spec.labels, frame, controls);
  return barsPicture(spec, { values, whole, labels, domain: reachOf(spec, tensor?.data ?? []), width, theme, least });
}

/** @typedef {ReturnType<typeof barsPicture>} Drawn */
/** @typedef {ReturnType<typeof shownRow> & {labels: string[]|null}} Content */
/** @typedef {{now: Content, drawn: Drawn, stage: HTMLElement, marked: number|null}} Shown from the first frame on */

/**
 * @param {any} spec
 * @param {Context} context
 */
export function createBars(spec, context) {
  if (spec.shares) return createStrip(asStrip(spec), context);
  const element = frameView("bars", spec.title);
  const { stage, paint } = makeStage();
  const readout = make("div", "lt-view-foot lt-readout");
  element.append(stage, readout);
  stage.tabIndex = 0;
  stage.setAttribute("role", "application");
  stage.setAttribute("aria-roledescription", "bar chart");
  const box = rememberedBox();
  /** @type {Frame|null} */
  let frame = null;
  /** @type {Content|null} */
  let now = null;
  /** @type {Drawn|null} */
  let drawn = null;
  /** @type {Marks} */
  let marks = {};
  /** @type {number[]|null} */
  let domain = null;
  const level = createLevel(
    () => drawn?.own ?? 0,
    () => drawMarks(),
  );
  let chosen = 0; // the query whose row is shown while none is marked
  const sizing = onWidth(element, () => frame && draw());

  /** @param {Frame} next */
  function update(next) {
    frame = next;
    draw();
  }

  function draw() {
    const tensor = frame && resolve(spec.source, frame);
    if (!frame || !tensor) return;
    now = { ...shownRow(tensor, chosen), labels: labelsOf(spec.labels, frame, context.controls) };
    domain = calmDomain(domain, reachOf(spec, tensor.data));
    stage.setAttribute(
      "aria-label",
      `${spec.title ?? spec.source.output ?? "Values"}: bars, ${countOf(now.values.length, spec.axis)}. Arrow keys left and right walk the bars, Enter tells how a number was made.`,
    );
    drawMarks();
  }

  function drawMarks() {
    if (!frame || !now || !domain) return;
    const i = marks[spec.axis] ?? null;
    const how = { ...now, width: sizing.width(), theme: context.theme(), marked: i, least: level.least };
    drawn = barsPicture(spec, { ...how, domain, box });
    paint(drawn);
    const query = now.many ? `${itemName(spec.query_axis, now.row)}${i === null ? "" : ", "}` : "";
    writeText(readout, query + (i === null || i >= now.values.length ? "" : say(now, i)));
  }

  /** @param {Content} content @param {number} i */
  const say = ({ values, labels, whole }, i) => `${itemName(spec.axis, i, labels)}: ${pictured(values[i], whole ? 0 : 2)}`;

  /** @param {Marks} next */
  function highlight(next) {
    marks = next ?? {};
    if (!frame) return;
    const query = marks[spec.query_axis];
    if (now?.many && isItem(query) && query !== chosen) {
      chosen = query;
      draw();
    } else if (now) drawMarks();
  }

  /** @param {number|null} i */
  function mark(i) {
    if ((marks[spec.axis] ?? null) === i) return;
    highlight({ ...marks, [spec.axis]: i });
    context.highlight({ [spec.axis]: i });
  }

  markItems(stage, {
    at(x) {
      const i = drawn?.at(x) ?? -1;
      return now && i >= 0 && i < now.values.length ? i : null;
    },
    marked: () => marks[spec.axis] ?? null,
    count: () => now?.values.length ?? 0,
    mark,
    tell: (i) => now && context.announce(say(now, i)),
  });
  const stopTheme = listenTheme(context, () => frame && draw());
  const shown = () => ({ now, drawn, stage, marked: marks[spec.axis] ?? null });
  return { element, update, highlight, shown, level, destroy: () => (sizing.stop(), stopTheme(), element.remove()) };
}
