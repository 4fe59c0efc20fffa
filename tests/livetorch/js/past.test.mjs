// The steps of a run, looked at again: which are kept, what the figure shows at one, and what goes on from there.
import assert from "node:assert/strict";
import { test } from "node:test";

import { button, enter, place, settle } from "./page.mjs";

await import("../../../livetorch/js/parts/all.mjs");
const { createPast } = await import("../../../livetorch/js/figure/past.mjs");
const { mount } = await import("../../../livetorch/js/figure/mount.mjs");

const list = (/** @type {number} */ length) => ({ w: { data: new Float32Array(length) } });

test("so many steps are kept at most, evenly spread, the first among them", () => {
  const past = createPast(["w"], { most: 8 });
  for (let step = 0; step <= 100; step += 1) {
    past.keep(step, list(3));
    const steps = past.steps();
    assert.ok(steps.length <= 8 && (step < 4 || steps.length > 4), `${steps}`);
    assert.equal(new Set(steps.slice(1).map((at, i) => at - steps[i])).size <= 1, true, `${steps}`);
  }
  assert.deepEqual(past.steps(), [0, 16, 32, 48, 64, 80, 96]);
});

test("large numbers leave room for fewer steps", () => {
  const past = createPast(["w"], { most: 64, room: 1000 });
  for (let step = 0; step <= 200; step += 1) past.keep(step, list(100));
  assert.ok(past.steps().length <= 10 && past.steps().length >= 5, `${past.steps()}`);
});

const number = (/** @type {string} */ name, /** @type {number} */ value) => ({ name, label: name, kind: "slider", value, min: 0, max: 100, step: 1, format: ".0f", dtype: "float32", scale: "linear", description: null });
/** x grows to 2 x + y; what is shown is x + y. */
const spec = {
  format: "livetorch/figure", version: 1, name: "f", title: null, caption: null, labels: {}, pool: [], controls: [number("x", 1), number("y", 0)],
  programs: [{
    format: "livetorch/program", version: 1, inputs: ["x", "y"].map((name) => ({ name, shape: [], dtype: "float32" })), constants: [],
    nodes: [{ op: "aten.add.Tensor", args: [{ v: 0 }, { v: 1 }] }, { op: "aten.add.Tensor", args: [{ v: 2 }, { v: 0 }] }],
    outputs: [{ name: "seen", value: 2 }, { name: "next", value: 3 }],
  }],
  variants: { controls: [], keys: { "": 0 } }, carry: { names: { x: "next" }, steps: 9, pace: 1000, run: "Train" },
  views: [{ kind: "history", series: [{ output: "seen", label: "seen" }], xlabel: "step", ylabel: "", ylim: null, log: false, title: null }],
};

async function trained(/** @type {number} */ steps) {
  const element = place();
  const handle = mount(element, spec);
  await handle.step(steps);
  const scrub = () => /** @type {any} */ (element.querySelector(".lt-scrub"));
  const counter = () => element.querySelector(".lt-counter").textContent;
  return { element, handle, scrub, counter, seen: () => handle.outputs().seen.data[0], rule: () => element.querySelectorAll(".lt-rule").length };
}

test("before the first step there is nothing to look back at", async () => {
  assert.equal((await trained(0)).scrub().hidden, true);
});

test("the slider shows what the figure showed at that step, the curve marks it, and the settings are those of then", async () => {
  const { handle, scrub, counter, seen, rule } = await trained(4);
  assert.deepEqual([scrub().hidden, scrub().max, scrub().value, seen(), rule()], [false, "4", "4", 16, 0]);
  enter(scrub(), 2, ["input"]);
  assert.deepEqual([seen(), handle.state().x, counter(), scrub().getAttribute("aria-valuetext"), rule()], [4, 4, "step 2 of 4", "step 2 of 4", 1]);
  enter(scrub(), 4, ["input"]);
  assert.deepEqual([seen(), handle.state().x, counter(), rule()], [16, 16, "step 4", 0]);
});

test("a step goes on from the last one, and a restart forgets them all", async () => {
  const { element, scrub, counter, seen } = await trained(3);
  enter(scrub(), 0, ["input"]);
  button(element, "Step").click();
  assert.deepEqual([seen(), counter()], [16, "step 4"]);
  button(element, "Restart").click();
  assert.deepEqual([seen(), scrub().hidden], [1, true]);
});

test("a control that does not flow on is moved at the past step; one that does begins there", async () => {
  const { handle, scrub, counter, seen } = await trained(3);
  enter(scrub(), 1, ["input"]);
  handle.set("y", 5);
  assert.deepEqual([seen(), counter()], [7, "step 1 of 3"]);
  enter(scrub(), 3, ["input"]);
  assert.equal(seen(), 13);
  handle.set("x", 7);
  assert.deepEqual([seen(), counter(), scrub().hidden], [12, "step 0", true]);
});

test("a link and a kernel hear of the run, not of what is looked at", async () => {
  const { handle, scrub } = await trained(3);
  const [link, wire] = [handle.link(), handle.wire()];
  enter(scrub(), 1, ["input"]);
  assert.deepEqual([handle.link(), handle.wire()], [link, wire]);
  handle.destroy();
});

test("a run that still goes stops where one looks back", async () => {
  const { element, handle, scrub } = await trained(2);
  handle.step(Infinity);
  enter(scrub(), 1, ["input"]);
  assert.equal(button(element, "Stop"), undefined);
  await settle();
  assert.equal(handle.state().x, 2);
});
