/** What the places of a value are called: those of an output are known, and what it was made of has them on the axes that it shares. */
import { isRef } from "../runtime/schema.mjs";
import { sizeOf } from "../runtime/tensor.mjs";
import { placeIn, shortName } from "./trail.mjs";

/** @import { Node } from "../runtime/program.mjs" */
/** @import { Ref } from "../runtime/schema.mjs" */
/** @import { Rec } from "./trail.mjs" */
/** @typedef {string[]|null} Names of the items of an axis; null: they are only counted */

// Operators whose result has at each place what it made of the numbers at that place, or of their row.
const KEEPS = new Set(
  (
    "add sub rsub mul div neg exp log sqrt rsqrt pow square tanh sigmoid relu gelu clamp where masked_fill softmax _softmax _to_copy " +
    "clone alias detach contiguous expand"
  ).split(" "),
);
// Those that leave every number where it is, under other axes.
const LEAVES = new Set("view reshape _unsafe_view squeeze unsqueeze".split(" "));
// And those that take or join parts along one axis.
const PARTS = new Set("slice cat".split(" "));

const MOST = 4000; // numbers of an output that are followed

/** The axes of one shape that are whole axes of another, which has the same numbers. @param {number[]} shape @param {number[]} other @returns {[number, number][]} */
function sharedAxes(shape, other) {
  const before = (/** @type {number[]} */ sizes, /** @type {number} */ axis) => sizeOf(sizes.slice(0, axis));
  return shape.flatMap((size, axis) => {
    const same = other.findIndex((length, at) => size > 1 && length === size && before(other, at) === before(shape, axis));
    return same < 0 ? [] : [/** @type {[number, number]} */ ([axis, same])];
  });
}

/**
 * Of each value the names of its places, as far as they follow from those of outputs and inputs; and whose it is: the item
 * of an output that alone is made of it, "written 7" of the scores of one step, "" where there are several.
 * @param {Rec} book
 * @param {Map<number, Names[]>} given by the value
 * @param {Record<string, string>} called what an input is to the reader, who picks an item by it
 * @returns {{names: Map<number, Names[]>, whose: Map<number, string>}}
 */
export function placesOf(book, given, called) {
  const { values, nodes, program } = book;
  const found = new Map(given);
  /** @type {Map<number, string>} */
  const whose = new Map();
  /** @type {Set<number>} where such an item was moved from */
  const itself = new Set();
  const maker = new Map(nodes.flatMap((node) => Array.from({ length: node.outs }, (_, k) => [node.first + k, node])));

  /** What is called in two ways, as a query and as a key, is a place. @param {Ref} value @param {Names[]} names */
  function say({ v }, names) {
    const before = found.get(v);
    const both = (/** @type {Names} */ one, /** @type {Names} */ other) =>
      one && other && String(one) !== String(other) ? one.map((_, i) => `place ${i + 1}`) : (one ?? other);
    if (!given.has(v) && names.some(Boolean)) found.set(v, before ? before.map((one, axis) => both(one, names[axis])) : names);
  }

  /** The control that a number comes from, through operators that read it alone. @param {number} v @returns {string|undefined} */
  function chooser(v) {
    const reads = [...new Set(maker.get(v)?.reads ?? [])];
    if (values[v].data.length > 1) return undefined;
    return v < program.inputs.length ? called[program.inputs[v].name] : reads.length === 1 ? chooser(reads[0]) : undefined;
  }

  for (const [v, names] of given)
    movedFrom(book, v, names, (w, own, who) => {
      if (!given.has(w) && own.some(Boolean)) found.set(w, own);
      if (who) whose.set(w, itself.add(w) && who);
    });
  /** What nothing else is made of is the same item's. @param {Node} node */
  const claim = ({ first, reads }) => {
    for (const v of reads.filter((one) => maker.has(one) && !itself.has(one)))
      whose.set(v, [undefined, whose.get(first)].includes(whose.get(v)) ? (whose.get(first) ?? "") : "");
  };

  const shapeOf = (/** @type {Ref} */ { v }) => values[v].shape;
  for (const node of [...nodes].reverse()) {
    claim(node);
    const names = found.get(node.first);
    if (names) readsOf(node, names, { shape: values[node.first].shape, shapeOf, namesOf: ({ v }) => found.get(v), chooser, say });
  }
  return { names: found, whose };
}

/**
 * @typedef {object} Known
 * @property {number[]} shape of the result
 * @property {(value: Ref) => number[]} shapeOf
 * @property {(value: Ref) => Names[]|undefined} namesOf
 * @property {(v: number) => string|undefined} chooser
 * @property {(value: Ref, names: Names[]) => void} say
 */

/** What a node reads, named by the axes that it shares with the result. @param {Node} node @param {Names[]} names @param {Known} known */
function readsOf(node, names, known) {
  const { shape, shapeOf, namesOf, say } = known;
  const op = shortName(node.op);
  const [first, second, third] = node.bound;
  const axisOf = (/** @type {any} */ n) => (Number(n) + shape.length) % shape.length;
  /** @type {Names[]} */
  const read = isRef(first) ? shapeOf(/** @type {Ref} */ (first)).map(() => null) : [];
  if (KEEPS.has(op) || PARTS.has(op)) {
    for (const v of node.reads) {
      const own = shapeOf({ v });
      const along = own.map((length, axis) => sized(names.at(axis - own.length), length));
      say({ v }, along);
    }
  } else if (LEAVES.has(op)) {
    for (const [axis, same] of sharedAxes(shapeOf(first), shape)) read[axis] = names[same];
    say(first, read);
  } else if (op === "permute") {
    second.forEach((/** @type {number} */ from, /** @type {number} */ to) => (read[axisOf(from)] = names[to]));
    say(first, read);
  } else if (op === "t" || op === "transpose") {
    const [a, b] = op === "t" ? [0, shape.length - 1] : [axisOf(second), axisOf(third)];
    say(
      first,
      names.map((_, axis) => names[axis === a ? b : axis === b ? a : axis]),
    );
  } else if (op === "mm" || op === "bmm" || op === "addmm") {
    const [a, b] = op === "addmm" ? [second, third] : [first, second];
    const stack = names.slice(0, -2);
    const inner = namesOf(a)?.at(-1) ?? namesOf(b)?.at(-2) ?? null;
    say(a, [...stack, names.at(-2) ?? null, inner]);
    say(b, [...stack, inner, names.at(-1) ?? null]);
  } else if (["select", "sum", "mean", "index"].includes(op)) picked(node, op, names, known);
}

/** One item of an axis, or the sum of all: the other axes are those of the result. @param {Node} node @param {string} op @param {Names[]} names @param {Known} known */
function picked({ bound, parameters }, op, names, { shapeOf, chooser, say }) {
  const [first, from] = bound;
  const shape = shapeOf(first);
  const index = op === "index" && from.length === 1 && isRef(from[0]) ? from[0].v : null;
  if (op === "index" && index === null) return;
  const axes = index === null ? [from ?? []].flat().map((n) => (Number(n) + shape.length) % shape.length) : [0];
  const keeps = index !== null || bound[parameters.findIndex(({ name }) => name === "keepdim")] === true;
  if (!axes.length || names.length !== shape.length - (keeps ? 0 : axes.length)) return;
  const word = index === null ? undefined : chooser(index);
  const rest = [...names];
  /** @type {Names[]} */
  const read = shape.map((length, axis) => {
    const name = keeps || !axes.includes(axis) ? (rest.shift() ?? null) : null;
    if (!axes.includes(axis)) return name;
    return word ? Array.from({ length }, (_, i) => `${word} ${i + 1}`) : null;
  });
  say(first, read);
}

/**
 * The values that a named output's numbers were moved from: the names of their axes, and the item that all of them are.
 * @param {Rec} book @param {number} v @param {Names[]} names @param {(w: number, own: Names[], who: string) => void} tell
 */
function movedFrom({ values, trail }, v, names, tell) {
  const { shape, data } = values[v];
  /** @type {Map<number, {item: number[], same: boolean[][]}>} same: which of its axes goes along with which of the output's */
  const seen = new Map();
  for (let i = 0; i < data.length && data.length <= MOST; i += 1) {
    const index = placeIn(shape, i);
    for (const [w, j] of trail.origin(v, i).path.slice(1)) {
      const own = placeIn(values[w].shape, j);
      const before = seen.get(w) ?? { item: index, same: own.map(() => index.map(() => true)) };
      const item = before.item.map((/** @type {number} */ n, /** @type {number} */ axis) => (n === index[axis] ? n : -1));
      const same = before.same.map((/** @type {boolean[]} */ row, /** @type {number} */ a) =>
        row.map((is, b) => is && own[a] === index[b]),
      );
      seen.set(w, { item, same });
    }
  }
  for (const [w, { item, same }] of seen) {
    const own = same.map((row, a) => sized(names[row.findIndex((is, b) => is && shape[b] > 1)], values[w].shape[a]));
    const parts = item.flatMap((n, axis) => (n >= 0 && shape[axis] > 1 ? [names[axis]?.[n] ?? ""] : []));
    tell(w, own, values[w].shape.length ? parts.filter(Boolean).join(", ") : "");
  }
}

/** Names of an axis of this length. @param {Names|undefined} names @param {number} length @returns {Names} */
const sized = (names, length) => (names?.length === length ? names : null);
