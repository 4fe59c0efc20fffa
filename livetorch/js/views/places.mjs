// Which number stands at a place of a view, and where in the window a number stands: what several kinds of views use for that.

/** @import { Source } from "./sources.mjs" */

/**
 * @typedef {{left: number, top: number, width: number, height: number}} Box in the window
 * @typedef {{x: number, y: number, target: Element, meant: boolean}} Pointed in the window; meant: a number and nothing else
 * @typedef {{source: Source, index: number[]}} One the last axis last; axes in front of it may be too many
 * @typedef {{all: One[], words: string, sum?: boolean}} Several numbers that stand at one place: a point's coordinates, a row that is summed
 */

/** A place within a stage. @param {HTMLElement} stage @param {{x: number, y: number}} pointed */
export function within(stage, { x, y }) {
  const box = stage.getBoundingClientRect();
  return [x - box.left, y - box.top];
}

/** @param {HTMLElement} stage @param {number} x @param {number} y @param {number} width @param {number} height @returns {Box} */
export function boxOn(stage, x, y, width, height) {
  const { left, top } = stage.getBoundingClientRect();
  return { left: left + x, top: top + y, width, height };
}

export const around = (/** @type {HTMLElement} */ stage, /** @type {number} */ x, /** @type {number} */ y) =>
  boxOn(stage, x - 9, y - 9, 18, 18);

/** An index with zeros in front. @param {number[]} index @param {number} rank */
export const padded = (index, rank) => [...Array(Math.max(0, rank - index.length)).fill(0), ...index].slice(-rank);

/** @param {Source|null|undefined} one @param {Source} other */
export const sameSource = (one, other) => Boolean(one) && JSON.stringify(one) === JSON.stringify(other);

/** The place of the smallest. @param {number[]} numbers */
export const smallest = (numbers) =>
  numbers.reduce((best, number, i) => (number < numbers[best] || Number.isNaN(numbers[best]) ? i : best), 0);

export const largest = (/** @type {number[]} */ numbers) => smallest(numbers.map((number) => -number));

const NEAR = 14; // pixels from a point, from which it is meant

/** The place of the point that is meant, or -1. @param {number[]} far how far each is */
export function meantPoint(far) {
  const near = smallest(far);
  return far[near] <= NEAR ? near : -1;
}

/** The coordinates of a point that a hand moves. @param {Element} target @param {any[]} handles @returns {Several|null} */
export function handleAt(target, handles) {
  const handle = /** @type {any} */ (target)?.closest?.(".lt-handle");
  const group = handle && handles.find(({ control }) => control.name === handle.dataset.control);
  if (!group) return null;
  const i = Number(handle.dataset.point);
  const flat = group.control.shape?.length === 1;
  const source = { control: group.control.name };
  return {
    all: group.points[i].map((/** @type {number} */ _, /** @type {number} */ d) => ({ source, index: flat ? [i] : [i, d] })),
    words: group.names(i),
  };
}
