/** Where a number was before it was moved: the kernels of operators that only move numbers, run on the numbers' places. */
import { isRef } from "../runtime/schema.mjs";
import { expandStrides, stridesOf } from "../runtime/tensor.mjs";

/** @import { Ref } from "../runtime/schema.mjs" */
/** @import { Program } from "../runtime/encoding.mjs" */
/** @import { Node } from "../runtime/program.mjs" */
/** @import { Tensor } from "../runtime/tensor.mjs" */

/**
 * @typedef {{program: Program, pool?: any[], nodes: Node[], values: Tensor[], trail?: any, [kept: string]: any}} Rec what `record` of a
 *   loaded Program gives, its trail, and what rules keep
 * @typedef {{v: number, i: number, fill: boolean, name: string, named: [number, number] | null, path: [number, number][]}} Origin path: the
 *   places that it was moved through, the last one first
 */

// Operators that only move numbers, and the arguments among theirs that say where to.
const MOVES = new Set(
  (
    "view reshape expand permute t transpose squeeze unsqueeze select slice diagonal unfold as_strided split " +
    "split_with_sizes chunk unbind cat stack flip roll repeat tile clone alias detach contiguous lift_fresh_copy index " +
    "index_select gather repeat_interleave select_scatter slice_scatter diagonal_scatter as_strided_scatter " +
    "tril triu constant_pad_nd fill copy positive scatter index_copy masked_scatter index_put diag_embed " +
    "embedding"
  ).split(" "),
);
const POINTS = new Set(["index", "indices", "mask"]);
const CASTS = new Set(["_to_copy", "to"]);

/** The number at a place of a tensor: a BigInt where a float64 would not hold it. @param {Tensor} value @param {number} i */
export const numberAt = (value, i) => (value.exact ? value.exact[i] : Number(value.data[i]));

/** "softmax" of "aten.softmax.int". @param {string} op */
export const shortName = (op) => op.split(".")[1];

// Give the same numbers whatever they read, if they read anything: only its shape matters.
const MAKES = new Set(
  (
    "full full_like fill zeros zeros_like ones ones_like empty empty_like empty_permuted empty_strided new_full new_zeros new_ones " +
    "new_empty new_empty_strided arange linspace eye tril_indices triu_indices scalar_tensor"
  ).split(" "),
);

/** Whether an operator does nothing but move numbers, unless it is told to add them up. @param {string} op */
export const moves = (op) => MOVES.has(shortName(op)) && !(op.startsWith("aten.scatter.") && op.endsWith("reduce"));

/** Whether an operator makes numbers of nothing. @param {string} op */
export const makes = (op) => MAKES.has(shortName(op));

/** @param {Node} node */
function isMove({ op, bound, parameters }) {
  if (!moves(op)) return false;
  const accumulate = parameters.findIndex((parameter) => parameter.name === "accumulate");
  return accumulate < 0 || !bound[accumulate];
}

/** The place on each axis of the i-th number of a shape, rows in order. @param {number[]} shape @param {number} i */
export function placeIn(shape, i) {
  const strides = stridesOf(shape);
  return shape.map((length, axis) => Math.floor(i / strides[axis]) % length);
}

/** Where a place of a shape lies in a smaller one that was repeated to it. @param {number[]} shape @param {number[]} target @param {number} i */
export function placeOf(shape, target, i) {
  const own = stridesOf(target);
  return expandStrides(shape, target).reduce((sum, stride, axis) => sum + stride * (Math.floor(i / own[axis]) % target[axis]), 0);
}

/** @template T @param {T|T[]} value @returns {T[]} */
const list = (value) => (Array.isArray(value) ? value : [value]);

/** @typedef {{node: Node, k: number}} Maker the node of a value, and which of its results it is */

/** @param {Rec} record */
export function createTrail(record) {
  const { nodes, values, program } = record;
  /** @type {Map<number, {node: Node, k: number}>} */
  const made = new Map();
  for (const node of nodes) for (let k = 0; k < node.outs; k += 1) made.set(node.first + k, { node, k });
  const varying = new Set(program.inputs.map((_, number) => number));
  for (const node of nodes) {
    if (node.reads.some((number) => varying.has(number))) for (let k = 0; k < node.outs; k += 1) varying.add(node.first + k);
  }
  /** @type {Map<number, string>} */
  const names = new Map(Object.entries(program.source?.names ?? {}).map(([number, name]) => [Number(number), name]));
  program.inputs.forEach(({ name }, number) => names.set(number, name));
  for (const { name, value } of [...program.outputs].reverse()) if (value >= program.inputs.length) names.set(value, name);

  /** @type {Map<Node, {results: any[], bases: [number, number][]}>} */
  const coded = new Map();
  /** The codes of what a node's results hold, and what the codes stand for; made once. @param {Node} node */
  function codesOf(node) {
    const before = coded.get(node);
    if (before) return before;
    /** @type {[number, number][]} */
    const bases = [];
    let next = 1; // 0 is what comes from no tensor
    /** @param {any} value an argument @returns {any} */
    const code = (value) => {
      if (!isRef(value)) return value?.weak ? { ...value, dtype: "float64", data: new Float64Array(1), exact: undefined } : value;
      const { shape, data } = values[value.v];
      bases.push([next, value.v]);
      const places = Float64Array.from(data, (_, i) => next + i);
      next += data.length;
      return { shape, dtype: "float64", data: places };
    };
    const plain = (/** @type {any} */ value) => (isRef(value) ? values[value.v] : value);
    const args = node.bound.map((value, n) => {
      const one = POINTS.has(node.parameters[n].name) ? plain : code;
      return Array.isArray(value) ? value.map(one) : one(value);
    });
    const results = list(node.kernel(...args)).map((result) => result?.data);
    const found = { results, bases };
    coded.set(node, found);
    return found;
  }

  /** Whether where a number goes depends on the reader's inputs: then that is a step of its own. @param {Node} node */
  const isPicked = (node) =>
    ["gather", "embedding", "index_select"].includes(shortName(node.op)) &&
    node.parameters.some(({ name }, n) => POINTS.has(name) && isRef(node.bound[n]) && varying.has(node.bound[n].v));

  /**
   * One move back: the place before, "fill" where the number comes from no tensor, null where it was computed.
   * @param {number} v @param {number} i @returns {[number, number]|"fill"|null}
   */
  function back(v, i) {
    const maker = made.get(v);
    if (!maker) return null;
    const { node, k } = maker;
    if (CASTS.has(shortName(node.op)) || node.op === "aten.copy.default") {
      const from = node.bound[node.op === "aten.copy.default" ? 1 : 0];
      if (isRef(from) && values[from.v].data.length === values[v].data.length) {
        const [before, after] = [from.v, v].map((at) => Number(values[at].data[i]));
        return Object.is(before, after) || Object.is(Math.fround(before), after) ? [from.v, i] : null; // too little to be a step
      }
    }
    if (isMove(node)) return source(node, k, i);
    return passed(node, i, values[v]);
  }

  /**
   * What a choice between a computed number and a fixed one let through, or a mask that is multiplied by, and a bound that
   * nothing reaches.
   * @param {Node} node @param {number} i @param {Tensor} out
   */
  function passed({ op, bound, parameters }, i, out) {
    const name = shortName(op);
    const at = (/** @type {string} */ wanted) => bound[parameters.findIndex((parameter) => parameter.name === wanted)];
    const moving = (/** @type {any} */ value) => isRef(value) && varying.has(value.v);
    /** @param {Ref} value @returns {[number, number]} */
    const cell = (value) => [value.v, placeOf(values[value.v].shape, out.shape, i)];
    if (name === "clamp") {
      const far = (/** @type {any} */ value) => value === null || (value?.weak && Math.abs(value.data[0]) > 1e30);
      const same = moving(bound[0]) && Object.is(values[bound[0].v].data[i], out.data[i]);
      return same && far(bound[1]) && far(bound[2]) ? cell(bound[0]) : null;
    }
    if (name === "mul") {
      const pairs = [bound.slice(0, 2), bound.slice(0, 2).reverse()];
      const allows = (/** @type {any} */ value) =>
        isRef(value) && values[value.v].dtype === "bool" && Boolean(values[value.v].data[cell(value)[1]]);
      const kept = pairs.find(([one, mask]) => isRef(one) && values[one.v].dtype === out.dtype && allows(mask));
      return kept ? cell(kept[0]) : null;
    }
    if (name !== "where" && name !== "masked_fill") return null;
    const condition = at(name === "where" ? "condition" : "mask");
    const yes = Boolean(values[condition.v]?.data[cell(condition)[1]]);
    const [hit, miss] = name === "where" ? [at("self"), at("other")] : [at("value"), at("self")];
    const [taken, left] = yes ? [hit, miss] : [miss, hit];
    const found = moving(taken) && !moving(left) ? cell(taken) : null;
    return found && Object.is(Number(values[found[0]].data[found[1]]), Number(out.data[i])) ? found : null;
  }

  /** @param {Node} node @param {number} k @param {number} i @returns {[number, number]|"fill"} */
  function source(node, k, i) {
    const { results, bases } = codesOf(node);
    const code = results[k][i];
    if (!(code > 0)) return "fill";
    let base = bases[0];
    for (const each of bases) if (each[0] <= code) base = each;
    return [base[1], code - base[0]];
  }

  /**
   * Where a number was computed, and the name that it had there (or, if it had none, soonest after).
   * @param {number} v @param {number} i @returns {Origin}
   */
  function origin(v, i) {
    let fill = false;
    /** @type {[number, number][]} */
    const path = [[v, i]];
    for (;;) {
      const [at, place] = path[path.length - 1];
      const maker = made.get(at);
      if (maker && isPicked(maker.node)) break;
      const before = back(at, place);
      if (before === "fill") fill = true;
      if (before === null || before === "fill") break;
      path.push(before);
    }
    const [at, place] = path[path.length - 1];
    const named = path.findLast(([number]) => names.has(number)) ?? null;
    return { v: at, i: place, fill, name: (named && names.get(named[0])) ?? "", named, path };
  }

  return { made, names, varying, origin, source, turnOf: turnsOf(record, made, names) };
}

/**
 * Of a line that ran more than twice, as in a loop, which of its values one is.
 * @param {Rec} record @param {Map<number, Maker>} made @param {Map<number, string>} names
 * @returns {(v: number) => {at: number, of: number} | null}
 */
function turnsOf({ nodes, program, pool }, made, names) {
  const lines = new Map(nodes.map((node, n) => [node, program.source?.of?.[n]]));
  /** @type {Map<string, number[]>} */
  const runs = new Map();
  const wayOf = (/** @type {number} */ v) => {
    const { node, k } = made.get(v) ?? {};
    return node && lines.get(node) !== undefined ? `${lines.get(node)}:${node.op}:${k}:${names.get(v)}` : "";
  };
  for (const v of [...names.keys()].sort((a, b) => a - b)) runs.set(wayOf(v), [...(runs.get(wayOf(v)) ?? []), v]);
  /** @type {Map<string, number>} by the function and its file, how often a line of it ran */
  const most = new Map();
  const calledIn = (/** @type {string} */ way) => {
    const [line] = program.source?.places?.[parseInt(way, 10)] ?? [];
    const said = program.source?.lines?.[line];
    return String(Array.isArray(said) ? said.slice(1) : (pool?.[said?.pool]?.slice(1) ?? line));
  };
  for (const [way, { length }] of runs) if (way) most.set(calledIn(way), Math.max(length, most.get(calledIn(way)) ?? 0));
  return (v) => {
    const same = (wayOf(v) && runs.get(wayOf(v))) || [];
    // of a line that was left out in some rounds, as the same for all inputs, nobody knows in which
    return same.length > 2 && same.length === most.get(calledIn(wayOf(v))) ? { at: same.indexOf(v) + 1, of: same.length } : null;
  };
}
