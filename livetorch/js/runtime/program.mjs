/** Makes a Program ready to run, with the operators that are here. */
import { same, sizeOf, tensor } from "./tensor.mjs";
import { readConstant, readProgram } from "./encoding.mjs";
import { createLedger } from "./buffers.mjs";
import { isFloat, isInteger, settle } from "./dtype.mjs";
import { runKernel } from "./exact.mjs";
import { lasting } from "./quick.mjs";
import { prepareNode } from "./registry.mjs";
import { resolve } from "./schema.mjs";

/** @import { DType, Numbers } from "./dtype.mjs" */
/** @import { Call, Input, Output } from "./encoding.mjs" */
/** @import { Kernel } from "./registry.mjs" */
/** @import { Parameter } from "./schema.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

/**
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
function executeOnce(node, call, values) {
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

// ---- what a caller gives, as tensors

/** Shape and data of a number, a bool or nested lists of them. @param {any} value */
function fromLists(value) {
  /** @type {number[]} */
  const shape = [];
  for (let part = value; Array.isArray(part); part = part[0]) shape.push(part.length);
  return { shape, data: Array.isArray(value) ? value.flat(Infinity) : [value] };
}

/** @param {unknown} value @returns {value is {shape: unknown, data: any}} */
const isTensorLike = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** @param {Input} input @param {any} given by a caller, unchecked */
function readInput({ name, shape, dtype }, given) {
  if (given === undefined || given === null) throw new Error(`input "${name}" is missing.`);
  const { shape: got, data } = isTensorLike(given) ? given : fromLists(given);
  if (!Array.isArray(got) || data?.length === undefined) {
    throw new Error(`input "${name}" must be {shape, data}, a number or nested lists.`);
  }
  if (got.length !== shape.length || got.some((length, axis) => length !== shape[axis])) {
    throw new Error(`input "${name}" must have the shape [${shape}], got [${got}].`);
  }
  if (data.length !== sizeOf(shape)) {
    throw new Error(`input "${name}" of shape [${shape}] needs ${sizeOf(shape)} values, got ${data.length}.`);
  }
  return convertInput(name, shape, dtype, data);
}

/** @param {string} name @param {number[]} shape @param {DType} dtype @param {ArrayLike<unknown>} data */
function convertInput(name, shape, dtype, data) {
  const out = tensor(shape, dtype);
  if (isFloat(dtype) && data instanceof Float32Array) {
    out.data.set(data); // most of all: a model's parameters, from step to step
    settle(dtype, out.data);
    return out;
  }
  for (let i = 0; i < data.length; i += 1) {
    const value = Number(data[i]);
    if (isInteger(dtype) && !Number.isInteger(value)) {
      throw new Error(`input "${name}" holds integers (${dtype}), got ${String(data[i])}.`);
    }
    if (isInteger(dtype) && Math.abs(value) > 2 ** 53) {
      throw new Error(`input "${name}" holds integers up to 2^53, got ${value}.`);
    }
    out.data[i] = dtype === "bool" ? (value === 0 ? 0 : 1) : value;
  }
  settle(dtype, out.data);
  return out;
}

/**
 * One tensor per declared input, in their order.
 * @param {Input[]} declared
 * @param {Record<string, any>} given
 */
export function readInputs(declared, given) {
  const names = declared.map(({ name }) => name);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new Error(`the Program has no input "${unknown}"; it has ${names.join(", ") || "none"}.`);
  }
  return declared.map((input) => readInput(input, Object.hasOwn(given, input.name) ? given[input.name] : undefined));
}

// ---- a run

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
      executeOnce(node, description, fixed);
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
