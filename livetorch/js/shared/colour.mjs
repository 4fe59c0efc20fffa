/** Colours of numbers: the one list of stops shared with Python (livetorch/palette.py says what it holds), made into tables of 256 steps. */
import stops from "../../colours.json" with { type: "json" };

/** @typedef {"light" | "dark"} Theme */
/** @typedef {"sequential" | "diverging"} ScaleName */
/** @typedef {"query" | "key" | "value" | "weight" | "suppressed"} Role */

/** The words that an axis of a role begins with. */
const ROLES = Object.entries(stops.begins).map(([role, words]) => /** @type {[Role, RegExp]} */ ([role, new RegExp(words, "i")]));

const STEPS = 256;
const tables = new Map();

/** The stops of one scale, for a legend. @param {ScaleName} name @param {Theme} theme @returns {string[]} */
export function rampStops(name, theme) {
  return stops[name][theme];
}

/** Colours of curves and groups of points that play no role. @param {Theme} theme @returns {string[]} */
export function seriesColours(theme) {
  return stops.series[theme];
}

/** The colour of a role: query, key, value, weight, suppressed. @param {Role} role @param {Theme} theme @returns {string} */
export function roleColour(role, theme) {
  return stops.roles[theme][role];
}

/** The role of an axis by its name: "queries", "keys", "value_dim". @param {string|null|undefined} axis */
const roleOf = (axis) => ROLES.find(([, words]) => words.test(axis ?? ""))?.[0] ?? null;

/** The class of what is written in an axis's hue, after a space; none where it plays no role. @param {string} axis */
export const hueClass = (axis) => (roleOf(axis) ? ` lt-of-${roleOf(axis)}` : "");

/** What stands for a thing of an axis: a circle, of a key a square, of a value a diamond. @param {string|null|undefined} axis */
export const shapeOf = (axis) => ({ key: "square", value: "diamond" })[String(roleOf(axis))] ?? "circle";

/**
 * The role that the numbers of a matrix play: of anything by keys, or along weights, that of weights, along values that of values,
 * else that of the rows.
 * @param {string[]} axes
 * @returns {Role|null}
 */
export function hueOf(axes) {
  const [rows, cols] = axes.map(roleOf);
  return cols === "key" || cols === "weight" ? "weight" : cols === "value" ? "value" : rows;
}

/**
 * The colour of the numbers along one axis: by keys that of weights, else of the axis's role; of none that of a curve.
 * @param {{hue?: Role|null, axis: string}} spec hue: the role, where the axis does not say it
 * @param {Theme} theme
 * @param {boolean} [below] 0: a score below 0 is suppressed
 */
export function numberColour({ hue, axis }, theme, below = false) {
  const role = hue === undefined ? hueOf(["", axis]) : hue;
  if (role === "weight" && below) return roleColour("suppressed", theme);
  return role ? roleColour(role, theme) : stops.series[theme][0];
}

/**
 * The colour of the things along an axis: of its role if it has one ("queries", "keys", "values"), else one of the series.
 * @param {string | null | undefined} axis
 * @param {number} place of the series
 * @param {Theme} theme
 */
export function axisColour(axis, place, theme) {
  const role = roleOf(axis);
  return role ? roleColour(role, theme) : stops.series[theme][place % stops.series[theme].length];
}

/** The lines between cells. @param {Theme} theme @returns {string} */
export function gridColour(theme) {
  return stops.grid[theme];
}

/** Letters on the ground of a figure. @param {Theme} theme @returns {string} */
export function inkColour(theme) {
  return stops.ink[theme][0];
}

/** Ground and line of hatched cells. @param {Theme} theme @returns {string[]} */
export function hatchColours(theme) {
  return stops.hatch[theme];
}

/**
 * Red, green, blue of each step of a scale, and whether dark or light ink can be read on it.
 * @param {ScaleName} name
 * @param {Theme} theme
 * @returns {{rgb: Uint8ClampedArray, ink: string[]}}
 */
export function colourTable(name, theme) {
  const key = `${name}/${theme}`;
  if (!tables.has(key)) tables.set(key, makeTable(rampStops(name, theme), stops.ink[theme]));
  return tables.get(key);
}

/** @param {string[]} colours @param {string[]} inks */
function makeTable(colours, inks) {
  const stopsOf = colours.map(hexParts);
  const rgb = new Uint8ClampedArray(3 * STEPS);
  /** @type {string[]} */
  const ink = [];
  for (let i = 0; i < STEPS; i++) {
    const place = (i / (STEPS - 1)) * (colours.length - 1);
    const from = Math.min(Math.floor(place), colours.length - 2);
    const parts = stopsOf[from].map((low, part) => Math.round(low + (place - from) * (stopsOf[from + 1][part] - low)));
    rgb.set(parts, 3 * i);
    ink.push(inks.reduce((best, one) => (contrast(parts, hexParts(one)) > contrast(parts, hexParts(best)) ? one : best)));
  }
  return { rgb, ink };
}

/** Red, green, blue of "#rrggbb". @param {string} hex */
export function hexParts(hex) {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

/** @param {number[]} parts */
function luminance(parts) {
  const [r, g, b] = parts.map((x) => (x / 255 <= 0.03928 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG contrast of two colours given as [r, g, b]. @param {number[]} a @param {number[]} b */
export function contrast(a, b) {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

/**
 * The step of a scale that a number has; -1 for NaN.
 * @param {number} value
 * @param {number[]} limits [low, high]
 */
export function colourStep(value, [low, high]) {
  if (Number.isNaN(value)) return -1;
  const share = (value - low) / (high - low);
  return Math.round((STEPS - 1) * Math.min(1, Math.max(0, share)));
}

/**
 * The range of the colour scale: as told, else 0..1 for weights and even around 0 for scores.
 * "auto" takes the largest (or smallest) finite number that is not masked.
 * @param {ArrayLike<number>} data
 * @param {{scale: ScaleName, vmin: number | "auto" | null, vmax: number | "auto" | null}} spec
 * @param {(i: number) => boolean} [kept]
 * @returns {number[]}
 */
export function colourLimits(data, { scale, vmin, vmax }, kept = () => true) {
  /** @param {number | "auto" | null} v @returns {v is "auto" | null} */
  const free = (v) => typeof v !== "number";
  let low = Infinity;
  let high = -Infinity;
  if (scale === "diverging" || vmin === "auto" || vmax === "auto") {
    for (let i = 0; i < data.length; i++) {
      if ((data[i] >= low && data[i] <= high) || !Number.isFinite(data[i]) || !kept(i)) continue;
      if (data[i] < low) low = data[i];
      if (data[i] > high) high = data[i];
    }
  }
  if (low > high) [low, high] = [0, 1];
  if (scale === "diverging") {
    const given = [vmin, vmax].filter((v) => typeof v === "number").map(Math.abs);
    const reach = given.length ? Math.max(...given) : niceCeil(Math.max(Math.abs(low), Math.abs(high)));
    return [free(vmin) ? -reach : Number(vmin), free(vmax) ? reach : Number(vmax)];
  }
  const bottom = vmin === "auto" ? Math.min(low, 0) : (vmin ?? 0);
  const top = vmax === "auto" ? niceCeil(high) : (vmax ?? 1);
  return [bottom, top > bottom ? top : bottom + 1];
}

/** The next of 1, 1.5, 2, 3, 5, 7.5, 10 times a power of ten: limits that do not flicker. @param {number} value */
export function niceCeil(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 1.5, 2, 3, 5, 7.5, 10].find((s) => s * power >= value * (1 - 1e-6)) ?? 10;
  return Number((step * power).toPrecision(3));
}
