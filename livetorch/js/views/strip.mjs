/** Strip: shares of a whole as pieces of one strip from 0 to 1, below the columns that they come from; a die points to one. */
import { numberColour } from "../shared/colour.mjs";
import { countOf, itemName, pictured, shorten, textWidth, visibleToken } from "../shared/format.mjs";
import { createItems, numberAt as itemAt } from "./items.mjs";
import { boxOn, padded, sameSource, within } from "./places.mjs";
import { layer } from "./plot.mjs";
import { domainOf } from "./scales.mjs";
import { size } from "./size.mjs";
import { labelsOf, resolve } from "./sources.mjs";

/** @import { Frame, Scene } from "./sources.mjs" */
/** @import { Context } from "./index.mjs" */
/** @import { Kind } from "./kind.mjs" */
/** @typedef {import("../shared/scene.mjs").Shape} Shape */

export { axes } from "./items.mjs";
export const part = "plots";
export const tells = true;
export const ghost = null;
export const level = () => /** @type {const} */ ("");
export const sizeOf = () => size(280, 560, 960);

const GONE = 1e-4; // a share that is none any more
const EDGE = 8; // pixels at both ends, so that the pointer's number has room there
const ABOVE = 24; // pixels above a strip without columns
const TALL = 34; // of the strip
const HIGH = 92; // of the highest column
const BANDS = 46; // between the names of the columns and the strip
const WIDEST = 46; // of one column
const WORDS = TALL + 35; // from the top of the strip to below the numbers of its pieces
const FOOT = TALL + 48; // and to the words at its ends

/**
 * What is drawn of a frame: one row of shares, and what stands above it.
 * @param {any} spec
 * @param {Frame} frame
 * @param {Record<string, any>} controls
 * @param {number} [query] the row of a matrix; the first where there is no such row
 */
export function stripOf(spec, frame, controls, query = 0) {
  const tensor = resolve(spec.source, frame);
  if (!tensor) return null;
  const length = tensor.shape.at(-1) ?? 1;
  const many = tensor.shape.length > 1 && tensor.shape[0] > 1;
  const row = many && query >= 0 && query < tensor.shape[0] ? query : 0;
  const rowOf = (/** @type {any} */ source) => {
    const found = resolve(source, frame);
    return found ? Array.from({ length }, (_, i) => Number(found.data[row * length + i])) : null;
  };
  const pointer = resolve(spec.pointer, frame)?.data[0];
  return {
    row,
    many,
    values: /** @type {number[]} */ (rowOf(spec.source)),
    columns: rowOf(spec.columns),
    scores: rowOf(spec.scores),
    kept: rowOf(spec.mask)?.map(Boolean) ?? null,
    pointer: pointer === undefined ? null : Number(pointer),
    labels: labelsOf(spec.labels, frame, controls),
  };
}

/** @typedef {NonNullable<ReturnType<typeof stripOf>>} Content */

/** The pieces that had a share and have none. @param {number[]} before @param {number[]} values */
function gone(before, values) {
  return piecesOf(before).flatMap((piece, i) => (before[i] > GONE && !(values[i] > GONE) ? [{ i, ...piece }] : []));
}

// ---- the drawing

/**
 * Where each piece begins and ends, from 0 to 1; what is no share takes no room.
 * @param {number[]} values
 */
export function piecesOf(values) {
  let end = 0;
  return values.map((value) => {
    const start = end;
    end = Math.min(1, start + (value > 0 && Number.isFinite(value) ? value : 0));
    return { start, end };
  });
}

/**
 * @typedef {object} What
 * @property {number[]} values
 * @property {number[]|null} [columns] @property {number[]|null} [scores] @property {boolean[]|null} [kept]
 * @property {string[]|null} labels @property {number|null} pointer
 * @property {number} width @property {"light"|"dark"} theme
 * @property {number|null} [marked]
 * @property {{i: number, start: number, end: number}[]} [fallen] pieces that have just gone
 * @property {number} [falls] how often the die has fallen
 */

/** The drawing. @param {any} spec @param {What} what */
export function stripPicture(spec, what) {
  const { values, columns = null, kept = null, pointer, width, fallen = [], falls = 0 } = what;
  const room = roomOf(spec, what);
  const { x, pieces, hit, fill, on, left, right } = room;
  const above = columns
    ? columnShapes({
        ...room,
        ...room.axis,
        values: columns,
        scores: what.scores ?? (room.over ? values : null),
        kept,
        named: namesOver(what, room),
      })
    : null;
  const top = above ? above.height + BANDS : ABOVE;
  const bar = pieces.map(({ start, end }, i) => {
    const place = { x: x(start), y: top, width: x(end) - x(start), height: TALL };
    return /** @type {Shape} */ (["rect", { class: on(i, "lt-piece"), ...place, fill, "fill-opacity": room.shade(i) }]);
  });
  const ghosts = fallen.map(({ start, end }) => {
    const place = { x: x(start), y: top, width: x(end) - x(start), height: TALL };
    return /** @type {Shape} */ (["rect", { class: "lt-fallen", ...place, fill }]);
  });
  const pin =
    pointer === null || !Number.isFinite(pointer)
      ? []
      : pinShapes(x(Math.min(1, Math.max(0, pointer))), pictured(pointer), top, width, falls);
  const shapes = [
    layer("areas", [...(above ? [...above.shapes, ...bandShapes(room, above, top)] : []), ...bar, ...ghosts]),
    layer("axes", endShapes(left, right, top)),
    layer("points", wordShapes(values, room, top)),
    layer("marks", pin),
  ];
  const pieceOf = (/** @type {number} */ i) => [x(pieces[i].start), Math.max(4, x(pieces[i].end) - x(pieces[i].start))];
  const isAbove = (/** @type {number} */ py) => above !== null && py < top - BANDS / 2;
  const at = (/** @type {number} */ px, py = Infinity) =>
    above && isAbove(py) ? above.at(px) : pieces.findIndex(({ start, end }) => px >= x(start) && px < x(end));
  /** What is printed or drawn at a height: a number over its column, the column, a share; "": the strip's ends. */
  const fieldAt = (/** @type {number} */ i, /** @type {number} */ py) =>
    isAbove(py) ? (py < /** @type {any} */ (above).top(i) ? "scores" : "columns") : py < top + WORDS ? "source" : "";
  /** Left, top, width and height of a piece, of a column, of the number over it. @param {string} field @param {number} i */
  const boxOf = (field, i) => {
    if (!above || field === "source") return [...pieceOf(i), top, TALL];
    const [left, right] = above.ends(i);
    const high = above.top(i);
    return [left, right - left, ...(field === "scores" ? [high - 18, 18] : [high, above.height - 20 - high])];
  };
  return { width, height: top + FOOT + 4, shapes, at, hit, fieldAt, boxOf };
}

/** Where pieces and columns have room, and how each looks. @param {any} spec @param {What} what */
function roomOf(spec, { values, columns = null, scores = null, labels, pointer, width, theme, marked = null }) {
  const [left, right] = [EDGE, width - EDGE];
  const x = (/** @type {number} */ share) => left + share * (right - left);
  const pieces = piecesOf(values);
  const [, most] = domainOf(columns ?? [], null, { zero: true });
  const end = most < 1e5 ? String(Number(most.toPrecision(3))) : pictured(most);
  const beside = columns ? textWidth(end) + 8 : 0; // the numbers of the columns' axis
  const hit = pointer === null ? -1 : pieces.findIndex(({ start, end }) => pointer >= start && pointer < end);
  const nameOf = (/** @type {number} */ i) => (labels ? visibleToken(labels[i] ?? "·") : String(i + 1));
  return {
    left,
    right,
    x,
    pieces,
    hit,
    axis: { most, end, left: left + beside },
    step: (right - left - beside) / values.length,
    fill: numberColour(spec, theme),
    on: (/** @type {number} */ i, /** @type {string} */ name) => (i === marked || i === hit ? `${name} lt-marked` : name),
    shade: (/** @type {number} */ i) => (i === hit || hit < 0 ? (columns && i % 2 ? 0.75 : 1) : i % 2 ? 0.45 : 0.65),
    nameOf,
    named: (/** @type {number} */ i, /** @type {number} */ room) => shorten(nameOf(i), room).replace(/^.?.?…$/, ""), // two letters name nothing
    over: !scores && columns !== null && columns.every((v, i) => v === values[i]), // columns that are the shares carry their numbers
    fits: (/** @type {number} */ i) => textWidth(pictured(values[i])) <= x(pieces[i].end) - x(pieces[i].start) - 4,
  };
}

/** @typedef {ReturnType<typeof roomOf>} Room */

/** A column's name, which reaches into the room that its neighbours' names leave. @param {What} what @param {Room} room */
const namesOver =
  ({ values }, { step, nameOf, named }) =>
  (/** @type {number} */ i) =>
    named(i, 2 * step - Math.max(...[i - 1, i + 1].map((k) => (k in values ? Math.min(step - 4, textWidth(nameOf(k))) : step - 2 * EDGE))));

/** What leads from each column down to its piece. @param {Room} room @param {{height: number, ends: (i: number) => number[]}} above @param {number} top @returns {Shape[]} */
function bandShapes({ pieces, x, on, fill }, above, top) {
  return pieces.flatMap(({ start, end }, i) => {
    const [a, b] = above.ends(i);
    const [from, to, middle] = [above.height, top, (above.height + top) / 2];
    if (!(end > start)) return [];
    const d = `M${a} ${from}C${a} ${middle} ${x(start)} ${middle} ${x(start)} ${to}H${x(end)}C${x(end)} ${middle} ${b} ${middle} ${b} ${from}z`;
    return [/** @type {Shape} */ (["path", { class: on(i, "lt-band"), d, fill }])];
  });
}

/** The name and the number of each piece, where they fit. @param {number[]} values @param {Room} room @param {number} top @returns {Shape[]} */
function wordShapes(values, { pieces, x, on, named, over, fits }, top) {
  return pieces.flatMap(({ start, end }, i) => {
    const room = x(end) - x(start) - 4;
    const name = named(i, room);
    const at = (x(start) + x(end)) / 2;
    /** @type {Shape[]} */
    const lines = [];
    if (end > start && textWidth(name) <= room) lines.push(["text", { class: on(i, "lt-piece-name"), x: at, y: top + TALL + 15 }, name]);
    if (end > start && !over && fits(i)) lines.push(["text", { class: "lt-bar-number", x: at, y: top + TALL + 30 }, pictured(values[i])]);
    return lines;
  });
}

/** The frame of the strip, with 0 and 1 at its ends. @param {number} left @param {number} right @param {number} top @returns {Shape[]} */
function endShapes(left, right, top) {
  const end = (/** @type {number} */ share, /** @type {number} */ x, /** @type {string} */ anchor) =>
    /** @type {Shape} */ (["text", { class: "lt-piece-end", x, y: top + FOOT, "text-anchor": anchor }, String(share)]);
  return [
    ["rect", { class: "lt-piece-frame", x: left, y: top, width: right - left, height: TALL }],
    end(0, left, "start"),
    end(1, right, "end"),
  ];
}

/**
 * The die: a number, an arrow and a line across the strip. Its class alternates, so that each fall is a new one.
 * @param {number} at @param {string} number @param {number} top @param {number} width @param {number} falls
 * @returns {Shape[]}
 */
function pinShapes(at, number, top, width, falls) {
  const half = textWidth(`⚄ ${number}`) / 2;
  return [
    [
      "g",
      { class: `lt-die lt-die-${falls ? (falls % 2 ? "odd" : "even") : "lies"}` },
      [
        ["path", { class: "lt-pointer", d: `M${at},${top - 1}l-5,-8h10z` }],
        ["line", { class: "lt-pointer-line", x1: at, x2: at, y1: top, y2: top + TALL }],
        ["text", { class: "lt-pointer-number", x: Math.min(width - half, Math.max(half, at)), y: top - 12 }, number],
      ],
    ],
  ];
}

/**
 * Columns side by side, each with its score above and its name below, and an axis that says how high they reach; what is
 * masked has an empty place.
 * @param {{values: number[], scores: (number|null)[]|null, kept: boolean[]|null, step: number, left: number, most: number, end: string, fill: string, shade: (i: number) => number,
 *   on: (i: number, name: string) => string, named: (i: number) => string}} what
 */
function columnShapes({ values, scores, kept, step, left, most, end, fill, shade, on, named }) {
  const wide = Math.min(0.8 * step, WIDEST);
  const head = scores ? 20 : 6;
  const whole = scores?.every((score) => Number.isInteger(score ?? 0.5));
  const base = head + HIGH;
  const middle = (/** @type {number} */ i) => left + (i + 0.5) * step;
  const tall = (/** @type {number} */ i) => (HIGH * Math.max(0, Number.isFinite(values[i]) ? values[i] : 0)) / (most || 1);
  const shapes = values.flatMap((_, i) => {
    const open = kept?.[i] ?? true;
    const number = scores?.[i] ?? null;
    const texts = number === null || !open ? [] : (whole ? [0] : [2, 1, 0]).map((decimals) => pictured(number, decimals));
    const score = texts.find((text) => textWidth(text) <= step - 3);
    const name = step >= 11 ? named(i) : "";
    /** @type {Shape[]} */
    const column = [
      open
        ? [
            "rect",
            {
              class: on(i, "lt-column"),
              x: middle(i) - wide / 2,
              y: base - tall(i),
              width: wide,
              height: tall(i),
              fill,
              "fill-opacity": shade(i),
            },
          ]
        : ["rect", { class: "lt-no-column", x: middle(i) - wide / 2, y: base - 14, width: wide, height: 14 }],
    ];
    if (score) column.push(["text", { class: "lt-bar-number", x: middle(i), y: base - tall(i) - 5 }, score]);
    if (name) column.push(["text", { class: on(i, "lt-piece-name"), x: middle(i), y: base + 14 }, name]);
    return column;
  });
  const tick = (/** @type {string} */ text, /** @type {number} */ y) =>
    /** @type {Shape} */ (["text", { class: "lt-piece-end", x: left - 5, y: y + 4, "text-anchor": "end" }, text]);
  const across = { x1: left, x2: left + step * values.length };
  shapes.unshift(["g", { class: "lt-axis" }, [["line", { ...across, y1: head, y2: head }]]], tick(end, head), tick("0", base));
  shapes.push(["line", { class: "lt-zero", ...across, y1: base, y2: base }]);
  return {
    height: base + 20,
    shapes,
    ends: (/** @type {number} */ i) => [middle(i) - wide / 2, middle(i) + wide / 2],
    top: (/** @type {number} */ i) => base - tall(i),
    at: (/** @type {number} */ px) => Math.min(values.length - 1, Math.max(-1, Math.floor((px - left) / step))),
  };
}

/** As a picture. @param {any} spec @param {Scene} scene @param {number} width */
export function still(spec, { frame, controls, theme }, width) {
  const content = /** @type {Content} */ (stripOf(spec, frame, controls)); // a figure is drawn of outputs that its views have checked
  return stripPicture(spec, { ...content, width, theme });
}

// ---- in the page

/** @param {any} spec @param {Context} context @returns {import("./index.mjs").View} */
export function create(spec, context) {
  /** @type {{i: number, start: number, end: number}[]} pieces that have just gone */
  let fallen = [];
  let falls = 0; // of the die
  return createItems(spec, context, {
    called: "strip of shares",
    contentOf: (frame, query) => stripOf(spec, frame, context.controls, query),
    came(now, before) {
      fallen = before && before.row === now.row && before.values.length === now.values.length ? gone(before.values, now.values) : [];
      if (before && before.pointer !== now.pointer) falls += 1;
    },
    about: ({ values }) =>
      `${spec.title ?? "Strip"}: ${countOf(values.length, spec.axis)} share a length of 1. Arrow keys left and right walk the pieces, Enter tells how a number was made.`,
    pictureOf: (now, how) => stripPicture(spec, { ...now, ...how, fallen, falls }),
    say: ({ values, labels }, i) => `${itemName(spec.axis, i, labels)}: ${pictured(values[i])}`,
    foot(query, piece, { pointer, labels }, { hit }) {
      const die = pointer === null || piece || hit < 0 ? "" : `${pictured(pointer)} falls on ${itemName(spec.axis, hit, labels)}`;
      return [query, piece, die].filter(Boolean).join(", ");
    },
  });
}

// ---- its numbers

/** What is printed opens itself: the number over a column, the die's, a share. @type {Kind["numberAt"]} */
export function numberAt(spec, shown, pointed) {
  if (pointed?.target.closest(".lt-die")) return { source: spec.pointer, index: [] };
  const one = /** @type {import("./places.mjs").One|null} */ (itemAt(spec, shown, pointed));
  if (!one || !pointed) return one;
  const field = shown.drawn.fieldAt(one.index[1], within(shown.stage, pointed)[1]);
  return field ? { ...one, source: spec[field] ?? spec.columns } : null;
}

/** @type {Kind["boxesOf"]} */
export function boxesOf(spec, { now, drawn, stage }, source, index) {
  const [row, i] = padded(index, 2);
  if (!drawn || (now.many && row !== now.row)) return [];
  const die = sameSource(spec.pointer, source) ? stage.querySelector(".lt-pointer-number") : null;
  if (die) return [die.getBoundingClientRect()];
  return ["source", "columns", "scores"].flatMap((field) => {
    const [left, width, top, height] = sameSource(spec[field], source) ? drawn.boxOf(field, i) : [];
    return height ? [boxOn(stage, left, top, width, height)] : [];
  });
}
