/** Makes a Program ready to run, with the operators that are here. */
import { same } from "../shared/same.mjs";
import { decodeConstant } from "./encoding.mjs";
import { createLedger } from "./buffers.mjs";
import { isDType } from "./dtype.mjs";
import { runKernel } from "./exact.mjs";
import { readInputs } from "./inputs.mjs";
import { lasting } from "./quick.mjs";
import { findOperator } from "./registry.mjs";
import { bindArguments, isRef, referencesOf, resolve } from "./schema.mjs";

/** @import { Numbers } from "./dtype.mjs" */
/** @import { Constant } from "./encoding.mjs" */
/** @import { Input } from "./inputs.mjs" */
/** @import { Kernel } from "./registry.mjs" */
/** @import { Parameter } from "./schema.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

/**
 * @typedef {{op: string, args?: any[], kwargs?: Record<string, any>, outs?: number}} Call an operator, as JSON has it
 * @typedef {{name: string, value: number}} Output
 * @typedef {object} Program
 * @property {string} format @property {number} version
 * @property {Input[]} inputs @property {(Constant|{pool: number})[]} constants @property {Call[]} nodes
 * @property {Output[]} outputs
 * @property {any} [source] where each value comes from in the Python source (open/ reads it)
 *
 * @typedef {object} Node a call that is ready to run
 * @property {string} op @property {Kernel} kernel @property {Parameter[]} parameters
 * @property {any[]} bound its arguments; tensors are `{v: number}`
 * @property {number[]} places where such stand: the place of an argument, the number of its value, and so on
 * @property {number[]} lists the places of lists of them
 * @property {number[]} reads @property {number} first the number of its first result @property {number} outs
 * @property {number[]} frees what no later node reads @property {number} bits the inputs that it depends on
 * @property {Numbers[]} own arrays that it writes into at every run
 *
 * @typedef {(Tensor|null|undefined)[]} Values
 */

const FORMAT = "livetorch/program";
const VERSIONS = [1, 2]; // 2 says where each value comes from (`source`), and leaves out empty kwargs and a single result

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`the Program is not JSON: ${/** @type {Error} */ (error).message}`);
  }
}

/** Parses and checks the frame of a Program. @param {any} source @returns {Program} */
function readProgram(source) {
  const program = typeof source === "string" ? parse(source) : source;
  if (program?.format !== FORMAT) {
    throw new Error(`a Program must have the format "${FORMAT}", got ${JSON.stringify(program?.format)}.`);
  }
  if (!VERSIONS.includes(program.version)) {
    throw new Error(`this runtime reads versions ${VERSIONS.join(" and ")} of Programs, got ${JSON.stringify(program.version)}.`);
  }
  for (const part of ["inputs", "constants", "nodes", "outputs"]) {
    if (!Array.isArray(program[part])) throw new Error(`the Program has no list "${part}".`);
  }
  for (const { name, dtype } of program.inputs) {
    if (!isDType(dtype)) throw new Error(`input "${name}" has the dtype ${dtype}, which the runtime lacks.`);
  }
  return program;
}

/**
 * A constant by itself, or the entry of the figure's pool that it points to.
 * @param {Constant|{pool: number}} constant @param {any[]} [pool]
 */
function readConstant(constant, pool) {
  if (!("pool" in constant)) return decodeConstant(constant);
  const entry = pool?.[constant.pool];
  if (!entry) throw new Error(`the Program needs entry ${constant.pool} of a pool of constants.`);
  const found = ready.get(entry) ?? decodeConstant(entry);
  ready.set(entry, found);
  return found;
}

/** What a pool's entries hold, read once for all Programs of a figure: a large model's weights would else lie there several times. @type {WeakMap<object, Tensor>} */
const ready = new WeakMap();

/**
 * A node ready to run: its kernel, its bound arguments, and the numbers of what it reads and writes.
 * @param {Call} call @param {number} first @returns {Node}
 */
function prepareNode({ op, args, kwargs, outs = 1 }, first) {
  const operator = findOperator(op);
  if (!operator) throw new Error(`the runtime has no operator ${op}.`);
  let bound;
  try {
    bound = bindArguments(operator.parameters, args, kwargs);
  } catch (error) {
    throw new Error(`${op}: ${/** @type {Error} */ (error).message}`);
  }
  const reads = referencesOf(bound);
  const late = reads.find((number) => !(number < first));
  if (late !== undefined) throw new Error(`${op} reads value ${late} before it is computed.`);
  const places = bound.flatMap((value, k) => (isRef(value) ? [k, value.v] : []));
  const lists = bound.flatMap((value, k) => (Array.isArray(value) ? [k] : []));
  return {
    op,
    kernel: operator.kernel,
    parameters: operator.parameters,
    bound,
    places,
    lists,
    reads,
    first,
    outs,
    frees: [],
    bits: 0,
    own: [],
  };
}

/** The arguments of a node, with values in the places of their numbers. @param {Node} node @param {Values} values */
function argumentsOf({ bound, places, lists }, values) {
  const args = bound.slice();
  for (let k = 0; k < places.length; k += 2) args[places[k]] = values[places[k + 1]];
  for (const k of lists) args[k] = resolve(args[k], values);
  return args;
}

/** Runs one node and files its results. @param {Node} node @param {Values} values */
function execute(node, values) {
  let results;
  try {
    results = runKernel(node, argumentsOf(node, values));
  } catch (error) {
    throw new Error(`${node.op}: ${/** @type {Error} */ (error).message}`);
  }
  for (let k = 0; k < node.outs; k += 1) values[node.first + k] = results[k];
}

/** What only moves a constant, by the constant and the call: the Programs of a figure do it once, and it is there once. @type {WeakMap<Tensor, Record<string, any[]>>} */
const moved = new WeakMap();

/** Runs a node that depends on no input. @param {Node} node @param {Call} call @param {Values} values */
function settle(node, call, values) {
  const [only, other] = node.reads;
  const from = other === undefined && values[only];
  if (!from) return execute(node, values);
  const known = moved.get(from) ?? {};
  moved.set(from, known);
  const key = JSON.stringify([call.op, call.args, call.kwargs]).replace(/"v":\d+/g, "");
  if (known[key]) return void known[key].forEach((result, k) => void (values[node.first + k] = result));
  execute(node, values);
  known[key] = values.slice(node.first, node.first + node.outs);
}

/** The last node that reads each value, so that it can be let go of afterwards. @param {Node[]} nodes @param {number[]} kept */
function releasePlan(nodes, kept) {
  const seen = new Set(kept);
  for (let k = nodes.length - 1; k >= 0; k -= 1) {
    const done = nodes[k].reads.filter((number) => !seen.has(number));
    nodes[k].frees = [...new Set(done)];
    done.forEach((number) => seen.add(number));
  }
}

/**
 * Which inputs each node's results depend on, as bits, and which values a later run may find unchanged: those that
 * an output names, or that a node reads which depends on more inputs.
 * @param {Node[]} nodes @param {Input[]} inputs @param {Output[]} outputs
 * @returns {Set<number>} the values that are kept from one run to the next
 */
function dependencies(nodes, inputs, outputs) {
  const bits = new Map(inputs.map((_, number) => [number, 1 << Math.min(number, 30)]));
  const kept = new Set(outputs.map(({ value }) => value));
  for (const node of nodes) {
    node.bits = node.reads.reduce((all, number) => all | (bits.get(number) ?? 0), 0);
    for (const number of node.reads) if (bits.get(number) !== node.bits) kept.add(number);
    for (let k = 0; k < node.outs; k += 1) bits.set(node.first + k, node.bits);
  }
  return kept;
}

/** The inputs that differ from those of the run before, as bits. @param {Tensor[]} inputs @param {Numbers[]|null} before */
function changedBits(inputs, before) {
  if (!before) return -1;
  return inputs.reduce((bits, input, number) => (same(input.data, before[number]) ? bits : bits | (1 << Math.min(number, 30))), 0);
}

/**
 * Makes a Program ready to run; what depends on no input is computed once, here, and what depends on no input that
 * has changed is kept from the run before.
 * @param {string|object} source the Program, as JSON text or parsed
 * @param {{pool?: object[]}} [options] constants shared by the Programs of a figure
 */
export function load(source, { pool } = {}) {
  const program = readProgram(source);
  const { inputs, outputs } = program;
  /** @type {Values} */
  const fixed = new Array(inputs.length);
  for (const constant of program.constants) fixed.push(readConstant(constant, pool));
  const varying = new Set(inputs.map((_, number) => number));
  /** @type {Node[]} */
  const nodes = [];
  /** @type {Node[]} */
  const all = [];
  let next = fixed.length;
  for (const description of program.nodes) {
    const node = prepareNode(description, next);
    next += node.outs;
    all.push(node);
    if (node.reads.some((number) => varying.has(number))) {
      for (let number = node.first; number < next; number += 1) varying.add(number);
      nodes.push(node);
    } else {
      settle(node, description, fixed);
    }
  }
  for (const { name, value } of outputs) {
    if (!(value < next)) throw new Error(`output "${name}" is value ${value}, which nothing computes.`);
  }
  // inputs too, which `map` would leave out: `before` still reads them when the next run begins
  const constants = Array.from(fixed, (_, number) => number);
  for (const value of fixed) if (value) lasting.add(value.data);
  releasePlan(nodes, [...constants, ...dependencies(nodes, inputs, outputs)]);
  /** @type {Numbers[]|null} */
  let before = null; // the numbers of the last run's inputs
  let values = fixed;
  const ledger = createLedger();

  /** @param {number} number of a value that is read no more */
  function letGo(number) {
    ledger.free(values[number]);
    values[number] = undefined;
  }

  /** @param {Node} node */
  function compute(node) {
    const end = node.first + node.outs;
    for (let number = node.first; number < end; number += 1) letGo(number); // of the run before
    ledger.begin(node.own);
    try {
      execute(node, values);
    } finally {
      ledger.end(values, node.first, end);
    }
    for (const number of node.frees) letGo(number);
  }

  /** Reads the inputs, and says which differ from those of the run before. @param {Record<string, any>} given */
  function begin(given) {
    const read = ledger.inputs(() => readInputs(inputs, given));
    const changed = changedBits(read, before);
    before = null; // if an operator throws, the next run starts anew
    if (changed === -1) {
      values = fixed.slice();
      ledger.forget(); // nobody knows any more who reads what was lent
    }
    read.forEach((input, number) => {
      values[number] = input;
    });
    return { read, changed };
  }

  /** @param {Tensor[]} read */
  function finish(read) {
    before = read.map(({ data }) => data);
    return Object.fromEntries(
      // Copies, so that a caller who writes into an output harms no constant.
      outputs.map(({ name, value }) => {
        const found = values[value];
        if (!found) throw new Error(`output "${name}" is a result that its operator does not give.`);
        const { shape, dtype, data, exact } = found;
        return [name, { shape: shape.slice(), dtype, data: data.slice(), ...(exact && { exact: exact.slice() }) }];
      }),
    );
  }

  /**
   * A run, one node at a time: whoever takes its steps may do something else between two of them, or leave the rest.
   * @param {Record<string, any>} [given] inputs by name: `{shape, data}`, a number or nested lists
   */
  function* steps(given = {}) {
    const { read, changed } = begin(given);
    for (const node of nodes) {
      if (!(node.bits & changed)) continue;
      compute(node);
      yield node;
    }
    return finish(read);
  }

  /** @param {Record<string, any>} [given] as for `steps` @returns {Record<string, any>} */
  function run(given = {}) {
    const { read, changed } = begin(given);
    for (const node of nodes) if (node.bits & changed) compute(node);
    return finish(read);
  }

  /**
   * Every value at some inputs, for whoever asks how a number came to be (open/); no run keeps them or lets go of them.
   * @param {Record<string, any>} given as for `run`
   */
  function record(given = {}) {
    const every = fixed.slice();
    readInputs(inputs, given).forEach((input, number) => {
      every[number] = input;
    });
    for (const node of nodes) execute(node, every);
    return { program, pool, nodes: all, values: /** @type {Tensor[]} */ (every) };
  }

  return { inputs, outputs, nodes, steps, run, record };
}
