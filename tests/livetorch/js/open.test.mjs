// A number of a Program, opened: what it says, what it came from, and where the trail ends.
import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "../../../livetorch/js/open/load.mjs";
import { openProgram } from "../../../livetorch/js/open/open.mjs";
import { addRules, isElementwise } from "../../../livetorch/js/open/rules.mjs";

const number = (/** @type {number[]} */ values) => Buffer.from(new Float32Array(values).buffer).toString("base64");
const constant = (/** @type {number[]} */ shape, /** @type {number[]} */ values) => ({ dtype: "float32", shape, data: number(values) });

/** Three keys, one query that the reader moves: weights = softmax(q k / √3 where the mask allows it). */
const attention = {
  format: "livetorch/program",
  version: 2,
  inputs: [{ name: "q", shape: [1, 2], dtype: "float32" }],
  constants: [constant([2, 3], [1, 0, 2, 0, 1, 1]), { dtype: "bool", shape: [1, 3], data: "AQEA" }],
  nodes: [
    { op: "aten.mm.default", args: [{ v: 0 }, { v: 1 }] },
    { op: "aten.div.Tensor", args: [{ v: 3 }, Math.sqrt(3)] },
    { op: "aten.where.ScalarOther", args: [{ v: 2 }, { v: 4 }, { f: "-inf" }] },
    { op: "aten._softmax.default", args: [{ v: 5 }, -1, false] },
    { op: "aten.permute.default", args: [{ v: 6 }, [1, 0]] },
  ],
  outputs: [
    { name: "scores", value: 4 },
    { name: "weights", value: 6 },
    { name: "columns", value: 7 },
  ],
  source: { lines: [["scores = q @ k / math.sqrt(3)", "attend"]], places: [[0, 9, 14]], of: [0, 0, 0, 0, 0], names: { 1: "k" }, learned: [1] },
};
const opened = (/** @type {any} */ about = {}) => openProgram(attention, { q: [[1, 2]] }, about);

test("a weight says how it was made, and its scores say the same", () => {
  const step = opened().open("weights", [0, 1]);
  assert.equal(step.text, "weights[0, 1] = e^1.15 / (e^0.58 + e^1.15) = 0.64");
  assert.deepEqual(step.from.map(({ label }) => label), ["scores[0, 0]", "scores[0, 1]", "−∞"]);
  assert.equal(step.from[0].open().text, "scores[0, 0] = (1·1 + 2·0) / √3 = 0.58");
  assert.equal(step.from[0].open().line?.text, "scores = q @ k / math.sqrt(3)");
});

test("a mask names the condition that hid the number", () => {
  const hidden = opened().open("weights", [0, 1]).from[2].open();
  assert.equal(hidden.text, "−∞, because the condition is False");
  assert.deepEqual(hidden.from.map(({ kind }) => kind), ["constant"]);
});

test("a number that was only moved is the one it was, and is marked wherever it is shown", () => {
  const step = opened().open("columns", [1, 0]);
  assert.equal(step.op, "aten._softmax.default");
  assert.deepEqual(step.shown, [{ output: "weights", index: [0, 1] }, { output: "columns", index: [1, 0] }]);
});

test("of equal rows that were gathered, a number knows the one that it was read from", () => {
  const ids = { dtype: "int64", shape: [3], data: Buffer.from(new BigInt64Array([0n, 1n, 0n]).buffer).toString("base64") };
  const gathered = {
    format: "livetorch/program",
    version: 2,
    inputs: [{ name: "times", shape: [], dtype: "float32" }],
    constants: [constant([2, 2], [1, 2, 3, 4]), ids],
    nodes: [
      { op: "aten.mul.Tensor", args: [{ v: 1 }, { v: 0 }] },
      { op: "aten.index.Tensor", args: [{ v: 3 }, [{ v: 2 }]] },
      { op: "aten.sum.dim_IntList", args: [{ v: 4 }, [1]] },
    ],
    outputs: [
      { name: "rows", value: 4 },
      { name: "sums", value: 5 },
    ],
  };
  const { from } = openProgram(gathered, { times: 2 }).open("sums", [0]);
  assert.deepEqual(from.map(({ shown }) => shown.length), [2, 2]); // rows 0 and 2 are the same numbers
  assert.deepEqual(from.map(({ through }) => through), [[{ output: "rows", index: [0, 0] }], [{ output: "rows", index: [0, 1] }]]);
});

test("a trail ends at a control, an input or a stored number, which say so by name", () => {
  const ends = (/** @type {any} */ about) => opened(about).open("scores", [0, 2]).from.map((part) => part.open().text);
  assert.deepEqual(ends({ controls: { q: "your table" } }), [
    "q[0, 0] = 1, your table", "k[0, 2] = 2, learned in training, and stored with the figure", "q[0, 1] = 2, your table",
    "k[1, 2] = 1, learned in training, and stored with the figure",
  ]);
  assert.equal(opened().open("scores", [0, 2]).from[0].open().kind, "input");
});

test("the names of the items stand in the label", () => {
  const step = opened({ labels: { weights: [["I"], ["study", "in", "<b>"]] } }).open("weights", [0, 2]);
  assert.equal(step.label, "weights[I, <b>]");
  assert.equal(step.from[0].label, "scores[I, study]"); // what becomes a weight stands at its place
});

test("a run that keeps its values opens its outputs; one that does not has nothing to open", () => {
  const program = load(attention);
  assert.match(/** @type {any} */ (program.run({ q: [[1, 2]] }, { keep: true })).open("weights", [0, 0]).text, /= 0\.36$/);
  assert.equal(/** @type {any} */ (program.run({ q: [[1, 2]] })).open, undefined);
});

test("a number that is not there is refused with the shape", () => {
  assert.throws(() => opened().open("weights", [0, 3]), /"weights" has the shape \[1,3\], and no number at \[0,3\]/);
  assert.throws(() => opened().open("wieghts", [0, 0]), /no output "wieghts"; the outputs are scores, weights, columns/);
});

test("the larger number of aminmax is called a maximum, and not a place", () => {
  const ends = {
    format: "livetorch/program",
    version: 2,
    inputs: [{ name: "x", shape: [3], dtype: "float32" }],
    constants: [],
    nodes: [{ op: "aten.aminmax.default", args: [{ v: 0 }], kwargs: { dim: 0 }, outs: 2 }],
    outputs: [{ name: "low", value: 1 }, { name: "high", value: 2 }],
  };
  const said = (/** @type {string} */ name) => openProgram(ends, { x: [3, 1, 2] }).open(name, []).text;
  assert.deepEqual(["low", "high"].map(said), ["low = min(3, 1, 2) = 1, which is x[1]", "high = max(3, 1, 2) = 3, which is x[0]"]);
});

test("what an output was made of has its names on the axes that they share, and a picked item the control's", () => {
  const heads = {
    format: "livetorch/program",
    version: 2,
    inputs: [{ name: "head", shape: [], dtype: "int64" }, { name: "maps", shape: [2, 2, 3], dtype: "float32" }],
    constants: [],
    nodes: [
      { op: "aten.view.default", args: [{ v: 0 }, [1]] },
      { op: "aten.exp.default", args: [{ v: 1 }] },
      { op: "aten.index.Tensor", args: [{ v: 3 }, [{ v: 2 }]] },
      { op: "aten.view.default", args: [{ v: 4 }, [2, 3]] },
      { op: "aten.permute.default", args: [{ v: 5 }, [1, 0]] },
    ],
    outputs: [{ name: "shown", value: 6 }],
    source: { lines: [], places: [], of: [], names: { 3: "heights" } },
  };
  const maps = [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]];
  const labels = { shown: [["a", "b", "c"], ["x", "y"]] };
  const { open } = openProgram(heads, { head: 1, maps }, { labels, called: { head: "head" } });
  assert.equal(open("shown", [2, 0]).from[0].label, "maps[head 2, x, c]");
  assert.equal(openProgram(heads, { head: 1, maps }).open("shown", [2, 0]).from[0].label, "maps[1, 0, 2]");
});

test("a number of a loop knows its round, and what only one item was made of is that item's, whatever its name holds", () => {
  const mul = (/** @type {number} */ v, /** @type {number} */ by) => ({ op: "aten.mul.Tensor", args: [{ v }, { v: by }] });
  const loop = {
    format: "livetorch/program",
    version: 2,
    inputs: [{ name: "state", shape: [1], dtype: "float32" }, { name: "by", shape: [], dtype: "float32" }],
    constants: [],
    nodes: [mul(0, 1), mul(2, 1), mul(3, 1), mul(2, 1), mul(3, 1), mul(4, 1), { op: "aten.cat.default", args: [[{ v: 5 }, { v: 6 }, { v: 7 }]] }],
    outputs: [{ name: "shown", value: 8 }],
    source: { lines: [["s = s * by", "f", ""], ["out = s * by", "f", ""]], places: [[0, 0, 1], [1, 0, 1]], of: [0, 0, 0, 1, 1, 1, 1], names: { 2: "s", 3: "s", 4: "s" } },
  };
  const { open } = openProgram(loop, { state: [2], by: 3 }, { labels: { shown: [["a", "like (3, 2)", "c"]] } });
  const [read] = open("shown", [2]).from;
  assert.deepEqual([read.name, read.turn, read.places], ["s", null, ["c"]]);
  assert.deepEqual(open("shown", [1]).from[0].turn, { at: 2, of: 3 }); // the next round read it too
  assert.deepEqual(open("shown", [1]).places, ["like (3, 2)"]);
});

test("names go down through sums, products and broadcasting, and up from a table to what nothing else names", () => {
  const program = {
    format: "livetorch/program",
    version: 2,
    inputs: [{ name: "x", shape: [2, 3], dtype: "float32" }, { name: "w", shape: [3, 2], dtype: "float32" }],
    constants: [],
    nodes: [
      { op: "aten.mm.default", args: [{ v: 0 }, { v: 1 }] },
      { op: "aten.cos.default", args: [{ v: 2 }] },
      { op: "aten.permute.default", args: [{ v: 3 }, [1, 0]] },
      { op: "aten.mm.default", args: [{ v: 3 }, { v: 4 }] },
      { op: "aten.sum.dim_IntList", args: [{ v: 5 }, [1]] },
    ],
    outputs: [{ name: "answer", value: 6 }],
    source: { lines: [], places: [], of: [], names: { 2: "q", 3: "k", 5: "scores" } },
  };
  const labels = { x: [["a", "b"], null], answer: [["query 1 (a)", "query 2 (b)"]] };
  const { open } = openProgram(program, { x: [[1, 2, 3], [4, 5, 6]], w: [[1, 0], [0, 1], [1, 1]] }, { labels });
  const [score] = open("answer", [1]).from;
  assert.deepEqual(score.places, ["query 2 (b)", "place 1 (a)"]);
  const k = score.open().from.find(({ name }) => name === "k");
  assert.deepEqual(k.places, ["query 2 (b)", 0]);
  assert.deepEqual(k.open().from[0].places, ["query 2 (b)", 0]);
});

test("a truth value in a sum or a product is printed as the number that it counts as", () => {
  const program = {
    format: "livetorch/program",
    version: 2,
    inputs: [{ name: "kept", shape: [2], dtype: "bool" }, { name: "x", shape: [2], dtype: "float32" }],
    constants: [],
    nodes: [{ op: "aten.mul.Tensor", args: [{ v: 1 }, { v: 0 }] }, { op: "aten.sum.dim_IntList", args: [{ v: 0 }, [0]] }],
    outputs: [{ name: "masked", value: 2 }, { name: "count", value: 3 }],
  };
  const { open } = openProgram(program, { kept: [true, false], x: [3, 4] });
  assert.equal(open("masked", [1]).text, "masked[1] = 4·0 = 0");
  assert.equal(open("count", []).text, "count = 1 + 0 = 1");
  assert.deepEqual(open("count", []).from.map(({ dtype }) => dtype), ["bool", "bool"]);
});

test("all terms of a sum are written in one form, and no power of ten in an exponent", () => {
  const shares = { format: "livetorch/program", version: 2, inputs: [{ name: "x", shape: [6], dtype: "float32" }, { name: "y", shape: [6], dtype: "float32" }], constants: [] };
  const product = { op: "aten.mul.Tensor", args: [{ v: 0 }, { v: 1 }] };
  const said = (/** @type {any[]} */ nodes, /** @type {number[]} */ x, /** @type {number[]} */ y = x) =>
    openProgram({ ...shares, nodes, outputs: [{ name: "o", value: 1 + nodes.length }] }, { x, y }, {}).open("o", nodes.length > 1 ? [] : [0]).text;
  const [one, two] = [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]];
  const total = (/** @type {number} */ v) => ({ op: "aten.sum.default", args: [{ v }] });
  assert.equal(said([product, total(2)], one, two), "o = 1·7 + 2·8 + 3·9 + 4·10 + 5·11 + 6·12 = 217");
  assert.equal(said([{ op: "aten.cat.default", args: [[{ v: 0 }, { v: 1 }], 0] }, total(2)], [1, 0, 0, 0, 0, 2], [0, 0, 0, 0, 0, 0]), "o = 1 + 2 and 10 zeros = 3");
  const third = { op: "aten.mul.Tensor", args: [{ v: 2 }, { v: 1 }] };
  assert.equal(said([product, third, total(3)], one, one), "o = 1·1 + 4·2 + 9·3 + 16·4 + 25·5 + 36·6 = 441");
  const softmax = { op: "aten._softmax.default", args: [{ v: 0 }, 0, false] };
  assert.equal(said([softmax], [0, 4e-8, 1, 1, 1, 1]), "o[0] = e^0.00 / (e^0.00 + e^0.00 + e^1 + e^1 + e^1 + e^1) = 0.078");
});

test("a plain truth value is said as one, and beside it a term keeps its own calculation", () => {
  const program = {
    format: "livetorch/program",
    version: 2,
    inputs: [{ name: "kept", shape: [], dtype: "bool" }, { name: "x", shape: [], dtype: "float32" }],
    constants: [],
    nodes: [
      { op: "aten.where.Scalar", args: [{ v: 0 }, true, false] },
      { op: "aten.mul.Tensor", args: [{ v: 1 }, { v: 1 }] },
      { op: "aten.add.Tensor", args: [{ v: 3 }, { v: 0 }] },
    ],
    outputs: [{ name: "chosen", value: 2 }, { name: "sum", value: 4 }],
  };
  const { open } = openProgram(program, { kept: true, x: 3 }, {});
  assert.match(open("chosen", []).text, /^chosen = True, because/);
  assert.equal(open("sum", []).text, "sum = 3·3 + 1 = 10");
});

test("names of places go through a function that another part of the script has brought, and not through a turned axis", async () => {
  const copy = /** @type {any} */ (await import(`../../../livetorch/js/open/elementwise.mjs?${"copy"}`));
  addRules({ brought: copy.elementwise });
  assert.ok(isElementwise("brought"));
  assert.ok(!isElementwise("sum"));
  const turned = {
    format: "livetorch/program",
    version: 2,
    inputs: [{ name: "x", shape: [3], dtype: "float32" }],
    constants: [],
    nodes: [{ op: "aten.mul.Tensor", args: [{ v: 0 }, 2] }, { op: "aten.flip.default", args: [{ v: 1 }, [0]] }, { op: "aten.neg.default", args: [{ v: 2 }] }],
    outputs: [{ name: "o", value: 3 }],
  };
  const labels = { o: [["row a", "row b", "row c"]] };
  const said = JSON.stringify(openProgram(turned, { x: [1, 2, 3] }, { labels }).open("o", [0]), (key, value) => (key === "open" ? undefined : value));
  assert.ok(!said.includes("row c"), said);
});
