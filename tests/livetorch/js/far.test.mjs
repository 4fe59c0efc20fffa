/** Long runs in a worker: who is sent there, and what the worker does with requests that overtake each other. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createModel } from "../../../livetorch/js/figure/model.mjs";

const input = { name: "x", shape: [1], dtype: "float32" };
const node = (/** @type {number} */ v) => ({ op: "aten.mul.Scalar", args: [{ v }, 2] });
/** Doubles its input so many times. @param {number} times */
const program = (times) => ({
  format: "livetorch/program",
  version: 2,
  inputs: [input],
  constants: [],
  nodes: Array.from({ length: times }, (_, k) => node(k)),
  outputs: [{ name: "output", value: times }],
});
const spec = (/** @type {object} */ more) => ({
  format: "livetorch/figure",
  version: 1,
  name: "far",
  controls: [{ name: "x", kind: "slider", value: 1, min: 0, max: 8, step: 1, dtype: "float32" }],
  programs: [{ ...program(1), inputs: [{ ...input, shape: [] }] }],
  pool: [],
  variants: { controls: [], keys: { "": 0 } },
  views: [],
  carry: null,
  ...more,
});
const number = (/** @type {number} */ x) => Buffer.from(Float32Array.of(x).buffer).toString("base64");
const first = { output: { dtype: "float32", shape: [], data: number(7) } };
globalThis.requestAnimationFrame = (callback) => /** @type {any} */ (setTimeout(() => callback(performance.now())));
const turn = () => new Promise((done) => setTimeout(done));

test("a large model shows its first numbers, asks the worker, and shows the newest answer", async () => {
  /** @type {any[]} */
  const asked = [];
  /** @type {any} */
  let figure;
  const far = { ask: (/** @type {any} */ settings) => asked.push(settings), end() {} };
  const worker = async () => ({ createFar: (/** @type {any} */ _, /** @type {any} */ given) => ((figure = given), far) });
  let stale = 0;
  const large = spec({ first, pool: [{ shape: [1000, 1001] }] });
  const model = createModel(large, { stale: () => (stale += 1) }, { worker });
  assert.equal(model.current().outputs.output.data[0], 7);
  await turn();
  model.set("x", 3);
  assert.equal(model.current().outputs.output.data[0], 7, "what there was, until the answer");
  model.set("x", 4);
  model.current();
  model.current();
  assert.deepEqual(
    asked.map(({ x }) => x),
    [3, 4],
  );
  assert.equal(model.state().x, 4);
  figure.came(asked[0], { output: { shape: [], data: [6] } });
  assert.equal(model.current().state.x, 3, "an older answer says what it is of");
  figure.came(asked[1], { output: { shape: [], data: [8] } });
  assert.deepEqual([model.current().state.x, model.current().outputs.output.data[0], asked.length, stale > 3], [4, 8, 2, true]);
  model.set("x", 5);
  assert.equal(model.current(true).outputs.output.data[0], 10, "whoever cannot wait has it computed here");
  model.set("x", 6);
  model.current();
  figure.came(asked.at(-1), null);
  assert.equal(model.current().outputs.output.data[0], 12, "a worker that fails is not asked again");
});

test("a small figure has no worker", async () => {
  const worker = () => assert.fail("called for");
  const model = createModel(spec({}), {}, { worker });
  for (let x = 1; x < 8; x += 1) model.set("x", x) && model.current();
  await turn();
});

test("steps of a large figure are the worker's, and so is a look back", async (t) => {
  /** @type {any[]} */
  const asked = [];
  /** @type {any} */
  let figure;
  const far = { ask: (/** @type {any} */ settings) => asked.push(settings), end() {} };
  const worker = async () => ({ createFar: (/** @type {any} */ _, /** @type {any} */ given) => ((figure = given), far) });
  const carry = { names: { x: "output" }, steps: 3, pace: null, run: "Run" };
  const y = { name: "y", kind: "slider", value: 1, min: 0, max: 8, step: 1, dtype: "float32" };
  const two = spec({}).controls.concat(y);
  const model = createModel(spec({ first, pool: [{ shape: [1000, 1001] }], carry, controls: two }), {}, { worker });
  t.after(model.destroy);
  model.current();
  await turn();
  const answer = () => figure.came(asked.at(-1), { output: { shape: [], data: Float32Array.of(2 * asked.at(-1).x) } });
  const shown = () => model.current().outputs.output.data[0];
  let over = false;
  const run = model.run(Infinity).then(() => (over = true));
  while (!asked.length) await turn();
  assert.deepEqual([asked.at(-1).x, shown(), model.steps()], [7, 7, { count: 1, running: true }]);
  await turn();
  assert.equal(asked.length, 1, "no other step until this one has come");
  model.set("y", 2);
  model.current();
  figure.came(asked[0], { output: { shape: [], data: Float32Array.of(0) } });
  assert.equal(model.history()?.length, 1, "what came for the old setting is no step");
  answer();
  assert.deepEqual([asked.at(-1).x, shown(), model.steps().count], [14, 14, 2]);
  answer();
  assert.deepEqual([asked.at(-1).x, over], [28, false]);
  answer();
  await run;
  assert.deepEqual([shown(), model.steps(), asked.length], [56, { count: 3, running: false }, 4]);
  model.look(1);
  assert.equal(shown(), 56, "what was shown stays until the answer");
  answer();
  assert.deepEqual([model.current().at, model.current().state.x, shown()], [1, 7, 14]);
  model.restart();
  model.oneStep();
  assert.deepEqual([model.steps().count, asked.at(-1).x], [0, 1], "a step waits for the beginning");
  figure.came(asked.at(-1), null);
  while (model.steps().running) await turn();
  assert.deepEqual([shown(), model.steps().count], [4, 1], "without its worker it goes on by itself");
});

test("the worker answers the newest request, says how far it is, and names what fails", async () => {
  /** @type {any[]} */
  const said = [];
  const place = /** @type {any} */ (globalThis);
  place.postMessage = (/** @type {any} */ message, /** @type {any} */ options) => said.push(structuredClone(message, options));
  await import("../../../livetorch/js/worker/loop.mjs");
  const send = (/** @type {any} */ data) => place.onmessage({ data });
  const answers = () => said.filter(({ outputs }) => outputs).map(({ ask, outputs }) => [ask, outputs.output.data[0]]);
  const fed = (/** @type {number} */ x) => ({ x: { shape: [1], data: [x] }, other: { shape: [], data: [0] } });
  const { now } = performance;
  const two = { ...program(1), inputs: [input, { ...input, name: "other", shape: [] }], nodes: [node(0), node(1)] };
  const outputs = ["output", "more"].map((name, k) => ({ name, value: 2 + k }));
  send({ programs: [program(3), program(40), { ...two, outputs }] });
  send({ index: 0, ask: 1, fed: fed(1) });
  send({ index: 0, ask: 2, fed: fed(2) });
  send({ index: 0, ask: 3, fed: fed(3) });
  await turn();
  assert.deepEqual(answers(), [
    [1, 8],
    [3, 24],
  ]);
  let at = 0;
  performance.now = () => (at += 50);
  try {
    send({ index: 1, ask: 4, fed: fed(0) });
    while (!answers().some(([ask]) => ask === 4)) await turn();
    const shares = said.filter(({ share }) => share).map(({ share }) => share);
    assert.ok(shares.length > 10 && shares.every((share, i) => share <= 1 && share > (shares[i - 1] ?? 0)));
    send({ index: 1, ask: 5, fed: fed(1) });
    await turn();
    send({ index: 1, ask: 6, fed: fed(2) });
    while (!answers().some(([ask]) => ask === 6)) await turn();
    assert.ok(!answers().some(([ask]) => ask === 5), "a long run is left for a newer one");
  } finally {
    performance.now = now;
  }
  for (const x of [1, 1, 2]) send({ index: 2, ask: 6 + x, fed: { ...fed(x), other: { shape: [], data: [said.length] } } }), await turn();
  const kept = said.slice(-3).map((message) => Object.values(message.outputs).map((each) => each?.data[0] ?? null));
  assert.deepEqual(
    kept.map(([output]) => output),
    [2, null, 4],
    "what is as in the last answer is not sent again",
  );
  assert.ok(kept[0][1] < kept[1][1] && kept[1][1] < kept[2][1]);
  send({ index: 1, ask: 9, fed: { x: { shape: [2], data: [1, 2] } } });
  await turn();
  assert.match(said.at(-1).error, /x/);
});
