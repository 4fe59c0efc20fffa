// Shares of one bar, one large number, rings and block lines: what is drawn where.
import assert from "node:assert/strict";
import { test } from "node:test";
import { axesOf, overCells } from "../../../livetorch/js/views/heatmap_axes.mjs";
import { markedCells } from "../../../livetorch/js/views/heatmap_content.mjs";
import { heatmapLayout } from "../../../livetorch/js/views/layout.mjs";
import { placeNames } from "../../../livetorch/js/views/names.mjs";
import { numberPicture } from "../../../livetorch/js/views/number.mjs";
import { piecesOf, sharesPicture } from "../../../livetorch/js/views/shares.mjs";

const all = (shapes) => shapes.flatMap((shape) => [shape, ...(Array.isArray(shape[2]) ? all(shape[2]) : [])]);
const ofClass = (shapes, name) => all(shapes).filter(([, { class: names = "" } = {}]) => String(names).split(" ").includes(name));

test("pieces follow each other, and what is no share takes no room", () => {
  assert.deepEqual(piecesOf([0.25, NaN, 0.5, -1]), [{ start: 0, end: 0.25 }, { start: 0.25, end: 0.25 }, { start: 0.25, end: 0.75 }, { start: 0.75, end: 0.75 }]);
  assert.deepEqual(piecesOf([0.75, 0.75]).at(-1), { start: 0.75, end: 1 }); // nothing beyond the bar
});

const spec = { xlabel: "", shares: {} };
const drawn = (pointer) => sharesPicture(spec, { values: [0.25, 0.5, 0.25], labels: ["a", "b", "c"], pointer, width: 416, theme: "light" });

test("pieces are as long as their numbers, and the one under the pointer stands out", () => {
  const pieces = ofClass(drawn(0.5).shapes, "lt-piece");
  assert.deepEqual(pieces.map(([, { x, width }]) => [x, width]), [[8, 100], [108, 200], [308, 100]]);
  assert.deepEqual(pieces.map(([, { class: names }]) => names.includes("lt-marked")), [false, true, false]);
  assert.deepEqual(ofClass(drawn(0.25).shapes, "lt-piece").findIndex(([, { class: names }]) => names.includes("lt-marked")), 1); // a piece owns its beginning
  assert.deepEqual(ofClass(drawn(null).shapes, "lt-pointer"), []);
});

test("a place on the bar is the piece that lies there", () => {
  const { at, span } = drawn(null);
  assert.deepEqual([7, 8, 107.9, 108, 407.9, 409].map(at), [-1, 0, 0, 1, 2, -1]);
  assert.deepEqual(span(1), [108, 200]);
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
  assert.deepEqual(places[0], { x: 160, y: 93, anchor: "start" });
  assert.notDeepEqual([places[1].anchor, Math.abs(places[1].y - places[0].y) < 12], ["start", true]);
  assert.equal(places[2].anchor, "end");
});
