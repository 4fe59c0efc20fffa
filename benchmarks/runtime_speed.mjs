/**
 * Times Programs, told what to do line by line: {"load": name, "path", "series"}, {"time": name, "seconds"}, {"run": name, "inputs"}.
 * Each line is answered by one. Programs get other inputs at each run, so that none finds its numbers done.
 */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

import { load } from "../livetorch/js/runtime/load.mjs";

const POOL = 8; // inputs that take turns
const programs = new Map();

/** @param {{shape: number[]}} input */
function drawn({ shape }) {
  const length = shape.reduce((a, b) => a * b, 1);
  return { shape, data: Float32Array.from({ length }, () => Math.random() * 2 - 1) };
}

const commands = {
  load({ load: name, path, series }) {
    const program = load(readFileSync(path, "utf8"));
    const pool = series ?? Array.from({ length: POOL }, () => Object.fromEntries(program.inputs.map((input) => [input.name, drawn(input)])));
    programs.set(name, { program, pool, turn: 0 });
    return {};
  },
  time({ time: name, seconds }) {
    const entry = programs.get(name);
    const times = [];
    const end = performance.now() + 1000 * seconds;
    while (performance.now() < end || times.length < 3) {
      entry.turn += 1;
      const given = entry.pool[entry.turn % entry.pool.length];
      const start = performance.now();
      entry.program.run(given);
      times.push(performance.now() - start);
    }
    return { times };
  },
  run({ run: name, inputs }) {
    const [output] = Object.values(programs.get(name).program.run(inputs));
    return { output: Array.from(output.data) };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(commands[Object.keys(command)[0]](command))}\n`);
}
