// The line that says how a number was made, as elements: its numbers are buttons, all else is text and only ever text.

import { minus } from "../shared/format.mjs";
import { h } from "../shared/dom.mjs";
import { written } from "../open/writing.mjs";

/** @typedef {{text: string, from?: number|null, more?: number|boolean, raised?: boolean}} Piece */

const PLACES = 4; // significant digits of a number in a sum
const MORE = 2; // that it gets where its line would not come out

/** @param {string} text as a line or a figure prints a number */
const read = (text) => Number(text.replaceAll("−", "-"));

/**
 * A number with so many digits that the sum of a line gives what the line says: "0.4683" for "0.47".
 * @param {string} text as the engine writes it @param {unknown} value
 */
export function finer(text, value, most = PLACES) {
  const number = Number(value);
  const exact = text !== written(number) || Number.isInteger(number) || !Number.isFinite(number) || Math.abs(number) < 1e-4;
  if (exact) return text;
  const places = Math.max(0, most - 1 - Math.floor(Math.log10(Math.abs(number))));
  const more = minus(String(Number(number.toFixed(places)))); // a decimal that ends stays short
  return more.length > text.length ? more : text;
}

/**
 * The calculation alone: what the number is called stands above it, and its result is written as the figure prints it.
 * @param {any} item @param {string} [said]
 * @returns {Piece[]}
 */
export function calculationOf(item, said = written(item.value, item.dtype)) {
  const [first, ...rest] = /** @type {Piece[]} */ (item.pieces ?? [{ text: item.text }]); // what was set by a hand has a text alone
  const start = `${item.label} = `;
  if (!first.text.startsWith(start)) return [first, ...rest];
  const result = ` = ${written(item.value, item.dtype)}`;
  const ends = item.name ? [] : [{ text: result }];
  /** @type {Piece[]} */
  const pieces = [{ ...first, text: first.text.slice(start.length) }, ...rest, ...ends];
  return pieces.map((piece, i) => (i && piece.from === undefined ? { ...piece, text: piece.text.replace(result, ` = ${said}`) } : piece));
}

/**
 * Whether what a line prints gives its result, to half of the result's last digit.
 * @param {any} item @param {Piece[]} pieces @param {string} said
 */
function gives({ from, recompute }, pieces, said) {
  const given = from.map((/** @type {any} */ { value }) => value);
  for (const { text, from: at } of pieces) if (typeof at === "number" && Number.isFinite(read(text))) given[at] = read(text);
  const [, decimals = "", exponent = 0] = said.match(/^[^.e]*\.?(\d*)(?:e(.*))?$/) ?? [];
  const far = Math.abs(recompute(given) - read(said));
  return !(far > 0.5001 * 10 ** (read(String(exponent)) - decimals.length));
}

/** What ends a trail, with as many digits as were pressed. @param {Piece[]} pieces @param {any} item @param {string} said @returns {Piece[]} */
function repeated([first, ...rest], { value, dtype }, said) {
  const text = written(value, dtype);
  const isFiner = said.length > text.length && Number.isFinite(read(said)) && read(text) !== value && first.text.startsWith(text);
  return isFiner ? [{ ...first, text: said + first.text.slice(text.length) }, ...rest] : [first, ...rest];
}

/**
 * The calculation with digits that give its result; where no few digits do, it says so: "≈".
 * @param {any} item @param {string} said how its result is printed @returns {Piece[]}
 */
export function printedLine(item, said) {
  const pieces = calculationOf(item, item.dtype === "bool" ? undefined : said); // True, also where the figure prints 1
  if (!item.from.length) return repeated(pieces, item, said);
  const fine = (/** @type {number} */ most) =>
    pieces.map((piece) =>
      typeof piece.from === "number" ? { ...piece, text: finer(piece.text, item.from[piece.from].value, most) } : piece,
    );
  for (let most = PLACES; most <= PLACES + MORE; most += 1) if (!item.recompute || gives(item, fine(most), said)) return fine(most);
  return fine(PLACES).map((piece) =>
    piece.from === undefined ? { ...piece, text: piece.text.replace(` = ${said}`, ` ≈ ${said}`) } : piece,
  );
}

/**
 * @param {Piece[]} pieces
 * @param {any[]} from the numbers that they read
 * @param {object} how
 * @param {(i: number) => void} how.open a number that the line reads
 * @param {() => void} how.all shows every term
 * @param {(one: any) => string} how.nameOf what such a number is in words
 * @returns {(Node|string)[]}
 */
export function lineOf(pieces, from, { open, all, nameOf }) {
  /** @param {Piece} piece @returns {any[]} */
  const built = (piece) => {
    const one = Number.isInteger(piece.from) ? from[/** @type {number} */ (piece.from)] : null;
    if (piece.more) return [h("button", { type: "button", class: "lt-more", onclick: all }, piece.text)];
    // a line may break after a space, and only there, e and its exponent stay together; and not before a result
    if (!one) return piece.text.split(/(?<=(?<![=≈]) )/);
    const name = nameOf(one);
    const button = {
      type: "button",
      class: "lt-term",
      "data-from": piece.from,
      title: name || null,
      "aria-label": `${piece.text}${name ? `, ${name}` : ""}: open`,
      onclick: () => open(/** @type {number} */ (piece.from)),
    };
    return [h("button", button, piece.text)];
  };
  /** @type {any[][]} */
  const groups = [[]];
  const said = [...pieces];
  for (const [i, piece] of said.entries()) {
    const next = said[i + 1];
    const { label = "", ...one } = from[next?.from ?? -1] ?? {};
    const name = label && piece.text.endsWith(`${label} is `) && nameOf({ label, ...one }); // of a condition, in words too
    const [, word, place] = (one.kind === "control" && String(name).match(/^(“.*”) \((.*)\)$/s)) || []; // of what was typed
    if (word) said[i + 1] = { ...next, text: word };
    if (name) said[i] = { ...piece, text: `${piece.text.slice(0, -label.length - 4)}${place ?? `“${name}”`} is ` };
    for (const part of built(said[i])) {
      groups[groups.length - 1].push(piece.raised ? h("sup", {}, part) : part);
      if (typeof part === "string" && part.endsWith(" ") && !piece.raised) groups.push([]);
    }
  }
  return groups.map((group) => (group.length > 1 ? h("span", { class: "lt-whole" }, ...group) : (group[0] ?? "")));
}

/**
 * Of a line that makes a dict the entry that ran: the line joins several, of which a comment would hide the next.
 * @param {{text: string, part: [number, number]}} line @returns {[string, string, string]} before, the part that ran, after
 */
export function quoted({ text, part: [from, to] }) {
  const start = text.slice(0, from).search(/(["'])[^"']*\1: (?!.*["']: )/);
  let end = Math.max(0, start);
  for (let open = 0; end < text.length && (open || text[end] !== ","); end += 1) {
    open += Number(/[([{]/.test(text[end])) - Number(/[)\]}]/.test(text[end]));
    if (open < 0) break;
  }
  const [first, last] = start >= 0 && end >= to ? [start, end] : [0, text.length];
  return to > from ? [text.slice(first, from), text.slice(from, to), text.slice(to, last)] : [text, "", ""];
}

/**
 * What code calls it, and the reader's own line of Python that made it.
 * @param {{line: {text: string, file: string, function: string, part: [number, number]}|null, name: string, label: string}} item
 * @param {import("./page_code.mjs").Stated|null} [said] what the page's code says of a stored number
 * @param {any} [reader] what was made of it: where no line made a number, the line that reads it is shown
 */
export function pythonOf({ line: own, name, label }, said = null, reader = null) {
  const line = own ?? reader?.line;
  const called = (name && !/^[^[]* /.test(name) && h("samp", {}, label)) || ""; // no words that an output has for a name
  if (said) return said.shown(called);
  if (!line?.text) return called && h("div", { class: "lt-python lt-python-name" }, called);
  const [before, ran, after] = quoted(line);
  const where = [own ? "Python" : "Python that reads it", line.function && `in ${line.function}`, line.file].filter(Boolean).join(", ");
  return h(
    "div",
    { class: "lt-python" },
    h("span", { class: "lt-python-name" }, where, called && ": ", called),
    h("code", {}, before, ran && h("mark", {}, ran), after),
  );
}
