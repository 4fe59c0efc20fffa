// What d3-scale needs of d3-interpolate here: numbers, and colours written "#rrggbb". The bundle holds this in its
// place, since the whole of it (all colour spaces, dates, transforms) is as large as a tenth of the bundle.

/** @param {number} a @param {number} b */
export const interpolateNumber = (a, b) => (/** @type {number} */ t) => a * (1 - t) + b * t;

/** @param {number} a @param {number} b */
export const interpolateRound = (a, b) => (/** @type {number} */ t) => Math.round(a * (1 - t) + b * t);

/** @param {any} a @param {any} b @returns {(t: number) => any} */
export function interpolate(a, b) {
  if (typeof b === "number") return interpolateNumber(Number(a), b);
  const parts = (/** @type {string} */ hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const mix = parts(a).map((from, i) => interpolateRound(from, parts(b)[i]));
  return (t) => `rgb(${mix.map((channel) => channel(t)).join(", ")})`;
}

/** Named in parts of d3-scale that are not used here, and so not in the bundle. */
export function piecewise() {
  throw new Error("scales with more than two colours are not used here");
}
