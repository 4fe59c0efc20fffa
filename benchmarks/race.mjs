/**
 * Races ONNX Runtime Web in Node, one thread, run by run: `node race.mjs FOLDER NAME...`, where FOLDER holds NAME.json (the
 * Program), NAME.onnx and NAME.want (ids and what torch gives). Writes one line of JSON for each.
 */
import { readFileSync } from "node:fs";
import * as ort from "onnxruntime-web";

import { load } from "../livetorch/js/runtime/load.mjs";

const ROUNDS = 80;
const WARM = 16;
const [, , folder, ...names] = process.argv;
ort.env.wasm.numThreads = 1;

/** @param {number[]} times */
const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

for (const name of names) {
  const { ids, want, vocabulary } = JSON.parse(readFileSync(`${folder}/${name}.want`, "utf8"));
  const text = readFileSync(`${folder}/${name}.json`, "utf8");
  const start = performance.now();
  const program = load(text);
  const shape = [ids.length];
  const output = program.run({ ids: { shape, data: ids } }).output.data;
  const first = performance.now() - start;
  const top = want.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const apart = want.reduce((most, x, i) => Math.max(most, Math.abs(x - output[i])), 0) / top;
  const session = await ort.InferenceSession.create(readFileSync(`${folder}/${name}.onnx`), { executionProviders: ["wasm"] });
  const [ours, theirs] = [[], []];
  for (let k = 0; k < ROUNDS; k += 1) {
    const other = ids.map(() => Math.floor(Math.random() * vocabulary)); // no run finds its numbers done
    let from = performance.now();
    program.run({ ids: { shape, data: other } });
    if (k >= WARM) ours.push(performance.now() - from);
    const tensor = new ort.Tensor("int64", BigInt64Array.from(other, BigInt), shape);
    from = performance.now();
    await session.run({ [session.inputNames[0]]: tensor });
    if (k >= WARM) theirs.push(performance.now() - from);
  }
  const [mine, onnx] = [median(ours), median(theirs)];
  process.stdout.write(`${JSON.stringify({ what: name, ours: mine, onnx, ratio: mine / onnx, apart, first })}\n`);
}
