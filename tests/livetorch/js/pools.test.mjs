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
/** The same, with the places where they are. @type {(entries: any[]) => void} */
let arriveAt = () => {};
globalThis.innerHeight = 800;
globalThis.IntersectionObserver = /** @type {any} */ (
  class {
    constructor(/** @type {any} */ callback) {
      arriveAt = (elements) =>
        callback(elements.map((target) => ({ target, isIntersecting: true, boundingClientRect: target.getBoundingClientRect() })));
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
const words = (/** @type {any} */ element) => element.querySelector(".lt-loading [role=status]").textContent;
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

/** A figure that shows its first numbers, its Programs and weights each in a file. @param {string} name */
function sleeper(name) {
  const element = figure(`${name}.js`);
  element.dataset.programs = `live/${name}-programs.js`;
  const first = { output: { dtype: "float32", shape: [2], data: "AAAAQAAAgEA=" } }; // [2, 4]: not what the Program gives
  element.querySelector("script").textContent = JSON.stringify({ ...spec, name, programs: [], first });
  return element;
}
/** Its files come. @param {string} name */
async function bring(name) {
  provide(name, pool);
  provide(`${name}-programs`, spec.programs);
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
  const element = sleeper("early");
  boot();
  near([element]);
  await settle();
  element.livetorch.set("x", 0.5);
  element.livetorch.set("x", 1.5);
  assert.equal(words(element), "Loading the trained weights (12 kB).");
  assert.equal(scripts().length, 2); // once
  await bring("early");
  assert.deepEqual(output(element), [1.5, 3]);
  assert.equal(element.querySelector(".lt-loading"), null);
});

test("weights that do not come for a figure that is there are offered again", async () => {
  const element = sleeper("again");
  boot();
  near([element]);
  await settle();
  element.livetorch.set("x", 0.5);
  for (const script of scripts()) script.dispatchEvent(new window.Event("error"));
  await settle();
  assert.match(words(element), /^The picture stays as it is: live\/again/);
  assert.deepEqual(output(element), [2, 4]);
  Array.from(element.querySelectorAll(".lt-loading button")).at(-1).click();
  await bring("again");
  element.livetorch.set("x", 0.5);
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
  element.scrollIntoView = () => {};
  boot();
  assert.equal(element.classList.contains("lt-mounted"), false);
  await bring("sleeping-link");
  location.hash = "";
  assert.deepEqual(output(element), [2, 4]);
  assert.equal(element.livetorch.state().x, 2);
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
  await settle(30);
  assert.deepEqual(alive(), [false, true, true]);
  await settle(120);
  assert.deepEqual(alive(), [true, true, true]);
});
