// What a kind of view is: a file of this folder, whose exports of these names are all that the rest of the script knows of it.
//
// The page needs some of them at once, some when a reader first opens a number or compares two states, and Node alone draws
// still pictures: the build sends each half where it is needed (`HALVES`), and a half that lacks one is an error that names it.

/** @import { Frame, Scene, Source } from "./sources.mjs" */
/** @import { Context, View } from "./index.mjs" */
/** @import { Box, One, Pointed, Several } from "./places.mjs" */
/** @import { Size } from "./size.mjs" */
/** @typedef {import("../shared/scene.mjs").Shape} Shape */

/**
 * How a view is drawn: its shapes, what stands above and below them, the colour scale if it has one.
 * @typedef {{width: number, height: number, spare?: number, own?: number, shapes: Shape[], head?: {height: number, shapes: Shape[]}, foot?: string,
 *   scale?: {name: "sequential"|"diverging", low: string, high: string, masked: string, measure: string, own: boolean,
 *   levels?: {words: string, colour: string}[]}, under?: number, lines?: number}} Drawn levels: in place of a ramp; under: pixels that the
 *   page keeps below it where it has no scale; lines: of its foot that have room there
 */

/**
 * @typedef {object} Kind
 * @property {string} part the part of the script that brings it; "": the core, which every page has
 * @property {(spec: any, context: Context) => View} create builds it in the page
 * @property {(spec: any, frame: Frame, controls: any) => Size} sizeOf how wide it may be
 * @property {(spec: any) => ""|"plot"|"picture"} level its say in the height of its row: a plot is as high as the highest beside it, a
 *   picture has a height of its own; "": none
 * @property {boolean} tells whether it tells of what is pointed at, so that a finger's first tap points and its second one asks
 * @property {(spec: any, shown: any, pointed: Pointed|null) => One|Several|null} numberAt which number of which output stands at a
 *   place; null: where its arrow keys have led
 * @property {(spec: any, shown: any, source: Source, index: number[]) => Box[]} boxesOf where in the window a number stands
 * @property {(spec: any, source: any) => any[][]} axes of what it shows, the last one last: what an item is
 *   called, what names its items or null, along a curve the source of the xs by which places are called instead
 * @property {((spec: any, view: any, then: Frame, context: any) => {update: () => void, remove: () => void, map?: boolean})|null} ghost
 *   what stays of a pinned state `then`; map: a map of differences. null: it has no comparison
 * @property {(spec: any, scene: any, width: number) => Drawn} still its picture in a notebook
 */

/**
 * That all kinds are such kinds, for `npm run check`.
 * @template {Record<string, Kind>} All
 * @typedef {All} AllKinds
 * @typedef {AllKinds<typeof import("./all.mjs")>} Views
 */

/** Which part of the script has which half of a kind. @satisfies {Record<string, readonly (keyof Kind)[]>} */
export const HALVES = /** @type {const} */ ({
  page: ["create", "sizeOf", "level", "tells"],
  open: ["numberAt", "boxesOf", "axes"],
  compare: ["ghost"],
  still: ["still"],
});

/** @type {Partial<Record<keyof Kind, string>>} where it is no function */
const TYPES = { part: "string", tells: "boolean" };

/**
 * Kinds of views, each of which says everything about itself; throws where one does not.
 * @param {Record<string, any>} all by name @returns {Record<string, Kind>}
 */
export function allChecked(all) {
  for (const [name, kind] of Object.entries(all)) check(name, kind);
  return all;
}

/** @param {string} name @param {Record<string, any>} kind */
function check(name, kind) {
  for (const field of /** @type {(keyof Kind)[]} */ (["part", ...Object.values(HALVES).flat()])) {
    const wanted = TYPES[field] ?? "function";
    if (typeof kind[field] === wanted || (field === "ghost" && kind[field] === null)) continue;
    const got = kind[field] === undefined ? "it does not export it" : `it is ${kind[field] === null ? "null" : typeof kind[field]}`;
    throw new Error(`The view ${name} is incomplete: views/${name}.mjs must export ${field} as a ${wanted}, and ${got}.`);
  }
}
