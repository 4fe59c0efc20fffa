/** Bars: one number for each item of an axis; of a matrix, the row of the marked query. */
import { numberColour, seriesColours } from "../shared/colour.mjs";
import { countOf, formatNumber, isCount, itemName, minus, pictured, textWidth } from "../shared/format.mjs";
import { inside, layerOver } from "./ghosts.mjs";
import { viewOf } from "./index.mjs";
import * as items from "./items.mjs";
import { axisLabels } from "./layout.mjs";
import { createLevel } from "./level.mjs";
import { beside, layer, leftOut, plotBox, rememberedBox } from "./plot.mjs";
import { calmDomain, domainOf } from "./scales.mjs";
import { size } from "./size.mjs";
import { labelsOf, resolve, rowsOf } from "./sources.mjs";

/** @import { Frame, Scene, Tensor } from "./sources.mjs" */
/** @import { Context } from "./index.mjs" */
/** @import { Kind } from "./kind.mjs" */
/** @typedef {import("../shared/scene.mjs").Shape} Shape */

export { axes } from "./items.mjs";
export const part = "plots";
export const tells = true;

const WIDEST = 56; // pixels of one bar
const NUMBER = 16; // pixels that a number takes beyond its bar
const NARROWEST = 12; // pixels from which a bar has room for its number, turned

/** Stacked bars are a strip. @param {any} spec */
const asStrip = (spec) => ({ ...spec, kind: "strip", columns: null, scores: null, mask: null, pointer: spec.shares.pointer });

/** @type {Kind["level"]} */
export const level = ({ shares }) => (shares ? "" : "plot");

/** @type {Kind["sizeOf"]} */
export function sizeOf(spec, frame, controls) {
  if (spec.shares) return viewOf("strip", "sizeOf")(asStrip(spec), frame, controls);
  const count = resolve(spec.source, frame)?.shape.at(-1) ?? 1;
  return size(Math.max(250, 60 + 22 * count), Math.max(320, 60 + 44 * count), 640);
}

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

/** How a number is written. @param {any} spec @param {boolean} whole */
const writing =
  ({ pattern }, whole) =>
  (/** @type {number} */ v) =>
    pattern && Number.isFinite(v) ? minus(formatNumber(v, pattern)) : pictured(v, whole ? 0 : 2);

/** How far the bars reach. @param {any} spec @param {ArrayLike<number>} data */
const reachOf = (spec, data) => domainOf(data, spec.ylim, { zero: true });

// ---- the drawing

/**
 * @typedef {{values: number[], whole?: boolean, labels: string[]|null, domain: number[], width: number, theme: "light"|"dark", marked?: number|null,
 *   least?: number, box?: typeof plotBox}} What least: the height of what stands beside it
 *
 * @param {any} spec @param {What} what
 */
export function barsPicture(spec, what) {
  const { values, theme, marked = null, whole = false } = what;
  const words = values.map(writing(spec, whole));
  const room = roomOf(spec, what, words);
  const { box, step, zero } = room;
  const on = (/** @type {number} */ i, /** @type {string} */ name) => (i === marked ? `${name} lt-marked` : name);
  const missing = values.filter((v) => !Number.isFinite(v)).length;
  /** @type {Shape[]} */
  const shapes = [
    box.axes,
    layer(
      "areas",
      barShapes(values, room, on, (v, i) => (spec.hues ? seriesColours(theme)[i % 6] : numberColour(spec, theme, v < 0))),
    ),
    layer("curves", [["line", { class: "lt-zero", x1: box.left, x2: box.right, y1: zero, y2: zero }]]),
    layer("points", [...numberShapes(values, words, room), ...leftOut(missing, box)]),
    layer("axis lt-x", nameShapes(what, room, on)),
  ];
  const at = (/** @type {number} */ px, _ = 0) => Math.floor((px - box.left) / step);
  /** Left, width, top and height of a bar with its number. @type {import("./items.mjs").Boxes["span"]} */
  const span = (i) => {
    const [high, low] = [zero, room.top(values[i])].sort((a, b) => a - b);
    const [over, under] = values[i] < 0 ? [0, NUMBER] : [NUMBER, 0];
    return [box.left + i * step, step, high - over, low - high + over + under];
  };
  return { width: box.width, height: box.height, own: room.own, shapes, box, at, span };
}

/** Where bars, numbers and names have room. @param {any} spec @param {What} what @param {string[]} words */
function roomOf(spec, { values, whole = false, labels, domain, width, least = 0, box: boxOf = plotBox }, words) {
  const guess = axisLabels(labels, values.length, (width - 60) / values.length, false);
  const may = [...domain.map(writing(spec, whole)), ...(spec.pattern ? words : [])]; // numbers that may come
  const longest = Math.max(...may.map((text) => textWidth(text)));
  const turned = longest + 2 > (width - 60) / values.length;
  const below = domain[0] < 0 ? (turned ? 0 : 14) : 0; // room for the number of the lowest bar
  const foot = 8 + guess.size + (spec.xlabel ? 4 : 0) + below;
  const own = Math.round(Math.min(240, Math.max(160, width * 0.36)) + guess.size) + (spec.xlabel ? 4 : 0) + below;
  const { xlabel, ylabel } = spec;
  const head = turned ? longest + 6 : 17;
  const box = boxOf({ width, height: beside(own, least, width), xDomain: [0, 1], yDomain: domain, xlabel, ylabel, head, foot });
  const step = (box.right - box.left) / values.length;
  return {
    own,
    box,
    step,
    turned,
    below,
    wide: Math.max(0, Math.min(0.75 * step, WIDEST)), // in what is folded there is no room at all
    middle: (/** @type {number} */ i) => box.left + (i + 0.5) * step,
    zero: box.y(Math.min(Math.max(0, domain[0]), domain[1])),
    top: (/** @type {number} */ v) => box.y(Math.min(Math.max(Number.isFinite(v) ? v : 0, domain[0]), domain[1])),
  };
}

/** @typedef {ReturnType<typeof roomOf>} Room */

/**
 * @param {number[]} values @param {Room} room @param {(i: number, name: string) => string} on
 * @param {(v: number, i: number) => string} colour @returns {Shape[]}
 */
const barShapes = (values, { middle, wide, zero, top }, on, colour) =>
  values.map((v, i) => [
    "rect",
    {
      class: on(i, "lt-bar"),
      x: middle(i) - wide / 2,
      width: wide,
      y: Math.min(zero, top(v)),
      height: Math.abs(zero - top(v)),
      fill: colour(v, i),
    },
  ]);

/** @param {number[]} values @param {string[]} all how they are written @param {Room} room @returns {Shape[]} */
function numberShapes(values, all, { step, turned, middle, top, zero, box }) {
  // Where there is no room for all, a missing bar says its 0; few numbers, far from each other, stand upright even then.
  const left = all.map((words) => turned && /^[−0.]+$/.test(words));
  const sideways = turned && left.some((gone, i) => !gone && left.slice(i + 1, i + 3).includes(false));
  return (step < NARROWEST ? [] : values).map((v, i) => {
    const words = all[i];
    if (left[i]) return ["g", {}, []];
    if (sideways) {
      const place = `translate(${middle(i) + 4},${Math.min(top(v), zero) - 4}) rotate(-90)`;
      return ["text", { class: "lt-bar-number lt-turned", style: "text-anchor:start", transform: place }, words];
    }
    const y = v < 0 ? top(v) + 13 : Math.max(top(v) - (zero - top(v) < 2 ? 7 : 4), box.top - 4); // clear of the line at 0
    return ["text", { class: "lt-bar-number", x: middle(i), y }, words];
  });
}

/** @param {What} what @param {Room} room @param {(i: number, name: string) => string} on @returns {Shape[]} */
function nameShapes({ values, labels }, { step, middle, box, below }, on) {
  const { ticks, texts, turn } = axisLabels(labels, values.length, step, false);
  const how = turn
    ? { x: -5, y: 4, dy: "0.71em", "text-anchor": "end", transform: `rotate(${turn})` }
    : { y: 6, dy: "0.71em", "text-anchor": "middle" };
  return ticks.map((i) => [
    "g",
    { class: on(i, "tick"), transform: `translate(${middle(i)},${box.bottom + below})` },
    [["text", how, texts[i]]],
  ]);
}

/** As a picture. @param {any} spec @param {Scene} scene @param {number} width */
export function still(spec, { frame, controls, theme, least }, width) {
  if (spec.shares) return viewOf("strip", "still")(asStrip(spec), { frame, controls, theme }, width);
  const tensor = resolve(spec.source, frame);
  const { values, whole } = tensor ? shownRow(tensor, 0) : { values: [], whole: false };
  const labels = labelsOf(spec.labels, frame, controls);
  return barsPicture(spec, { values, whole, labels, domain: reachOf(spec, tensor?.data ?? []), width, theme, least });
}

// ---- in the page

/** @param {any} spec @param {Context} context @returns {import("./index.mjs").View} */
export function create(spec, context) {
  if (spec.shares) return viewOf("strip", "create")(asStrip(spec), context);
  const box = rememberedBox();
  /** @type {number[]} */
  let domain;
  const own = createLevel(
    () => view.drawn()?.own ?? 0,
    () => view.draw(),
  );
  const view = items.createItems(spec, context, {
    called: "bar chart",
    contentOf(frame, query) {
      const tensor = resolve(spec.source, frame);
      if (!tensor) return null;
      return { ...shownRow(tensor, query), data: tensor.data, labels: labelsOf(spec.labels, frame, context.controls) };
    },
    came: ({ data }) => (domain = calmDomain(domain ?? null, reachOf(spec, data))),
    about: ({ values }) =>
      `${spec.title ?? spec.source.output ?? "Values"}: bars, ${countOf(values.length, spec.axis)}. Arrow keys left and right walk the bars, Enter tells how a number was made.`,
    pictureOf: (now, how) => barsPicture(spec, { ...now, ...how, least: own.least, domain, box }),
    say: ({ values, labels, whole }, i) => `${itemName(spec.axis, i, labels)}: ${writing(spec, whole)(values[i])}`,
    foot: (query, item) => query + (query && item ? ", " : "") + item,
  });
  return { ...view, level: own };
}

// ---- its numbers

/** @type {Kind["numberAt"]} */
export const numberAt = (spec, shown, pointed) =>
  spec.shares ? viewOf("strip", "numberAt")(asStrip(spec), shown, pointed) : items.numberAt(spec, shown, pointed);

/** @type {Kind["boxesOf"]} */
export const boxesOf = (spec, ...place) =>
  spec.shares ? viewOf("strip", "boxesOf")(asStrip(spec), ...place) : items.boxesOf(spec, ...place);

/** A line where a bar ended. @type {NonNullable<Kind["ghost"]>} */
export const ghost = (spec, view, then) =>
  layerOver(view, ({ now, drawn: { box, span } }) => {
    const tensor = resolve(spec.source, then);
    const old = tensor ? (rowsOf(tensor)[now.row] ?? []) : [];
    return old.slice(0, now.values.length).flatMap((value, i) => {
      if (!Number.isFinite(value)) return [];
      const [left, wide] = span(i);
      const y = inside(box.y(value), box.top, box.bottom);
      const [x1, x2] = [left + 0.06 * wide, left + 0.94 * wide];
      return ["lt-ghost-halo", "lt-ghost-line"].map((kind) => /** @type {Shape} */ (["line", { class: kind, x1, x2, y1: y, y2: y }]));
    });
  });
