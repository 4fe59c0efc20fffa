/** Answers the requests of node_runner.py: one JSON line in, one JSON line out. */
import { createInterface } from "node:readline";
import { load, operators } from "../../attn_helpers/live/js/runtime.mjs";

/** Typed arrays travel as base64 of their bytes, so that NaN and infinities arrive whole. */
const encode = ({ shape, dtype, data }) => ({
  shape,
  dtype,
  data: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64"),
});

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

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const request = JSON.parse(line);
  const reply = request.cases ? request.cases.map(answer) : operators;
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
