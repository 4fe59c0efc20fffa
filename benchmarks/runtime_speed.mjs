/** Times a Program: `node runtime_speed.mjs program.json '{"x": {"shape": [], "data": [1]}}'`. */
import { readFileSync } from "node:fs";
import { load } from "../livetorch/js/runtime/load.mjs";

const [, , path, inputs] = process.argv;
const source = JSON.parse(readFileSync(path, "utf8"));
const given = JSON.parse(inputs);

const started = performance.now();
const program = load(source);
const loadTime = performance.now() - started;

for (let k = 0; k < 30; k += 1) program.run(given); // warm up
const times = [];
let result;
for (let k = 0; k < 100; k += 1) {
  const before = performance.now();
  result = program.run(given);
  times.push(performance.now() - before);
}
times.sort((a, b) => a - b);

process.stdout.write(
  JSON.stringify({
    nodes: source.nodes.length,
    load: loadTime,
    median: times[50],
    p95: times[95],
    output: [...Object.values(result)[0].data],
  }),
);
