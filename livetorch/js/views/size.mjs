// How much room a view needs, from what it draws at first; the same for the page and for the still picture.

/**
 * Widths in pixels: the least, the least beside a map of the same kind (`pair`), the best, the most that is of use, and
 * what a wide page may give that has room left, and the least on a phone (`small`) beside a view that has one.
 * @typedef {{min: number, tight: number, small?: number, ideal: number, most: number, grown: number, pair: string|null}} Size
 */

export const ALL = 10000; // all the room that there is

/** @param {number} min @param {number} ideal @param {number} [most] @returns {Size} */
export const size = (min, ideal, most = ideal) => ({ min, tight: min, ideal, most, grown: most, pair: null });
