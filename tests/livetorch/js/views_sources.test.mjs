import assert from "node:assert/strict";
import { test } from "node:test";
import { shownRow } from "../../../livetorch/js/views/bars.mjs";
import { usedTokens } from "../../../livetorch/js/shared/tokens.mjs";
import { asTensor, labelsOf, resolve, rowsOf } from "../../../livetorch/js/views/sources.mjs";
import { keyStep, movePoint, pointsIn } from "../../../livetorch/js/views/handles.mjs";
import { hiddenCells, panelShape } from "../../../livetorch/js/views/heatmap_picture.mjs";
import { logDomain, seriesOf, stepReach } from "../../../livetorch/js/views/history.mjs";
import { curvesOf, pointsOf } from "../../../livetorch/js/views/lines.mjs";
import { linksOf, tip } from "../../../livetorch/js/views/plane.mjs";
import { tablesOf } from "../../../livetorch/js/views/table.mjs";
import { visibleToken } from "../../../livetorch/js/shared/format.mjs";
import { tokenRow } from "../../../livetorch/js/views/tokens.mjs";

const tensor = (shape, data, dtype = "float32") => ({ shape, data: Float32Array.from(data), dtype });
const frame = { outputs: { w: tensor([2, 3], [1, 2, 3, 4, 5, 6]) }, state: { p: [[1, 2], [3, 4]], t: "to be or not to be" }, history: null };

test("numbers come from outputs, controls or constants", () => {
  assert.equal(resolve({ output: "w" }, frame), frame.outputs.w);
  assert.deepEqual(resolve({ control: "p" }, frame).data, [1, 2, 3, 4]);
  assert.deepEqual(resolve({ values: [[true], [false]] }, frame), { shape: [2, 1], data: [1, 0], dtype: "bool" });
  assert.equal(resolve({ output: "gone" }, frame), null);
});

test("a plain number is a tensor of rank 0", () => {
  assert.deepEqual(asTensor(3).shape, []);
  assert.deepEqual(rowsOf(tensor([], [3])), [[3]]);
});

test("labels are a list, the tokens of a text, or ids named by a vocabulary", () => {
  assert.deepEqual(labelsOf({ values: ["a"] }, frame, {}), ["a"]);
  assert.deepEqual(labelsOf({ text: "t" }, frame, { t: { unit: "word", length: 3 } }), ["to", "be", "or"]);
  const ids = { outputs: { ids: tensor([3], [1, 0, 7]) }, state: {} };
  assert.deepEqual(labelsOf({ ids: "ids", vocabulary: ["x", "y"] }, ids, {}), ["y", "x", "7"]);
  assert.equal(labelsOf(null, frame, {}), null);
});

test("tokens without an id are left out, unless unknown tokens have one", () => {
  assert.deepEqual(usedTokens({ vocabulary: ["a", "b"] }, "abcab"), ["a", "b", "a", "b"]);
  assert.deepEqual(usedTokens({ vocabulary: ["a", "b"], unknown: 0 }, "abcab"), ["a", "b", "c", "a", "b"]);
  assert.deepEqual(usedTokens({}, "我😀"), ["我", "😀"]);
});

test("a mask of one matrix hides the same cells in all heads", () => {
  const size = panelShape([2, 2, 2]);
  assert.deepEqual(size, { panels: 2, rows: 2, cols: 2 });
  const { hidden, any } = hiddenCells({ shape: [2, 2], data: [1, 0, 1, 1] }, size);
  assert.ok(any && hidden(0, 1) && hidden(1, 1) && !hidden(1, 0));
});

test("a mask smaller than the matrix hides nothing outside itself", () => {
  const { hidden } = hiddenCells({ shape: [1, 1], data: [0] }, { panels: 1, rows: 2, cols: 2 });
  assert.deepEqual([0, 1, 2, 3].map((i) => hidden(0, i)), [true, false, false, false]);
});

test("a mask of heads hides cells head by head", () => {
  const { hidden } = hiddenCells({ shape: [2, 1, 2], data: [1, 0, 0, 1] }, { panels: 2, rows: 1, cols: 2 });
  assert.deepEqual([hidden(0, 0), hidden(0, 1), hidden(1, 0), hidden(1, 1)], [false, true, true, false]);
});

test("curves of a matrix are its rows, numbered from 1 when there is no x", () => {
  const spec = { x: null, y: [{ source: { output: "w" }, label: "w" }], labels: null, points: null };
  const curves = curvesOf(spec, frame);
  assert.deepEqual(curves.map((c) => c.label), ["w 1", "w 2"]);
  assert.deepEqual(curves[1], { label: "w 2", xs: [1, 2, 3], ys: [4, 5, 6], source: { output: "w" }, row: 1 });
  assert.deepEqual(curvesOf({ ...spec, labels: ["a", "b"] }, frame).map((c) => c.label), ["a", "b"]);
});

test("scattered points are pairs", () => {
  const points = { x: { values: [1, 2] }, y: { values: [5, 6] } };
  assert.deepEqual(pointsOf({ points }, frame), [[1, 5], [2, 6]]);
  assert.deepEqual(pointsOf({ points: null }, frame), []);
});

test("bars show the row of the marked query, else the first", () => {
  assert.deepEqual(shownRow(frame.outputs.w, 1).values, [4, 5, 6]);
  assert.deepEqual(shownRow(frame.outputs.w, null).values, [1, 2, 3]);
  assert.deepEqual(shownRow(frame.outputs.w, 9).row, 0);
  assert.deepEqual(shownRow(tensor([2], [7, 8]), 1).values, [7, 8]);
});

test("a moved point stays in its domain, the others stay where they are", () => {
  const points = [[0, 0], [1, 1]];
  assert.deepEqual(movePoint(points, 1, [9, 0.5], [[-2, 2], [-2, 2]]), [[0, 0], [2, 0.5]]);
  assert.deepEqual(points, [[0, 0], [1, 1]]);
  assert.deepEqual(movePoint([[3]], 0, [4.2], [[0, 5]]), [[4.2]]);
});

test("arrow keys move a point by 1/100 of the range, with Shift by 1/20", () => {
  const domain = [[0, 5], [-1, 1]];
  assert.deepEqual(keyStep("ArrowRight", false, domain), [0.05, 0]);
  assert.deepEqual(keyStep("ArrowDown", true, domain), [0, -0.1]);
  assert.deepEqual(keyStep("ArrowUp", false, [[0, 5]]), [0.05]);
  assert.equal(keyStep("a", false, domain), null);
});

test("a table has row sums where told, and joins rows of the same length", () => {
  const spec = { decimals: 2, rows: null, cols: { values: ["a", "b", "c"] }, rows_axis: "queries", cols_axis: "keys" };
  const parts = [
    { source: { output: "w" }, label: "w", sums: true, axes: ["queries", "keys"] },
    { source: { values: [1, 2, 3] }, label: "one", sums: false, axes: ["queries", "keys"] },
    { source: { values: [4, 5, 6] }, label: "two", sums: false, axes: ["queries", "keys"] },
    { source: { values: 0.5 }, label: "loss", sums: false, axes: ["queries", "keys"] },
  ];
  const tables = tablesOf({ ...spec, parts }, frame, {});
  assert.equal(tables.length, 3);
  assert.deepEqual(tables[0].rows.map((r) => r.cells), [["1.00", "2.00", "3.00", "6.00"], ["4.00", "5.00", "6.00", "15.00"]]);
  assert.deepEqual(tables[0].cols, ["a", "b", "c"]);
  assert.deepEqual(tables[1].rows.map((r) => r.name), ["one", "two"]);
  assert.deepEqual(tables[2].rows[0].cells, ["0.50"]);
});

test("tokens show the chosen query, counted from the end when negative", () => {
  assert.deepEqual(tokenRow(frame.outputs.w, -1), { queries: 2, row: 1, weights: [4, 5, 6] });
  assert.deepEqual(tokenRow(tensor([2], [7, 8]), 3), { queries: 0, row: 0, weights: [7, 8] });
  assert.deepEqual([" a b\n", "  ", ""].map(visibleToken), ["␣a b⏎", "␣␣", "∅"]);
});

test("lines between points are drawn where weight can be seen", () => {
  const groups = [{ points: [[0, 0]] }, { points: [[1, 1], [2, 2]] }];
  assert.deepEqual(linksOf(tensor([1, 2], [0.995, 0.005]), groups).map((l) => [l.q, l.k]), [[0, 0]]);
  assert.deepEqual(linksOf(null, groups), []);
  assert.equal(tip([0, 0], [5, 0]), "", "no head on a short arrow");
});

test("history begins at step 0 and its axis reaches a round number", () => {
  const loss = (v) => ({ loss: tensor([], [v]) });
  const spec = { series: [{ output: "loss", label: "loss" }] };
  assert.deepEqual(seriesOf(spec, { history: [loss(3), loss(2)], outputs: {} })[0].values, [3, 2]);
  assert.deepEqual(seriesOf(spec, { history: null, outputs: loss(3) })[0].values, [3]);
  assert.deepEqual([0, 11, 51, 201, 300, 301, 9000].map(stepReach), [10, 20, 100, 300, 300, 400, 10000]);
  assert.deepEqual(logDomain([0.2, 30], null), [0.1, 100]);
});

test("rows of a table beyond a typed text are named by a point, as in a heatmap", () => {
  const parts = [{ source: { output: "x" }, label: "x", axes: ["queries", "dim"], sums: false }];
  const frame = { outputs: { x: { shape: [3, 1], data: [1, 2, 3], dtype: "float32" } }, state: { text: "ab" }, history: null };
  const spec = { parts, rows: { text: "text" }, cols: null, rows_axis: "queries", cols_axis: "dim", decimals: 1 };
  const [table] = tablesOf(spec, frame, { text: {} });
  assert.deepEqual(table.rows.map((row) => row.name), ["a", "b", "·"]);
  assert.deepEqual(table.cols, ["1"]);
});

test("points of a control that has none yet are none", () => {
  assert.deepEqual(pointsIn(null), []);
  assert.deepEqual(pointsIn([1, 2]), [[1], [2]]);
  assert.deepEqual(pointsIn([[1, 2]]), [[1, 2]]);
});
