// Weights in files: when they come, and what a figure says meanwhile.
import assert from "node:assert/strict";
import { test } from "node:test";

import { pool, spec, figure, scripts, words, arrive, near, arriveAt, watched } from "./heavy_page.mjs";
import { place, settle, until } from "./page.mjs";

const { boot } = await import("../../../livetorch/js/hosts/page.mjs");
const { loadFile, provide } = await import("../../../livetorch/js/hosts/files.mjs");

test("a figure with a file of weights stays a picture until it comes near, and says so", async () => {
  const element = figure("near.js");
  boot();
  await settle(120); // while idle, the page starts other figures
  assert.deepEqual([scripts().length, watched.length], [0, 1]);
  assert.equal(words(element), "This picture comes alive with its trained weights (12 kB).");
  near([element]);
  await settle();
  assert.equal(scripts()[0].getAttribute("src"), "live/near.js");
  assert.equal(words(element), "Loading the trained weights (12 kB).");
  await arrive("near");
  assert.deepEqual(Array.from(element.livetorch.outputs().output.data), [1, 2]);
});

test("its button loads them too", async () => {
  const element = figure("pressed.js");
  boot();
  element.querySelector("button").click();
  await arrive("pressed");
  assert.ok(element.classList.contains("lt-mounted"));
});

test("reading its ready loads them, and resolves when the figure lives", async () => {
  const element = figure("ready.js");
  boot();
  const { ready } = element.livetorch;
  assert.throws(() => element.livetorch.outputs(), /The figure ready is still loading/);
  await arrive("ready");
  await ready;
  assert.equal(element.livetorch.state().x, 1);
});

test("two figures with the same file load it once", async () => {
  const both = [loadFile("live/shared.js"), loadFile("live/shared.js")];
  assert.equal(scripts().length, 1);
  await arrive("shared");
  assert.deepEqual(await Promise.all(both), [pool, pool]);
});

test("a file that does not come leaves the picture and a button to try again", async () => {
  const element = figure("lost.js");
  boot();
  near([element]);
  await settle();
  scripts()[0].dispatchEvent(new window.Event("error"));
  await settle();
  assert.equal(words(element), "The picture stays as it is: live/lost.js could not be loaded.");
  assert.equal(element.classList.contains("lt-mounted"), false);
  const again = element.querySelector("button");
  assert.deepEqual([again.textContent, again.hidden], ["Try again", false]);
  again.click();
  await arrive("lost");
  assert.deepEqual(Array.from(element.livetorch.outputs().output.data), [1, 2]);
});

test("a file that holds something else counts as one that did not come", async () => {
  const other = loadFile("live/wanted.js");
  provide("unwanted", pool);
  scripts()[0].dispatchEvent(new window.Event("load"));
  await assert.rejects(other, /wanted.js could not be loaded/);
});

test("whoever saves data is not sent weights unasked", () => {
  Object.defineProperty(navigator, "connection", { value: { saveData: true }, configurable: true });
  const element = figure("saving.js");
  element.prepend(document.createElement("img"));
  boot();
  delete (/** @type {any} */ (navigator).connection);
  assert.deepEqual(watched, []);
  assert.equal(element.querySelector("img").previousElementSibling, element.querySelector(".lt-loading")); // in sight of who has to ask
  element.querySelector("button").click();
  assert.equal(scripts().length, 1);
});

test("a link opens the figure in its state once the weights are there", async () => {
  location.hash = "#lt:linked=x:2";
  const element = figure("linked.js");
  boot();
  await arrive("linked");
  location.hash = "";
  assert.deepEqual(Array.from(element.livetorch.outputs().output.data), [2, 4]);
});

test("very large weights come only when asked for, file by file, with a bar that shows how far", async () => {
  const element = figure("part0.js");
  Object.assign(element.dataset, { pool: "live/part0.js live/part1.js live/part2.js", asked: "" });
  boot();
  assert.deepEqual(watched, []);
  element.querySelector("button").click();
  const files = scripts();
  assert.equal(files.length, 3);
  const bar = element.querySelector("progress");
  const shown = [];
  for (const i of [2, 0, 1]) {
    provide(`part${i}`, i === 0 ? pool : [{ part: i }]);
    files[i].dispatchEvent(new window.Event("load"));
    await settle();
    shown.push([bar.hidden, Number(bar.max), Number(bar.value)]);
  }
  assert.deepEqual(shown, [[false, 3, 1], [false, 3, 2], [false, 3, 3]]);
  assert.deepEqual(Array.from(element.livetorch.outputs().output.data), [1, 2]);
  assert.equal(element.livetorch.spec.pool.length, 3);
});

test("figures in sight start before those that are near, a hand's before all others", async () => {
  const [far, seen, touched] = ["far", "seen", "touched"].map((name) => {
    const element = place();
    element.className = "livetorch";
    element.dataset.name = name;
    const script = document.createElement("script");
    script.type = "application/json";
    script.textContent = JSON.stringify({ ...spec, name, programs: [{ ...spec.programs[0], constants: pool }] });
    element.append(script);
    element.getBoundingClientRect = () => /** @type {any} */ ({ top: name === "seen" ? 10 : 5000 });
    return element;
  });
  boot();
  const alive = () => [far, seen, touched].map((element) => element.classList.contains("lt-mounted"));
  arriveAt([far, seen, touched]);
  assert.deepEqual(alive(), [false, false, false]); // the page paints first
  touched.dispatchEvent(new window.Event("pointerdown", { bubbles: true }));
  assert.deepEqual(alive(), [false, false, true]);
  await until(() => alive()[1]);
  assert.deepEqual(alive(), [false, true, true]);
  await until(() => alive()[0]);
});
