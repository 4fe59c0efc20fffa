// The way from a number that a view shows down to what it was made of, found anew whenever the figure computes; and those
// at its start that no Program has made: a control's own, one stored with the figure, several that stand at one place.

import { written } from "../open/writing.mjs";
import { asTensor } from "../views/sources.mjs";

/** @import { One, Several } from "../views/places.mjs" */
/** @typedef {One | Several} Root */

/** @param {any} one @param {any} other */
const alike = (one, other) => one.name === other.name && String(one.index) === String(other.index);

/** @param {any} item @param {(one: any) => boolean} is */
const inLoop = ({ from, turn }, is) => (turn ? from.findIndex((/** @type {any} */ one) => one.turn?.of === turn.of && is(one)) : -1);

/** Which of the numbers that a line reads was made in an earlier round of its loop. @param {any} item */
export const earlier = (item) => inLoop(item, ({ turn }) => turn.at < item.turn.at);

/** That, or what it was in this round. @param {any} item */
const before = (item) =>
  earlier(item) >= 0 ? earlier(item) : inLoop(item, ({ turn, index }) => turn.at === item.turn.at && String(index) === String(item.index));

/** @param {Root} root @param {any} frame */
const openRoot = (root, frame) => ("all" in root ? openSeveral(root, frame) : openOne(root, frame));

/** @param {Root} root */
export function createWayDown(root) {
  /** @type {{at: number, name: string, index: number[]}[]} what was opened below the root, one of another */
  let steps = [];
  /** @type {any[]} */
  let items = [];

  return {
    items: () => items,
    /**
     * Go the same way in another frame, as far as it leads.
     * @param {any} frame
     * @returns {boolean} whether the number at its start is still there
     */
    follow(frame) {
      const found = openRoot(root, frame);
      if (!found) return false;
      items = [found];
      for (const [i, step] of steps.entries()) {
        const { from } = items[i];
        const same = from[step.at] && alike(from[step.at], step) ? from[step.at] : from.find((/** @type {any} */ one) => alike(one, step));
        const next = same?.open();
        if (!next) {
          steps = steps.slice(0, i);
          break;
        }
        items.push(next);
      }
      return true;
    },
    /** Open a number that the last line reads. @param {number} at */
    down(at) {
      const one = items[items.length - 1].from[at];
      const next = one?.open();
      if (!next) return false;
      steps = [...steps, { at, name: one.name, index: one.index }];
      items = [...items, next];
      return true;
    },
    /** Of a number that a loop made round after round, go down to the first of them. */
    first() {
      for (let at = before(items.at(-1)); at >= 0 && this.down(at); at = before(items.at(-1)));
    },
    /** Go back to the n-th crumb. @param {number} n */
    back(n) {
      steps = steps.slice(0, n);
      items = items.slice(0, n + 1);
    },
  };
}

const MOST = 6; // numbers that are written out
const KEPT = 4; // of more, these

/** "name[1, 2]", or in words. @param {string} name @param {number[]} index @param {(string[]|null)[]} [labels] of each axis */
export const indexed = (name, index, labels = []) =>
  index.length ? `${name}[${index.map((n, axis) => labels[axis]?.[n] ?? n).join(", ")}]` : name;

/** The axes that a tensor has, of an index that may name more. @param {number[]} index @param {number[]} shape @returns {number[]|null} */
export function cut(index, shape) {
  const own = shape.length ? index.slice(-shape.length) : [];
  return own.length === shape.length && own.every((i, axis) => i >= 0 && i < shape[axis]) ? own : null;
}

/** @param {{data: ArrayLike<number|bigint>, shape: number[]}} tensor @param {number[]} index */
export const numberIn = ({ data, shape }, index) => Number(data[shape.reduce((flat, length, axis) => flat * length + index[axis], 0)]);

const BARE = { line: null, terms: [], shown: [] };

/**
 * A number at a place of a view; null: it is not there.
 * @param {One} one
 * @param {any} frame
 */
export function openOne({ source, index }, frame) {
  if ("output" in source) {
    const own = frame.outputs[source.output] && cut(index, frame.outputs[source.output].shape);
    return own ? frame.open(source.output, own) : null;
  }
  const isControl = "control" in source;
  const tensor = asTensor(isControl ? frame.state[source.control] : source.values);
  const own = tensor && cut(index, tensor.shape);
  if (!own || !tensor) return null;
  const name = isControl ? source.control : "";
  const value = numberIn(tensor, own);
  const label = isControl ? indexed(name, own, frame.labels?.[name]) : written(value);
  const words = isControl ? "you set it" : "a number that the page's code gave to the figure";
  return {
    value,
    label,
    name,
    index: own,
    places: own.map((n, axis) => frame.labels?.[name]?.[axis]?.[n] ?? n),
    text: `${isControl ? `${label} = ` : ""}${written(value)}, ${words}`,
    ...BARE,
    from: [],
    kind: isControl ? "control" : "constant",
  };
}

/**
 * Numbers that stand at one place together.
 * @param {Several} several
 * @param {any} frame
 */
export function openSeveral({ all, words, sum = false }, frame) {
  const items = all.map((one) => openOne(one, frame));
  if (items.some((item) => item === null)) return null;
  const from = items.map((item, i) => ({
    label: item.label || indexed(item.name, item.index),
    name: item.name,
    index: item.index,
    places: item.places,
    value: item.value,
    shown: item.shown,
    open: () => openOne(all[i], frame),
  }));
  const shown = from.length > MOST ? from.slice(0, KEPT) : from;
  const between = { text: sum ? " + " : ", " };
  /** @type {import("./line.mjs").Piece[]} */
  const pieces = shown.flatMap(({ value }, i) => {
    const said = !sum && new Set(from.map((one) => one.name)).size > 1 && frame.words?.(items[i]); // numbers of several outputs
    return [...(i ? [between] : []), ...(said ? [{ text: `${said} = ` }] : []), { text: written(value), from: i }];
  });
  if (shown.length < from.length) pieces.push(between, { text: `… ${from.length - shown.length} more`, more: true });
  const value = sum ? from.reduce((total, one) => total + one.value, 0) : NaN;
  const ends = sum ? [{ text: "" }, { text: ` = ${written(value)}` }] : [{ text: "(" }, { text: ")" }];
  return {
    value,
    label: words,
    name: "",
    index: [],
    text: "",
    pieces: [ends[0], ...pieces, ends[1]],
    ...BARE,
    from,
    kind: "computed",
    recompute: sum ? (/** @type {number[]} */ given) => given.reduce((total, one) => total + one, 0) : null,
  };
}
