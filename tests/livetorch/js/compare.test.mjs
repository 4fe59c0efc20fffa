// A pinned state beside the present one: what each view shows of it, and how it is let go.
import assert from "node:assert/strict";
import { test } from "node:test";

import { button, place, settle } from "./page.mjs";

globalThis.getComputedStyle = window.getComputedStyle.bind(window);
/** @type {any[]} what was painted on each canvas */
let painted = [];
window.HTMLCanvasElement.prototype.getContext = /** @type {any} */ (function getContext() {
  const image = (/** @type {number} */ w, /** @type {number} */ h) => ({ width: w, height: h, data: new Uint8ClampedArray(4 * w * h) });
  const canvas = this;
  return new Proxy({}, {
    get: (_, name) => (name === "createImageData" ? image : (/** @type {any[]} */ ...args) => void (name === "fillText" && painted.push([canvas, args[0]]))),
    set: () => true,
  });
});
await import("../../../livetorch/js/parts/all.mjs");
const { partOf } = await import("../../../livetorch/js/hosts/parts.mjs");
const { signed } = await import("../../../livetorch/js/views/ghosts.mjs");
const { mount } = await import("../../../livetorch/js/figure/mount.mjs");

const numbers = (/** @type {number[]} */ shape, /** @type {number[]} */ values) => ({ dtype: "float32", shape, data: Buffer.from(new Float32Array(values).buffer).toString("base64") });
const slider = { name: "x", label: "x", kind: "slider", value: 1, min: -4, max: 4, step: 0.5, format: ".1f", dtype: "float32", scale: "linear", description: null };
const short = { name: "short", label: "short", kind: "checkbox", value: false, variant: true, description: null };
/** w = x [[1, 2, 3], [0, 1, 0]] / 10, or one row of two; row: of it, one: x */
const program = (/** @type {number[]} */ shape, /** @type {number[]} */ values) => ({
  format: "livetorch/program", version: 1, inputs: [{ name: "x", shape: [], dtype: "float32" }], constants: [numbers(shape, values)],
  nodes: [{ op: "aten.mul.Tensor", args: [{ v: 1 }, { v: 0 }] }, { op: "aten.select.int", args: [{ v: 2 }, 0, 0] }, { op: "aten.mul.Scalar", args: [{ v: 0 }, 1] }],
  outputs: [{ name: "w", value: 2 }, { name: "row", value: 3 }, { name: "one", value: 4 }],
});
const heatmap = {
  kind: "heatmap", source: { output: "w" }, xlabel: "", ylabel: "", xticks: null, yticks: null, titles: null, vmin: null, vmax: null,
  scale: "sequential", annotate: "auto", edit: null, mask: null, rows_axis: "queries", cols_axis: "keys", panels_axis: "heads", title: null,
};
const bars = { kind: "bars", source: { output: "row" }, labels: null, axis: "keys", query_axis: "queries", ylim: [-1, 1], xlabel: "", ylabel: "", title: null, shares: null };
const lines = { kind: "lines", x: null, y: [{ source: { output: "row" }, label: "row" }], labels: null, points: null, drag: [], drag_axes: null, xlim: null, ylim: [-1, 1], xlabel: "", ylabel: "", axis: null, title: null };
const table = { kind: "table", parts: [{ source: { output: "w" }, label: "w", sums: true, axes: ["queries", "keys"] }], decimals: 2, rows: null, cols: null, rows_axis: "queries", cols_axis: "keys", title: null };
const number = { kind: "number", source: { output: "one" }, unit: "", format: ".1f", title: "one" };

/** @param {any[]} views */
function figure(...views) {
  painted = [];
  const element = place();
  const spec = {
    format: "livetorch/figure", version: 1, name: "f", title: null, caption: null, labels: {}, pool: [], carry: null, rows: null,
    controls: [slider, short], programs: [program([2, 3], [0.1, 0.2, 0.3, 0, 0.1, 0]), program([1, 2], [0.5, 0.5])],
    variants: { controls: ["short"], keys: { 0: 0, 1: 1 } }, views,
  };
  const handle = mount(element, spec, { partOf });
  const press = async (name = "Compare") => {
    button(element, name).click();
    await settle();
  };
  const texts = (/** @type {string} */ css) => Array.from(element.querySelectorAll(css), (each) => each.textContent);
  const spoken = () => texts(".lt-spoken[role=status]").find(Boolean);
  const set = async (/** @type {string} */ name, /** @type {any} */ value) => {
    handle.set(name, value);
    await settle();
  };
  return { element, handle, press, texts, spoken, set };
}

test("nothing is there until the button is pressed, and nothing stays when it is pressed again", async () => {
  const { element, press, spoken } = figure(heatmap, bars, lines, table, number);
  const before = element.innerHTML;
  const marks = () => element.querySelectorAll(".lt-ghost, .lt-delta").length;
  assert.equal(marks(), 0);
  await press();
  assert.equal(button(element, "Compare").getAttribute("aria-pressed"), "true");
  assert.match(spoken(), /^This state is pinned\. What it shows stays as thin marks\. Maps can show the difference to it\./);
  assert.ok(marks() > 8);
  await press();
  assert.equal(spoken(), "The pinned state is gone.");
  assert.equal(element.innerHTML.replace(/ style="[^"]*"/g, "").replace(/<div class="lt-spoken.*?<\/div>/g, "").replaceAll(' hidden=""', ""),
    before.replace(/ style="[^"]*"/g, "").replace(/<div class="lt-spoken.*?<\/div>/g, "").replaceAll(' hidden=""', ""));
});

test("a number and the cells of a table say by how much they differ", async () => {
  const { press, texts, set } = figure(number, table);
  await press();
  assert.deepEqual(texts(".lt-view-number .lt-delta"), ["±0 from 1.0"]);
  await set("x", -1.5);
  assert.deepEqual(texts(".lt-view-number .lt-delta"), ["−2.5 from 1.0"]);
  assert.deepEqual(texts("td .lt-delta"), ["−0.25", "−0.50", "−0.75", "±0", "−0.25", "±0"]);
  await set("x", 3);
  assert.deepEqual(texts("td .lt-delta").slice(0, 2), ["+0.20", "+0.40"]);
});

test("a line stays where each bar ended, at most at the end of the axis", async () => {
  const { element, press, set } = figure(bars);
  await press();
  const at = () => Array.from(element.querySelectorAll(".lt-ghost line.lt-ghost-line"), (line) => Number(line.getAttribute("y1")));
  const [old, tops] = [at(), Array.from(element.querySelectorAll(".lt-bar"), (bar) => Number(bar.getAttribute("y")))];
  old.forEach((y, i) => assert.ok(Math.abs(y - tops[i]) < 1e-6));
  await set("x", -3);
  assert.deepEqual(at(), old);
});

test("a curve stays as it was", async () => {
  const { element, press, set } = figure(lines);
  await press();
  const d = (/** @type {string} */ css) => element.querySelector(css).getAttribute("d").match(/[\d.]+/g).map((/** @type {string} */ x) => Math.round(Number(x)));
  const before = d(".lt-curve");
  assert.deepEqual(d("path.lt-ghost-line"), before);
  await set("x", 2);
  assert.deepEqual(d("path.lt-ghost-line"), before);
  assert.notDeepEqual(d(".lt-curve"), before);
});

test("maps show the difference where it is asked for, at once where nothing else would be seen", async () => {
  const { element, press, set } = figure(heatmap, number);
  await press();
  const ghost = () => element.querySelector("canvas.lt-ghost");
  const toggle = button(element, "Difference in maps");
  assert.deepEqual([ghost().hidden, toggle.getAttribute("aria-pressed")], [true, "false"]);
  await press("Difference in maps");
  assert.deepEqual([ghost().hidden, toggle.getAttribute("aria-pressed")], [false, "true"]);
  painted = [];
  await set("x", 2.5);
  const own = painted.filter(([canvas]) => canvas === ghost()).map(([, text]) => text);
  assert.deepEqual(own, ["0.15", "0.30", "0.45", "0.00", "0.15", "0.00"]);
  assert.equal(element.querySelectorAll(".lt-scale:not([hidden])").length, 1);
  assert.match(element.querySelector(".lt-scale:not([hidden])").textContent, /^now minus before−0\.500\.50/);

  const alone = figure(heatmap);
  await alone.press();
  assert.equal(button(alone.element, "Difference in maps").getAttribute("aria-pressed"), "true");
  assert.match(alone.spoken(), /^This state is pinned\. Maps show the difference to it\./);
});

test("a map of another size says so in place of a wrong difference, and a table leaves out what has no other", async () => {
  const { element, press, set, texts } = figure(heatmap, table);
  await press();
  await press("Difference in maps");
  await set("short", true);
  assert.equal(element.querySelector("canvas.lt-ghost").hidden, true);
  assert.deepEqual(texts(".lt-scale:not([hidden])"), ["The pinned map has another size."]);
  assert.deepEqual(texts("td .lt-delta"), ["+0.40", "+0.30"]);
  await set("short", false);
  assert.equal(element.querySelector("canvas.lt-ghost").hidden, false);
});

test("a part that does not come is told, and the button can be pressed again", async () => {
  const element = place();
  const { spec } = figure(number).handle;
  let tries = 0;
  mount(element, spec, { partOf: () => ((tries += 1) > 1 ? partOf("compare") : Promise.reject(new Error("no file"))) });
  button(element, "Compare").click();
  await settle();
  assert.match(element.querySelector(".lt-problem").textContent, /could not be compared: no file/);
  assert.equal(button(element, "Compare").getAttribute("aria-pressed"), "false");
  button(element, "Compare").click();
  await settle();
  assert.equal(element.querySelectorAll(".lt-delta").length, 1);
});

test("a figure without controls has nothing to compare", () => {
  const { spec } = figure(number).handle;
  const element = place();
  mount(element, { ...spec, controls: [], programs: [], views: [] }, { partOf });
  assert.equal(button(element, "Compare"), undefined);
});

test("a delta has a sign, and none where nothing of it is seen", () => {
  const write = (/** @type {number} */ x) => x.toFixed(2);
  assert.deepEqual([0.129, -0.5, 0.001, -0.001].map((by) => signed(by, write)), ["+0.13", "−0.50", "±0", "±0"]);
});
