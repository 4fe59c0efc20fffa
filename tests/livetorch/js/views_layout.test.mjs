import assert from "node:assert/strict";
import { test } from "node:test";
import { numbersFit } from "../../../livetorch/js/views/heatmap_picture.mjs";
import { axisLabels, cellAt, cellSize, heatmapLayout, panelColumns, thinTicks, walk } from "../../../livetorch/js/views/layout.mjs";
import { shorten, textWidth } from "../../../livetorch/js/shared/format.mjs";
import { calmDomain, domainOf, nearest, nearestPoint, tidy } from "../../../livetorch/js/views/scales.mjs";

const plain = { xLabels: null, yLabels: null, titles: [null], xlabel: "Keys", ylabel: "Queries" };

test("ticks thin out to 5, 10, ... when numbers would touch", () => {
  assert.deepEqual(thinTicks(6, 30, 20, true), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(thinTicks(12, 5, 20, true), [0, 4, 9]);
  assert.deepEqual(thinTicks(12, 4, 20, true), [4, 9]);
});

test("names thin out from the first", () => {
  assert.deepEqual(thinTicks(7, 6, 15, false), [0, 5]);
});

test("shown labels of an axis never overlap", () => {
  for (const count of [3, 17, 60, 133]) {
    for (const space of [2, 7.5, 20, 46]) {
      const { texts, ticks } = axisLabels(null, count, space, false);
      for (let i = 1; i < ticks.length; i++) {
        const free = (ticks[i] - ticks[i - 1]) * space - (textWidth(texts[ticks[i]]) + textWidth(texts[ticks[i - 1]])) / 2;
        assert.ok(free > 0, `count ${count}, space ${space}: ${free}`);
      }
    }
  }
});

test("names that do not fit side by side are turned, and long ones cut", () => {
  const labels = ["a", "international", "x".repeat(60)];
  assert.equal(axisLabels(labels, 3, 20, false).turn, -50);
  assert.equal(axisLabels(["a", "b"], 2, 20, false).turn, 0);
  assert.ok(axisLabels(labels, 3, 20, false).texts[2].endsWith("…"));
  assert.ok(textWidth(shorten("x".repeat(60), 88)) <= 88);
});

test("a space is shown as a sign, and an item without a name as a dot", () => {
  assert.deepEqual(axisLabels([" ", "a"], 3, 30, true).texts, ["␣", "a", "·"]);
});

test("letters of Chinese are counted as wide as they are high", () => {
  assert.ok(textWidth("注意力", 12) >= 36);
});

test("eight heads share rows evenly, at any width", () => {
  assert.equal(panelColumns(8, 24, 680), 4);
  assert.equal(panelColumns(8, 24, 240), 2);
  assert.equal(panelColumns(8, 6, 255), 3); // on a phone eight small maps are not much higher than four
  assert.equal(panelColumns(1, 5, 300), 1);
});

test("a heatmap fits its width from 280 to 720 pixels, whatever its shape and labels", () => {
  const words = (count) => Array.from({ length: count }, (_, i) => `${"token".repeat(1 + (i % 4))}${i}`);
  for (const width of [280, 320, 360, 480, 720]) {
    for (const [panels, rows, cols] of [[1, 1, 1], [1, 5, 6], [1, 40, 40], [1, 133, 60], [8, 24, 24], [3, 2, 100]]) {
      for (const named of [false, true]) {
        const titles = Array.from({ length: panels }, (_, p) => (panels > 1 ? `head ${p + 1}` : null));
        const labels = named ? { xLabels: words(cols), yLabels: words(rows) } : {};
        const layout = heatmapLayout({ ...plain, ...labels, width, panels, rows, cols, titles });
        assert.ok(layout.width <= width, `${width} < ${layout.width} for ${[panels, rows, cols, named]}`);
        assert.ok(layout.cell.width > 0.5 && layout.cell.height >= 2);
      }
    }
  }
});

test("a cell that stands for a block is as large as the block in the map beside it, at every width", () => {
  for (const width of [200, 280, 360, 500, 900]) {
    for (const grown of [false, true]) {
      const one = { ...plain, width, panels: 1, titles: [null], grown };
      const fine = heatmapLayout({ ...one, rows: 6, cols: 8 });
      const coarse = heatmapLayout({ ...one, rows: 2, cols: 4, span: [3, 2] });
      assert.deepEqual([coarse.cell.width, coarse.cell.height], [2 * fine.cell.width, 3 * fine.cell.height]);
      assert.deepEqual([coarse.panelWidth, coarse.panelHeight], [fine.panelWidth, fine.panelHeight]);
    }
  }
});

test("panels of a grid do not overlap", () => {
  const layout = heatmapLayout({ ...plain, width: 500, panels: 5, rows: 6, cols: 6, titles: Array(5).fill("head") });
  for (const [i, a] of layout.origins.entries()) {
    for (const b of layout.origins.slice(i + 1)) {
      assert.ok(Math.abs(a.x - b.x) >= layout.panelWidth || Math.abs(a.y - b.y) >= layout.panelHeight);
    }
  }
});

test("cells are whole pixels unless they are tiny", () => {
  assert.deepEqual(cellSize(5, 5, 400, true), { width: 46, height: 46 });
  assert.equal(cellSize(40, 40, 663, true).width, 16);
  assert.ok(cellSize(60, 133, 200, true).width < 6);
});

test("a point of the picture finds its cell, and none outside", () => {
  const layout = heatmapLayout({ ...plain, width: 400, panels: 2, rows: 3, cols: 4, titles: ["a", "b"] });
  const { x, y } = layout.origins[1];
  assert.deepEqual(cellAt(layout, 3, 4, x + 2.5 * layout.cell.width, y + 0.5 * layout.cell.height), { panel: 1, row: 0, col: 2 });
  assert.equal(cellAt(layout, 3, 4, x - 3, y + 1), null);
  assert.equal(cellAt(layout, 3, 4, x + 1, y + layout.panelHeight + 1), null);
});

test("arrow keys walk the cells and stop at the edges", () => {
  const size = { panels: 2, rows: 3, cols: 4 };
  const at = { panel: 0, row: 0, col: 3 };
  assert.deepEqual(walk(at, "ArrowRight", size), at);
  assert.deepEqual(walk(at, "ArrowDown", size), { panel: 0, row: 1, col: 3 });
  assert.deepEqual(walk(at, "Home", size), { panel: 0, row: 0, col: 0 });
  assert.deepEqual(walk(at, "End", { ...size, ctrl: true }), { panel: 0, row: 2, col: 3 });
  assert.deepEqual(walk(at, "PageDown", size), { panel: 1, row: 0, col: 3 });
  assert.equal(walk(at, "x", size), null);
});

test("numbers are written into cells only where they fit", () => {
  assert.deepEqual(numbersFit({ width: 46, height: 46 }, false), { decimals: 2, size: 12 });
  assert.equal(numbersFit({ width: 16, height: 16 }, false), null);
  assert.equal(numbersFit({ width: 28, height: 28 }, true, 120), null);
});

test("an axis is widened to round numbers, contains 0 where told, and bears no numbers at all", () => {
  assert.deepEqual(domainOf([0.13, 4.87]), [0, 5]);
  assert.deepEqual(domainOf([0.2, 0.9], null, { zero: true }), [0, 1]);
  assert.deepEqual(domainOf([NaN, Infinity]), [0, 1]);
  assert.deepEqual(domainOf([3, 3]), [2.5, 3.5]);
  assert.deepEqual(domainOf([9], [0, 1]), [0, 1]);
});

test("an axis stays while it serves, grows at once, and shrinks when half of it is empty", () => {
  assert.deepEqual(calmDomain([0, 5], [0, 4]), [0, 5]);
  assert.deepEqual(calmDomain([0, 5], [-1, 4]), [-1, 4]);
  assert.deepEqual(calmDomain([0, 5], [0, 2]), [0, 2]);
  assert.deepEqual(calmDomain(null, [0, 2]), [0, 2]);
});

test("the nearest curve index and point are found, points only within reach", () => {
  assert.equal(nearest([0, 1, 2, 3], 1.6), 2);
  assert.equal(nearestPoint([[0, 0], [10, 10]], 9, 9, 5), 1);
  assert.equal(nearestPoint([[0, 0], [10, 10]], 5, 5, 3), null);
});

test("a dragged number is rounded to its range and stays within it", () => {
  assert.equal(tidy(1.23456, [0, 5]), 1.23);
  assert.equal(tidy(9, [0, 5]), 5);
  assert.equal(tidy(-0.001, [-2, 2]), 0);
});
