/**
 * How any number of a Program came to be.
 *
 *     const explain = openProgram(program, { width: 0.5 }, { pool });
 *     const step = explain.open("weights", [0, 2]);
 *     step.text;             // "weights[0, 2] = e^1.31 / (e^0.20 + e^1.31 + e^−0.40) = 0.63"
 *     step.from[0].open();   // the same for 1.31, and so on down to what the reader set
 *
 * A Step holds
 * - `label`: how the number is called, "weights[0, 2]", or the number itself where nothing names it; `name` and `index`
 *   are its parts ("" and its place in an unnamed value); `places` what these are called, a word or a number from 0; `turn`
 *   `{at, of}` of a line that ran several times, or null; `value` (a number), `dtype`.
 * - `kind`: "computed"; or, at the end of the trail, "control" (what the reader moves), "input" (another input of the
 *   Program) or "constant" (stored with it, or the same for all inputs).
 * - `op`: the operator that made it, "aten._softmax.default"; "" at the end of the trail.
 * - `text`: one line of plain text. `pieces`: the same in order, `{text, from, more, raised}`: `from` is the place in `from`
 *   of a number that can be opened, `more` how many terms of a long sum are left out here, `raised` stands in an exponent;
 *   a page makes elements of these.
 * - `line`: the reader's line that did it, `{text, file, function, part: [from, to]}`, part in letters of the text, file ""
 *   for the function's own; or null.
 * - `from`: the numbers that it was made of, each `{label, name, index, value, dtype, kind, shown, open()}`; `shown` are the
 *   numbers of outputs that are this very number, `{output, index}`, for marking them in other views.
 * - `terms`: the parts of its longest sum, largest share first: `{text, value, share, from: [places in from]}`, share in
 *   parts of the sum of all sizes; [] where nothing is added up.
 * - `shown`: as in `from`, for the number itself; `through`, of both, those among them that it was moved through on its way.
 * - `role`: what it is in the line in which it was opened, as "A factor"; nothing where there is no word for it.
 * - `recompute()`: its value in float64 by what `text` says, from the numbers in `from`; `recompute(others)`: from others in their places.
 */
import { load } from "../runtime/program.mjs";
import { settle } from "../runtime/dtype.mjs";
import { sizeOf, stridesOf, tensor } from "../runtime/tensor.mjs";
import * as e from "./expression.mjs";
import { calculation, termsOf } from "./rules.mjs";
import { ending } from "./ending.mjs";
import { roleIn, textOf, write, written } from "./writing.mjs";
import { placesOf } from "./places.mjs";
import { createTrail, makes, numberAt, placeIn } from "./trail.mjs";

export { written } from "./writing.mjs";
export { hasRule } from "./rules.mjs";

/** @import { DType } from "../runtime/dtype.mjs" */
/** @import { Maker, Rec } from "./trail.mjs" */
/** @import { Context } from "./writing.mjs" */

/**
 * @typedef {object} About what is known of a Program beyond it
 * @property {object[]} [pool] constants shared by the Programs of a figure
 * @property {Record<string, string>} [controls] input name -> what it is to the reader, such as "your slider"
 * @property {Record<string, (string[]|null)[]>} [labels] output name -> for each axis the names of its items, or null
 * @property {Record<string, string>} [called] input name -> what an item is called that the reader picks by it: "head"
 * @property {string[]} [marked] the outputs that `shown` looks in, by default all
 */

/** A number as its dtype holds it. @param {any} value a BigInt or a bool too @param {DType} dtype */
function rounded(value, dtype) {
  if (typeof value === "bigint" || dtype === "bool") return typeof value === "bigint" ? value : value ? 1 : 0;
  const one = tensor([], dtype);
  one.data[0] = value;
  settle(dtype, one.data);
  return one.data[0];
}

/**
 * @param {any} source a Program's JSON, or what `load` made of it
 * @param {Record<string, any>} [inputs] as for `run`
 * @param {About} [about]
 */
export function openProgram(source, inputs = {}, { pool, controls = {}, labels = {}, called = {}, marked } = {}) {
  const loaded = source?.record ? source : load(source, { pool });
  /** @type {Rec} */
  const book = loaded.record(inputs);
  const trail = (book.trail = createTrail(book));
  const { values, program } = book;
  const learned = new Set(program.source?.learned ?? []);
  const outputs = new Map(program.outputs.map(({ name, value }) => [name, value]));
  const lines = (program.source?.lines ?? []).map((/** @type {any} */ line) => (Array.isArray(line) ? line : book.pool?.[line.pool]));

  const indexOf = (/** @type {number} */ v, /** @type {number} */ i) => placeIn(values[v].shape, i);

  /** @type {ReturnType<typeof placesOf>|undefined} found when first asked for */
  let places;
  function placesIn() {
    const all = [
      ...program.inputs.map(({ name }, number) => ({ name, number })),
      ...[...outputs].map(([name, number]) => ({ name, number })),
    ];
    places ??= placesOf(book, new Map(all.flatMap(({ name, number }) => (labels[name] ? [[number, labels[name]]] : []))), called);
    return places;
  }
  const namesIn = (/** @type {number} */ v) => placesIn().names.get(v);

  /** What a number's places are called: in a word each, or counted from 0; an axis of one item says nothing. @param {string} name @param {number[]} index @param {number} v */
  function partsOf(name, index, v) {
    const names = namesIn(v);
    const whose = (outputs.has(name) ? "" : placesIn().whose.get(v)) || null;
    const parts = index.flatMap((n, axis) =>
      values[v]?.shape[axis] === 1 && (whose || index.length > 1) ? [] : [names?.[axis]?.[n] ?? n],
    );
    return whose ? [whose, ...parts] : parts;
  }

  /** @param {string} name @param {number[]} index @param {number} [v] the value that is called so */
  function labelled(name, index, v = -1) {
    if (!index.length) return name;
    const names = v < 0 ? labels[name] : namesIn(v);
    const parts = index
      .map((n, axis) => names?.[axis]?.[n] ?? (names && values[v]?.shape[axis] === 1 ? "" : n))
      .filter((part) => part !== "" && part !== name); // the only row of an output is called as the output is
    return parts.length ? `${name}[${parts.join(", ")}]` : name;
  }

  /** What a number of a value is: where it was made, and what it is called there. @param {number} v @param {number} i */
  function identify(v, i) {
    const origin = trail.origin(v, i);
    const { name, named } = origin;
    const index = named ? indexOf(...named) : indexOf(origin.v, origin.i);
    const maker = trail.made.get(origin.v);
    const dtype = values[origin.v].dtype;
    const value = numberAt(values[origin.v], origin.i);
    const label = name ? labelled(name, index, named ? named[0] : origin.v) : written(value, dtype);
    const input = origin.v < program.inputs.length ? program.inputs[origin.v].name : null;
    const given = origin.fill || !maker || !maker.node.reads.length || makes(maker.node.op);
    const kind = input === null ? (given ? "constant" : "computed") : Object.hasOwn(controls, input) ? "control" : "input";
    const [at] = named ?? [origin.v];
    const known = { places: partsOf(name, index, at), turn: named && !placesIn().whose.get(at) ? trail.turnOf(at) : null };
    return { ...origin, ...known, maker, index, dtype, value: Number(value), label, kind, input };
  }

  /** The outputs' numbers by what they were: made when first asked for. @type {Map<string, {output: string, index: number[]}[]>|null} */
  let everywhere = null;
  /** @param {number} v @param {number} i */
  function shownAt(v, i) {
    if (!everywhere) {
      everywhere = new Map();
      for (const [output, number] of outputs) {
        if (marked && !marked.includes(output)) continue;
        for (let place = 0; place < values[number].data.length; place += 1) {
          const found = trail.origin(number, place);
          const key = `${found.v}:${found.i}`;
          if (!everywhere.has(key)) everywhere.set(key, []);
          everywhere.get(key)?.push({ output, index: indexOf(number, place) });
        }
      }
    }
    return everywhere.get(`${v}:${i}`) ?? [];
  }

  /** The outputs' numbers that a number was moved through, the last one first. @param {[number, number][]} path */
  const passedBy = (path) =>
    path.flatMap(([v, i]) =>
      [...outputs].flatMap(([output, number]) =>
        number === v && (!marked || marked.includes(output)) ? [{ output, index: indexOf(v, i) }] : [],
      ),
    );

  /** @typedef {ReturnType<typeof identify>} Found */

  /** @param {Found} found */
  function lineOf({ maker }) {
    const which = maker ? program.source?.of?.[book.nodes.indexOf(maker.node)] : -1;
    const place = program.source?.places?.[which];
    if (!place || !lines[place[0]]) return null;
    const [text, called, file = ""] = lines[place[0]];
    return { text, file, function: called, part: [place[1], place[2]] };
  }

  /** @param {number} v @param {number} i @param {{name: string, index: number[]}} [asked] */
  function step(v, i, asked) {
    const found = identify(v, i);
    const name = asked?.name ?? found.name;
    const index = asked?.index ?? found.index;
    const label = asked ? labelled(asked.name, asked.index) : found.label;
    const { value, dtype, kind } = found;
    const { places, turn } = asked ? { places: partsOf(name, index, v), turn: null } : found;
    const base = { label, name, index, places, turn, value, dtype, kind, op: "", line: lineOf(found) };
    const end = (/** @type {string} */ text) =>
      withShown({ ...base, text, pieces: [{ text }], from: [], terms: [], recompute: () => value }, found);
    if (kind !== "computed") {
      const words = ending(found, { controls, learned: learned.has(found.v), named: Boolean(name) });
      return end(`${name ? `${label} = ` : ""}${written(value, dtype)}, ${words}`);
    }
    const maker = /** @type {Maker} */ (found.maker); // as it is computed
    const top = calculation(book, identify, found);
    const leaves = e.leavesOf(top);
    if (!leaves.length) {
      // Such as an empty sum: the same whatever the reader does.
      base.kind = "constant";
      return end(`${label}${name ? ` = ${written(value, dtype)}` : ""}, made of no numbers`);
    }
    const raw = (/** @type {e.Cell} */ { at: [v, i] }) => numberAt(values[v], i);
    const number = (/** @type {e.Expression} */ part) =>
      part.form === "cell" ? raw(/** @type {e.Cell} */ (part)) : e.evaluate(part, raw, rounded);
    /** @type {Context} */
    const context = { number, label: (cell) => nameOf(cell), place: (cell) => leaves.indexOf(cell) };
    const nameOf = (/** @type {e.Cell} */ cell) => {
      const { name: called, label: full } = identify(cell.v, cell.i);
      return called ? full : "";
    };
    const winner = top.winner && nameOf(/** @type {e.Cell} */ (top.winner));
    const [before, after] = name && top.form === "infix" ? ["(", ")"] : ["", ""];
    const start = name || !top.choice ? `${label} = ${before}` : "";
    const result = name && !top.choice ? `${after} = ${written(value, dtype)}` : "";
    const why = (top.remarks ?? []).flatMap((fact) => [{ text: ", because " }, ...write(fact, context)]);
    const ends = [{ text: result + (winner ? `, which is ${winner}` : "") }, ...why];
    const pieces = [{ text: start }, ...write(top, context), ...ends].filter(({ text }) => text);
    const from = leaves.map((cell) => {
      const part = identify(cell.v, cell.i);
      const open = () => Object.assign(step(cell.v, cell.i), { role: roleIn(top, cell) });
      return withShown({ ...part, open }, part);
    });
    const made = {
      ...base,
      op: maker.node.op,
      text: textOf(pieces),
      pieces,
      from,
      recompute: (/** @type {number[]|undefined} */ given) => {
        const read = given ? (/** @type {e.Cell} */ cell) => given[leaves.indexOf(cell)] : raw;
        return Number(rounded(e.evaluate(top, read, rounded), dtype));
      },
    };
    return withShown(
      later(made, "terms", () => termsOf(top, context, leaves)),
      found,
    );
  }

  /** What is only looked for when it is asked for. @template {object} T @param {T} object @param {string} name @param {() => unknown} get */
  const later = (object, name, get) => Object.defineProperty(object, name, { get, enumerable: true });
  /** @template {object} T @param {T} object @param {Found} found @returns {T} */
  const withShown = (object, { v, i, path }) =>
    later(
      later(object, "shown", () => shownAt(v, i)),
      "through",
      () => passedBy(path),
    );

  return {
    /** The outputs' tensors at these inputs. */
    outputs: Object.fromEntries([...outputs].map(([name, number]) => [name, values[number]])),
    /**
     * @param {string} name of an output
     * @param {number[]|number} index a number for each axis, or the place among all its numbers
     */
    open(name, index) {
      const v = outputs.get(name);
      if (v === undefined) throw new Error(`there is no output "${name}"; the outputs are ${[...outputs.keys()].join(", ")}.`);
      const { shape } = values[v];
      const flat = typeof index === "number" && shape.length !== 1 ? index : null;
      const place = flat === null ? [index].flat() : indexOf(v, flat);
      const fits = flat === null || (Number.isInteger(flat) && flat >= 0 && flat < sizeOf(shape));
      if (!fits || place.length !== shape.length || place.some((n, axis) => !(Number.isInteger(n) && n >= 0 && n < shape[axis]))) {
        throw new Error(`"${name}" has the shape [${shape}], and no number at [${index}].`);
      }
      const i = stridesOf(shape).reduce((sum, stride, axis) => sum + stride * place[axis], 0);
      return step(v, i, { name, index: place });
    },
  };
}
