// The cells of a still picture: each drawn once in its colour, large matrices as pixels.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inflateSync } from "node:zlib";
import { coloured } from "../../../livetorch/js/views/cells_still.mjs";
import { palettePng } from "../../../livetorch/js/shared/png.mjs";
import { selectorsOf } from "../../../livetorch/js/still/style.mjs";
import { svgText } from "../../../livetorch/js/still/text.mjs";

const colours = ["#ffffff", "#000001", "#000002", "#000003"];

/** A small generator of numbers, so that a failure comes again. @param {number} seed */
function numbers(seed) {
  let state = seed;
  return (/** @type {number} */ below) => (state = (state * 48271) % 2147483647) % below;
}

test("each cell is drawn once in its colour, and none without a number", () => {
  for (let seed = 1; seed < 200; seed += 1) {
    const next = numbers(seed);
    const [rows, cols] = [1 + next(6), 1 + next(6)];
    const levels = Array.from({ length: rows * cols }, () => next(5) - 1);
    const seen = Array(rows * cols).fill(0);
    for (const [, { fill, d }] of coloured(levels, colours, rows, cols)) {
      for (const [, left, row, length] of d.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
        for (let i = 0; i < Number(length); i += 1) seen[Number(row) * cols + Number(left) + i] += colours.indexOf(fill);
      }
    }
    assert.deepEqual(seen, levels.map((level) => Math.max(0, level)), `seed ${seed}`);
  }
});

test("a large matrix is a PNG that holds its levels", () => {
  const [rows, cols] = [300, 301]; // longer than one block of stored bytes
  const levels = Array.from({ length: rows * cols }, (_, i) => i % 4);
  const bytes = Buffer.from(palettePng(levels, colours, rows, cols).split(",")[1], "base64");
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [cols, rows]);
  const at = bytes.indexOf("IDAT");
  const lines = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4))); // checks the sum at its end
  const held = levels.map((_, i) => lines[Math.floor(i / cols) * (cols + 1) + 1 + (i % cols)]);
  assert.deepEqual(held, levels);
});

test("texts are escaped, and what only a hand needs is left out", () => {
  const shapes = [["g", { class: "lt-handle", role: "slider", tabindex: 0, "aria-label": "a", x: 1.23456 }, [["circle", { class: "lt-handle-touch", r: 17 }], ["text", {}, "a < b & c"]]]];
  assert.equal(svgText(/** @type {any} */ (shapes)), '<g class="lt-handle" x="1.23"><text>a &lt; b &amp; c</text></g>');
});

test("a rule for several names is a rule for each, so that a picture keeps those that it needs", () => {
  assert.deepEqual(selectorsOf(".a, .b .c"), [".a", ".b .c"]);
  assert.deepEqual(selectorsOf(".lt-svg :is(.a, .b).of-key, .d"), [".lt-svg .a.of-key", ".lt-svg .b.of-key", ".d"]);
});
