// Figures that show their first numbers before their Programs and weights are there.
import assert from "node:assert/strict";
import { test } from "node:test";

import { pool, spec, figure, scripts, words, near } from "./heavy_page.mjs";
import { settle } from "./page.mjs";

const { boot } = await import("../../../livetorch/js/hosts/page.mjs");
const { provide } = await import("../../../livetorch/js/hosts/files.mjs");

/** A figure that shows its first numbers, its Programs and weights each in a file. @param {string} name */
function sleeper(name) {
  const element = figure(`${name}.js`);
  element.dataset.programs = `live/${name}-programs.js`;
  const first = { output: { dtype: "float32", shape: [2], data: "AAAAQAAAgEA=" } }; // [2, 4]: not what the Program gives
  element.querySelector("script").textContent = JSON.stringify({ ...spec, name, programs: [], first });
  return element;
}
/** A sleeper that somebody has scrolled to. @param {string} name */
async function seen(name) {
  const element = sleeper(name);
  boot();
  near([element]);
  await settle();
  return element;
}
/** Its files come. @param {string} name */
async function bring(name) {
  provide(name, pool);
  provide(`${name}-programs`, { programs: spec.programs });
  for (const script of scripts()) script.dispatchEvent(new window.Event("load"));
  await settle();
}
const output = (/** @type {any} */ element) => Array.from(element.livetorch.outputs().output.data);

test("a figure with its first numbers lives without its weights, and loads them when somebody is there", async () => {
  const element = sleeper("asleep");
  boot();
  near([element]);
  await settle(120);
  assert.ok(element.classList.contains("lt-mounted"));
  assert.deepEqual([output(element), scripts().length], [[2, 4], 0]);
  window.dispatchEvent(new window.Event("pointermove"));
  await settle(120);
  assert.deepEqual(scripts().map((one) => one.getAttribute("src")), ["live/asleep.js", "live/asleep-programs.js"]);
  await bring("asleep");
  element.livetorch.set("x", 2);
  assert.deepEqual(output(element), [2, 4]); // the Program's own now: x times [1, 2]
  element.livetorch.set("x", 0.5);
  assert.deepEqual(output(element), [0.5, 1]);
});

test("what a hand does before the weights are there waits for them, in its order, and the figure says so", async () => {
  const element = await seen("early");
  element.livetorch.set("x", 0.5);
  element.livetorch.set("x", 1.5);
  assert.equal(words(element), "Loading the trained weights (12 kB).");
  assert.equal(scripts().length, 2); // once
  await bring("early");
  assert.deepEqual(output(element), [1.5, 3]);
  assert.equal(element.querySelector(".lt-loading"), null);
});

test("weights that do not come for a figure that is there are offered again, and what the hand did is done then", async () => {
  const element = await seen("again");
  element.livetorch.set("x", 0.5);
  for (const script of scripts()) script.dispatchEvent(new window.Event("error"));
  await settle();
  assert.match(words(element), /^The picture stays as it is: live\/again/);
  assert.deepEqual(output(element), [2, 4]);
  Array.from(element.querySelectorAll(".lt-loading button")).at(-1).click();
  await bring("again");
  assert.deepEqual(output(element), [0.5, 1]);
});

test("reading the ready of a figure that sleeps loads what it lacks", async () => {
  const element = sleeper("driven");
  boot();
  const { ready } = element.livetorch;
  await settle();
  await bring("driven");
  await ready;
  element.livetorch.set("x", 1.5);
  assert.deepEqual(output(element), [1.5, 3]);
});

test("a link to a figure with first numbers loads its weights before it shows the state", async () => {
  location.hash = "#lt:sleeping-link=x:2";
  const element = sleeper("sleeping-link");
  boot();
  assert.equal(element.classList.contains("lt-mounted"), false);
  await bring("sleeping-link");
  location.hash = "";
  assert.deepEqual(output(element), [2, 4]);
  assert.equal(element.livetorch.state().x, 2);
});
