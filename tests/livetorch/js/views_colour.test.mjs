import assert from "node:assert/strict";
import { test } from "node:test";
import { panelPixels } from "../../../livetorch/js/views/cells.mjs";
import stops from "../../../livetorch/colours.json" with { type: "json" };
import { axisColour, colourLimits, colourStep, colourTable, contrast, hueClass, niceCeil, numberColour, rampStops, roleColour } from "../../../livetorch/js/shared/colour.mjs";

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

test("numbers along an axis have the hue of the role that they play, and of none where they play none", () => {
  for (const theme of ["light", "dark"]) {
    const [weight, value, below] = ["weight", "value", "suppressed"].map((role) => roleColour(role, theme));
    assert.deepEqual([numberColour({ axis: "keys" }, theme), numberColour({ axis: "keys" }, theme, true)], [weight, below]);
    assert.equal(numberColour({ axis: "keys", hue: "value" }, theme), value);
    const none = [numberColour({ axis: "digits" }, theme), numberColour({ axis: "queries" }, theme, true), numberColour({ axis: "keys", hue: null }, theme)];
    assert.deepEqual(none, Array(3).fill(stops.series[theme][0]));
  }
});

test("both halves of the diverging scale move away from the middle", () => {
  const { rgb } = colourTable("diverging", "light");
  assert.ok(light(rgb.slice(0, 3)) < 0.5 * light(rgb.slice(3 * 127, 3 * 127 + 3)));
  const spread = (/** @type {number} */ at) => Math.max(...rgb.slice(at, at + 3)) - Math.min(...rgb.slice(at, at + 3));
  assert.ok(spread(0) < 40, "grey below 0");
  assert.ok(rgb[767] > rgb[766] + 60, "violet above 0");
});

test("a large score has the colour of a large weight", () => {
  for (const theme of ["light", "dark"]) {
    assert.deepEqual(rampStops("diverging", theme).at(-1), rampStops("sequential", theme).at(-1));
    assert.deepEqual(rampStops("diverging", theme)[4], rampStops("sequential", theme)[0]);
  }
});

test("words in a role's colour can be read on the page and on a card: contrast at least 4.5", () => {
  for (const theme of ["light", "dark"]) {
    for (const role of ["query", "key", "value", "weight", "suppressed"]) {
      for (const ground of [stops.page[theme].paper, stops.page[theme].card, stops.page[theme].wash]) {
        const got = contrast(hex(roleColour(role, theme)), hex(ground));
        assert.ok(got >= 4.5, `${role} ${theme} on ${ground}: ${got.toFixed(2)}`);
      }
    }
  }
});

test("what lies along an axis has the colour of its role, else of a series", () => {
  assert.equal(axisColour("Queries", 3, "light"), roleColour("query", "light"));
  assert.equal(axisColour("keys", 0, "dark"), roleColour("key", "dark"));
  assert.equal(axisColour("heads", 7, "light"), stops.series.light[1]);
  assert.equal(axisColour(null, 0, "light"), stops.series.light[0]);
});

test("the title of an axis has the hue of a role that it names, and a product none", () => {
  assert.deepEqual(["Keys", "Queries (x)", "weight"].map(hueClass), [" lt-of-key", " lt-of-query", " lt-of-weight"]);
  assert.deepEqual(["Weight times value", "Value of key 1 to 6", "Width"].map(hueClass), ["", " lt-of-value", ""]);
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
  const image = (/** @type {number} */ width) => ({ width, height: 1, data: new Uint8ClampedArray(4 * width) });
  const [all, few] = [image(4), image(2)];
  for (const each of [all, few]) panelPixels({ data: values, rows: 1, cols: 4 }, 1, each, table, [0, 1], [1, 2, 3]);
  const at = (v) => [...table.rgb.slice(3 * colourStep(v, [0, 1]), 3 * colourStep(v, [0, 1]) + 3), 255];
  assert.deepEqual([...all.data], [...at(0), ...at(0.5), ...at(1), 1, 2, 3, 255]);
  assert.deepEqual([...few.data], [...at(0.5), 1, 2, 3, 255], "in a panel of fewer pixels, cells at equal distances");
});

const { contentOf } = await import("../../../livetorch/js/views/heatmap_picture.mjs");
const { cellNumbers } = await import("../../../livetorch/js/views/cells.mjs");

test("small weights get a scale of their own, large ones 0 to 1, and scores theirs", () => {
  const spec = { source: { output: "w" }, scale: "sequential", vmin: null, vmax: null };
  const scale = (/** @type {number[]} */ data, more = {}) => {
    const { limits, own } = /** @type {any} */ (contentOf({ ...spec, ...more }, { outputs: { w: { shape: [1, data.length], data } }, state: {} }, {}));
    return [...limits, own];
  };
  assert.deepEqual(scale([0.05, 0.04]), [0, 0.05, true]);
  assert.deepEqual(scale([0.25, 0.04]), [0, 1, false]);
  assert.deepEqual(scale([0, 0]), [0, 1, false]);
  assert.deepEqual(scale([0.1, 0.2], { vmax: 0.6 }), [0, 0.6, false]);
});

test("a weight that would read 0.00 is left out, a score of 0 is not", () => {
  const panel = { data: [0.001, 0.5], rows: 1, cols: 2, start: 0, hidden: () => false };
  const texts = (/** @type {boolean} */ leaks) => cellNumbers(panel, { limits: [0, 1], fit: { decimals: 2 }, leaks }).map(({ text }) => text);
  assert.deepEqual([texts(true), texts(false)], [["0.50"], ["0.00", "0.50"]]);
});

test("what a masked cell holds is written in a map of weights, and in one that says so", () => {
  const leaks = (/** @type {any} */ more) => {
    const frame = /** @type {any} */ ({ outputs: { w: { shape: [1, 2], data: [-0.4, 0] } }, state: {} });
    return /** @type {any} */ (contentOf({ source: { output: "w" }, scale: "diverging", ...more }, frame, {})).leaks;
  };
  assert.deepEqual([leaks({}), leaks({ nonzero: true }), leaks({ scale: "sequential" })], [false, true, true]);
  const panel = { data: [-0.4, 0, 0.2], rows: 1, cols: 3, start: 0, hidden: (/** @type {number} */ i) => i < 2 };
  const texts = (/** @type {boolean} */ shown) => cellNumbers(panel, { limits: [-1, 1], fit: { decimals: 2 }, leaks: shown }).map(({ text }) => text);
  assert.deepEqual([texts(true), texts(false)], [["−0.40", "0.20"], ["0.20"]]);
});
