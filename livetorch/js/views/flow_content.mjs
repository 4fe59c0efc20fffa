/** What a flow draws of a frame: its matrices with their numbers and names, and what each cell looks like. Pure functions. */
import { colourStep, colourTable, hatchColours, hueOf, inkColour, niceCeil, roleColour } from "../shared/colour.mjs";
import { pictured, textWidth, visibleToken } from "../shared/format.mjs";
import { labelsOf, resolve } from "./sources.mjs";

/** @typedef {{part: number, row: number, col: number}} Cell */
/** The role of a matrix: as told, else by its axes. @param {any} part @returns {import("../shared/colour.mjs").Role|null} */
export const roleOf = ({ role, axes }) => (role === undefined ? hueOf(axes) : role);

const ROUNDED = 5e-7; // the picture in a notebook has six places of a number

/**
 * @typedef {object} Matrix
 * @property {string} label
 * @property {string[]} axes
 * @property {number} rows @property {number} cols @property {ArrayLike<number>} data
 * @property {string[]} rowNames @property {string[]} colNames
 * @property {import("../shared/colour.mjs").Role|null} hue
 * @property {number} reach the size of number that gets the full colour
 * @property {boolean} whole whether all numbers are whole
 * @property {(i: number) => boolean} masked also where a score stands at minus infinity
 */

/** @type {Record<string, string>} */
const SIGNS = { query: "●", key: "■", value: "◆", weight: "▦" };
const FULL = 0.42; // the strongest tint of a query, key or value: numbers are read on it

/** The title of a matrix, with the sign of its role. @param {Matrix} matrix */
export const titleOf = ({ hue, label }) => (hue ? `${SIGNS[hue]} ${label}` : label);

/** @param {any} spec @param {import("./sources.mjs").Frame} frame @param {any} controls @returns {Matrix[]|null} */
export function flowOf(spec, frame, controls) {
  const tensors = spec.parts.map((/** @type {any} */ part) => resolve(part.source, frame));
  if (tensors.some((/** @type {any} */ tensor) => !tensor)) return null;
  return spec.parts.map((/** @type {any} */ part, /** @type {number} */ p) => {
    const [cols, rows = 1] = [...tensors[p].shape].reverse();
    const data = Array.from(tensors[p].data, Number);
    const mask = resolve(part.mask, frame);
    const named = (/** @type {any} */ labels, /** @type {number} */ count) => {
      const list = labelsOf(labels, frame, controls);
      return Array.from({ length: count }, (_, i) => (list ? visibleToken(list[i] ?? "·") : String(i + 1)));
    };
    const sizes = data.map(Math.abs).filter(Number.isFinite);
    return {
      label: part.label,
      axes: part.axes,
      rows,
      cols,
      data,
      rowNames: tensors[p].shape.length > 1 ? named(part.rows, rows) : [""],
      colNames: named(part.cols, cols),
      hue: roleOf(part),
      reach: niceCeil(Math.max(roleOf(part) === "weight" ? 1 : 0, ...sizes)), // weights of all settings have one scale
      whole: data.every((v) => Math.abs(v - Math.round(v)) < ROUNDED || !Number.isFinite(v)),
      masked: (/** @type {number} */ i) => data[i] === -Infinity || (Boolean(mask) && !(/** @type {any} */ (mask).data[i])),
    };
  });
}

/** Places of a number that fit, of those asked for; none fits: undefined. @param {number} value @param {number[]} places @param {number} room */
const placesOf = (value, places, room) => places.find((decimals) => textWidth(pictured(value, decimals)) <= room);

/**
 * How many places the numbers of a matrix are written to: where one has room for a single one only, all have one.
 * @param {Matrix} matrix @param {number} room
 */
export function matrixPlaces({ data, whole, masked }, room) {
  if (whole) return 0;
  return Array.from(data).some((value, i) => !masked(i) && placesOf(value, [2, 1], room) === 1) ? 1 : 2;
}

/**
 * The number of a cell, as long as it fits; a masked cell has one only where it is no number.
 * @param {Matrix} matrix @param {number} i @param {number} room @param {number} [most] places
 */
export function cellNumber({ data, whole, masked }, i, room, most = whole ? 0 : 2) {
  if (masked(i) && !Number.isNaN(data[i])) return "";
  const places = placesOf(data[i], [2, 1, 0].slice(2 - most), room);
  return places === undefined ? "" : pictured(data[i], places);
}

/** Ground and ink of a cell. @param {Matrix} matrix @param {number} i @param {"light"|"dark"} theme */
export function cellColours({ data, hue, reach, masked }, i, theme) {
  const ink = inkColour(theme);
  if (masked(i) || !Number.isFinite(data[i])) return { fill: hatchColours(theme)[0], opacity: 1, ink };
  if (hue === "weight") {
    const table = colourTable("diverging", theme);
    const step = colourStep(data[i], [-reach, reach]);
    return { fill: `rgb(${table.rgb.slice(3 * step, 3 * step + 3).join(" ")})`, opacity: 1, ink: table.ink[step] };
  }
  const fill = roleColour(data[i] < 0 || !hue ? "suppressed" : hue, theme);
  return { fill, opacity: Number(((FULL * Math.abs(data[i])) / reach).toFixed(3)), ink };
}
