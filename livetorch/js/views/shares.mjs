/** Bars as shares: one bar from 0 to 1, cut into pieces as long as the numbers, with a pointer to a place on it. */
import { roleColour } from "../shared/colour.mjs";
import { pictured, visibleToken } from "../shared/format.mjs";
import { shorten, textWidth } from "./layout.mjs";
import { layer } from "./plot.mjs";

/** @typedef {import("../shared/scene.mjs").Shape} Shape */

const [TOP, TALL] = [24, 34]; // pixels above the bar, and of it
const EDGE = 8; // pixels at both ends, so that the pointer's number has room there

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
 * The drawing.
 * @param {any} spec
 * @param {{values: number[], labels: string[]|null, pointer: number|null, width: number, theme: "light"|"dark", marked?: number|null}} what
 */
export function sharesPicture(spec, { values, labels, pointer, width, theme, marked = null }) {
  const [left, right] = [EDGE, width - EDGE];
  const x = (/** @type {number} */ share) => left + share * (right - left);
  const pieces = piecesOf(values);
  const hit = pointer === null ? -1 : pieces.findIndex(({ start, end }) => pointer >= start && pointer < end);
  const on = (/** @type {number} */ i, /** @type {string} */ name) => (i === marked || i === hit ? `${name} lt-marked` : name);
  const fill = roleColour("weight", theme);
  const bar = pieces.map(({ start, end }, i) => /** @type {Shape} */ (["rect", {
    class: on(i, "lt-piece"), x: x(start), y: TOP, width: x(end) - x(start), height: TALL, fill, "fill-opacity": i === hit || hit < 0 ? 1 : i % 2 ? 0.45 : 0.65,
  }]));
  const words = pieces.flatMap(({ start, end }, i) => {
    const room = x(end) - x(start) - 4;
    const name = shorten(labels ? visibleToken(labels[i] ?? "·") : String(i + 1), room);
    const number = pictured(values[i]);
    const at = (x(start) + x(end)) / 2;
    /** @type {Shape[]} */
    const lines = [];
    if (textWidth(name) <= room) lines.push(["text", { class: on(i, "lt-piece-name"), x: at, y: TOP + TALL + 15 }, name]);
    if (textWidth(number, 11) <= room) lines.push(["text", { class: "lt-bar-number", x: at, y: TOP + TALL + 30 }, number]);
    return lines;
  });
  const foot = TOP + TALL + 48;
  /** @type {Shape[]} */
  const ends = [["rect", { class: "lt-piece-frame", x: left, y: TOP, width: right - left, height: TALL }]];
  for (const [share, anchor] of /** @type {const} */ ([[0, "start"], [1, "end"]])) ends.push(["text", { class: "lt-piece-end", x: x(share), y: foot, "text-anchor": anchor }, String(share)]);
  if (spec.xlabel) ends.push(["text", { class: "lt-axis-title", x: (left + right) / 2, y: foot }, spec.xlabel]);
  /** @type {Shape[]} */
  const pin = [];
  if (pointer !== null && Number.isFinite(pointer)) {
    const at = x(Math.min(1, Math.max(0, pointer)));
    const number = pictured(pointer);
    const half = textWidth(number) / 2;
    pin.push(["path", { class: "lt-pointer", d: `M${at},${TOP - 1}l-5,-8h10z` }], ["line", { class: "lt-pointer-line", x1: at, x2: at, y1: TOP, y2: TOP + TALL }]);
    pin.push(["text", { class: "lt-pointer-number", x: Math.min(width - half, Math.max(half, at)), y: TOP - 12 }, number]);
  }
  const span = (/** @type {number} */ i) => [x(pieces[i].start), Math.max(4, x(pieces[i].end) - x(pieces[i].start))];
  const at = (/** @type {number} */ px) => pieces.findIndex(({ start, end }) => px >= x(start) && px < x(end));
  const shapes = [layer("areas", bar), layer("axes", ends), layer("points", words), layer("marks", pin)];
  return { width, height: foot + 4, shapes, span, at, box: { top: TOP, bottom: TOP + TALL } };
}
