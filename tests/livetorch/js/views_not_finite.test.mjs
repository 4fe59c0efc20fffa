// What is not a finite number is drawn nowhere, and the picture says how many there were; the page draws by the same functions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { still as stillBars } from "../../../livetorch/js/views/bars.mjs";
import { still as stillHistory } from "../../../livetorch/js/views/history.mjs";
import { still as stillLines } from "../../../livetorch/js/views/lines.mjs";
import { still as stillPlane } from "../../../livetorch/js/views/plane.mjs";
import { tickText } from "../../../livetorch/js/views/plot.mjs";
import { createScale } from "../../../livetorch/js/views/scale.mjs";
import { sayShown, tokensOf } from "../../../livetorch/js/views/tokens.mjs";
import { svgText } from "../../../livetorch/js/still/text.mjs";

const WIDTH = 400;
const tensor = (/** @type {number[]} */ shape, /** @type {number[]} */ data) => ({ shape, dtype: "float32", data: Float32Array.from(data) });
const from = (/** @type {string} */ output) => ({ output });
const scene = (/** @type {any} */ outputs) => ({ frame: { outputs, state: {}, history: null }, controls: {}, theme: /** @type {const} */ ("light") });

/** The drawing as text: no place in it may be NaN. */
function drawn(/** @type {any} */ { shapes }) {
  const text = svgText(shapes);
  assert.doesNotMatch(text, /="[^"]*(NaN|Infinity|undefined)/, "a shape stands nowhere");
  return text;
}
const circles = (/** @type {string} */ text) => text.match(/<circle/g)?.length ?? 0;
const points = (/** @type {string} */ text) => text.match(/class="lt-fixed"/g)?.length ?? 0;

const plane = { title: "", xlabel: "", ylabel: "", xlim: null, ylim: null, weights: from("w"), groups: [
  { source: from("a"), axis: "queries", prefix: "q", arrows: true, drag: false },
  { source: from("b"), axis: "keys", prefix: "k", arrows: false, drag: false },
] };

test("a plane leaves out points without a place, their names, arrows and ties", () => {
  const outputs = { a: tensor([2, 2], [1, 1, NaN, 1.5]), b: tensor([2, 2], [-Infinity, 0.5, 0.5, -1]), w: tensor([2, 2], [0.5, 0.5, 0.5, 0.5]) };
  const text = drawn(stillPlane(plane, scene(outputs), WIDTH));
  assert.equal(points(text), 2);
  assert.equal(text.match(/lt-tie/g)?.length, 1);
  assert.match(text, />q1<.*>k2</s);
  assert.doesNotMatch(text, />q2<|>k1</);
  assert.match(text, />2 NaN or ∞: not drawn</);
  const none = drawn(stillPlane(plane, scene({ a: tensor([1, 2], [NaN, NaN]), b: tensor([0, 2], []), w: tensor([1, 0], []) }), WIDTH));
  assert.equal(points(none), 0);
});

test("a picture of finite numbers says nothing", () => {
  const outputs = { a: tensor([1, 2], [1, 1]), b: tensor([1, 2], [0.5, -1]), w: tensor([1, 1], [0.5]) };
  assert.doesNotMatch(drawn(stillPlane(plane, scene(outputs), WIDTH)), /NaN or ∞/);
});

const lines = { title: "", xlabel: "", ylabel: "", xlim: null, ylim: null, x: from("x"), y: [{ source: from("y"), label: "y" }], drag: [], points: { x: from("px"), y: from("py"), label: "" } };

test("a curve breaks at a missing x as at a missing y", () => {
  const outputs = { x: tensor([5], [0, NaN, 2, 3, 4]), y: tensor([5], [1, 2, 3, Infinity, 5]), px: tensor([3], [1, NaN, 2]), py: tensor([3], [1, 1, -Infinity]) };
  const text = drawn(stillLines(lines, scene(outputs), WIDTH));
  assert.match(text, /d="M[\d.,]+ZM[\d.,]+ZM[\d.,]+Z"/);
  assert.equal(circles(text), 1);
  assert.match(text, />4 NaN or ∞: not drawn</);
});

test("points on stems stand on lines from 0, as many as are finite", () => {
  const outputs = { x: tensor([2], [0, 4]), y: tensor([2], [0, 1]), px: tensor([3], [1, 2, 3]), py: tensor([3], [0.5, NaN, 1]) };
  const stemmed = drawn(stillLines({ ...lines, stems: true, ylim: [0, 1] }, scene(outputs), WIDTH));
  const stems = [...stemmed.matchAll(/lt-stem" x1="([\d.]+)" x2="([\d.]+)" y1="([\d.]+)" y2="([\d.]+)"/g)].map((m) => m.slice(1).map(Number));
  assert.equal(stems.length, 2);
  assert.ok(stems.every(([x1, x2, y1]) => x1 === x2 && y1 === stems[0][2]));
  const heights = stems.map(([, , y1, y2]) => y1 - y2);
  assert.ok(Math.abs(2 * heights[0] - heights[1]) < 0.5, `${heights}`);
  assert.doesNotMatch(drawn(stillLines(lines, scene(outputs), WIDTH)), /lt-stem/);
});

test("bars and histories say what they leave out", () => {
  const bars = { title: "", xlabel: "", ylabel: "", ylim: null, source: from("b"), labels: null };
  assert.match(drawn(stillBars(bars, scene({ b: tensor([4], [1, NaN, -Infinity, 2]) }), WIDTH)), />2 NaN or ∞: not drawn</);
  const history = { title: "", xlabel: "", ylabel: "", ylim: null, log: false, series: [{ output: "l", label: "loss" }] };
  const steps = [1, 0.5, NaN, 0.2, Infinity].map((l) => ({ l: tensor([], [l]) }));
  const { frame, ...rest } = scene(steps.at(-1));
  assert.match(drawn(stillHistory(history, { ...rest, frame: { ...frame, history: steps } }, WIDTH)), />2 NaN or ∞: not drawn</);
});

test("tokens without a weight have no colour, and the line under them counts them", () => {
  const spec = { title: "", source: from("w"), tokens: null, query_tokens: null, query_axis: "queries", axis: "keys", vmax: null };
  const { frame, controls } = scene({ w: tensor([3], [0.25, NaN, 0.75]) });
  const content = /** @type {any} */ (tokensOf(spec, frame, controls, 0, "light"));
  assert.deepEqual(content.keys.map((/** @type {any} */ key) => key.fill === "transparent"), [false, true, false]);
  assert.match(sayShown(spec, content, null), /1 NaN or ∞: not drawn/);
});

test("ticks around very small numbers differ", () => {
  const written = [0, 1e-30, 2e-30].map(tickText(createScale([0, 3e-30]), 3));
  assert.equal(new Set(written).size, 3);
  assert.equal(written[0], "0");
});

test("an axis over many powers of ten is written in powers, others in numbers", () => {
  const [wide, narrow] = [createScale([1e-7, 1e7], { log: true }), createScale([0.1, 100], { log: true })];
  assert.deepEqual([1e-6, 1, 10, 1000].map(tickText(wide, 5, true)), ["10⁻⁶", "1", "10", "10³"]);
  assert.deepEqual([0.1, 0.3, 10].map(tickText(narrow, 5, true)), ["0.1", "", "10"]);
});

test("a place goes to pixels and back, and an axis by powers has round numbers", () => {
  const x = createScale([2, 6]).draw([10, 90]);
  assert.deepEqual([2, 3, 6].map(x), [10, 30, 90]);
  assert.deepEqual([x.invert(30), x.ticks(4)], [3, [2, 3, 4, 5, 6]]);
  const y = createScale([0.1, 1000], { log: true }).draw([0, 4]);
  assert.deepEqual([0.1, 10, 1000].map((value) => Math.round(1e9 * y(value)) / 1e9), [0, 2, 4]);
  assert.deepEqual([y.ticks(2), Math.round(y.invert(2))], [[1, 100], 10]);
  assert.equal(createScale([3, 3])(3), 0.5);
});
