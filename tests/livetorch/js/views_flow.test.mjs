// Flow: what is drawn where, which cells a number was made of, what is said, and the walk that fills one matrix after the other.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { place, settle, until } from "./page.mjs";

await import("../../../livetorch/js/parts/all.mjs");
const parts = ["open", "reads", "rules"].map((name) => import(`../../../livetorch/js/parts/${name}.mjs`));
const part = Object.assign({}, ...(await Promise.all(parts)));
const { mount } = await import("../../../livetorch/js/figure/mount.mjs");
const { cellNumber, flowOf, matrixPlaces } = await import("../../../livetorch/js/views/flow_content.mjs");
const { cellBox, flowCellAt, flowLayout, walkFlow } = await import("../../../livetorch/js/views/flow_layout.mjs");
const { inWords } = await import("../../../livetorch/js/panel/reads.mjs");
const { hueOf } = await import("../../../livetorch/js/shared/colour.mjs");
const { createModel } = await import("../../../livetorch/js/figure/model.mjs");
const { createReader } = part;

const constant = { dtype: "float32", shape: [2, 2], data: Buffer.from(new Float32Array([1, 2, 0, 1]).buffer).toString("base64") };
const at = (/** @type {any} */ source, /** @type {string} */ label, /** @type {string[]} */ axes, more = {}) => ({ source, label, axes, rows: null, cols: null, mask: null, ...more });
const flow = {
  kind: "flow", stages: [[0, 1], [2], [3]], steps: ["q · k", "softmax"], title: "How",
  parts: [
    at({ control: "q" }, "queries", ["queries", "dim"], { rows: { values: ["I", "like"] } }),
    at({ output: "k" }, "keys", ["dim", "keys"]),
    at({ output: "scores" }, "scores", ["queries", "keys"], { rows: { values: ["I", "like"] } }),
    at({ output: "weights" }, "weights", ["queries", "keys"], { rows: { values: ["I", "like"] } }),
  ],
};
/** scores = q @ k, and weights = softmax of twice the scores, so that an unnamed number lies between two matrices. */
const spec = {
  format: "livetorch/figure", version: 1, name: "f", title: null, caption: null, labels: {}, rows: null, pool: [], carry: null,
  controls: [{ name: "q", label: "queries", kind: "matrix", value: [[1, 2], [3, 4]], shape: [2, 2], dtype: "float32", step: 1, min: null, max: null, description: null }],
  programs: [{
    format: "livetorch/program", version: 1, inputs: [{ name: "q", shape: [2, 2], dtype: "float32" }], constants: [constant],
    nodes: [
      { op: "aten.mm.default", args: [{ v: 0 }, { v: 1 }] }, { op: "aten.mul.Tensor", args: [{ v: 2 }, 2] }, { op: "aten.cumsum.default", args: [{ v: 3 }, -1] },
      { op: "aten._softmax.default", args: [{ v: 4 }, -1, false] },
    ],
    outputs: [{ name: "k", value: 1 }, { name: "scores", value: 2 }, { name: "weights", value: 5 }],
  }],
  variants: { controls: [], keys: { "": 0 } }, views: [flow],
};

/** A figure with the flow, and hands for it. */
async function shown(partOf = async () => part) {
  const element = place();
  const handle = mount(element, spec, { partOf });
  const stage = element.querySelector(".lt-view-flow .lt-stage");
  const press = (/** @type {string} */ key) => stage.dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const button = element.querySelector(".lt-flow-button");
  const line = () => element.querySelector(".lt-flow-said").textContent;
  const count = (/** @type {string} */ css) => element.querySelectorAll(css).length;
  const spoken = () => Array.from(element.querySelectorAll(".lt-spoken"), (/** @type {any} */ each) => each.textContent).join("");
  return { element, handle, press, button, line, count, spoken };
}

const frameOf = (/** @type {any} */ tensors) => ({ outputs: tensors, state: { q: [[1, 2], [3, 4]] }, history: null });
const four = (/** @type {number[]} */ data) => ({ shape: [2, 2], data });
const matrices = () => /** @type {any[]} */ (flowOf(flow, frameOf({ k: four([1, 2, 0, 1]), scores: four([1, 4, 3, 10]), weights: four([0.5, 0.5, 0.25, 0.75]) }), {}));

test("a matrix has the colour of its role, by its axes", () => {
  const hues = [["queries", "dim"], ["keys", "dim"], ["keys", "value_dim"], ["queries", "keys"], ["tokens", "d_model"]].map(hueOf);
  assert.deepEqual(hues, ["query", "key", "value", "weight", null]);
});

test("weights have one scale, from 0 to 1, however small they are; other numbers reach as far as they do", () => {
  const small = frameOf({ k: four([0.1, 0.2, 0, 0.1]), scores: four([1, 4, 3, 10]), weights: four([0.25, 0.25, 0.25, 0.25]) });
  const [queries, , scores, weights] = /** @type {any[]} */ (flowOf(flow, small, {}));
  assert.equal(weights.reach, 1);
  assert.deepEqual([queries.reach, scores.reach], [5, 10]);
});

test("whole numbers are written so, others as far as there is room", () => {
  const [queries, , , weights] = matrices();
  assert.equal(cellNumber(queries, 3, 40), "4");
  assert.equal(cellNumber(weights, 2, 40), "0.25");
  assert.deepEqual([34, 20, 12, 4].map((room) => cellNumber({ ...weights, data: [12.345] }, 0, room)), ["12.35", "12", "", ""]);
});

for (const width of [960, 702, 336, 280]) {
  test(`at ${width} pixels no two matrices touch, none leaves the view, and each cell is found again`, () => {
    const all = matrices();
    const layout = flowLayout(all, flow, width);
    const boxes = layout.places.map(({ left, top, x, y, cell }, p) => [left, top, x + cell.width * all[p].cols, y + cell.height * all[p].rows]);
    boxes.forEach((a, i) => {
      assert.ok(a[0] >= 0 && a[1] >= 0 && a[2] <= width && a[3] <= layout.height, `${i}: ${a}`);
      for (const b of boxes.slice(i + 1)) assert.ok(a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1], `${a} and ${b}`);
    });
    for (const cell of [{ part: 0, row: 1, col: 0 }, { part: 3, row: 0, col: 1 }]) {
      const { x, y, width: w, height: h } = cellBox(layout, cell);
      assert.deepEqual(flowCellAt(layout, all, x + w / 2, y + h / 2), cell);
    }
    assert.equal(flowCellAt(layout, all, 0, 0), null);
  });
}

test("the arrow keys reach every cell of every matrix", () => {
  const all = matrices();
  const start = { part: 0, row: 0, col: 0 };
  const reached = new Map([["0:0:0", start]]);
  for (const cell of reached.values()) {
    for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) {
      const next = /** @type {any} */ (walkFlow(cell, { key }, all, flow.stages));
      reached.set(`${next.part}:${next.row}:${next.col}`, next);
    }
  }
  assert.equal(reached.size, 16);
  assert.equal(walkFlow(start, { key: "x" }, all, flow.stages), null);
});

test("a cell shows the cells that made it, across what has no name, and the sum in signs and in words", async () => {
  const { press, line, count, spoken } = await shown();
  assert.equal(count(".lt-flow-made"), 0);
  press("PageDown");
  await settle();
  assert.equal(line(), "1, the same at every setting, and stored with the figure");
  press("PageDown");
  assert.equal(line(), "1·1 + 2·0 = 1");
  assert.deepEqual([count(".lt-flow-made"), count(".lt-flow-read"), count(".lt-flow-tie")], [1, 4, 2]);
  assert.equal(spoken(), "scores, query 1 (I), key 1: 1 times 1 plus 2 times 0 equals 1");
  for (const key of ["PageDown", "ArrowDown", "End"]) press(key);
  assert.match(line(), /^e/);
  assert.deepEqual([count(".lt-flow-read"), count(".lt-flow-tie")], [2, 1]); // a row of scores, through the running sum
});

test("a moved control says the new sum", async () => {
  const { press, line, handle } = await shown();
  press("PageDown");
  press("PageDown");
  await settle();
  handle.set("q", [[5, 2], [3, 4]]);
  handle.outputs();
  assert.equal(line(), "5·1 + 2·0 = 5");
});

test("the button fills one matrix after the other, at the reader's pace", async () => {
  const { button, count, line, element } = await shown();
  assert.equal(button.textContent, "Step through");
  button.click();
  await until(() => count(".lt-flow-made"));
  assert.deepEqual([count(".lt-flow-empty"), count(".lt-flow-made")], [7, 1]); // one score is there, three and four weights are not
  assert.equal(line(), "1·1 + 2·0 = 1");
  assert.equal(button.textContent, "Fill at once");
  button.click();
  assert.equal(count(".lt-flow-empty"), 4);
  assert.equal(button.textContent, "Next: weights");
  button.click();
  button.click();
  assert.equal(count(".lt-flow-empty"), 0);
  assert.equal(button.textContent, "End");
  const back = element.querySelector(".lt-flow-foot").children[1];
  back.click(); // the weights are empty again, as they were before they were asked for
  assert.deepEqual([button.textContent, count(".lt-flow-empty")], ["Next: weights", 4]);
  button.click();
  button.click();
  assert.deepEqual([button.textContent, back.hidden], ["End", false]);
  button.click();
  assert.equal(back.hidden, true);
  assert.deepEqual([button.textContent, count(".lt-flow-made")], ["Step through", 0]);
  button.click();
  element.querySelector(".lt-view-flow").dispatchEvent(new window.KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  assert.equal(count(".lt-flow-empty"), 0);
});

test("with less motion a matrix is there at once", async () => {
  globalThis.matchMedia = /** @type {any} */ (() => ({ matches: true, addEventListener() {} }));
  const { button, count } = await shown();
  button.click();
  await settle();
  assert.equal(count(".lt-flow-empty"), 4);
  delete /** @type {any} */ (globalThis).matchMedia;
});

test("without its file the flow says so and lives on", async () => {
  const { press, line, count } = await shown(() => Promise.reject(new Error("no file")));
  press("ArrowDown");
  await settle();
  assert.match(/** @type {string} */ (line()), /could not be loaded: no file/);
  assert.equal(count(".lt-flow-made"), 1);
});

test("signs are said as words", () => {
  assert.equal(inWords([{ text: "w = e" }, { text: "−1", raised: true }, { text: " / √3·2" }]), "w equals e to the power minus 1 divided by the root of 3 times 2");
});

// ---- the flows of the book

const folder = fileURLToPath(new URL("../../../notebooks/", import.meta.url));
const FIGURE = /<figure class="livetorch".*?<script type="application\/json">(.*?)<\/script>/gs;
const pages = readdirSync(folder).filter((name) => name.endsWith(".ipynb")).flatMap((file) => JSON.parse(readFileSync(folder + file, "utf8")).cells
  .flatMap((/** @type {any} */ { outputs = [] }) => outputs.map((/** @type {any} */ { data }) => [data?.["text/html"] ?? ""].flat().join(""))));
const figures = pages.flatMap((page) => [...page.matchAll(FIGURE)].map(([, json]) => JSON.parse(json))).filter(({ views }) => views.some((/** @type {any} */ { kind }) => kind === "flow"));

test("the book has flows", () => assert.ok(figures.length >= 1));

for (const figure of figures) {
  test(`${figure.name}: every matrix after the first stage is made of those before it`, () => {
    const view = figure.views.find((/** @type {any} */ { kind }) => kind === "flow");
    const model = createModel(figure);
    const reader = createReader(figure, view, { frame: model.current, program: model.program, controls: model.controls }, part);
    const all = /** @type {any[]} */ (flowOf(view, model.current(), model.controls));
    const stageOf = (/** @type {number} */ p) => view.stages.findIndex((/** @type {number[]} */ stage) => stage.includes(p));
    all.forEach(({ rows, cols, label }, p) => {
      const cells = Array.from({ length: rows * cols }, (_, i) => reader.read({ part: p, row: Math.floor(i / cols), col: i % cols }));
      for (const { reads, words } of cells) {
        assert.ok(reads.every((cell) => cell.part < p), `${words} reads what stands after it`);
        assert.ok(words.length > label.length + 4);
      }
      const last = view.stages[stageOf(p)].at(-1) === p;
      const made = cells.filter(({ words }) => !words.includes("stored with the figure")); // which nothing that the reader sets goes into
      if (stageOf(p) > 0 && last) assert.ok(!made.length || made.filter(({ reads }) => reads.length).length * 2 > made.length, `${label} reads nothing of the matrices before it`);
    });
  });
}

test("a matrix has as many places as its widest number has room for, and a number without any keeps to itself", () => {
  const places = (/** @type {number[]} */ data, room = 30, masked = -1) =>
    matrixPlaces(/** @type {any} */ ({ data, whole: false, masked: (/** @type {number} */ i) => i === masked }), room);
  assert.deepEqual([places([0.25, 1.5]), places([0.25, -1.5]), places([0.25, -1.5], 40), places([0.25, -1.5], 30, 1)], [2, 1, 2, 2]);
  assert.equal(places([0.25, 1234.5]), 2); // 1235 stands alone
  const one = /** @type {any} */ ({ data: [0.26, -1.5], whole: false, masked: () => false });
  assert.deepEqual([0, 1].map((i) => cellNumber(one, i, 30, matrixPlaces(one, 30))), ["0.3", "−1.5"]);
});
