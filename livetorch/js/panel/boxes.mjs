// Places in a view and boxes in the window.

/**
 * @typedef {{left: number, top: number, width: number, height: number}} Box in the window
 * @typedef {{x: number, y: number, target: Element, meant: boolean}} Pointed
 */

/** A place within a stage. @param {HTMLElement} stage @param {Pointed} pointed */
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
