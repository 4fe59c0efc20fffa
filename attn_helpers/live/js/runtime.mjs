/**
 * Runs Programs: torch functions that were traced to a list of ATen operators.
 *
 *     const program = load(json);
 *     const { output } = program.run({ width: { shape: [], data: [0.5] } });
 *
 * No attention formula stands here or in any module below: only operators.
 */
import { decodeConstant } from "./runtime/base64.mjs";
import { isDType, settle } from "./runtime/dtype.mjs";
import { readInputs } from "./runtime/inputs.mjs";
import { findOperator, operators } from "./runtime/registry.mjs";
import { bindArguments, referencesOf, resolve } from "./runtime/schema.mjs";

export { operators };

const FORMAT = "attention-live/program";
const VERSION = 1;

function parse(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`the Program is not JSON: ${error.message}`);
  }
}

/** Parses and checks the frame of a Program. */
function readProgram(source) {
  const program = typeof source === "string" ? parse(source) : source;
  if (program?.format !== FORMAT) {
    throw new Error(`a Program must have the format "${FORMAT}", got ${JSON.stringify(program?.format)}.`);
  }
  if (program.version !== VERSION) {
    throw new Error(`this runtime reads version ${VERSION} of Programs, got ${JSON.stringify(program.version)}.`);
  }
  for (const part of ["inputs", "constants", "nodes", "outputs"]) {
    if (!Array.isArray(program[part])) throw new Error(`the Program has no list "${part}".`);
  }
  for (const { name, dtype } of program.inputs) {
    if (!isDType(dtype)) throw new Error(`input "${name}" has the dtype ${dtype}, which the runtime lacks.`);
  }
  return program;
}

/** A constant by itself, or the entry of the figure's pool that it points to. */
function readConstant(constant, pool) {
  if (!("pool" in constant)) return decodeConstant(constant);
  if (!pool?.[constant.pool]) throw new Error(`the Program needs entry ${constant.pool} of a pool of constants.`);
  return decodeConstant(pool[constant.pool]);
}

/** A node ready to run: its kernel, its bound arguments, and the numbers of what it reads and writes. */
function prepareNode({ op, args, kwargs, outs = 1 }, first) {
  const operator = findOperator(op);
  if (!operator) throw new Error(`the runtime has no operator ${op}.`);
  let bound;
  try {
    bound = bindArguments(operator.parameters, args, kwargs);
  } catch (error) {
    throw new Error(`${op}: ${error.message}`);
  }
  const reads = referencesOf(bound);
  const late = reads.find((number) => !(number < first));
  if (late !== undefined) throw new Error(`${op} reads value ${late} before it is computed.`);
  return { op, kernel: operator.kernel, bound, reads, first, outs };
}

/** Runs one node and files its results. */
function execute(node, values) {
  let result;
  try {
    result = node.kernel(...resolve(node.bound, values));
  } catch (error) {
    throw new Error(`${node.op}: ${error.message}`);
  }
  const results = Array.isArray(result) ? result : [result];
  for (let k = 0; k < node.outs; k += 1) {
    const value = results[k];
    if (value) settle(value.dtype, value.data);
    values[node.first + k] = value;
  }
}

/** The last node that reads each value, so that it can be let go of afterwards. */
function releasePlan(nodes, kept) {
  const seen = new Set(kept);
  for (let k = nodes.length - 1; k >= 0; k -= 1) {
    const done = nodes[k].reads.filter((number) => !seen.has(number));
    nodes[k].frees = [...new Set(done)];
    done.forEach((number) => seen.add(number));
  }
}

/**
 * Makes a Program ready to run; what depends on no input is computed once, here.
 * @param {string|object} source the Program, as JSON text or parsed
 * @param {{pool?: object[]}} [options] constants shared by the Programs of a figure
 */
export function load(source, { pool } = {}) {
  const program = readProgram(source);
  const { inputs, outputs } = program;
  const fixed = new Array(inputs.length);
  for (const constant of program.constants) fixed.push(readConstant(constant, pool));
  const varying = new Set(inputs.map((_, number) => number));
  const nodes = [];
  let next = fixed.length;
  for (const description of program.nodes) {
    const node = prepareNode(description, next);
    next += node.outs;
    if (node.reads.some((number) => varying.has(number))) {
      for (let number = node.first; number < next; number += 1) varying.add(number);
      nodes.push(node);
    } else {
      execute(node, fixed);
    }
  }
  for (const { name, value } of outputs) {
    if (!(value < next)) throw new Error(`output "${name}" is value ${value}, which nothing computes.`);
  }
  const constants = fixed.map((_, number) => number);
  releasePlan(nodes, [...constants, ...outputs.map(({ value }) => value)]);

  /** @param {Record<string, any>} given inputs by name: `{shape, data}`, a number or nested lists */
  function run(given = {}) {
    const values = fixed.slice();
    readInputs(inputs, given).forEach((input, number) => {
      values[number] = input;
    });
    for (const node of nodes) {
      execute(node, values);
      for (const number of node.frees) values[number] = undefined;
    }
    return Object.fromEntries(
      // Copies, so that a caller who writes into an output harms no constant.
      outputs.map(({ name, value }) => {
        if (!values[value]) throw new Error(`output "${name}" is a result that its operator does not give.`);
        const { shape, dtype, data } = values[value];
        return [name, { shape: shape.slice(), dtype, data: data.slice() }];
      }),
    );
  }

  return { inputs, outputs, run };
}
