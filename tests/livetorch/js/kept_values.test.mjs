import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "../../../livetorch/js/runtime/load.mjs";

// (a + b) * c, then exp(a) - c: nodes that depend on one, two and all inputs
const value = (/** @type {number} */ v) => ({ v });
const node = (/** @type {string} */ op, /** @type {any[]} */ ...args) => ({ op: `aten.${op}`, args, kwargs: {}, outs: 1 });
const program = {
  format: "livetorch/program",
  version: 1,
  inputs: ["a", "b", "c"].map((name) => ({ name, shape: [2], dtype: "float32" })),
  constants: [],
  nodes: [node("add.Tensor", value(0), value(1)), node("exp.default", value(0)), node("mul.Tensor", value(3), value(2)), node("sub.Tensor", value(4), value(2))],
  outputs: [
    { name: "product", value: 5 },
    { name: "difference", value: 6 },
    { name: "sum", value: 3 },
  ],
};
const fresh = (/** @type {any} */ given) => load(program).run(given);
const plain = (/** @type {any} */ outputs) => Object.fromEntries(Object.entries(outputs).map(([name, { data }]) => [name, Array.from(data)]));

test("any order of changes gives what a fresh Program gives", () => {
  const kept = load(program);
  const given = { a: [1, 2], b: [3, 4], c: [5, 6] };
  const moves = ["a", "c", "c", "b", "a", "b", "c", "a", null, "b"];
  moves.forEach((name, i) => {
    if (name) given[name] = [i, -i / 2];
    assert.deepEqual(plain(kept.run(given)), plain(fresh(given)), `move ${i}`);
  });
});

test("only what depends on a changed input is computed", () => {
  const product = {
    ...program,
    inputs: [{ name: "a", shape: [2, 2], dtype: "float32" }, { name: "b", shape: [], dtype: "float32" }],
    nodes: [node("mm.default", value(0), value(0)), node("add.Tensor", value(2), value(1))],
    outputs: [{ name: "output", value: 3 }],
  };
  const kept = load(product);
  const { fill } = Float64Array.prototype; // a product of matrices clears its row of sums with it
  let rows = 0;
  Float64Array.prototype.fill = function (...given) {
    rows += 1;
    return fill.apply(this, given);
  };
  const ones = [[1, 1], [1, 1]];
  const counts = [[ones, 1], [ones, 2], [[[1, 1], [1, 2]], 2]].map(([a, b]) => ((rows = 0), kept.run({ a, b }), rows));
  Float64Array.prototype.fill = fill;
  assert.deepEqual(counts, [2, 0, 2]);
});

test("numbers that the caller changes in place are seen", () => {
  const kept = load(program);
  const a = { shape: [2], data: new Float32Array([1, 2]) };
  kept.run({ a, b: [0, 0], c: [1, 1] });
  a.data[0] = 9;
  assert.deepEqual(Array.from(kept.run({ a, b: [0, 0], c: [1, 1] }).sum.data), [9, 2]);
});

test("writing into an output harms no later run", () => {
  const kept = load(program);
  const given = { a: [1, 2], b: [3, 4], c: [5, 6] };
  kept.run(given).sum.data.fill(0);
  assert.deepEqual(plain(kept.run({ ...given, c: [1, 1] })), plain(fresh({ ...given, c: [1, 1] })));
});

test("after an error the next run starts anew, and NaN counts as unchanged", () => {
  const broken = load(program);
  const given = { a: [1, 2], b: [3, 4], c: [5, 6] };
  broken.run(given);
  assert.throws(() => broken.run({ ...given, c: [1] }), /must have the shape/);
  assert.deepEqual(plain(broken.run({ ...given, a: [NaN, 1] })), plain(fresh({ ...given, a: [NaN, 1] })));
  assert.deepEqual(plain(broken.run({ ...given, a: [NaN, 1] })), plain(fresh({ ...given, a: [NaN, 1] })));
});
