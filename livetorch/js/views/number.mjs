/** One number, large, with its unit. */
import { frameView, makeStage, onWidth } from "../shared/dom.mjs";
import { formatNumber, minus } from "../shared/format.mjs";
import { resolve } from "./sources.mjs";

/** @import { Context } from "./index.mjs" */
/** @typedef {import("../shared/scene.mjs").Shape} Shape */

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

/**
 * As a picture.
 * @param {any} spec
 * @param {{frame: any}} scene
 * @param {number} width
 */
export const stillNumber = (spec, { frame }, width) => numberPicture(spec, numberOf(spec, frame), width);

/**
 * @param {any} spec
 * @param {Context} context
 */
export function createNumber(spec, context) {
  const element = frameView("number", spec.title);
  const { stage, paint } = makeStage();
  element.append(stage);
  stage.setAttribute("role", "img");
  let value = NaN; // what holds
  let drawn = NaN; // what is seen on the way there
  let frame = 0;
  const sizing = onWidth(element, () => draw(drawn));

  function draw(/** @type {number} */ seen) {
    drawn = seen;
    paint(numberPicture(spec, seen, Math.min(WIDE, sizing.width())));
  }

  function update(/** @type {any} */ next) {
    const to = numberOf(spec, next);
    if (to === value) return;
    const from = drawn;
    value = to;
    stage.setAttribute("aria-label", `${spec.title}: ${written(spec, to)}${spec.unit ? ` ${spec.unit}` : ""}`);
    cancelAnimationFrame(frame);
    if (!context.glides?.() || !Number.isFinite(to - from)) return draw(to);
    const start = performance.now();
    const count = () => {
      const part = Math.min(1, (performance.now() - start) / GLIDE);
      draw(part < 1 ? from + part * (to - from) : to);
      if (part < 1) frame = requestAnimationFrame(count);
    };
    count();
  }

  return {
    element,
    update,
    highlight: () => {},
    shown: () => ({ stage }),
    destroy: () => (sizing.stop(), cancelAnimationFrame(frame), element.remove()),
  };
}
