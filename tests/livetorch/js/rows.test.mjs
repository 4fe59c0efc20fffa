import assert from "node:assert/strict";
import { test } from "node:test";

import "./page.mjs";

const { GAP, rowsFor } = await import("../../../livetorch/js/figure/rows.mjs");
await import("../../../livetorch/js/parts/all.mjs");
const { viewOf } = await import("../../../livetorch/js/views/index.mjs");

const map = (/** @type {string} */ output, more = {}) => ({
  kind: "heatmap", source: { output }, xlabel: "Keys", ylabel: "Queries", xticks: null, yticks: null, annotate: "auto", rows_axis: "queries", cols_axis: "keys", ...more,
});
const table = { kind: "table", parts: [{ source: { output: "w" }, label: "w", sums: false, axes: ["queries", "keys"] }], decimals: 2, rows: null, cols: null, rows_axis: "queries", cols_axis: "keys" };
const frame = { outputs: { w: { shape: [6, 6], dtype: "float32", data: Array(36).fill(0.25) } }, state: {}, history: null };
const sizes = (/** @type {any[]} */ views) => views.map((view) => viewOf(view.kind, "sizeOf")(view, frame, {}));
const order = (/** @type {any[]} */ rows) => rows.map((row) => row.views);

for (const [what, views, room, wanted] of /** @type {[string, any[], number, number[][]][]} */ ([
  ["two maps of the same queries and keys share a row on a desk", [map("w"), map("w")], 702, [[0, 1]]],
  ["and on a phone", [map("w"), map("w")], 296, [[0, 1]]],
  ["maps of other things do not on a phone", [map("w"), map("w", { cols_axis: "numbers" })], 296, [[0], [1]]],
  ["but where half of it holds their few cells, they do", [map("w"), map("w", { cols_axis: "numbers" })], 459, [[0, 1]]],
  ["and not on a desk of that room", [map("w", { annotate: "auto" }), map("w", { cols_axis: "numbers" })], 460, [[0], [1]]],
  ["a table stands beside its map where both fit", [map("w"), table], 702, [[0, 1]]],
  ["and below it on a phone", [map("w"), table], 296, [[0], [1]]],
  ["tokens have a row to themselves", [{ kind: "tokens" }, map("w")], 960, [[0], [1]]],
])) {
  test(what, () => assert.deepEqual(order(rowsFor(sizes(views), room)), wanted));
}

test("the order of views is the order of reading, and no row is wider than its room", () => {
  const views = [map("w"), { kind: "lines" }, map("w"), table, { kind: "history" }, map("w"), { kind: "plane" }];
  for (const room of [296, 420, 702, 960]) {
    const rows = rowsFor(sizes(views), room);
    assert.deepEqual(order(rows).flat(), views.map((_, i) => i));
    for (const { widths } of rows) assert.ok(widths.reduce((a, b) => a + b, 0) + GAP * (widths.length - 1) <= room);
  }
});

test("maps of one kind in a row are equally wide", () => {
  const [{ widths }] = rowsFor(sizes([map("w"), map("w")]), 500);
  assert.equal(widths[0], widths[1]);
});

test("an author puts views together, and they part where there is no room", () => {
  const views = [map("w"), map("w"), map("w")];
  assert.deepEqual(order(rowsFor(sizes(views), 960, [[0], [1, 2]])), [[0], [1, 2]]);
  assert.deepEqual(order(rowsFor(sizes([table, { kind: "lines" }]), 420, [[0, 1]])), [[0], [1]]);
});

test("on a wide page the cells of a small map grow, and in a still picture they do not", () => {
  const alone = (/** @type {number} */ room) => rowsFor(sizes([map("w")]), room)[0].widths[0];
  assert.equal(alone(702), Math.floor(sizes([map("w")])[0].ideal));
  assert.equal(alone(960) - alone(702), 6 * (64 - 46));
});
