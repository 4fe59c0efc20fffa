// What a typed text is made of: tokens, and the ids that a function gets for them.

/**
 * How a text is taken apart; unit "library": by a library's tokenizer, which a part of the script reads.
 * @typedef {{unit?: string, vocabulary?: string[]|null, unknown?: number|null, length?: number, pad?: number, ends?: string[], [more: string]: any}} Reading
 */

/** The place of each token of a vocabulary. @type {WeakMap<string[], Map<string, number>>} */
const tables = new WeakMap();

/** @param {string[]} vocabulary */
function tableOf(vocabulary) {
  let table = tables.get(vocabulary);
  if (!table) tables.set(vocabulary, (table = new Map(vocabulary.map((token, id) => [token, id]))));
  return table;
}

/** @typedef {(reading: Reading, text: string) => {tokens: string[], ids: number[]}} Reader */

/** @type {Reader} */
let library = () => {
  throw new Error("this page has no tokenizer's file");
};

/** Called by the part that reads a library's tokenizers. @param {Reader} reader */
export function readWith(reader) {
  library = reader;
}

/** The ids that a function gets for a text, without padding. @param {Reading} reading @param {string} text @returns {number[]} */
export function usedIds(reading, text) {
  if (reading.unit === "library") return cut(reading, library(reading, text).ids);
  return usedTokens(reading, text).map((token) => Number(tokenId(reading, token)));
}

/** As many as there is room for; the tokens that stand behind a text stay. @template T @param {Reading} reading @param {T[]} all */
function cut({ length = Infinity, behind = 0 }, all) {
  return all.length <= length ? all : [...all.slice(0, length - behind), ...all.slice(all.length - behind)];
}

/** @param {Reading} reading @param {string} text */
export function tokensOf(reading, text) {
  const { unit = "character", vocabulary } = reading;
  if (unit === "library") return library(reading, text).tokens;
  if (unit === "piece") {
    const known = tableOf(vocabulary ?? []);
    return plainWords(text).flatMap((word) => piecesOf(word, known) ?? [word]);
  }
  return unit === "word" ? text.split(/\s+/u).filter(Boolean) : Array.from(text);
}

const LONGEST_WORD = 100;
const APART = /[\p{P}!-/:-@[-`{-~\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2ceaf}]/gu;

/** Small letters without accents and control signs, punctuation and Chinese characters apart. @param {string} text */
function plainWords(text) {
  const clean = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these signs are what separates words in Python, too
    .replace(/\s|[\x1c-\x1f\x85]/gu, " ")
    .replace(/[\ufffd\p{C}]/gu, "")
    .toLowerCase();
  return clean
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .replace(APART, " $& ")
    .split(/\s+/u)
    .filter(Boolean);
}

/**
 * The longest known pieces of a word from the left, or null if it is not made up of them.
 * @param {string} word
 * @param {Map<string, number>} known
 */
function piecesOf(word, known) {
  const signs = Array.from(word);
  if (signs.length > LONGEST_WORD) return null;
  const pieces = [];
  for (let start = 0; start < signs.length; ) {
    const mark = start ? "##" : "";
    let end = signs.length;
    while (end > start && !known.has(mark + signs.slice(start, end).join(""))) end -= 1;
    if (end === start) return null;
    pieces.push(mark + signs.slice(start, end).join(""));
    start = end;
  }
  return pieces;
}

/**
 * The id of a token; null: it is not known, and left out.
 * @param {Reading} reading
 * @param {string} token
 * @returns {number|null}
 */
export function tokenId({ unit, vocabulary, unknown = null }, token) {
  if (unit === "library") return 0; // every token of it has an id
  if (!vocabulary) return token.codePointAt(0) ?? null;
  return tableOf(vocabulary).get(token) ?? unknown;
}

/** The tokens that have an id, without the ends. @param {Reading} reading @param {string} text */
export function knownTokens(reading, text) {
  return tokensOf(reading, text).filter((token) => tokenId(reading, token) !== null);
}

/** The tokens that a function gets: known ones, up to its length, between the ends. @param {Reading} reading @param {string} text */
export function usedTokens(reading, text) {
  if (reading.unit === "library") return cut(reading, tokensOf(reading, text));
  const { length = Infinity, ends = [] } = reading;
  const kept = knownTokens(reading, text).slice(0, length - ends.length);
  return ends.length ? [ends[0], ...kept, ends[1]] : kept;
}

/**
 * The text that ids stand for, up to the first padding.
 * @param {Reading} reading
 * @param {ArrayLike<number>} ids
 */
export function textOf({ vocabulary, unit, pad, ends = [] }, ids) {
  const list = Array.from(ids, Number);
  const end = list.indexOf(/** @type {number} */ (pad));
  const kept = end < 0 ? list : list.slice(0, end);
  const all = kept.map((id) => (vocabulary ? vocabulary[id] : String.fromCodePoint(id)));
  const inner = all.filter((token) => !ends.includes(token));
  return unit === "word" || unit === "piece" ? inner.join(" ").replaceAll(" ##", "") : inner.join("");
}
