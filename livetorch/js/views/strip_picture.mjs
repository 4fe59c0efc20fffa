/** A strip as shapes: columns side by side, bands that lead from each to its piece, the strip, the die. Pure functions. */
import { numberColour } from "../shared/colour.mjs";
import { pictured, visibleToken } from "../shared/format.mjs";
import { shorten, textWidth } from "../shared/letters.mjs";
import { layer } from "./plot.mjs";

/** @typedef {import("../shared/scene.mjs").Shape} Shape */

const EDGE = 8; // pixels at both ends, so that the pointer's number has room there
const ABOVE = 24; // pixels above a strip without columns
const TALL = 34; // of the strip
const HIGH = 92; // of the highest column
const BANDS = 46; // between the names of the columns and the strip
const WIDEST = 46; // of one column

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
  const { values, columns = null, scores = null, kept = null, labels, pointer, width, theme, marked = null, fallen = [], falls = 0 } = what;
  const [left, right] = [EDGE, width - EDGE];
  const x = (/** @type {number} */ share) => left + share * (right - left);
  const pieces = piecesOf(values);
  const hit = pointer === null ? -1 : pieces.findIndex(({ start, end }) => pointer >= start && pointer < end);
  const on = (/** @type {number} */ i, /** @type {string} */ name) => (i === marked || i === hit ? `${name} lt-marked` : name);
  const fill = numberColour(spec, theme);
  const shade = (/** @type {number} */ i) => (i === hit || hit < 0 ? (columns && i % 2 ? 0.75 : 1) : i % 2 ? 0.45 : 0.65);
  const nameOf = (/** @type {number} */ i) => (labels ? visibleToken(labels[i] ?? "·") : String(i + 1));
  const named = (/** @type {number} */ i, /** @type {number} */ room) => shorten(nameOf(i), room).replace(/^.?.?…$/, ""); // two letters name nothing
  const step = (right - left) / values.length;
  /** A column's name, which reaches into the room that its neighbours' names leave. @param {number} i */
  const besides = (i) =>
    named(i, 2 * step - Math.max(...[i - 1, i + 1].map((k) => (k in values ? Math.min(step - 4, textWidth(nameOf(k))) : step - 2 * EDGE))));
  const fits = (/** @type {number} */ i) => textWidth(pictured(values[i])) <= x(pieces[i].end) - x(pieces[i].start) - 4;
  // columns that are the shares themselves carry the numbers that have no room at their pieces
  const spare = !scores && columns?.every((v, i) => v === values[i]) ? values.map((v, i) => (fits(i) ? null : v)) : null;
  const above = columns
    ? columnShapes({ values: columns, scores: scores ?? spare, kept, step, left, fill, shade, on, named: besides })
    : null;
  const top = above ? above.height + BANDS : ABOVE;
  const bar = pieces.map(
    ({ start, end }, i) =>
      /** @type {Shape} */ ([
        "rect",
        { class: on(i, "lt-piece"), x: x(start), y: top, width: x(end) - x(start), height: TALL, fill, "fill-opacity": shade(i) },
      ]),
  );
  const ghosts = fallen.map(
    ({ start, end }) =>
      /** @type {Shape} */ (["rect", { class: "lt-fallen", x: x(start), y: top, width: x(end) - x(start), height: TALL, fill }]),
  );
  const bands = above
    ? pieces.flatMap(({ start, end }, i) => {
        const [a, b] = above.span(i);
        const [from, to, middle] = [above.height, top, (above.height + top) / 2];
        if (!(end > start)) return [];
        const d = `M${a} ${from}C${a} ${middle} ${x(start)} ${middle} ${x(start)} ${to}H${x(end)}C${x(end)} ${middle} ${b} ${middle} ${b} ${from}z`;
        return [/** @type {Shape} */ (["path", { class: on(i, "lt-band"), d, fill }])];
      })
    : [];
  const words = pieces.flatMap(({ start, end }, i) => {
    const room = x(end) - x(start) - 4;
    const name = named(i, room);
    const number = pictured(values[i]);
    const at = (x(start) + x(end)) / 2;
    /** @type {Shape[]} */
    const lines = [];
    if (end > start && textWidth(name) <= room) lines.push(["text", { class: on(i, "lt-piece-name"), x: at, y: top + TALL + 15 }, name]);
    if (end > start && fits(i)) lines.push(["text", { class: "lt-bar-number", x: at, y: top + TALL + 30 }, number]);
    return lines;
  });
  const foot = top + TALL + 48;
  /** @type {Shape[]} */
  const ends = [["rect", { class: "lt-piece-frame", x: left, y: top, width: right - left, height: TALL }]];
  for (const [share, anchor] of /** @type {const} */ ([
    [0, "start"],
    [1, "end"],
  ]))
    ends.push(["text", { class: "lt-piece-end", x: x(share), y: foot, "text-anchor": anchor }, String(share)]);
  const pin =
    pointer === null || !Number.isFinite(pointer)
      ? []
      : pinShapes(x(Math.min(1, Math.max(0, pointer))), pictured(pointer), top, width, falls);
  const shapes = [
    layer("areas", [...(above?.shapes ?? []), ...bands, ...bar, ...ghosts]),
    layer("axes", ends),
    layer("points", words),
    layer("marks", pin),
  ];
  const span = (/** @type {number} */ i) => [x(pieces[i].start), Math.max(4, x(pieces[i].end) - x(pieces[i].start))];
  const at = (/** @type {number} */ px, py = Infinity) =>
    py < top - BANDS / 2 && above ? above.at(px) : pieces.findIndex(({ start, end }) => px >= x(start) && px < x(end));
  return { width, height: foot + 4, shapes, span, at, hit, box: { top, bottom: top + TALL } };
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
 * Columns side by side, each with its score above and its name below; what is masked has an empty place.
 * @param {{values: number[], scores: (number|null)[]|null, kept: boolean[]|null, step: number, left: number, fill: string, shade: (i: number) => number,
 *   on: (i: number, name: string) => string, named: (i: number) => string}} what
 */
function columnShapes({ values, scores, kept, step, left, fill, shade, on, named }) {
  const wide = Math.min(0.8 * step, WIDEST);
  const head = scores ? 20 : 6;
  const whole = scores?.every((score) => Number.isInteger(score ?? 0.5));
  const base = head + HIGH;
  const most = Math.max(...values.filter(Number.isFinite), 1e-30);
  const middle = (/** @type {number} */ i) => left + (i + 0.5) * step;
  const tall = (/** @type {number} */ i) => (HIGH * Math.max(0, Number.isFinite(values[i]) ? values[i] : 0)) / most;
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
  shapes.push(["line", { class: "lt-zero", x1: left, x2: left + step * values.length, y1: base, y2: base }]);
  return {
    height: base + 20,
    shapes,
    span: (/** @type {number} */ i) => [middle(i) - wide / 2, middle(i) + wide / 2],
    at: (/** @type {number} */ px) => Math.min(values.length - 1, Math.max(-1, Math.floor((px - left) / step))),
  };
}
