/** Which rule explains which operator, what a rule is told, the calculation that a line shows of a number, and its terms. */
import { isRef, resolve } from "../runtime/schema.mjs";
import { elementwiseRules } from "./elementwise.mjs";
import * as e from "./expression.mjs";
import { kindOf } from "./kernel.mjs";
import { productRules } from "./products.mjs";
import { reductionRules } from "./reductions.mjs";
import { softmaxRules } from "./softmax.mjs";
import { makes, moves, numberAt, placeIn, placeOf, shortName } from "./trail.mjs";
import { textOf, write } from "./writing.mjs";

/** @import { DType } from "../runtime/dtype.mjs" */
/** @import { Node } from "../runtime/program.mjs" */
/** @import { Tensor } from "../runtime/tensor.mjs" */
/** @import { Maker, Rec } from "./trail.mjs" */
/** @import { Context } from "./writing.mjs" */

/** @typedef {ReturnType<typeof atOf>} At */
/** @typedef {(at: At) => e.Expression} Rule */

/** @type {Record<string, Rule>} */
const rules = Object.assign(Object.create(null), elementwiseRules, productRules, reductionRules, softmaxRules);

/** Those of rare.mjs. @param {Record<string, Rule>} more */
export const addRules = (more) => Object.assign(rules, more);

/** Have all rules here that a figure's Programs need. @param {import("../shared/spec.d.ts").Spec} spec @param {(name: string) => Promise<any>} partOf */
export async function fetchRules({ programs }, partOf) {
  if (programs.some(({ nodes }) => nodes.some(({ op }) => !hasRule(op)))) addRules((await partOf("rules")).rules);
}

/** Whether an operator makes each number of the numbers at the same place. @param {string} op its short name */
export const isElementwise = (op) => Object.hasOwn(elementwiseRules, op) || "inPlace" in (rules[op] ?? {});

const PICKS = /\.(index_(put|select)|gather|embedding)\./; // more than a move where the reader's input decides

/** Whether an operator has a rule of its own, or needs none. @param {string} op */
export const hasRule = (op) => shortName(op) in rules || makes(op) || (moves(op) && !PICKS.test(op));

/**
 * One number of one operator's result, as rules see it.
 * @param {import("./trail.mjs").Rec} record
 * @param {{node: Node, k: number}} maker
 * @param {number} i
 * @param {(v: number, i: number) => e.Cell} cellOf
 */
export function atOf(record, { node, k }, i, cellOf) {
  const { values } = record;
  const out = values[node.first + k];
  const index = placeIn(out.shape, i);
  const place = (/** @type {string} */ name) => node.parameters.findIndex((parameter) => parameter.name === name);
  const bound = (/** @type {number} */ n) => node.bound[n];
  /** @type {(n: number) => Tensor} */
  const tensor = (n) => (isRef(node.bound[n]) ? values[node.bound[n].v] : node.bound[n]);
  /** @type {(n: number, at: number) => e.Expression} */
  const cell = (n, at) => (isRef(node.bound[n]) ? cellOf(node.bound[n].v, at) : e.literal(tensor(n).data[at], tensor(n).dtype));
  /**
   * The cell of an argument at this place of a shape that it broadcasts to.
   * @param {number} n @param {number[]} shape @param {number} flat
   */
  const cellAt = (n, shape, flat) => cell(n, placeOf(tensor(n).shape, shape, flat));
  const at = {
    node,
    k,
    i,
    index,
    out,
    name: shortName(node.op),
    value: numberAt(out, i),
    place,
    bound,
    tensor,
    cell,
    cellAt,
    cellOf,
    /** @param {string} name */
    arg: (name) => (place(name) < 0 ? null : node.bound[place(name)]),
    /** @param {string} name */
    resolved: (name) => resolve([node.bound[place(name)]], values)[0],
    /** A plain number, or what is not given. @param {string} name @param {any} otherwise */
    option: (name, otherwise) => {
      const given = place(name) < 0 ? null : node.bound[place(name)];
      if (given === null || given === undefined) return otherwise;
      return kindOf(given) === "number" ? given.data[0] : kindOf(given) === "tensor" ? values[given.v].data[0] : given;
    },
    /** @param {number} n */
    operand: (n) => cellAt(n, out.shape, i),
    /** Another result of the same operator. @param {number} which @param {number} at */
    result: (which, at) => cellOf(node.first + which, at),
    /** @param {e.Expression} cell */
    number: (cell) =>
      cell.form === "literal" ? cell.value : numberAt(values[/** @type {e.Cell} */ (cell).v], /** @type {e.Cell} */ (cell).i),
    isWhole: () => !/float/.test(out.dtype),
    /** @template T @param {string} what @param {() => T} make @returns {T} */
    once: (what, make) => (record[what] ??= new Map()).get(node) ?? record[what].set(node, make()).get(node),
    source: () => /** @type {[number, number]} */ (record.trail.source(node, k, i)),
    fallback: () => rules.opaque(at),
  };
  return at;
}

/** How one computed number came to be. @param {At} at @returns {e.Expression} */
export const explained = (at) => (rules[at.name] ?? rules.opaque)(at); // which is among those of rare.mjs

const LINE = 9; // numbers that a line may hold before it makes no more of them plain
const MORE = 3; // beyond them, to make all terms of a sum plain
const FORMS = new Set(["sum", "difference", "product", "quotient", "power", "negative", "root", "exp", "infix"]);

/**
 * The calculation of a number, with the ones that nothing names made plain in it as far as the line has room.
 * @template {{maker: Maker|null|undefined, i: number, name: string|null, kind: string}} Found
 * @param {Rec} book @param {(v: number, i: number) => Found} identify @param {Found} found
 */
export function calculation(book, identify, found) {
  const { values, trail } = book;
  /** @type {Map<string, e.Cell>} */
  const cells = new Map();
  const cellOf = (/** @type {number} */ v, /** @type {number} */ i) => {
    const { v: at, i: place } = trail.origin(v, i);
    const key = `${at}:${place}`;
    if (!cells.has(key)) cells.set(key, { form: "cell", args: [], v, i, at: [at, place], dtype: values[at].dtype });
    return /** @type {e.Cell} */ (cells.get(key));
  };
  const of = (/** @type {Found} */ { maker, i }) => explained(atOf(book, /** @type {Maker} */ (maker), i, cellOf)); // computed
  const top = settled(of(found), (cell) => identify(.../** @type {[number, number]} */ (cell.at)), of);
  let room = LINE - e.leavesOf(top).length;
  /** What is made plain at once: one part, or all terms of a sum. */
  const waiting = [[top]];
  for (const parts of waiting) {
    if (room < 0) break;
    const alike = parts.length > 1 || parts[0]?.form === "sum"; // written in one form: all are made plain, or none
    const partsOf = (/** @type {e.Expression} */ part) => (part.whole ? [] : e.partsOf(part));
    // a difference in a sum is two terms of it
    const under = new Set(parts.flatMap(partsOf).flatMap((part) => (alike && part.form === "difference" ? partsOf(part) : part)));
    const next = [...under].filter(({ form }) => form !== "cell");
    const plain = [...under].flatMap((cell) => {
      if (cell.form !== "cell" || cell.inner || (alike && cell.dtype === "bool")) return []; // which counts as 0 or 1
      const { v, i } = /** @type {e.Cell} */ (cell);
      const made = identify(v, i);
      const inner = made.name || made.kind !== "computed" ? null : of(made);
      return inner && FORMS.has(inner.form) && !inner.whole ? [{ cell, inner }] : [];
    });
    for (const one of plain) {
      const group = alike ? plain.filter(({ inner }) => inner.form === one.inner.form) : [one];
      const cost = group.reduce((sum, { inner }) => sum + e.leavesOf(inner).length - 1, 0);
      if (one.cell.inner || cost > room + (parts[0].form === "sum" ? MORE : 0)) continue;
      room -= cost;
      for (const { cell, inner } of group) next.push((cell.inner = inner));
    }
    waiting.push(...(alike ? [next] : next.map((part) => [part])));
  }
  return top;
}

/**
 * Of a choice that a setting made straight what it chose, where that was computed, and the setting as a remark; else where it lies.
 * @template {{kind: string}} Found
 * @param {e.Expression} top @param {(cell: e.Cell) => Found} find @param {(found: Found) => e.Expression} of @returns {e.Expression}
 */
function settled(top, find, of) {
  const [chosen, why] = top.choice ? top.args : [];
  const [cell] = why?.form === "fact" ? why.args : [];
  const isSet = cell?.form === "cell" && find(/** @type {e.Cell} */ (cell)).kind === "control";
  const under = isSet && chosen.form === "cell" ? find(/** @type {e.Cell} */ (chosen)) : null;
  if (under?.kind === "constant") return { ...top, text: ["", ", stored with the figure, because ", ""] };
  if (under?.kind !== "computed") return top;
  const branch = settled(of(under), find, of);
  return branch.choice ? top : { ...branch, remarks: [why, ...(branch.remarks ?? [])] };
}

/**
 * The parts of the longest sum in a calculation, by their share.
 * @param {e.Expression} top @param {Context} context @param {e.Cell[]} leaves
 */
export function termsOf(top, context, leaves) {
  /** @type {e.Expression[]} */
  let longest = [];
  const walk = (/** @type {e.Expression} */ part) => {
    const args = /^(softmax|sum)$/.test(part.form) ? part.args : [];
    if (args.length > longest.length) longest = args;
    (part.form === "cell" ? (part.inner ? [part.inner] : []) : part.args).forEach(walk);
  };
  walk(top);
  if (longest.length < 2) return [];
  const powers = top.form === "softmax";
  const numbers = longest.map((part) => Number(context.number(part)));
  const most = Math.max(...numbers);
  const sizes = numbers.map((x) => (powers ? Math.exp(x - most) : Math.abs(x)));
  const whole = sizes.reduce((x, y) => x + y, 0);
  const terms = longest.map((part, k) => ({
    text: powers ? `e^${textOf(write(part, context))}` : textOf(write(part, context)),
    value: powers ? Math.exp(numbers[k]) : numbers[k],
    share: whole > 0 ? sizes[k] / whole : 0,
    from: e.leavesOf(part).map((leaf) => leaves.indexOf(leaf)),
  }));
  return terms.sort((x, y) => y.share - x.share);
}
