// Arrays are used again within a Program: no number that somebody still reads may be written over.
import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "../../../livetorch/js/runtime/load.mjs";

const LONG = 64; // smaller arrays are not used again
const v = (number) => ({ v: number });
const numbers = (from) => ({ shape: [LONG], data: Float32Array.from({ length: LONG }, (_, i) => from + i / 7) });
const program = {
  format: "livetorch/program",
  version: 2,
  inputs: [
    { name: "x", shape: [LONG], dtype: "float32" },
    { name: "y", shape: [LONG], dtype: "float32" },
  ],
  constants: [],
  nodes: [
    { op: "aten.mul.Tensor", args: [v(0), v(0)] }, // 2: of x only, read at the end
    { op: "aten.view.default", args: [v(2), [8, 8]] }, // 3: shares the array of 2
    { op: "aten.add.Tensor", args: [v(0), v(1)] }, // 4
    { op: "aten.exp.default", args: [v(4)] }, // 5: 4 is read no more
    { op: "aten.neg.default", args: [v(5)] }, // 6: 5 neither
    { op: "aten.view.default", args: [v(6), [8, 8]] }, // 7
    { op: "aten.mm.default", args: [v(3), v(7)] }, // 8
    { op: "aten.slice.Tensor", args: [v(6), 0, 0, 40] }, // 9: a part of an array
  ],
  outputs: [
    { name: "product", value: 8 },
    { name: "part", value: 9 },
    { name: "same", value: 2 },
  ],
};
const plain = (outputs) => Object.fromEntries(Object.entries(outputs).map(([name, { data }]) => [name, [...data]]));

test("runs one after the other give what each gives alone", () => {
  const again = load(program);
  for (const [x, y] of [[0, 1], [0, 2], [0.5, 2], [0.5, 2], [-1, 0], [-1, 1]]) {
    const given = { x: numbers(x), y: numbers(y) };
    assert.deepEqual(plain(again.run(given)), plain(load(program).run(given)));
  }
});

test("what a run gave stays as it is when others follow", () => {
  const again = load(program);
  const first = again.run({ x: numbers(0), y: numbers(1) });
  const before = plain(first);
  for (let k = 1; k < 5; k += 1) again.run({ x: numbers(k), y: numbers(-k) });
  assert.deepEqual(plain(first), before);
});

test("a step that fails leaves no array behind that two values read", () => {
  const broken = { ...program, nodes: [...program.nodes, { op: "aten.mm.default", args: [v(3), v(6)] }], outputs: [...program.outputs, { name: "none", value: 10 }] };
  const failing = load(broken);
  for (let k = 0; k < 3; k += 1) assert.throws(() => failing.run({ x: numbers(k), y: numbers(k) }), /cannot multiply/);
  const again = load(program);
  for (let k = 0; k < 3; k += 1) {
    const given = { x: numbers(k), y: numbers(2 * k) };
    assert.deepEqual(plain(again.run(given)), plain(load(program).run(given)));
  }
});

test("Programs that share the arrays leave alone the inputs with which the next run is compared", () => {
  const of = (/** @type {number} */ factor) => ({
    format: "livetorch/program",
    version: 2,
    inputs: [{ name: "x", shape: [LONG], dtype: "float32" }],
    constants: [],
    nodes: [
      { op: "aten.mul.Scalar", args: [v(0), factor] }, // 1: the input is read no more
      { op: "aten.exp.default", args: [v(1)] }, // 2
    ],
    outputs: [{ name: "product", value: 2 }],
  });
  const pair = [load(of(2)), load(of(3))];
  for (let k = 0; k < 24; k += 1) {
    const given = { x: numbers(Math.floor(k / 2)) }; // both get each input, one after the other, in turns
    const which = (k + Math.floor(k / 4)) % 2;
    assert.deepEqual(plain(pair[which].run(given)), plain(load(of(which + 2)).run(given)));
  }
});
