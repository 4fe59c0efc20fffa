/** From numbers to pixels and back, on a line or by powers; the ticks of a line are d3-array's. */
import { ticks } from "d3-array";

/**
 * @typedef {((value: number) => number) & {domain: number[], invert: (at: number) => number, ticks: (count: number) => number[],
 *   draw: (ends: number[]) => Scale}} Scale
 *   domain: the numbers at both ends; invert: the number at a pixel; ticks: round numbers, about so many; draw: says where
 *   the ends are drawn, in pixels
 */

const LINE = { to: (/** @type {number} */ value) => value, back: (/** @type {number} */ at) => at };
const POWERS = { to: Math.log10, back: (/** @type {number} */ at) => 10 ** at };

/**
 * @param {number[]} domain the numbers at both ends; with `log` above 0
 * @param {{log?: boolean}} [how]
 */
export function createScale(domain, { log = false } = {}) {
  const { to, back } = log ? POWERS : LINE;
  const [low, high] = domain.map(to);
  let range = [0, 1];
  /** A part of the way: at one end, and at the other exactly. @param {number} a @param {number} b @param {number} t */
  const between = (a, b, t) => a * (1 - t) + b * t;
  const place = (/** @type {number} */ value) => between(range[0], range[1], high === low ? 0.5 : (to(value) - low) / (high - low));
  /** @type {Scale} */
  const scale = Object.assign(place, {
    domain,
    invert: (/** @type {number} */ at) => back(between(low, high, range[0] === range[1] ? 0.5 : (at - range[0]) / (range[1] - range[0]))),
    ticks: (/** @type {number} */ count) => (log ? powers(domain, count) : ticks(domain[0], domain[1], count)),
    draw(/** @type {number[]} */ ends) {
      range = ends;
      return scale;
    },
  });
  return scale;
}

/** 1, 2, ... 9 times each power of ten, or only powers where these are many, or a line's ticks where they are few. @param {number[]} domain @param {number} count */
function powers([first, last], count) {
  const [low, high] = [Math.log10(first), Math.log10(last)];
  if (high - low >= count) return ticks(low, high, Math.min(high - low, count)).map((power) => Number(`1e${power}`));
  const found = [];
  for (let power = Math.floor(low); power <= Math.ceil(high); power += 1)
    for (let k = 1; k < 10; k += 1) found.push(power < 0 ? k / 10 ** -power : k * 10 ** power);
  const inside = found.filter((value) => value >= first && value <= last);
  return 2 * inside.length < count ? ticks(first, last, count) : inside;
}
