/** How far an axis reaches: pure functions. */
import { nice } from "d3-array";

/**
 * The smallest and largest finite number, a little widened and rounded to ticks.
 * @param {ArrayLike<number>} numbers
 * @param {number[] | null} given limits that were told
 * @param {{zero?: boolean, exact?: boolean}} [how] zero: contains 0; exact: not widened
 * @returns {number[]}
 */
export function domainOf(numbers, given = null, { zero = false, exact = false } = {}) {
  if (given) return given;
  let low = zero ? 0 : Infinity;
  let high = zero ? 0 : -Infinity;
  for (let i = 0; i < numbers.length; i++) {
    const value = numbers[i];
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return [0, 1];
  if (low === high) return zero && low === 0 ? [0, 1] : [low - 0.5, high + 0.5];
  return exact ? [low, high] : nice(low, high, 5);
}

/**
 * Keep the last domain while it serves: an axis that jumps at each frame cannot be read.
 * @param {number[] | null} last
 * @param {number[]} wanted
 */
export function calmDomain(last, wanted) {
  if (!last || wanted[0] < last[0] || wanted[1] > last[1]) return wanted;
  return wanted[1] - wanted[0] < 0.5 * (last[1] - last[0]) ? wanted : last;
}

/** Index of the number nearest to `target`. @param {ArrayLike<number>} numbers @param {number} target */
export function nearest(numbers, target) {
  let best = -1;
  let distance = Infinity;
  for (let i = 0; i < numbers.length; i++) {
    const d = Math.abs(numbers[i] - target);
    if (d < distance) [best, distance] = [i, d];
  }
  return best;
}

/** Index of the point nearest to (x, y) within `reach`, or null. @param {number[][]} points @param {number} x @param {number} y @param {number} reach */
export function nearestPoint(points, x, y, reach) {
  /** @type {number|null} */
  let best = null;
  let distance = reach;
  points.forEach(([px, py], i) => {
    const d = Math.hypot(px - x, py - y);
    if (d <= distance) [best, distance] = [i, d];
  });
  return best;
}

/** A number rounded to the step that its range calls for: what a drag sets. @param {number} value @param {number[]} range */
export function tidy(value, [low, high]) {
  const step = 10 ** Math.floor(Math.log10((high - low) / 100));
  return Number(Math.min(high, Math.max(low, Math.round(value / step) * step)).toPrecision(6));
}
