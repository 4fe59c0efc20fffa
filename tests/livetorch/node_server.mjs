/** Answers the requests of node_runner.py: one JSON line in, one JSON line out. */
import { createInterface } from "node:readline";
import "../../livetorch/js/open/load.mjs";
import { openProgram, written } from "../../livetorch/js/open/open.mjs";
import { load } from "../../livetorch/js/runtime/load.mjs";
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
    return { outputs: mapValues(load(program, { pool }).run(mapValues(inputs, decode)), encode) };
  } catch (error) {
    return { error: error.message };
  }
}

/** Opens random numbers of one run down to the end of their trails. */
function opened({ program, inputs, count, seed }) {
  try {
    return walked(openProgram(program, mapValues(inputs, decode), {}), written, { count, seed }).faults;
  } catch (error) {
    return [error.stack];
  }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const request = JSON.parse(line);
  const reply = request.opened ? opened(request) : answer(request);
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
