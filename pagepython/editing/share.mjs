// A link that holds edits: "#edits=..." is the edited cells as JSON, packed by the browser's own compression, and
// after it which cells of the page they are (".3.5"): that is said before anything is unpacked. Nothing of it runs until
// the reader opens it, and nothing of it is taken for anything but text.

import { onlyEdits } from "./keep.mjs";

const PREFIX = "#edits=";
const LONGEST = 60_000; // characters of a link
const MOST = 1_000_000; // characters that a link may unpack to

/** @param {Uint8Array<ArrayBuffer>} bytes @param {CompressionStream|DecompressionStream} through */
async function pipe(bytes, through) {
  const reader = new Blob([bytes]).stream().pipeThrough(through).getReader();
  const parts = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value);
    size += next.value.length;
    if (size > MOST) throw new Error("too long");
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** @param {Record<string, import("./keep.mjs").Edit>} edits @returns {Promise<string>} the hash of a link */
export async function pack(edits) {
  const bytes = new TextEncoder().encode(JSON.stringify(edits));
  const packed = await pipe(bytes, new CompressionStream("deflate-raw"));
  const letters = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  return PREFIX + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} hash @returns {Promise<Record<string, import("./keep.mjs").Edit>|null>} null: no such link, or a broken one */
export async function unpack(hash) {
  if (!hash.startsWith(PREFIX) || hash.length > LONGEST) return null;
  try {
    const letters = atob(hash.slice(PREFIX.length).split(".")[0].replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = await pipe(
      Uint8Array.from(letters, (letter) => letter.charCodeAt(0)),
      new DecompressionStream("deflate-raw"),
    );
    const edits = onlyEdits(JSON.parse(new TextDecoder().decode(bytes)));
    return Object.keys(edits).length ? edits : null;
  } catch {
    return null;
  }
}

/** Whether a link is short enough for what it is sent through. @param {string} hash */
export const fits = (hash) => hash.length <= LONGEST;
