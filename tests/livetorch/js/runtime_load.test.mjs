import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { load, operators } from "../../../livetorch/js/runtime/load.mjs";

const frame = { format: "livetorch/program", version: 1 };
const float32 = (values) => Buffer.from(Float32Array.from(values).buffer).toString("base64");

/** x -> x * 2, with the 2 as a constant. */
const doubling = () => ({
  ...frame,
  inputs: [{ name: "x", shape: [2], dtype: "float32" }],
  constants: [{ dtype: "float32", shape: [], data: float32([2]) }],
  nodes: [{ op: "aten.mul.Tensor", args: [{ v: 0 }, { v: 1 }], kwargs: {}, outs: 1 }],
  outputs: [{ name: "output", value: 2 }],
});

/** One node on inputs a and b. */
const oneNode = (op, args, dtype = "float32", shape = [2]) => ({
  ...frame,
  inputs: [{ name: "a", shape, dtype }],
  constants: [],
  nodes: [{ op, args }],
  outputs: [{ name: "output", value: 1 }],
});

test("a Program runs from JSON text and from an object", () => {
  const given = { x: { shape: [2], data: [1, -3] } };
  const expected = { shape: [2], dtype: "float32", data: Float32Array.of(2, -6) };
  assert.deepEqual(load(doubling()).run(given).output, expected);
  assert.deepEqual(load(JSON.stringify(doubling())).run(given).output, expected);
});

test("inputs may be typed arrays, nested lists or plain numbers", () => {
  const program = load(doubling());
  assert.deepEqual([...program.run({ x: { shape: [2], data: Float64Array.of(1, 2) } }).output.data], [2, 4]);
  assert.deepEqual([...program.run({ x: [1, 2] }).output.data], [2, 4]);
  const scalar = load(oneNode("aten.neg.default", [{ v: 0 }], "float32", []));
  assert.deepEqual(scalar.run({ a: 0.5 }).output, { shape: [], dtype: "float32", data: Float32Array.of(-0.5) });
});

test("a loaded Program says what it takes and gives", () => {
  const { inputs, outputs } = load(doubling());
  assert.deepEqual(inputs, [{ name: "x", shape: [2], dtype: "float32" }]);
  assert.deepEqual(outputs, [{ name: "output", value: 2 }]);
});

test("two runs do not disturb each other, nor does writing into an output", () => {
  const source = { ...doubling(), outputs: [{ name: "two", value: 1 }, { name: "x", value: 0 }, { name: "y", value: 2 }] };
  const program = load(source);
  const x = Float32Array.of(1, 2);
  const first = program.run({ x: { shape: [2], data: x } });
  for (const { data } of Object.values(first)) data.fill(99);
  assert.deepEqual([...x], [1, 2]);
  assert.deepEqual([...program.run({ x: { shape: [2], data: x } }).y.data], [2, 4]);
});

test("a Program without inputs is computed when it is loaded", () => {
  const source = oneNode("aten.arange.default", [3]);
  source.inputs = [];
  source.outputs[0].value = 0;
  assert.deepEqual(load(source).run().output, { shape: [3], dtype: "int64", data: Float64Array.of(0, 1, 2) });
});

test("constants may come from the pool of a figure", () => {
  const source = { ...doubling(), constants: [{ pool: 1 }] };
  const pool = [null, { dtype: "float32", shape: [], data: float32([3]) }];
  assert.deepEqual([...load(source, { pool }).run({ x: [1, 2] }).output.data], [3, 6]);
  assert.throws(() => load(source), /needs entry 1 of a pool of constants/);
});

test("float numbers without a fraction stay floats", () => {
  const times = (factor) => load(oneNode("aten.mul.Tensor", [{ v: 0 }, factor], "int64")).run({ a: [1, 2] }).output;
  assert.equal(times(2).dtype, "int64");
  assert.equal(times({ f: 2 }).dtype, "float32");
  assert.deepEqual([...times({ f: "-inf" }).data], [-Infinity, -Infinity]);
});

test("integers have no negative zero", () => {
  const source = oneNode("aten.mul.Tensor", [{ v: 0 }, -1], "int64");
  source.nodes.push({ op: "aten.reciprocal.default", args: [{ v: 1 }] });
  source.outputs[0].value = 2;
  assert.deepEqual([...load(source).run({ a: [0, 4] }).output.data], [Infinity, -0.25]);
});

test("arguments may be given by name and defaults left out", () => {
  const source = oneNode("aten.sum.dim_IntList", [{ v: 0 }]);
  source.nodes[0].kwargs = { dim: [-1], keepdim: true, dtype: { dtype: "float64" } };
  assert.deepEqual(load(source).run({ a: [1, 2] }).output, { shape: [1], dtype: "float64", data: Float64Array.of(3) });
});

test("a Program of another format or version is refused", () => {
  assert.throws(() => load("{"), /the Program is not JSON/);
  assert.throws(() => load({}), /must have the format "livetorch\/program", got undefined/);
  assert.throws(() => load({ ...doubling(), version: 3 }), /reads versions 1 and 2 of Programs, got 3/);
  assert.throws(() => load({ ...frame, inputs: [] }), /has no list "constants"/);
});

test("an unknown operator, argument, dtype or value is named", () => {
  assert.throws(() => load(oneNode("aten.nope.default", [])), /has no operator aten\.nope\.default/);
  assert.throws(() => load(oneNode("constructor", [])), /has no operator constructor/);
  assert.throws(() => load(oneNode("aten.neg.default", [])), /aten\.neg\.default: needs the argument "self"/);
  assert.throws(() => load(oneNode("aten.neg.default", [{ v: 0 }, 1])), /takes at most 1 arguments, got 2/);
  assert.throws(() => load(oneNode("aten.neg.default", [{ v: 1 }])), /reads value 1 before it is computed/);
  assert.throws(() => load(oneNode("aten.neg.default", [{ v: 0 }], "complex64")), /input "a" has the dtype complex64/);
  const extra = oneNode("aten.neg.default", [{ v: 0 }]);
  extra.nodes[0].kwargs = { out: 1 };
  assert.throws(() => load(extra), /has no argument "out"; it has self/);
  const dtype = oneNode("aten._to_copy.default", [{ v: 0 }, { dtype: "uint16" }]);
  assert.throws(() => load(dtype), /the runtime has no dtype uint16/);
  const missing = { ...doubling(), outputs: [{ name: "output", value: 9 }] };
  assert.throws(() => load(missing), /output "output" is value 9, which nothing computes/);
});

test("broken constants are refused", () => {
  const withConstant = (constant) => () => load({ ...doubling(), constants: [constant] });
  assert.throws(withConstant({ dtype: "float32", shape: [2], data: float32([1]) }), /shape \[2\] needs 8 bytes, got 4/);
  assert.throws(withConstant({ dtype: "quint8", shape: [], data: "AA==" }), /dtype quint8, which the runtime lacks/);
  assert.throws(withConstant({ dtype: "float32", stored: "x", shape: [], data: "" }), /cannot be stored as x/);
});

test("wrong inputs are named with what was expected and what came", () => {
  const program = load(doubling());
  const run = (given) => () => program.run(given);
  assert.throws(run({}), /input "x" is missing/);
  assert.throws(run({ x: [1, 2], y: 1 }), /has no input "y"; it has x/);
  assert.throws(run({ x: [1, 2, 3] }), /input "x" must have the shape \[2\], got \[3\]/);
  assert.throws(run({ x: { shape: [2], data: [1] } }), /shape \[2\] needs 2 values, got 1/);
  assert.throws(run({ x: { data: [1, 2] } }), /must be \{shape, data\}, a number or nested lists/);
  const integers = load(oneNode("aten.neg.default", [{ v: 0 }], "int64"));
  assert.throws(() => integers.run({ a: [1, 0.5] }), /input "a" holds integers \(int64\), got 0\.5/);
});

test("an error inside an operator names the operator", () => {
  const source = oneNode("aten.select.int", [{ v: 0 }, 0, 7]);
  assert.throws(() => load(source).run({ a: [1, 2] }), /aten\.select\.int: index 7 is outside an axis of length 2/);
});

test("the runtime works where code may not be made from text", () => {
  const entry = fileURLToPath(new URL("../../../livetorch/js/runtime/load.mjs", import.meta.url));
  const script = `import { load } from ${JSON.stringify(entry)};
    process.stdout.write(String(load(${JSON.stringify(doubling())}).run({ x: [1, 2] }).output.data));`;
  const flags = ["--disallow-code-generation-from-strings", "--input-type=module", "-e", script];
  assert.equal(execFileSync(process.execPath, flags, { encoding: "utf8" }), "2,4");
});

test("operators are listed once, in order", () => {
  assert.deepEqual(operators, [...new Set(operators)].sort());
  assert.ok(operators.includes("aten._softmax.default"));
});
