/**
 * Quicker loops for large Programs, which come with a part of their own (lanes.mjs). Each gives false where it does not
 * take on what it is asked for: then the plain loop is run, as on a page that has no such part or may not compile it.
 */

/** @import { Numbers } from "./dtype.mjs" */

/**
 * @typedef {object} Quick
 * @property {(left: Numbers, right: Numbers, out: Numbers, starts: number[], sizes: number[]) => boolean} multiply
 * @property {(name: string, data: Numbers, out: Numbers) => boolean} map a function of each number
 * @property {(name: string, ...rest: Parameters<import("./broadcast.mjs").Run>) => boolean} pair add, sub, mul or div
 * @property {(data: Numbers, out: Numbers, length: number) => boolean} softmax of rows
 * @property {(data: Numbers, out: Numbers, stats: Numbers[], scale: (Numbers|undefined)[], eps: number) => boolean} normalise rows
 * @property {(count: number, length: number) => Float64Array[] | false} places where numbers for `waves` stand
 * @property {(halves: Float64Array[], table: Float64Array, sizes: number[]) => boolean} waves a step of a Fourier transform
 * @property {(from: Float64Array, to: Float64Array, rows: number, columns: number) => boolean} crossed rows that become columns
 */

/** @type {Quick} */
export const quick = {
  multiply: () => false,
  map: () => false,
  pair: () => false,
  softmax: () => false,
  normalise: () => false,
  places: () => false,
  waves: () => false,
  crossed: () => false,
};

/** Data that no run changes: what a product makes of its right matrix is kept. @type {WeakSet<Numbers>} */
export const lasting = new WeakSet();
