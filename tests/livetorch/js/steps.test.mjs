import assert from "node:assert/strict";
import { test } from "node:test";

import { brokenOutput, createSteps, createRunner, nextSettings } from "../../../livetorch/js/figure/steps.mjs";

const width = { name: "width", kind: "slider", min: 0, max: 1 };
const state = { name: "m", kind: "state", shape: [1], dtype: "float32" };
const spec = { controls: [width, state], carry: { names: { width: "new_width", m: "new_m" }, steps: 5 } };

/** Frames that come when the test says so, and a clock that the steps move. */
function clockwork(more = {}) {
  const log = /** @type {string[]} */ ([]);
  const frames = /** @type {any[]} */ ([]);
  const clock = { time: 0, steps: 0, cost: 3, last: Infinity };
  const runner = createRunner({
    step() {
      clock.steps += 1;
      clock.time += clock.cost;
      return clock.steps < clock.last;
    },
    waits: () => false,
    draw: () => log.push(`draw ${clock.steps}${runner.running ? "" : " at rest"}`),
    ended: () => log.push("ended"),
    reducedMotion: () => false,
    frame: (callback) => frames.push(callback),
    cancelFrame: () => frames.pop(),
    now: () => clock.time,
    ...more,
  });
  const tick = () => frames.shift()?.(clock.time);
  return { runner, log, frames, clock, tick };
}

test("outputs become the next step's inputs, unrounded and outside the slider too", () => {
  const outputs = { new_width: { shape: [], data: Float32Array.of(1.7) }, new_m: { shape: [1], data: Float32Array.of(2) } };
  const next = nextSettings(spec, { width: 0.5, m: null, other: 3 }, outputs);
  assert.equal(next.width, Math.fround(1.7));
  assert.deepEqual(next.m, { shape: [1], dtype: "float32", data: Float32Array.of(2) });
  assert.equal(next.other, 3);
});

test("a number that is gone stops the steps; -inf may be carried where no slider shows it", () => {
  const good = { new_width: { data: [1] }, new_m: { data: [-Infinity] } };
  assert.equal(brokenOutput(spec, good), null);
  assert.equal(brokenOutput(spec, { ...good, new_width: { data: [Infinity] } }), "new_width");
  assert.equal(brokenOutput(spec, { ...good, new_m: { data: [NaN] } }), "new_m");
});

test("one slice does as many steps as its budget holds, then lets the page paint", () => {
  const { runner, clock, tick, log } = clockwork();
  runner.start();
  tick();
  assert.equal(clock.steps, 3);
  assert.deepEqual(log, ["draw 3"]);
  assert.equal(runner.running, true);
});

test("a step that is longer than the budget is still done, one in a frame", () => {
  const { runner, clock, tick } = clockwork();
  clock.cost = 500;
  runner.start();
  tick();
  tick();
  assert.equal(clock.steps, 2);
});

test("a run of n steps does exactly n", () => {
  const { runner, clock, tick, log } = clockwork();
  runner.start(7);
  for (let i = 0; i < 10; i += 1) tick();
  assert.equal(clock.steps, 7);
  assert.equal(log.at(-1), "ended");
});

test("the last step ends the run", () => {
  const { runner, clock, tick } = clockwork();
  clock.last = 4;
  runner.start();
  for (let i = 0; i < 10; i += 1) tick();
  assert.equal(clock.steps, 4);
  assert.equal(runner.running, false);
});

test("stop shows where the run is, and no step follows", () => {
  const { runner, clock, tick, log } = clockwork();
  runner.start();
  tick();
  runner.stop();
  tick();
  assert.equal(clock.steps, 3);
  assert.deepEqual(log, ["draw 3", "draw 3 at rest", "ended"]);
});

test("with reduced motion the picture is drawn rarely", () => {
  const { runner, tick, log, clock } = clockwork({ reducedMotion: () => true });
  runner.start(500);
  for (let i = 0; i < 100; i += 1) tick();
  assert.equal(clock.steps, 500);
  assert.ok(log.length <= 4, `drawn ${log.length} times`);
});

test("a pace is kept", () => {
  const { runner, clock, tick } = clockwork({ pace: 2 });
  clock.cost = 0;
  runner.start();
  tick();
  assert.equal(clock.steps, 1);
  clock.time += 499;
  tick();
  assert.equal(clock.steps, 1);
  clock.time += 1;
  tick();
  assert.equal(clock.steps, 2);
});

test("steps that nobody watches do not wait for the pace", () => {
  const { runner, clock, tick } = clockwork({ pace: 2 });
  runner.start(10, false);
  for (let i = 0; i < 5; i += 1) tick();
  assert.equal(clock.steps, 10);
});

test("the history holds step 0 and every step, small outputs only, as copies", () => {
  const history = createSteps();
  const data = Float32Array.of(1);
  history.replaceLast({ loss: { shape: [], data }, big: { shape: [100], data: new Float32Array(100) } });
  data[0] = 9;
  history.push({ loss: { shape: [], data } });
  assert.equal(history.count, 1);
  assert.deepEqual(Object.keys(history.frames[0]), ["loss"]);
  assert.equal(history.frames[0].loss.data[0], 1);
});

test("a control moved at a step changes that step only", () => {
  const history = createSteps();
  for (const loss of [3, 2]) history.push({ loss: { shape: [], data: [loss] } });
  history.replaceLast({ loss: { shape: [], data: [1] } });
  assert.deepEqual(history.frames.map((frame) => frame.loss.data[0]), [3, 1]);
});
