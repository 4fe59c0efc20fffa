// Fetched by a page when a text field reads its text as a library's tokenizer does.
import { Tokenizer } from "@huggingface/tokenizers";
import { readWith } from "../shared/tokens.mjs";

/** @import { Reading } from "../shared/tokens.mjs" */
/** @typedef {{tokens: string[], ids: number[]}} Read */

/** The tokenizer of each control, and the text that it read last: several views ask for the same one. @type {WeakMap<object, {tokenizer: any, bytes: boolean, lowers: boolean, text?: string, read?: Read}>} */
const known = new WeakMap();

/** @param {Reading} reading */
function tokenizerOf({ tokenizer: spec }) {
  let found = known.get(spec);
  if (!found) {
    const bytes = JSON.stringify(spec.decoder ?? null).includes("ByteLevel");
    const lowers = /"lowercase":true|"type":"Lowercase"/.test(JSON.stringify(spec.normalizer ?? null));
    known.set(spec, (found = { tokenizer: new Tokenizer(spec, {}), bytes, lowers }));
  }
  return found;
}

/** @param {Reading} reading @param {string} text @returns {Read} */
export function read(reading, text) {
  const held = tokenizerOf(reading);
  if (held.text === text && held.read) return held.read;
  // JavaScript writes a small sigma at the end of a word in another way, the libraries do not
  const given = held.lowers ? text.replaceAll("Σ", "σ") : text;
  const { ids, tokens } = held.tokenizer.encode(given, { add_special_tokens: reading.special });
  const shown = held.bytes
    ? ids.map((/** @type {number} */ id, /** @type {number} */ i) => readable(held.tokenizer, id, tokens[i]))
    : tokens;
  held.text = text;
  const { first } = reading; // before what a decoder reads
  held.read = first ? { ids: [first[1], ...ids], tokens: [first[0], ...shown] } : { ids, tokens: shown };
  return held.read;
}

/** Bytes as the text that they stand for, where they are a text. @param {any} tokenizer @param {number} id @param {string} token */
function readable(tokenizer, id, token) {
  const text = tokenizer.decode([id], { skip_special_tokens: false, clean_up_tokenization_spaces: false });
  return text && !text.includes("\ufffd") ? text : token;
}

readWith(read);
