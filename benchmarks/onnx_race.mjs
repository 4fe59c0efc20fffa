/**
 * A Program and the same function in ONNX Runtime Web, one thread each, in turns: the quickest run of each in every turn, in
 * milliseconds, and how far each is from torch. Told on the first line of input: {"program", "onnx", "inputs", "wanted", "turns", "runs"}.
 */
import { readFileSync } from "node:fs";

import * as ort from "onnxruntime-web";
import { load } from "../livetorch/js/runtime/load.mjs";

const { program: path, onnx, inputs, wanted, turns, runs } = JSON.parse(readFileSync(0, "utf8"));
ort.env.wasm.numThreads = 1;
const session = await ort.InferenceSession.create(readFileSync(onnx), { executionProviders: ["wasm"], graphOptimizationLevel: "all" });
const program = load(readFileSync(path, "utf8"));
const given = inputs.map(({ shape, data }) => ({ shape, data: Float32Array.from(data) }));

const racers = {
  ours: (x) => Object.values(program.run({ x }))[0].data,
  onnx: async (x) => Object.values(await session.run({ x: new ort.Tensor("float32", x.data, x.shape) }))[0].data,
};
const times = { ours: [], onnx: [] };
const differs = { ours: 0, onnx: 0 };
for (let turn = 0; turn < turns; turn += 1) {
  for (const [name, racer] of Object.entries(racers)) {
    let quickest = Infinity;
    for (let i = 0; i < runs; i += 1) {
      const at = (turn * runs + i) % given.length;
      const start = performance.now();
      const output = await racer(given[at]); // an await of what is there already takes microseconds
      quickest = Math.min(quickest, performance.now() - start);
      if (turn === 0) wanted[at].forEach((value, j) => { differs[name] = Math.max(differs[name], Math.abs(output[j] - value)); });
    }
    times[name].push(quickest);
  }
}
process.stdout.write(JSON.stringify({ times, differs }));
