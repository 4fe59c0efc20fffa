// A strip of shares, one large number, rings and block lines: what is drawn where.
import assert from "node:assert/strict";
import { test } from "node:test";
import { axesOf, overCells } from "../../../livetorch/js/views/heatmap_picture.mjs";
import { markedCells } from "../../../livetorch/js/views/heatmap_picture.mjs";
import { heatmapLayout } from "../../../livetorch/js/views/layout.mjs";
import { placeNames } from "../../../livetorch/js/views/names.mjs";
import { numberPicture } from "../../../livetorch/js/views/number.mjs";
import { piecesOf, stripPicture } from "../../../livetorch/js/views/strip.mjs";
import "./page.mjs";

const { create: createStrip } = await import("../../../livetorch/js/views/strip.mjs");

const all = (shapes) => shapes.flatMap((shape) => [shape, ...(Array.isArray(shape[2]) ? all(shape[2]) : [])]);
const ofClass = (shapes, name) => all(shapes).filter(([, { class: names = "" } = {}]) => String(names).split(" ").includes(name));

test("pieces follow each other, and what is no share takes no room", () => {
  assert.deepEqual(piecesOf([0.25, NaN, 0.5, -1]), [{ start: 0, end: 0.25 }, { start: 0.25, end: 0.25 }, { start: 0.25, end: 0.75 }, { start: 0.75, end: 0.75 }]);
  assert.deepEqual(piecesOf([0.75, 0.75]).at(-1), { start: 0.75, end: 1 }); // nothing beyond the strip
});

const values = [0.25, 0.5, 0.25];
const drawn = (/** @type {number|null} */ pointer, more = {}) => stripPicture({ axis: "keys" }, { values, labels: ["a", "b", "c"], pointer, width: 416, theme: "light", ...more });

test("pieces are as long as their numbers, and the one under the pointer stands out", () => {
  const pieces = ofClass(drawn(0.5).shapes, "lt-piece");
  assert.deepEqual(pieces.map(([, { x, width }]) => [x, width]), [[8, 100], [108, 200], [308, 100]]);
  assert.deepEqual(pieces.map(([, { class: names }]) => names.includes("lt-marked")), [false, true, false]);
  assert.equal(drawn(0.25).hit, 1); // a piece owns its beginning
  assert.deepEqual(ofClass(drawn(null).shapes, "lt-pointer"), []);
});

test("a place on the strip is the piece that lies there", () => {
  const { at, boxOf } = drawn(null);
  assert.deepEqual([7, 8, 107.9, 108, 407.9, 409].map((px) => at(px)), [-1, 0, 0, 1, 2, -1]);
  assert.deepEqual(boxOf("source", 1).slice(0, 2), [108, 200]);
});

test("columns are as high as they are large, their scores above them, and each leads down to its piece", () => {
  const { shapes, at, fieldAt, boxOf } = drawn(null, { columns: [1, 2, 1], scores: [0, 0.69, 0] });
  const columns = ofClass(shapes, "lt-column");
  assert.deepEqual(columns.map(([, { height }]) => height), [46, 92, 46]);
  const ends = (/** @type {number[]} */ of) => ofClass(drawn(null, { columns: of }).shapes, "lt-piece-end").map(([, , text]) => text);
  assert.deepEqual([ends([1, 2, 1]), ends([1, 148.41, 7]), ends([0, 0, 0])], [["2", "0", "0", "1"], ["200", "0", "0", "1"], ["1", "0", "0", "1"]], "an axis says how high they reach");
  assert.deepEqual(ofClass(shapes, "lt-bar-number").slice(0, 3).map(([, , text]) => text), ["0.00", "0.69", "0.00"]);
  assert.equal(ofClass(shapes, "lt-band").length, 3);
  assert.equal(at(200, 40), 1); // a column, not the piece that lies below it
  const middle = (/** @type {string} */ field) => boxOf(field, 1)[2] + boxOf(field, 1)[3] / 2;
  assert.equal(at(60, middle("source")), 0);
  for (const field of ["scores", "columns", "source"]) assert.equal(fieldAt(1, middle(field)), field); // each number opens itself
});

test("columns that are the shares carry their numbers, and the pieces none", () => {
  const shares = [0.9, 0.06, 0.04];
  const { shapes } = drawn(null, { values: shares, columns: shares });
  assert.deepEqual(ofClass(shapes, "lt-bar-number").map(([, , text]) => text), ["0.90", "0.06", "0.04"]);
  assert.deepEqual(ofClass(drawn(null, { columns: [2, 4, 2] }).shapes, "lt-bar-number").filter(([, { y }]) => y < 112), []);
  const scores = ofClass(drawn(null, { columns: [2, 4, 2], scores: [2, 4, 2] }).shapes, "lt-bar-number").slice(0, 3);
  assert.deepEqual(scores.map(([, , text]) => text), ["2", "4", "2"]); // whole numbers need no point
});

test("what is masked has an empty place, no score and no piece, and the others fill the strip", () => {
  const { shapes } = drawn(null, { values: [0.5, 0, 0.5], columns: [1, 0, 1], scores: [0, -9, 0], kept: [true, false, true] });
  assert.deepEqual([ofClass(shapes, "lt-column").length, ofClass(shapes, "lt-no-column").length, ofClass(shapes, "lt-band").length], [2, 1, 2]);
  assert.deepEqual(all(shapes).flatMap(([, , text]) => (typeof text === "string" && text.includes("9") ? [text] : [])), []);
  assert.deepEqual(ofClass(shapes, "lt-piece").map(([, { width }]) => width), [200, 0, 200]);
});

test("a piece that loses its share falls out of where it was, and the die says what it falls on", () => {
  const spec = { kind: "strip", source: { output: "p" }, columns: null, scores: null, mask: null, pointer: { output: "die" }, labels: { values: ["a", "b", "c"] }, axis: "keys", query_axis: "queries", title: "Die" };
  const said = /** @type {string[]} */ ([]);
  const view = createStrip(spec, /** @type {any} */ ({ theme: () => "light", highlight() {}, announce: (/** @type {string} */ text) => said.push(text), controls: {}, reducedMotion: () => true }));
  const frame = (/** @type {number[]} */ p, /** @type {number} */ die) => ({ outputs: { p: { shape: [3], data: p }, die: { shape: [], data: [die] } }, state: {}, history: null });
  const readout = () => view.element.querySelector(".lt-readout")?.textContent;
  view.update(frame([0.25, 0.5, 0.25], 0.9));
  assert.equal(readout(), "0.90 falls on key 3 (c)");
  assert.equal(view.element.querySelector(".lt-fallen"), null);
  view.update(frame([0.5, 0.5, 0], 0.9));
  assert.equal(readout(), "0.90 falls on key 2 (b)");
  const fallen = view.element.querySelectorAll(".lt-fallen");
  assert.equal(fallen.length, 1);
  assert.ok(Math.abs(Number(fallen[0].getAttribute("x")) - (8 + 0.75 * 344)) < 1e-9);
  view.element.querySelector(".lt-stage")?.dispatchEvent(new window.KeyboardEvent("keydown", { key: "End", bubbles: true }));
  assert.deepEqual(said, ["key 3 (c): 0.00"]);
});

test("a number is written with its unit", () => {
  const [[, , words]] = numberPicture({ format: ".1f", unit: "°C" }, -16.52, 200).shapes;
  assert.deepEqual(words.map(([, , text]) => text), ["−16.5", "°C"]);
});

test("rings of one matrix stand in every head, and block lines between blocks only", () => {
  const size = { panels: 2, rows: 2, cols: 4 };
  const marked = markedCells({ shape: [2, 4], data: [1, 0, 0, 0, 0, 0, 0, 1] }, size);
  assert.deepEqual(marked, [[0, 0, 0], [0, 1, 3], [1, 0, 0], [1, 1, 3]]);
  const layout = heatmapLayout({ ...size, width: 500, xLabels: null, yLabels: null, titles: [null, null], xlabel: "", ylabel: "" });
  const over = overCells(layout, { block: [0, 2] }, { ...size, marked });
  const lines = ofClass(over, "lt-block");
  assert.deepEqual(lines.map(([, { x1 }]) => x1), layout.origins.map(({ x }) => x + 2 * layout.cell.width));
  assert.equal(ofClass(over, "lt-ring").length, 4);
  assert.deepEqual(overCells(layout, {}, { ...size, marked: [] }), []);
  assert.ok(axesOf(layout, { xlabel: "", ylabel: "" }, null, null).length);
});

test("names of points at one place stand apart, and none leaves the plane", () => {
  const room = { left: 30, width: 300, bottom: 200 };
  const points = [[150, 100], [152, 101], [299, 199]].map(([x, y]) => ({ x, y, text: "name", side: /** @type {const} */ ([1, -1]) }));
  const places = placeNames(points, room);
  assert.deepEqual(places[0], { x: 140, y: 93, anchor: "end" }, "away from the other point, whose name it could seem to be");
  assert.notDeepEqual([places[1].anchor, Math.abs(places[1].y - places[0].y) < 12], ["end", true]);
  assert.deepEqual(placeNames(points.slice(0, 1), room)[0], { x: 160, y: 93, anchor: "start" });
  assert.equal(places[2].anchor, "end");
});
