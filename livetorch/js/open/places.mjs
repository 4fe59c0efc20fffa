/** What the places of a value are called: those of an output are known, and what it was made of has them on the axes that it shares. */
import { isRef } from "../runtime/schema.mjs";
import { sizeOf } from "../runtime/tensor.mjs";
import { isElementwise } from "./rules.mjs";
import { placeIn, shortName } from "./trail.mjs";

/** @import { Node } from "../runtime/program.mjs" */
/** @import { Rec } from "./trail.mjs" */
/** @typedef {string[]|null} Names of the items of an axis; null: they are only counted */

// Operators that keep every axis, besides those of numbers at the same place.
const KEEPS = new Set(
  "softmax _softmax cumsum clone alias detach contiguous expand native_layer_norm layer_norm slice cat tril triu fill".split(" "),
);
// Those that leave every number where it is, under other axes.
const LEAVES = new Set("view reshape _unsafe_view squeeze unsqueeze".split(" "));

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

  /** Say what axes of a value are called that nobody has named. @param {number} v @param {Names[]} names */
  function say(v, names) {
    const before = found.get(v);
    const own = names.map((one, axis) => before?.[axis] ?? one);
    if (!given.has(v) && own.some(Boolean)) found.set(v, own);
  }

  /** The same, where it may be called in two ways, as a query and as a key. @param {number} v @param {Names[]} names */
  function join(v, names) {
    const before = found.get(v);
    if (!given.has(v) && names.some(Boolean)) found.set(v, before ? before.map((one, axis) => inBoth(one, names[axis])) : names);
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

  /** @param {Node} node */
  const axesOf = (node) => readsOf(node, values[node.first].shape, (v) => values[v].shape, chooser);
  /** From a result to what it was made of. @param {Node} node @param {typeof say} tell */
  function back(node, tell) {
    const names = found.get(node.first);
    for (const { v, to, word, along } of axesOf(node)) {
      if (!names && !along) continue;
      const { shape } = values[v];
      const own = to.map((at, axis) => {
        if (word && at === null) return Array.from({ length: shape[axis] }, (_, i) => `${word} ${i + 1}`);
        return sized(at === null ? along && found.get(along[0])?.at(along[1]) : names?.[at], shape[axis]);
      });
      tell(v, own);
    }
  }
  /** And from that to the result. @param {Node} node */
  function forth(node) {
    const own = namesAfter(axesOf(node), values[node.first].shape, found);
    say(node.first, apart(own, found.get(node.first)));
  }
  const reversed = [...nodes].reverse();
  for (const node of reversed) {
    claim(node);
    back(node, join);
  }
  nodes.forEach(forth);
  for (const node of reversed) back(node, say);
  return { names: found, whose };
}

/** What the axes of a result are called by what it reads. @param {Read[]} reads @param {number[]} shape of the result @param {Map<number, Names[]>} found @returns {Names[]} */
function namesAfter(reads, shape, found) {
  /** @type {Names[]} */
  const own = shape.map(() => null);
  for (const { v, to } of reads)
    for (const [axis, at] of to.entries()) {
      const name = at === null ? null : sized(found.get(v)?.[axis], shape[at]);
      if (at !== null && name && !/^(row|column) 1$/.test(name[0])) own[at] = inBoth(own[at], name); // a table's own count
    }
  return own;
}

/** Of two axes that would be called the same the later one only says its place. @param {Names[]} own @param {Names[]|undefined} before what they were called @returns {Names[]} */
function apart(own, before) {
  const isTaken = (/** @type {Names} */ one, /** @type {number} */ axis) =>
    [...own.keys()].some((at) => String(before?.[at] ?? (at < axis ? own[at] : null)) === String(one) && at !== axis);
  return own.map((one, axis) => (one && isTaken(one, axis) ? one.map((name) => name.replace(/^[a-z]+ (?=\d)/, "place ")) : one));
}

/** What an axis is called that is called in two ways: a word that is read as a query and as a key is a place. @param {Names} one @param {Names} other @returns {Names} */
function inBoth(one, other) {
  if (!one || !other || String(one) === String(other)) return one ?? other;
  if (/^number 1$/.test(one[0])) return other; // which says more
  if (/^number 1$/.test(other[0])) return one;
  return one.map((name, i) => {
    const rest = name.match(/ (\d+.*)$/s)?.[1];
    if (other[i].endsWith(`(${name})`)) return other[i];
    return name.endsWith(`(${other[i]})`) ? name : `place ${rest && other[i].endsWith(` ${rest}`) ? rest : i + 1}`;
  });
}

/** @typedef {{v: number, to: (number|null)[], word?: string, along?: [number, number]}} Read of each axis of a value that is read which one of the result it is;
 *   of the others what the reader picks an item of them by, or the axis of another value that goes along with them */

/** How the axes of what a node reads lie in its result. @param {Node} node @param {number[]} shape @param {(v: number) => number[]} shapeOf @param {(v: number) => string|undefined} chooser @returns {Read[]} */
function readsOf(node, shape, shapeOf, chooser) {
  const op = shortName(node.op);
  const [first, second, third] = node.bound;
  const axisOf = (/** @type {any} */ n) => (Number(n) + shape.length) % shape.length;
  const only = (/** @type {(number|null)[]} */ to) => [{ v: first.v, to }];
  if (KEEPS.has(op) || isElementwise(op)) {
    const to = (/** @type {number[]} */ own) => own.map((_, axis) => axis - own.length + shape.length);
    return node.reads.filter((v) => shapeOf(v).length <= shape.length).map((v) => ({ v, to: to(shapeOf(v)) }));
  }
  if (op === "mm" || op === "bmm" || op === "addmm") {
    const [{ v }, { v: w }] = op === "addmm" ? [second, third] : [first, second];
    const [n, stack] = [shape.length, shape.slice(0, -2).map((_, axis) => axis)];
    return [
      { v, to: [...stack, n - 2, null], along: [w, -2] },
      { v: w, to: [...stack, null, n - 1], along: [v, -1] },
    ];
  }
  if (op === "embedding") return [{ v: second.v, to: shapeOf(second.v).map((_, axis) => axis) }];
  if (!isRef(first)) return [];
  const own = shapeOf(first.v);
  if (LEAVES.has(op)) {
    const same = new Map(sharedAxes(own, shape));
    return only(own.map((_, axis) => same.get(axis) ?? null));
  }
  if (op === "permute") return only(own.map((_, axis) => second.findIndex((/** @type {number} */ from) => axisOf(from) === axis)));
  if (op === "t" || op === "transpose") {
    const [a, b] = op === "t" ? [0, shape.length - 1] : [axisOf(second), axisOf(third)];
    return only(own.map((_, axis) => (axis === a ? b : axis === b ? a : axis)));
  }
  return picked(node, op, shape, own, chooser);
}

const REDUCES = /^(sum|mean|any|all|prod|a?max|a?min|arg(max|min))$/;

/** One item of an axis, or what all of them became: the other axes are those of the result. @param {Node} node @param {string} op @param {number[]} shape @param {number[]} own @param {(v: number) => string|undefined} chooser @returns {Read[]} */
function picked({ bound, parameters }, op, shape, own, chooser) {
  const [first, from] = bound;
  const index = op === "index" && from.length === 1 && isRef(from[0]) ? from[0].v : null;
  if (index === null && op !== "select" && !REDUCES.test(op)) return [];
  const said = [op === "index" ? 0 : (bound[parameters.findIndex(({ name }) => name === "dim")] ?? [])].flat();
  const axes = said.map((n) => (Number(n) + own.length) % own.length);
  const keeps = index !== null || bound[parameters.findIndex(({ name }) => name === "keepdim")] === true;
  if (!axes.length || shape.length !== own.length - (keeps ? 0 : axes.length)) return [];
  let next = 0;
  const to = own.map((_, axis) => {
    const at = keeps || !axes.includes(axis) ? next++ : null;
    return axes.includes(axis) ? null : at;
  });
  return [{ v: first.v, to, word: index === null ? undefined : chooser(index) }];
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
