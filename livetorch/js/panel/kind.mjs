// What a kind of view tells about its numbers: the form, and what several kinds use.

/** @import { Source } from "../views/sources.mjs" */

/**
 * @typedef {{source: Source, index: number[]}} One the last axis last; axes in front of it may be too many
 * @typedef {{all: One[], words: string, sum?: boolean}} Several numbers that stand at one place: a point's coordinates, a row that is summed
 * @typedef {import("./boxes.mjs").Box} Box
 * @typedef {import("./boxes.mjs").Pointed} Pointed
 */

/**
 * @template Shown what the view has drawn
 * @typedef {object} Kind
 * @property {(spec: any, shown: Shown, pointed: Pointed|null) => One|Several|null} at null: where its arrow keys have led
 * @property {(spec: any, shown: Shown, source: Source, index: number[]) => Box[]} of
 */

/** @param {Source|null|undefined} one @param {Source} other */
export const sameSource = (one, other) => Boolean(one) && JSON.stringify(one) === JSON.stringify(other);

/** The place of the smallest. @param {number[]} numbers */
export const smallest = (numbers) =>
  numbers.reduce((best, number, i) => (number < numbers[best] || Number.isNaN(numbers[best]) ? i : best), 0);

export const largest = (/** @type {number[]} */ numbers) => smallest(numbers.map((number) => -number));
