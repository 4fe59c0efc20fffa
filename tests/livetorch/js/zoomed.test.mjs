import assert from "node:assert/strict";
import { test } from "node:test";

import { createWindow } from "../../../livetorch/js/views/zoomed.mjs";

const whole = { row: 0, col: 0, rows: 100, cols: 200 };

test("a window grows around the place that is pointed at, and never leaves the map", () => {
  const window = createWindow({ rows: 100, cols: 200 });
  assert.deepEqual(window.now(), whole);
  window.zoom(4, 0.5, 0.5);
  assert.deepEqual(window.now(), { row: 38, col: 75, rows: 25, cols: 50 }); // its middle stays
  window.zoom(1000, 1, 1);
  assert.deepEqual(window.now(), { row: 61, col: 121, rows: 4, cols: 4 }); // four of each are left
  window.zoom(0.0001, 0, 0);
  assert.deepEqual(window.now(), whole);
  assert.ok(window.isWhole());
});

test("a window pans to the edges, says when it is there, and goes no farther than a cell asks", () => {
  const window = createWindow({ rows: 100, cols: 200 });
  assert.equal(window.pan(1, 1), false); // all is seen
  window.zoom(10, 0, 0);
  assert.equal(window.pan(1, 0.5), true);
  assert.deepEqual(window.now(), { row: 5, col: 20, rows: 10, cols: 20 });
  assert.equal(window.pan(99, 99), true);
  assert.equal(window.pan(1, 1), false);
  window.show({ row: 89, col: 199 });
  assert.deepEqual(window.now(), { row: 89, col: 180, rows: 10, cols: 20 });
  window.show({ row: 99, col: 0 });
  assert.deepEqual(window.now(), { row: 90, col: 0, rows: 10, cols: 20 });
});

test("a map of another size is seen whole, one of the same size where it was", () => {
  const window = createWindow({ rows: 100, cols: 200 });
  window.zoom(10, 0, 0);
  window.of({ rows: 100, cols: 200 });
  assert.ok(!window.isWhole());
  window.of({ rows: 30, cols: 30 });
  assert.deepEqual(window.now(), { row: 0, col: 0, rows: 30, cols: 30 });
});
