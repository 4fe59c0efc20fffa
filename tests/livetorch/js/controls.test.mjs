import assert from "node:assert/strict";
import { test } from "node:test";

import { enter, pick, place } from "./page.mjs";

const { logStops } = await import("../../../livetorch/js/controls/slider.mjs");
const { kindOf } = await import("../../../livetorch/js/controls/index.mjs");
const { describe } = await import("../../../livetorch/js/controls/text.mjs");
const { formatNumber } = await import("../../../livetorch/js/shared/format.mjs");
const { outputTables, rowsAreWeights } = await import("../../../livetorch/js/figure/tables.mjs");

/** A control in the page, and what it was set to. @param {any} spec */
function make(spec) {
  const sets = /** @type {any[]} */ ([]);
  const widget = /** @type {any} */ (kindOf(spec).element)(spec, { id: `t-${Math.random()}`, set: (value, more) => sets.push([value, more?.final]) });
  place().append(widget.element);
  widget.update(spec.value);
  return { ...widget, sets, find: (/** @type {string} */ selector) => /** @type {any} */ (widget.element.querySelector(selector)) };
}

const slider = { name: "w", label: "w", kind: "slider", value: 1, min: 0.01, max: 100, step: 1, format: ".3g", dtype: "float32", scale: "log" };
const matrix = { name: "m", label: "m", kind: "matrix", value: [[1, 2], [3, 4]], shape: [2, 2], min: null, max: null, step: 0.5, dtype: "float32" };
const mask = { name: "k", label: "k", kind: "mask", value: [[true, false], [true, true]], shape: [2, 2], dtype: "bool" };
const words = { name: "t", label: "t", kind: "text", value: "a", unit: "word", vocabulary: ["<pad>", "a", "b"], length: 3, pad: 0, unknown: null };

for (const [value, pattern, text] of /** @type {[number, string, string][]} */ ([
  [0.5, ".2f", "0.50"], [-1e-9, ".2f", "0.00"], [3, "d", "3"], [1234.5, ".3g", "1230"], [0.00001234, ".3g", "0.0000123"],
  [NaN, ".2f", "nan"], [-Infinity, ".2f", "-inf"], [0.25, ".0%", "25%"],
])) {
  test(`${value} is written ${text} by ${pattern}`, () => {
    assert.equal(formatNumber(value, pattern), text);
  });
}

test("a choice of numbers gives the tensor of its option, another one chooses a Program", () => {
  const choice = { name: "c", label: "c", kind: "dropdown", value: 0, options: ["a", "b"], variant: true };
  assert.deepEqual(kindOf(choice).inputs(choice, 1), {});
  const fed = { ...choice, variant: false, tensors: { shape: [2], dtype: "float32", data: [[1, 0], [0, 1]] } };
  assert.deepEqual(kindOf(fed).inputs(fed, 1), { c: { shape: [2], dtype: "float32", data: Float32Array.of(0, 1) } });
});

test("a logarithmic slider has its middle in the geometric middle", () => {
  const { find, sets } = make(slider);
  assert.equal(find("input").value, "100");
  enter(find("input"), 150, ["input"]);
  assert.deepEqual(sets, [[10, false]]);
});

const whole = { ...slider, value: 4, min: 1, max: 512, format: "d", dtype: "int64" };

test("a logarithmic slider of whole numbers stops once at each, and snaps what a link holds", () => {
  const { find, sets, update } = make(whole);
  enter(find("input"), 3, ["input"]);
  assert.deepEqual(sets, [[4, false]]);
  const steps = Number(find("input").max);
  const seen = Array.from({ length: steps + 1 }, (_, i) => (enter(find("input"), i, ["input"]), sets.at(-1)[0]));
  assert.equal(new Set(seen).size, seen.length);
  assert.deepEqual([seen[0], seen.at(-1)], [1, 512]);
  assert.equal(kindOf(whole).valid(whole, 4.47), 4);
  update(512);
  assert.equal(find("input").value, String(steps));
});

test("a logarithmic slider stops at round numbers and at its own start, also when it was moved away", () => {
  const base = { min: 1.5, max: 100000, value: 12340, dtype: "float32" };
  const stops = logStops(base);
  for (const round of [2, 10, 100, 700, 10000, 12340]) assert.ok(stops.includes(round), String(round));
  assert.deepEqual([stops[0], stops.at(-1)], [1.5, 100000]);
  assert.ok(stops.every((stop, i) => !i || stop > stops[i - 1]));
  assert.ok(logStops(whole).includes(400) && logStops(whole).every(Number.isInteger));
});

test("a mask says to a screen reader what its rows and columns are", () => {
  const names = (/** @type {any} */ control) => Array.from(make(control).element.querySelectorAll("button"), (each) => each.getAttribute("aria-label"));
  assert.equal(names(mask)[1], "query 1 may attend to key 2");
  assert.deepEqual(names({ ...mask, axes: ["layer", "head"] }).slice(1, 3), ["layer 1, head 2", "layer 2, head 1"]);
});

test("few whole numbers and few short options are buttons beside each other", () => {
  const layer = { ...whole, scale: "linear", value: 2, min: 1, max: 4, step: 1 };
  const { element, find, sets } = make(layer);
  assert.deepEqual(Array.from(element.querySelectorAll("label"), (each) => each.textContent), ["1", "2", "3", "4"]);
  assert.equal(element.querySelector("input:checked").value, "1");
  pick(element, "4");
  assert.deepEqual(sets, [[4, true]]);
  assert.equal(find("select"), null);
  const long = { name: "o", label: "o", kind: "dropdown", value: 0, options: ["the first of two long names of options", "the second of two"] };
  assert.ok(make(long).find("select"));
});

test("a seed is rolled by a button", () => {
  const seed = { ...whole, scale: "linear", value: 5, min: 1, max: 2 ** 31 - 2, step: 1, roll: true, label: "Roll again" };
  const { element, sets } = make(seed);
  element.querySelector("button").click();
  assert.ok(Number.isInteger(sets[0][0]) && sets[0][0] >= seed.min && sets[0][0] <= seed.max);
});

test("a moving slider says that it moves, a released one that it rests", () => {
  const { find, sets } = make({ ...slider, scale: "linear" });
  enter(find("input"), 50.01);
  assert.deepEqual(sets.map((each) => each[1]), [false, true]);
});

test("a cell of a matrix changes that cell, in a new table", () => {
  const { find, sets } = make(matrix);
  enter(find("tr:nth-child(2) td:nth-child(3) input"), -1.5, ["input"]);
  assert.deepEqual(sets, [[[[1, 2], [3, -1.5]], false]]);
  assert.deepEqual(matrix.value, [[1, 2], [3, 4]]);
});

test("half a number typed into a cell changes nothing", () => {
  const { find, sets } = make(matrix);
  enter(find("input"), "", ["input"]);
  assert.deepEqual(sets, []);
});

test("an arrow key adds a step to a cell", () => {
  const { find, sets } = make(matrix);
  find("input").dispatchEvent(new window.KeyboardEvent("keydown", { key: "ArrowUp", bubbles: true, cancelable: true }));
  assert.deepEqual(sets, [[[[1.5, 2], [3, 4]], false]]);
});

test("a number typed beyond a cell's end is answered in words, until the next one fits", () => {
  const { element, find } = make({ ...matrix, min: -2, max: 9 });
  const said = () => element.querySelector("[role=status]").textContent;
  enter(find("input"), -5);
  assert.equal(said(), "−5 is below −2, so it became −2.");
  enter(find("input"), 10.5);
  assert.equal(said(), "10.5 is above 9, so it became 9.");
  enter(find("input"), 3);
  assert.equal(said(), "");
  const endless = make(matrix);
  enter(endless.find("input"), -500);
  assert.equal(endless.element.querySelector("[role=status]").textContent, "");
});

test("each cell of a matrix has a name", () => {
  const { element } = make(matrix);
  const names = Array.from(element.querySelectorAll("input"), (input) => input.getAttribute("aria-label"));
  assert.deepEqual(names, ["row 1, column 1", "row 1, column 2", "row 2, column 1", "row 2, column 2"]);
});

test("a matrix whose columns have names says those, and a single row has no number", () => {
  const { element } = make({ ...matrix, shape: [1, 2], value: [[9, 5]], columns: ["Ming", "Hong"] });
  const names = Array.from(element.querySelectorAll("input"), (input) => input.getAttribute("aria-label"));
  assert.deepEqual(names, ["Ming", "Hong"]);
  assert.deepEqual(Array.from(element.querySelectorAll("th"), (head) => head.textContent), ["Ming", "Hong", ""]);
});

test("a cell of a mask is a toggle that says whether it is on", () => {
  const { element, sets } = make(mask);
  const buttons = Array.from(element.querySelectorAll("button"));
  assert.deepEqual(buttons.map((each) => each.getAttribute("aria-pressed")), ["true", "false", "true", "true"]);
  buttons[1].click();
  assert.deepEqual(sets, [[[[true, true], [true, true]], true]]);
});

test("a mask is one stop of the tab key, and the arrows walk in it", () => {
  const { element } = make(mask);
  const buttons = Array.from(element.querySelectorAll("button"));
  buttons[0].dispatchEvent(new window.KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
  assert.deepEqual(buttons.map((each) => each.tabIndex), [-1, 0, -1, -1]);
  assert.equal(document.activeElement, buttons[1]);
});

test("points that no view draws are fields named by point and axis", () => {
  const points = { name: "q", label: "q", kind: "points", value: [[1, 2]], shape: [1, 2], domain: [[-3, 3], [-3, 3]], labels: ["我"], dtype: "float32" };
  const { element } = make(points);
  const names = Array.from(element.querySelectorAll("input"), (input) => input.getAttribute("aria-label"));
  assert.deepEqual(names, ["我, x", "我, y"]);
});

test("a text field says how much of it is used, and what is not known", () => {
  assert.equal(describe(words, "a b"), "2 of 3 words");
  assert.equal(describe(words, "a b zebra a a"), "3 of 3 words; 1 cut off; left out: zebra");
  assert.equal(describe({ ...words, unknown: 1 }, "zebra"), "1 of 3 words; unknown: zebra");
});

test("rows of weights are known by their sums: 1, or 0 where nothing may be attended", () => {
  assert.equal(rowsAreWeights([0.5, 0.5, 0, 0], 2), true);
  assert.equal(rowsAreWeights([0.5, 0.6], 2), false);
  assert.equal(rowsAreWeights([1.5, -0.5], 2), false);
  assert.equal(rowsAreWeights([0, 0], 2), false);
});

/** @param {any} output @param {any[]} [views] */
function tableText(output, views = []) {
  const tables = outputTables("weights", output, { views, controls: [] }, { outputs: {}, state: {} });
  return tables.map((each) => Array.from(each.querySelectorAll("tr"), (row) => Array.from(row.children, (cell) => cell.textContent).join("|")));
}

test("weights are written with the sum of each row", () => {
  const output = { shape: [2, 2], dtype: "float32", data: Float32Array.of(0.25, 0.75, 0, 0) };
  const source = { output: "weights" };
  for (const view of [
    { kind: "heatmap", source, rows_axis: "queries", cols_axis: "keys" },
    { kind: "flow", parts: [{ source, axes: ["queries", "keys"] }], rows_axis: "queries", cols_axis: "keys" },
  ])
    assert.equal(tableText(output, [view])[0][0].endsWith("2|row sum"), true);
  const map = { kind: "heatmap", source, rows_axis: "queries", cols_axis: "keys" };
  assert.deepEqual(tableText(output, [map]), [["|key 1|key 2|row sum", "query 1|0.2500|0.7500|1.0000", "query 2|0.0000|0.0000|0.0000"]]);
});

test("other numbers that happen to add up to 1 have no row sum", () => {
  const output = { shape: [2], dtype: "float32", data: Float32Array.of(1, 0) };
  const bars = { kind: "bars", source: { output: "weights" }, axis: "ways" };
  assert.deepEqual(tableText(output, [bars]), [["|1|2", "|1.0000|0.0000"]]);
});

test("the labels of a view name the rows and columns of its output", () => {
  const output = { shape: [1, 2], dtype: "float32", data: Float32Array.of(2, 3) };
  const view = { kind: "heatmap", source: { output: "weights" }, xticks: { values: ["我", "你"] }, yticks: null, rows_axis: "queries", cols_axis: "keys" };
  assert.deepEqual(tableText(output, [view]), [["|我|你", "query 1|2.0000|3.0000"]]);
});

test("a stack of matrices is one table each", () => {
  const output = { shape: [2, 1, 1], dtype: "int64", data: Float64Array.of(4, 5) };
  assert.deepEqual(tableText(output), [["|1", "row 1|4"], ["|1", "row 1|5"]]);
});
