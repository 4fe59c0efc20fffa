/**
 * Arrays that are used again. A Program makes hundreds of them at each run and lets go of most after a node or two: to hand
 * the same ones out again is quicker than to have them made and collected. Each node keeps its short arrays from one run to
 * the next, as whoever reads them is computed again too; long ones are lent to whoever asks next.
 */

/** @import { Numbers } from "./dtype.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

const SHORT = 1 << 14; // numbers of an array that a node keeps
const OWN = 1 << 18; // numbers that the nodes of one Program keep
const SMALL = 32; // numbers that are made as quickly as found
const ROOM = 4e6; // numbers that are kept for later, of all Programs together

/** Arrays that nobody reads, by their type and length. @type {Map<Function, Map<number, Numbers[]>>} */
const idle = new Map();
let kept = 0;

/** @typedef {{left: number, most: number}} Room numbers that may still be kept, the longest array */

/** What the node that runs keeps, and how far it has come in it. @type {Numbers[]|null} */
let own = null;
let place = 0;
/** @type {Room} */
let room = { left: 0, most: 0 };
/** The long arrays that it has been given; null where none are lent. @type {Numbers[]|null} */
let given = null;

/** @param {Numbers} array */
function cleared(array) {
  if (array.length > SMALL) array.fill(0);
  else for (let i = 0; i < array.length; i += 1) array[i] = 0;
  return array;
}

/**
 * An array of zeros.
 * @param {new (length: number) => Numbers} ArrayType @param {number} length
 */
export function zeros(ArrayType, length) {
  if (own !== null && length <= room.most) {
    const known = own[place];
    if (known !== undefined && known.length === length && known.constructor === ArrayType) {
      place += 1;
      return cleared(known);
    }
    room.left += known?.length ?? 0;
    if (length <= room.left) {
      room.left -= length;
      own[place] = new ArrayType(length);
      return own[place++];
    }
    if (known !== undefined) room.left -= known.length;
  }
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
 * Who still reads the long arrays of one Program's values: tensors may share their data, also parts of them, so readers are
 * counted by the memory that they read.
 */
export function createLedger() {
  /** @type {Map<ArrayBufferLike, {array: Numbers, readers: number}>} */
  const lent = new Map();
  /** @type {Numbers[]} */
  const mine = [];
  /** @type {Room} */
  const ofNodes = { left: OWN, most: SHORT };
  /** @type {Room} */
  const ofInputs = { left: Infinity, most: Infinity };
  /** @type {Numbers[][]} */
  let [now, before] = [[], []];

  return {
    /** Reads inputs, into other arrays than those of the run before, with which they are compared. @template T @param {() => T} read */
    inputs(read) {
      [own, place, room] = [before, 0, ofInputs];
      try {
        const found = read();
        [now, before] = [before, now];
        return found;
      } finally {
        own = null;
      }
    },

    /** A node begins, which keeps these arrays. @param {Numbers[]} arrays */
    begin(arrays) {
      own = arrays;
      place = 0;
      room = ofNodes;
      given = mine;
    },

    /** It has ended: of what it was lent, only what its results read is kept from the others. @param {(Tensor|null|undefined)[]} values @param {number} first @param {number} end */
    end(values, first, end) {
      own = given = null;
      for (const array of mine) lent.set(array.buffer, { array, readers: 0 });
      if (!lent.size) return; // to ask small arrays for their memory takes longer than to make them
      for (let number = first; number < end; number += 1) {
        const entry = lent.get(/** @type {any} */ (values[number]?.data.buffer));
        if (entry) entry.readers += 1;
      }
      while (mine.length) {
        const array = /** @type {Numbers} */ (mine.pop());
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
