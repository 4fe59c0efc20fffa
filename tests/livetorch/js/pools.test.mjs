import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { place, settle } from "./page.mjs";

const { boot } = await import("../../../livetorch/js/hosts/page.mjs");
const { loadFile, provide } = await import("../../../livetorch/js/hosts/files.mjs");

const pool = [{ dtype: "float32", shape: [2], data: "AACAPwAAAEA=" }]; // [1, 2]
const spec = {
  format: "livetorch/figure",
  version: 1,
  name: "heavy",
  title: null,
  caption: null,
  controls: [{ name: "x", label: "x", kind: "slider", value: 1, min: 0, max: 2, step: 0.5, format: ".1f", dtype: "float32", scale: "linear", description: null }],
  programs: [
    {
      format: "livetorch/program",
      version: 1,
      inputs: [{ name: "x", shape: [], dtype: "float32" }],
      constants: [{ pool: 0 }],
      nodes: [{ op: "aten.mul.Tensor", args: [{ v: 1 }, { v: 0 }], kwargs: {}, outs: 1 }],
      outputs: [{ name: "output", value: 2 }],
    },
  ],
  pool: [],
  variants: { controls: [], keys: { "": 0 } },
  views: [],
  carry: null,
};

/** What the page watches: figures that would come near the window. @type {any[]} */
let watched = [];
/** @type {(entries: any[]) => void} */
let near = () => {};
globalThis.IntersectionObserver = /** @type {any} */ (
  class {
    constructor(/** @type {any} */ callback) {
      near = (elements) => callback(elements.map((target) => ({ target, isIntersecting: true })));
    }
    observe(/** @type {any} */ element) {
      watched.push(element);
    }
    unobserve() {}
  }
);

beforeEach(() => {
  watched = [];
  document.body.replaceChildren();
  document.head.replaceChildren();
});

/** A figure as the site writes it. @param {string} file */
function figure(file) {
  const element = place();
  element.className = "livetorch";
  Object.assign(element.dataset, { name: file.replace(".js", ""), pool: `live/${file}`, size: "12 kB" });
  const script = document.createElement("script");
  script.type = "application/json";
  script.textContent = JSON.stringify({ ...spec, name: element.dataset.name });
  element.append(script);
  return /** @type {any} */ (element);
}

const scripts = () => Array.from(document.head.querySelectorAll("script"));
const words = (/** @type {any} */ element) => element.querySelector("[role=status]").textContent;
const arrive = (/** @type {string} */ name) => {
  provide(name, pool);
  scripts()[0].dispatchEvent(new window.Event("load"));
  return settle();
};

test("a figure with a file of weights stays a picture until it comes near, and says so", async () => {
  const element = figure("near.js");
  boot();
  await settle(120); // while idle, the page starts other figures
  assert.deepEqual([scripts().length, watched.length], [0, 1]);
  assert.equal(words(element), "This picture comes alive with its trained weights (12 kB).");
  near([element]);
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
  boot();
  delete (/** @type {any} */ (navigator).connection);
  assert.deepEqual(watched, []);
  element.querySelector("button").click();
  assert.equal(scripts().length, 1);
});

test("a link opens the figure in its state once the weights are there", async () => {
  location.hash = "#lt:linked=x:2";
  const element = figure("linked.js");
  element.scrollIntoView = () => {};
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
