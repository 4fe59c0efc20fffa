/** One number, large, with its unit. */
import { h } from "../shared/dom.mjs";
import { formatNumber, minus, textWidth } from "../shared/format.mjs";
import { openPicture } from "./frame.mjs";
import { signed } from "./ghosts.mjs";
import { sameSource } from "./places.mjs";
import { size } from "./size.mjs";
import { resolve } from "./sources.mjs";

/** @import { Context } from "./index.mjs" */
/** @import { Kind } from "./kind.mjs" */
/** @typedef {import("../shared/scene.mjs").Shape} Shape */

export const part = "plots";
export const tells = false;
export const level = () => /** @type {const} */ ("");

const BOLD = 14.5; // pixels, for the measure of a title of 13: bold letters are wider

/** @type {Kind["sizeOf"]} */
export const sizeOf = (spec) => size(Math.max(120, Math.ceil(textWidth(spec.title, BOLD))), 200);

const TALL = 38;
const WIDE = 200; // pixels, where there is as much room
const GLIDE = 120; // milliseconds in which it counts to a new value

/** @param {any} spec @param {number} value */
const written = ({ format }, value) => minus(formatNumber(value, format));

/**
 * The drawing.
 * @param {any} spec
 * @param {number} value
 * @param {number} width
 */
export function numberPicture(spec, value, width) {
  /** @type {Shape[]} */
  const words = [["tspan", {}, written(spec, value)]];
  if (spec.unit) words.push(["tspan", { class: "lt-number-unit", dx: 6 }, spec.unit]);
  return { width, height: TALL, shapes: /** @type {Shape[]} */ ([["text", { class: "lt-number", x: 0, y: 29 }, words]]) };
}

/** @param {any} spec @param {import("./sources.mjs").Frame} frame */
const numberOf = (spec, frame) => Number(resolve(spec.source, frame)?.data[0] ?? NaN);

/** As a picture. @type {Kind["still"]} */
export const still = (spec, { frame }, width) => ({ ...numberPicture(spec, numberOf(spec, frame), width), under: 0 });

// ---- in the page

/** @param {any} spec @param {Context} context */
export function create(spec, context) {
  let value = NaN; // what holds
  let drawn = NaN; // what is seen on the way there
  let frame = 0;
  const { element, stage, paint, width, name, destroy } = openPicture(spec, context, { draw: () => draw(drawn), role: "img" });

  function draw(/** @type {number} */ seen) {
    drawn = seen;
    paint(numberPicture(spec, seen, Math.min(WIDE, width())));
  }

  function update(/** @type {any} */ next) {
    const to = numberOf(spec, next);
    if (to === value) return;
    const from = drawn;
    value = to;
    name(`${spec.title}: ${written(spec, to)}${spec.unit ? ` ${spec.unit}` : ""}`);
    cancelAnimationFrame(frame);
    if (!context.glides?.() || !Number.isFinite(to - from)) return draw(to);
    const start = performance.now();
    const count = () => {
      const share = Math.min(1, (performance.now() - start) / GLIDE);
      draw(share < 1 ? from + share * (to - from) : to);
      if (share < 1) frame = requestAnimationFrame(count);
    };
    count();
  }

  return { element, update, highlight: () => {}, shown: () => ({ stage }), destroy: () => (cancelAnimationFrame(frame), destroy()) };
}

/** @type {Kind["numberAt"]} */
export const numberAt = ({ source }) => ({ source, index: [] });

/** @type {Kind["boxesOf"]} */
export const boxesOf = (spec, { stage }, source) => (sameSource(spec.source, source) ? [stage.getBoundingClientRect()] : []);

export const axes = () => [];

/** By how much it differs, below it. @type {NonNullable<Kind["ghost"]>} */
export function ghost(spec, view, then, { frame }) {
  const line = h("div", { class: "lt-delta" });
  view.element.append(line);
  const write = (/** @type {number} */ x) => formatNumber(x, spec.format);
  const old = numberOf(spec, then);
  return {
    update() {
      const by = numberOf(spec, frame()) - old;
      line.textContent = Number.isNaN(by) ? `pinned: ${minus(write(old))}` : `${signed(by, write)} from ${minus(write(old))}`;
    },
    remove: () => line.remove(),
  };
}
