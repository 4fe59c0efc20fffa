/** Times a Program in Node: {"path", "series", "seconds" of the processor} in; the milliseconds of each run, with other inputs than the one before, out. */
import { readFileSync } from "node:fs";

import { load } from "../livetorch/js/runtime/load.mjs";

const { path, series, seconds } = JSON.parse(readFileSync(0, "utf8"));
const program = load(readFileSync(path, "utf8"));
const float = Object.fromEntries(program.inputs.map(({ name, dtype }) => [name, dtype === "float32"]));
for (const given of series) for (const [name, input] of Object.entries(given)) if (float[name]) input.data = Float32Array.from(input.data); // as a page gives them
const times = [];
const worked = () => process.cpuUsage().user / 1e6;
for (const end = worked() + seconds; worked() < end || times.length < 3; ) {
  const given = series[(times.length + 1) % series.length];
  const start = performance.now();
  program.run(given);
  times.push(performance.now() - start);
}
process.stdout.write(JSON.stringify(times));
