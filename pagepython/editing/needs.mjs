// Which cells a cell needs, and what it would show: the page runs what is needed and what follows, no more.

/** @import { NamesOf } from "./names.mjs" */

/**
 * The places of the cells that a cell needs, in order, itself left out.
 * @param {NamesOf} names
 * @param {string[]} sources the text of every cell of code, in order
 * @param {number} place
 * @returns {number[]}
 */
export function needsOf(names, sources, place) {
  const needed = /** @type {Set<number>} */ (new Set());
  const asked = new Set();
  /** @type {[string, number][]} a name, and before which cell it is read */
  const open = [];
  const ask = (/** @type {number} */ reader) => {
    const { reads, later } = names(sources[reader], reader);
    for (const name of reads) open.push([name, reader]);
    // what a function reads is read when it is called: as late as here
    for (const name of later) open.push([name, place], [name, reader]);
  };
  ask(place);
  for (let next = open.pop(); next; next = open.pop()) {
    const [name, before] = next;
    if (asked.has(`${before} ${name}`)) continue;
    asked.add(`${before} ${name}`);
    for (let at = before - 1; at >= 0; at -= 1) {
      const { binds, touches } = names(sources[at], at);
      const sure = binds.includes(name);
      if (!sure && !touches.includes(name)) continue;
      if (!needed.has(at) && at !== place) {
        needed.add(at);
        ask(at);
      }
      if (sure) break;
    }
  }
  return [...needed].sort((a, b) => a - b);
}

/**
 * One text for all that a cell's result hangs on: two results with the same text are the same.
 * @param {NamesOf} names @param {string[]} sources @param {number} place
 */
export const signatureOf = (names, sources, place) =>
  [...needsOf(names, sources, place), place].map((at) => `${at}:${sources[at]}`).join("\n\n");
