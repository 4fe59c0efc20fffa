/** How numbers and names are written in pictures and read out, and how wide texts are: pure functions. */

/**
 * Write a number as Python's format() does for "d", ".2f", ".3g", ".2e" and ".0%"; a zero has no sign, and "g" no
 * exponent where JavaScript needs none.
 * @param {number} value
 * @param {string} [pattern]
 * @returns {string}
 */
export function formatNumber(value, pattern = ".4f") {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  const [, digits, kind] = /^\.?(\d*)([dfge%]?)$/.exec(pattern) ?? [null, "4", "f"];
  const count = Math.min(Number(digits || 6), 20);
  if (kind === "d") return String(Math.round(value) + 0);
  if (kind === "e") return value.toExponential(count).replace(/([+-])(\d)$/, "$10$2");
  if (kind === "%") return `${formatNumber(100 * value, `.${count}f`)}%`;
  if (kind === "g") return String(Number(value.toPrecision(count || 1)));
  const text = value.toFixed(count);
  return Number(text) === 0 ? text.replace("-", "") : text;
}

/**
 * Write a number for a picture or to be said: a real minus sign, very large ones short with an exponent.
 * @param {number} value
 * @param {number} [decimals]
 */
export function pictured(value, decimals = 2) {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const text = Math.abs(value) >= 1e5 ? value.toExponential(1).replace("e+", "e") : formatNumber(value, `.${decimals}f`);
  return minus(text);
}

/** Whether numbers count something, and are written without a point. @param {{dtype?: string}} tensor */
export const isCount = ({ dtype = "" }) => /^u?int/.test(dtype);

/** A text with typographic minus signs. @param {string} text */
export function minus(text) {
  return text.replaceAll("-", "−");
}

/**
 * Write a number for a table, where it may be copied from: Python's words and signs, whole numbers as they are.
 * @param {number} value
 * @param {number} decimals
 * @param {string} [dtype]
 * @param {{tiny?: boolean}} [more] tiny: numbers that would round to 0 get an exponent
 */
export function tableNumber(value, decimals, dtype = "float32", { tiny = false } = {}) {
  if (dtype === "bool") return value ? "True" : "False";
  if (isCount({ dtype })) return String(value);
  const size = Math.abs(value);
  const extreme = size >= 1e6 || (tiny && size > 0 && size < 10 ** -decimals);
  return formatNumber(value, extreme ? ".3e" : `.${decimals}f`);
}

/** @type {Record<string, string>} */
const singulars = { dim: "number", value_dim: "number", d_model: "number", length: "position", batch: "example" };

/** The name of one item of an axis: "queries" -> "query", "guesses" -> "guess". @param {string} axis */
export function singular(axis) {
  const one = axis.replace(/(?<!ser|spec|mov)ies$/, "y").replace(/(?<=ss|sh|x|[nt]ch)es$|(?<![sui]|ia|serie|specie)s$/, "");
  return singulars[axis] ?? one;
}

/** "3 queries", "1 query", "8 rows" of an axis called "row". @param {number} count @param {string} axis */
export function countOf(count, axis) {
  const word = singulars[axis] === "number" ? "numbers" : axis;
  const many = axis in singulars || axis.endsWith("s") ? word : `${axis}s`;
  return `${count} ${count === 1 ? singular(axis) : many}`;
}

/**
 * Whether the names of an axis count its items: from 0 or 1 on, in steps below 2. Numbers among words (a day, a year) do not.
 * @param {string[]} labels
 */
function counts(labels) {
  const step = (/** @type {number} */ i) => Number(labels[i]) - (i ? Number(labels[i - 1]) : 0);
  return labels.every((label, i) => label.trim() !== "" && step(i) < 2 && (step(i) > 0 || (i === 0 && step(i) === 0)));
}

/**
 * Say which item of an axis is meant: "query 3", or "query 3 (cat)" where it has a name; names that count are its number.
 * @param {string} axis
 * @param {number} index counted from 0
 * @param {string[] & {from?: number} | null} labels from: the item that the first of them names
 */
export function itemName(axis, index, labels = null) {
  const label = labels?.[index] ?? "";
  if (label && labels && counts(labels)) return `${singular(axis)} ${label}`; // one number for one thing: that of its tick
  const number = String(index + 1 + (labels?.from ?? 0));
  const plain = !label || label === number || label.replace(/^[a-z]_?/i, "") === number || label === `${singular(axis)} ${number}`;
  return `${singular(axis)} ${number}${plain ? "" : ` (${label === " " ? "space" : label})`}`;
}

/**
 * What a cell holds: "0.62", "0.00, masked".
 * @param {number} value
 * @param {string} [masked] what hatching means, in a hatched one
 * @param {[number, string][]|null} [levels] words that stand for numbers
 */
export function cellWord(value, masked = "", levels = null) {
  const word = levels?.find(([number]) => number === value)?.[1] ?? (levels && masked ? "" : pictured(value));
  return [word, masked].filter(Boolean).join(", ");
}

/** What stands for a token: spaces at its ends and line ends are made visible. @param {string} token */
export function visibleToken(token) {
  const ends = token.replace(/^ +| +$/g, (spaces) => "␣".repeat(spaces.length));
  return ends.replaceAll("\n", "⏎").replaceAll("\t", "⇥") || "∅";
}

/** In words, that some of what was to be drawn is not there. @param {number} count */
export const sayLeftOut = (count) => `${count} NaN or ∞: not drawn`;

export const FONT = 12; // pixels, unless something else is said

/** How wide a text is, in pixels, a little generously: no measuring, so no forced layout. @param {string} text */
export function textWidth(text, size = FONT) {
  let units = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    if (code > 0x2e7f) units += 1.02;
    else if (/[mMW@%]/.test(letter)) units += 0.98;
    else if (/[w−<>=+]/.test(letter)) units += 0.86;
    else if (/[ijl.,:;|' ]/.test(letter)) units += 0.32;
    else units += /[A-Z]/.test(letter) ? 0.7 : 0.62;
  }
  return units * size;
}

/** A label cut to `limit` pixels. @param {string} text @param {number} limit */
export function shorten(text, limit, size = FONT) {
  if (textWidth(text, size) <= limit) return text;
  const letters = Array.from(text);
  while (letters.length > 1 && textWidth(`${letters.join("")}…`, size) > limit) letters.pop();
  return `${letters.join("")}…`;
}

/** “a” (key 4) of key 4 (a), one part of a note of its parts. @param {string} place */
export const told = (place) => place.replace(/^(\w+)s of /, "$1 of ").replace(/^(.*?) \((.*)\)$/s, "“$2” ($1)");

/** With a capital, unless it is a symbol or code, or begins with one. @param {string} word */
export const begun = (word) => (/[._]|^.( |$)/.test(word) ? word : word.charAt(0).toUpperCase() + word.slice(1));

/** The same within a sentence. @param {string} name */
export const within = (name) => name.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
