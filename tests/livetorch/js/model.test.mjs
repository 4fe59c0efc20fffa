// A figure without a page: no document is there, and none is asked for.
import assert from "node:assert/strict";
import { test } from "node:test";

import { createModel } from "../../../livetorch/js/figure/model.mjs";
import { splitHash } from "../../../livetorch/js/figure/link.mjs";

globalThis.requestAnimationFrame = (callback) => /** @type {any} */ (setTimeout(() => callback(performance.now()), 0));
globalThis.cancelAnimationFrame = /** @type {any} */ (clearTimeout);

const scalar = (/** @type {string} */ name) => ({ name, shape: [], dtype: "float32" });
const slider = (/** @type {string} */ name, value = 0.5) => ({ name, label: name, kind: "slider", value, min: 0, max: 2, step: 0.1, format: ".2f", dtype: "float32", scale: "linear" });
const state = { name: "sum", label: "sum", kind: "state", shape: [2], dtype: "float32", value: "AAAAAAAAgP8=" }; // [0, -inf]

/** x * [1, 2], the half of x, and what is added to the sum. */
const program = {
  format: "livetorch/program",
  version: 1,
  inputs: [scalar("x"), { name: "sum", shape: [2], dtype: "float32" }],
  constants: [{ dtype: "float32", shape: [2], data: "AACAPwAAAEA=" }],
  nodes: [
    { op: "aten.mul.Tensor", args: [{ v: 2 }, { v: 0 }] },
    { op: "aten.mul.Scalar", args: [{ v: 0 }, 0.5] },
    { op: "aten.add.Tensor", args: [{ v: 1 }, { v: 3 }] },
  ],
  outputs: [{ name: "output", value: 3 }, { name: "half", value: 4 }, { name: "more", value: 5 }],
};

const figure = (more = {}) => ({
  format: "livetorch/figure", version: 1, name: "f", controls: [slider("x"), slider("y", 1), state], programs: [program],
  pool: [], variants: { controls: [], keys: { "": 0 } }, views: [], carry: { names: { x: "half", sum: "more" }, steps: 6, pace: null, run: "Run" },
  ...more,
});

/** A model, and all that it told. @param {any} [spec] @param {any} [more] */
function listen(spec = figure(), more = {}) {
  /** @type {any[]} */
  const told = [];
  const hearer = Object.fromEntries(["moved", "stale", "ran", "changed", "said", "failed"].map((name) => [name, (/** @type {any} */ what) => told.push([name, what])]));
  const model = createModel(spec, hearer, more);
  const of = (/** @type {string} */ name) => told.filter(([kind]) => kind === name).map(([, what]) => what);
  return { model, told, of };
}

const output = (/** @type {any} */ model) => Array.from(model.current().outputs.output.data);

test("no page is needed", () => {
  assert.equal(typeof document, "undefined");
  assert.deepEqual(output(listen().model), [0.5, 1]);
});

test("a setting is told, and computed only when it is asked for", () => {
  const { model, told } = listen();
  model.set("x", 1.5, { final: false });
  model.set("x", 2);
  assert.deepEqual(told, [["moved", ["x"]], ["stale", undefined], ["changed", false], ["moved", ["x"]], ["stale", undefined], ["changed", true]]);
  assert.deepEqual(output(model), [2, 4]);
  assert.equal(model.current(), model.current());
});

test("what makes no sense is refused, and nobody hears of it", () => {
  const { model, told } = listen();
  for (const [name, value] of /** @type {any[]} */ ([["x", "1"], ["x", NaN], ["z", 1], ["sum", [1, 2]], ["constructor", 1], ["__proto__", 1]])) {
    assert.equal(model.set(name, value), false);
  }
  assert.deepEqual(told, []);
});

test("a kernel's settings are taken and not told back to it", () => {
  const { model, of } = listen();
  model.receive({ x: 1, y: 1, sum: "AACAPwAAgD8=", other: 3, constructor: 1 });
  assert.deepEqual([of("changed"), of("moved")], [[], [["x", "sum"]]]);
  assert.deepEqual(Array.from(model.state().sum.data), [1, 1]);
  model.receive({ y: "nonsense" });
  assert.equal(model.state().y, 1);
});

test("a carried setting may come from a kernel from beyond its slider", () => {
  const { model } = listen(figure(), { given: { x: 7, y: 7 } });
  assert.deepEqual([model.state().x, model.state().y], [7, 2]);
});

test("what travels to a kernel is what comes back from it", () => {
  const { model } = listen();
  model.oneStep();
  const other = listen(figure(), { given: JSON.parse(JSON.stringify(model.wire())) }).model;
  assert.deepEqual(other.state(), model.state());
});

test("a step, a run and a link to it", async () => {
  const { model, of } = listen();
  model.set("x", 2);
  model.oneStep();
  await model.run(2);
  assert.deepEqual(Array.from(model.state().sum.data), [3.5, -Infinity]);
  assert.deepEqual(of("said"), ["Step 1", "Stopped after 3 steps."]);
  assert.equal(model.link(), "#lt:f=x:2,@:3");
  const other = listen().model;
  await other.open(splitHash(model.link()).f);
  assert.deepEqual(other.current(), model.current());
  assert.deepEqual(other.history(), model.history());
});

test("a link after another control was moved in between holds the numbers themselves", () => {
  const { model } = listen();
  model.oneStep();
  model.set("y", 2);
  assert.match(model.link(), /^#lt:f=x:0.25,y:2,sum:/);
});

test("restart goes back to where the run began, reset to the default", () => {
  const { model, of } = listen();
  model.set("x", 1);
  model.oneStep();
  model.set("y", 2);
  model.restart();
  assert.deepEqual([model.state().x, model.state().y, model.steps().count], [1, 2, 0]);
  model.reset();
  assert.deepEqual([model.state().x, model.state().y], [0.5, 1]);
  assert.deepEqual(of("said").slice(1), ["Back at step 0", "All controls are back at their start."]);
});

test("a run ends at its last step by itself, and can be stopped", async () => {
  const { model, of } = listen();
  const ended = model.run(Infinity);
  assert.equal(model.steps().running, true);
  await ended;
  assert.deepEqual(model.steps(), { count: 6, running: false });
  model.restart();
  const stopped = model.run(Infinity);
  model.stop();
  await stopped;
  assert.deepEqual(model.steps(), { count: 0, running: false });
  assert.deepEqual(of("said").at(-1), "Stopped after 0 steps.");
});

test("a carried number that is gone ends the steps in words", () => {
  const spec = figure();
  spec.programs = [{ ...program, nodes: [program.nodes[0], { op: "aten.mul.Scalar", args: [{ v: 0 }, 1e38] }, program.nodes[2]] }];
  const { model, of } = listen(spec);
  for (let i = 0; i < 2; i += 1) model.oneStep();
  assert.deepEqual(of("failed").filter(Boolean), ["Stopped at step 1: half is no longer a finite number. Press Restart."]);
});

test("a Program that cannot run says so whenever it is asked, and lets other settings try", () => {
  const broken = structuredClone(program);
  broken.nodes[2].op = "aten.no_such.default";
  const choice = { name: "kind", label: "k", kind: "dropdown", value: 1, options: ["good", "bad"], variant: true };
  const spec = figure({ controls: [slider("x"), state, choice], programs: [program, broken], variants: { controls: ["kind"], keys: { 0: 0, 1: 1 } }, carry: null });
  const { model } = listen(spec);
  assert.throws(() => model.current(), /aten\.no_such/);
  assert.throws(() => model.current(), /aten\.no_such/);
  model.set("kind", "good");
  assert.deepEqual(output(model), [0.5, 1]);
});

test("a control of an unknown kind is refused by name", () => {
  assert.throws(() => listen(figure({ controls: [{ name: "a", kind: "knob" }] })), /no control of kind knob/);
  assert.throws(() => listen(figure({ controls: [{ name: "a", kind: "constructor" }] })), /no control of kind constructor/);
});

test("a figure of another version is refused in words", () => {
  assert.throws(() => listen(figure({ version: 2 })), /cannot show a figure of format livetorch\/figure, version 2/);
});
