import assert from "node:assert/strict";
import { test } from "node:test";
import { panelPixels } from "../../attn_helpers/live/js/views/cells.mjs";
import { colourLimits, colourStep, colourTable, contrast, niceCeil, rampStops } from "../../attn_helpers/live/js/views/colour.mjs";

const hex = (c) => [1, 3, 5].map((i) => parseInt(c.slice(i, i + 2), 16));
const light = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

test("a scale begins and ends with its first and last stop", () => {
  for (const theme of ["light", "dark"]) {
    const { rgb } = colourTable("sequential", theme);
    const stops = rampStops("sequential", theme);
    assert.deepEqual([...rgb.slice(0, 3)], hex(stops[0]));
    assert.deepEqual([...rgb.slice(-3)], hex(stops.at(-1)));
  }
});

test("the sequential scale only gets darker on light ground, and lighter on dark ground", () => {
  for (const [theme, sign] of [["light", -1], ["dark", 1]]) {
    const { rgb } = colourTable("sequential", theme);
    for (let i = 1; i < 256; i++) {
      const change = light(rgb.slice(3 * i, 3 * i + 3)) - light(rgb.slice(3 * i - 3, 3 * i));
      assert.ok(sign * change >= 0, `${theme} ${i}`);
    }
  }
});

test("both halves of the diverging scale move away from the middle", () => {
  const { rgb } = colourTable("diverging", "light");
  assert.ok(light(rgb.slice(0, 3)) < 0.5 * light(rgb.slice(3 * 127, 3 * 127 + 3)));
  assert.ok(rgb[2] > rgb[0], "blue below 0");
  assert.ok(rgb[765] > rgb[767], "orange above 0");
});

test("numbers can be read on every step: contrast at least 4.5", () => {
  for (const name of ["sequential", "diverging"]) {
    for (const theme of ["light", "dark"]) {
      const { rgb, ink } = colourTable(name, theme);
      ink.forEach((one, i) => {
        const got = contrast(hex(one), [...rgb.slice(3 * i, 3 * i + 3)]);
        assert.ok(got >= 4.5, `${name} ${theme} step ${i}: ${got.toFixed(2)}`);
      });
    }
  }
});

test("weights run from 0 to 1, scores evenly around 0", () => {
  const weights = { scale: "sequential", vmin: null, vmax: null };
  const scores = { scale: "diverging", vmin: null, vmax: null };
  assert.deepEqual(colourLimits([0.2, 0.4], weights), [0, 1]);
  assert.deepEqual(colourLimits([0.2, 0.4], { ...weights, vmax: "auto" }), [0, 0.5]);
  assert.deepEqual(colourLimits([-0.5, 2.6], scores), [-3, 3]);
  assert.deepEqual(colourLimits([-0.5, 2.6], { ...scores, vmax: 4 }), [-4, 4]);
});

test("masked, infinite and missing numbers do not stretch the scale", () => {
  const scores = { scale: "diverging", vmin: null, vmax: null };
  assert.deepEqual(colourLimits([1.9, -1e9, NaN, -Infinity], scores, (i) => i !== 1), [-2, 2]);
});

test("limits are round numbers not below the largest", () => {
  assert.deepEqual([0.3, 0.31, 7.6, 1, 0].map(niceCeil), [0.3, 0.5, 10, 1, 1]);
});

test("pixels are those of the table, NaN gets the blank colour, numbers beyond the ends the end colours", () => {
  const table = colourTable("sequential", "light");
  const values = Float32Array.of(9, -1, 0.5, 2, NaN);
  const pixels = new Uint8ClampedArray(16);
  panelPixels(values, 1, pixels, table, [0, 1], [1, 2, 3]);
  const at = (v) => [...table.rgb.slice(3 * colourStep(v, [0, 1]), 3 * colourStep(v, [0, 1]) + 3), 255];
  assert.deepEqual([...pixels], [...at(0), ...at(0.5), ...at(1), 1, 2, 3, 255]);
});
