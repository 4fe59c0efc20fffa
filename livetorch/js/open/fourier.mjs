/** Fourier transforms: a number is a sum of all numbers of its row, each times a cosine or sine. */
import * as e from "./expression.mjs";
import { axisOf } from "../runtime/tensor.mjs";

/** @import { At, Rule } from "./rules.mjs" */

/** "cos(2π·3/8)", or of a sum of such parts. @param {"cos"|"sin"} name @param {number[]} turns @param {number[]} sizes */
function wave(name, turns, sizes) {
  const angle = turns.reduce((sum, turn, i) => sum + (2 * Math.PI * turn) / sizes[i], 0);
  const shown = turns.map((turn, i) => `${turn}/${sizes[i]}`).join(" + ");
  return e.words([`${name}(2π·${turns.length > 1 ? `(${shown})` : shown})`], [], () => Math[name](angle));
}

/** x cos + y sin of the angles, or y cos - x sin. @param {At} at */
function fourier(at) {
  const shape = at.tensor(0).shape;
  const axes = [at.arg("dim")].flat().map((axis) => axisOf(axis, shape.length));
  const sizes = axes.map((axis) => shape[axis]);
  const steps = axes.map((axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  const places = axes.map((_, j) => Math.floor(at.i / steps[j]) % sizes[j]);
  const start = at.i - places.reduce((sum, k, j) => sum + k * steps[j], 0);
  const sign = at.arg("forward") ? 1 : -1;
  const parts = Array.from({ length: sizes.reduce((a, b) => a * b, 1) }, (_, n) => {
    let left = n;
    let from = start;
    const turns = axes.map(() => 0);
    for (let j = axes.length - 1; j >= 0; j -= 1) {
      const here = left % sizes[j];
      left = (left - here) / sizes[j];
      from += here * steps[j];
      turns[j] = (places[j] * here) % sizes[j];
    }
    const half = (/** @type {number} */ which) => (at.arg("imaginary") || which === 0 ? [at.cell(which, from)] : []);
    const times = (/** @type {e.Expression} */ cell, /** @type {"cos"|"sin"} */ name, /** @type {number} */ factor) => {
      const shown = e.product([cell, wave(name, turns, sizes)]);
      return factor < 0 ? e.negative(shown) : shown;
    };
    const [same, other] = at.k === 0 ? [half(0), half(1)] : [half(1), half(0)];
    return [...same.map((cell) => times(cell, "cos", 1)), ...other.map((cell) => times(cell, "sin", at.k === 0 ? sign : -sign))];
  });
  return e.sum(parts.flat());
}

/** @type {Record<string, Rule>} */
export const fourierRules = { fourier };
