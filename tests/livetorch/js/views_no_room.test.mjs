// Pictures in what is folded, where there is no room: nothing has a size below 0.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./page.mjs";

const { barsPicture } = await import("../../../livetorch/js/views/bars.mjs");

test("bars without room have no width", () => {
  for (const width of [0, 30, 60, 600]) {
    const what = { values: [0.1, 0.9], labels: null, domain: [0, 1], width, theme: /** @type {const} */ ("light") };
    const drawn = JSON.stringify(barsPicture({ xlabel: "Key", ylabel: "Weight" }, what));
    const widths = [...drawn.matchAll(/"lt-bar","x":[^,]*,"width":(-?[\d.]+)/g)].map((found) => Number(found[1]));
    assert.equal(widths.length, 2);
    assert.ok(widths.every((one) => one >= 0), `${widths} in ${width}`);
    assert.ok(width < 600 || widths[0] > 10);
  }
});

test("where numbers do not fit beside each other they stand turned, and nothing is left without one", () => {
  const numbers = (/** @type {number} */ width, values = Array(10).fill(0.1)) => {
    const what = { values, labels: null, domain: [0, 1], width, theme: /** @type {const} */ ("light") };
    const { shapes } = barsPicture({ xlabel: "Digit", ylabel: "Share" }, what);
    const drawn = JSON.stringify(shapes);
    return [drawn.split("lt-bar-number").length - 1, drawn.split("lt-turned").length - 1];
  };
  assert.deepEqual(numbers(600), [10, 0]);
  assert.deepEqual(numbers(300), [10, 10]);
  assert.deepEqual(numbers(120), [0, 0]);
  assert.deepEqual(numbers(300, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]), [1, 0]); // beside missing bars there is room
});
