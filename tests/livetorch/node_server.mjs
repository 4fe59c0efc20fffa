/** Answers the requests of node_runner.py: one JSON line in, one JSON line out. */
import { createInterface } from "node:readline";
import { openProgram, written } from "../../livetorch/js/open/open.mjs";
import { load, operators } from "../../livetorch/js/runtime/load.mjs";
import { walked } from "./opened.mjs";

/** Typed arrays travel as base64 of their bytes, so that NaN and infinities arrive whole. */
const bytes = (data) => Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64");
const encode = ({ shape, dtype, data, exact }) => ({ shape, dtype, data: bytes(data), exact: exact && bytes(exact) });

function decode({ shape, data }) {
  const bytes = Buffer.from(data, "base64");
  const copy = new Float64Array(bytes.length / 8);
  new Uint8Array(copy.buffer).set(bytes);
  return { shape, data: copy };
}

const mapValues = (object, f) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, f(value)]));

function answer({ program, pool, inputs }) {
  try {
    const loaded = load(program, { pool });
    if (inputs === null) return {};
    const runs = inputs.map((given) => mapValues(loaded.run(mapValues(given, decode)), encode));
    return { runs };
  } catch (error) {
    return { error: error.message };
  }
}

/** Opens random numbers of one run down to the end of their trails. */
function opened({ program, pool, inputs, count, seed }) {
  try {
    const explain = openProgram(program, mapValues(inputs, decode), { pool });
    const { faults, steps, operators } = walked(explain, written, { count, seed });
    return { faults, steps, operators: [...operators] };
  } catch (error) {
    return { faults: [error.stack], steps: 0, operators: [] };
  }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const request = JSON.parse(line);
  const reply = request.opened ? request.opened.map(opened) : request.cases ? request.cases.map(answer) : operators;
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
