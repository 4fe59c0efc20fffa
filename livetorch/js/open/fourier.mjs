/** Fourier transforms: a number is a sum of all numbers of its row, each times a cosine or sine. */
import * as e from "./expression.mjs";
import { axisOf } from "../runtime/tensor.mjs";

/** @import { At, Rule } from "./rules.mjs" */

/** "cos(2π·3/8)". @param {"cos"|"sin"} name @param {number} turns @param {number} size */
function wave(name, turns, size) {
  const angle = (2 * Math.PI * turns) / size;
  return e.words([`${name}(2π·${turns}/${size})`], [], () => Math[name](angle));
}

/** x cos + y sin of the angles, or y cos - x sin. @param {At} at */
function fourier(at) {
  const shape = at.tensor(0).shape;
  const axis = axisOf(at.arg("dim"), shape.length);
  const size = shape[axis];
  const step = shape.slice(axis + 1).reduce((a, b) => a * b, 1);
  const k = Math.floor(at.i / step) % size;
  const start = at.i - k * step;
  const sign = at.arg("forward") ? 1 : -1;
  const parts = Array.from({ length: size }, (_, n) => {
    const turns = (k * n) % size;
    const half = (/** @type {number} */ which) => (at.arg("imaginary") || which === 0 ? [at.cell(which, start + n * step)] : []);
    const times = (/** @type {e.Expression} */ cell, /** @type {"cos"|"sin"} */ name, /** @type {number} */ factor) => {
      const shown = e.product([cell, wave(name, turns, size)]);
      return factor < 0 ? e.negative(shown) : shown;
    };
    const [same, other] = at.k === 0 ? [half(0), half(1)] : [half(1), half(0)];
    return [...same.map((cell) => times(cell, "cos", 1)), ...other.map((cell) => times(cell, "sin", at.k === 0 ? sign : -sign))];
  });
  return e.sum(parts.flat());
}

/** @type {Record<string, Rule>} */
export const fourierRules = { fourier };
