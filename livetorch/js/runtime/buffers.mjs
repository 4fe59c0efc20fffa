/**
 * Arrays that are used again. A Program makes hundreds of them at each run and lets go of most after a node or two: to hand
 * the same ones out again is quicker than to have them made and collected.
 */

/** @import { Numbers } from "./dtype.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

const SMALL = 32; // numbers that are made as quickly as found
const ROOM = 2e6; // numbers that are kept for later, of all Programs together

/** Arrays that nobody reads, by their type and length. @type {Map<Function, Map<number, Numbers[]>>} */
const idle = new Map();
let kept = 0;

/** The arrays that the node which runs has been given; null where none are used again. @type {Numbers[]|null} */
let given = null;

/**
 * An array of zeros.
 * @param {new (length: number) => Numbers} ArrayType @param {number} length
 */
export function zeros(ArrayType, length) {
  if (given === null || length < SMALL) return new ArrayType(length);
  const found = idle.get(ArrayType)?.get(length)?.pop();
  if (found) {
    kept -= length;
    found.fill(0);
  }
  const array = found ?? new ArrayType(length);
  given.push(array);
  return array;
}

/** @param {Numbers} array */
function putBack(array) {
  if (kept + array.length > ROOM) return;
  kept += array.length;
  const type = array.constructor;
  const lengths = idle.get(type) ?? new Map();
  idle.set(type, lengths);
  const list = lengths.get(array.length) ?? [];
  lengths.set(array.length, list);
  list.push(array);
}

/**
 * Who still reads the arrays of one Program's values: tensors may share their data, also parts of them, so readers are
 * counted by the memory that they read.
 */
export function createLedger() {
  /** @type {Map<ArrayBufferLike, {array: Numbers, readers: number}>} */
  const lent = new Map();
  return {
    /**
     * Runs a node; of what it was given, only what its results read is kept from the others.
     * @param {() => void} work @param {() => (Tensor|null|undefined)[]} results
     */
    during(work, results) {
      given = [];
      const mine = given;
      try {
        work();
      } finally {
        given = null;
      }
      for (const array of mine) lent.set(array.buffer, { array, readers: 0 });
      if (!lent.size) return; // to ask small arrays for their memory takes longer than to make them
      for (const result of results()) {
        const entry = result && lent.get(result.data.buffer);
        if (entry) entry.readers += 1;
      }
      for (const array of mine) {
        if (lent.get(array.buffer)?.readers) continue;
        lent.delete(array.buffer);
        putBack(array);
      }
    },

    /** A value is read by nobody any more. @param {Tensor|null|undefined} value */
    free(value) {
      const entry = value && lent.size && lent.get(value.data.buffer);
      if (!entry) return;
      entry.readers -= 1;
      if (entry.readers > 0) return;
      lent.delete(entry.array.buffer);
      putBack(entry.array);
    },

    /** Nothing of this Program's values is known any more: what was lent is left to be collected. */
    forget: () => lent.clear(),
  };
}
