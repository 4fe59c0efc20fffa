// The curve on the track of a slider: where it is computed, when, and when not at all.
import assert from "node:assert/strict";
import { test } from "node:test";

import { field, place, settle } from "./page.mjs";

await import("../../../livetorch/js/parts/all.mjs");
const { partOf } = await import("../../../livetorch/js/hosts/parts.mjs");
const { createCurves, inWords, pathOf } = await import("../../../livetorch/js/curves/curves.mjs");
const { positionsOf } = await import("../../../livetorch/js/curves/positions.mjs");
const { createTrack } = await import("../../../livetorch/js/controls/slider.mjs");
const { mount } = await import("../../../livetorch/js/figure/mount.mjs");

const slider = (/** @type {string} */ name, more = {}) => ({
  name, label: name, kind: "slider", value: 1, min: 0, max: 4, step: 1, format: ".1f", dtype: "float32", scale: "linear", description: null, ...more,
});
const curve = { output: "both", at: 1, label: "the square" };
/** both = [y, x² + y] */
const spec = {
  format: "livetorch/figure", version: 1, name: "f", title: null, caption: null, labels: {}, pool: [], carry: null, views: [],
  controls: [slider("x", { curve }), slider("y", { value: 0 })],
  programs: [{
    format: "livetorch/program", version: 1, inputs: ["x", "y"].map((name) => ({ name, shape: [], dtype: "float32" })), constants: [],
    nodes: [
      { op: "aten.mul.Tensor", args: [{ v: 0 }, { v: 0 }] },
      { op: "aten.add.Tensor", args: [{ v: 2 }, { v: 1 }] },
      { op: "aten.stack.default", args: [[{ v: 1 }, { v: 3 }]] },
    ],
    outputs: [{ name: "both", value: 4 }],
  }],
  variants: { controls: [], keys: { "": 0 } },
};

/** Curves with a clock and idle time that the test gives. */
function begun({ cost = 1, step = 1, busy = () => false } = {}) {
  const track = createTrack({ ...spec.controls[0], step }, "id");
  const clock = { time: 0, pieces: /** @type {(() => boolean)[]} */ ([]), stopped: 0 };
  const idle = (/** @type {() => boolean} */ next) => {
    clock.pieces.push(next);
    return () => (clock.stopped += 1);
  };
  const curves = createCurves(spec, { tracks: [track], busy, now: () => (clock.time += cost), idle: /** @type {any} */ (idle) });
  const state = (/** @type {any} */ settings) => ({ state: { x: 1, y: 0, ...settings }, outputs: { both: { data: [0, 1] } } });
  const all = () => {
    const next = clock.pieces.at(-1);
    while (next?.());
  };
  return { track, clock, curves, state, all, path: () => track.slot.querySelector("path").getAttribute("d"), dot: () => /** @type {any} */ (track.slot.querySelector(".lt-track-dot")) };
}

test("a slider is sampled where its thumb can stand, at both ends and evenly", () => {
  assert.deepEqual(positionsOf(slider("x")).map(({ value }) => value), [0, 1, 2, 3, 4]);
  const fine = positionsOf(slider("x", { step: 0.01 }));
  assert.deepEqual([fine.length, fine[0], fine.at(-1)], [49, { share: 0, value: 0 }, { share: 1, value: 4 }]);
  const log = positionsOf(slider("x", { min: 1, max: 100, scale: "log" }));
  assert.deepEqual([log[0].value, log[24], log.at(-1)], [1, { share: 0.5, value: 10 }, { share: 1, value: 100 }]);
  assert.deepEqual(positionsOf(slider("x", { min: 1, max: 8, dtype: "int64", scale: "log" })).map(({ value }) => value), [1, 2, 3, 4, 5, 6, 7, 8]);
});

test("the curve holds what the figure gives at each position, and is told in words", async () => {
  const { curves, state, track, path, dot, all } = begun();
  curves.update(state({}));
  assert.equal(path(), null);
  await settle(250);
  all();
  assert.equal(path(), "M0.00,100.00L25.00,93.75L50.00,75.00L75.00,43.75L100.00,0.00");
  assert.equal(track.said.textContent, "Along the slider, the square is least with 0 at 0.0, and most with 16 at 4.0.");
  assert.deepEqual([dot().hidden, dot().style.top, track.slot.classList.contains("lt-stale")], [false, "93.75%", false]);
});

test("another control makes it anew when the hand rests, the slider itself does not", async () => {
  const { curves, state, clock, all, track } = begun();
  curves.update(state({}));
  await settle(250);
  all();
  curves.update(state({ x: 3 }));
  await settle(250);
  assert.equal(clock.pieces.length, 1);
  for (const y of [1, 2, 3]) curves.update(state({ y }));
  assert.equal(track.slot.classList.contains("lt-stale"), true);
  await settle(250);
  assert.equal(clock.pieces.length, 2);
  all();
  assert.match(track.said.textContent, /least with 3 at 0\.0, and most with 19 at 4\.0/);
});

test("a run of steps comes first", async () => {
  let running = true;
  const { curves, state, clock } = begun({ busy: () => running });
  curves.update(state({}));
  await settle(250);
  assert.equal(clock.pieces.length, 0);
  running = false;
  await settle(250);
  assert.equal(clock.pieces.length, 1);
});

test("a figure whose runs take long gets no curve after eight of them, and keeps its place", async () => {
  const { curves, state, clock, track, path } = begun({ cost: 30, step: 0.1 });
  curves.update(state({}));
  await settle(250);
  let pieces = 0;
  while (clock.pieces[0]()) pieces += 1;
  assert.deepEqual([pieces, path(), track.slot.style.visibility, track.slot.hidden], [7, null, "hidden", false]);
});

test("a curve breaks where there is no number, and a flat one lies in the middle", () => {
  const points = [0, NaN, 2, 4].map((y, i) => ({ share: i / 3, y }));
  assert.equal(pathOf(points, { low: 0, high: 4 }), "M0.00,100.00M66.67,50.00L100.00,0.00");
  assert.equal(pathOf([{ share: 0, y: 1 }], { low: 1, high: 1 }), "M0.00,50.00");
  assert.equal(inWords({ format: ".1f", curve: { label: "loss" } }, [{ value: 0, y: 2 }, { value: 1, y: 2 }]), "loss stays at 2.");
});

test("in a figure the slider is described by its curve, which comes when the page is idle", async () => {
  const element = place();
  const handle = mount(element, spec, { partOf });
  const input = field(element, "x");
  const said = document.getElementById(input.getAttribute("aria-describedby"));
  assert.equal(field(element, "y").getAttribute("aria-describedby"), null);
  assert.equal(element.querySelectorAll(".lt-track").length, 1);
  for (let i = 0; i < 60 && !said.textContent; i += 1) await settle(20);
  assert.match(said.textContent, /the square is least with 0 at 0\.0/);
  handle.destroy();
});

test("who saves data gets a slider without a curve", () => {
  const connection = { saveData: true };
  Object.defineProperty(navigator, "connection", { value: connection, configurable: true });
  assert.equal(createTrack(spec.controls[0], "id"), null);
  connection.saveData = false;
  assert.notEqual(createTrack(spec.controls[0], "id"), null);
});
