// The other views in a page without a browser: what is said, what is set, what the keys do. Sizes and colours are not checked here.
import assert from "node:assert/strict";
import { test } from "node:test";
import { tensor, mount, key, heatmap, weights } from "./views_place.mjs";

const { viewOf } = await import("../../../livetorch/js/views/index.mjs");
const { contentOf, laidOut } = await import("../../../livetorch/js/views/heatmap_picture.mjs");

const lines = {
  kind: "lines", x: { values: [0, 1, 2] }, y: [{ source: { output: "fit" }, label: "fit" }], points: null, drag: [], drag_axes: [],
  labels: null, xlabel: "x", ylabel: "y", xlim: null, ylim: null, axis: null, title: null,
};
const fit = { outputs: { fit: tensor([3], [1, 4, 9]) } };

test("arrow keys walk along a curve", () => {
  const { find, told } = mount(lines, fit);
  key(find(".lt-stage"), "ArrowRight");
  key(find(".lt-stage"), "ArrowRight");
  assert.equal(told.said.at(-1), "x 1.00: fit 4.00");
});

test("points of a control are handles with a name, moved by keys", () => {
  const controls = { p: { name: "p", kind: "points", label: "point", value: [[1, 2]], shape: [1, 2], domain: [[0, 5], [0, 10]], labels: null } };
  const { find, told } = mount({ ...lines, drag: ["p"], drag_axes: [null] }, { ...fit, state: { p: [[1, 2]] } }, controls);
  const handle = find(".lt-handle");
  assert.equal(handle.getAttribute("role"), "slider");
  assert.equal(handle.getAttribute("aria-label"), "point 1");
  assert.equal(handle.getAttribute("aria-valuetext"), "x 1.00, y 2.00");
  key(handle, "ArrowUp");
  assert.deepEqual(told.set.at(-1), { name: "p", value: [[1, 2.1]], final: true });
  assert.equal(told.said.at(-1), "point 1: x 1.00, y 2.10");
});

test("numbers of which there are a few have swatches with words in place of a ramp, and are said by their words", () => {
  const yes = { ...tensor([1, 2], [1, 0]), dtype: "bool" };
  const words = (/** @type {any} */ more, /** @type {any} */ w) => {
    const { element, find, told } = mount({ ...heatmap, ...more }, { outputs: { w } });
    key(find(".lt-stage"), "End");
    const shown = [...element.querySelectorAll(".lt-levels .lt-scale-end")].map((each) => each.textContent);
    return [shown, find(".lt-ramp").closest(".lt-scale-part").hidden, told.said.at(-1)];
  };
  assert.deepEqual(words({ levels: [[1, "yes"], [0, "no"]] }, yes), [["yes", "no"], true, "query 1, key 2: no"]);
  const levels = [[1, "computed now"], [0.25, "kept"]];
  assert.deepEqual(words({ levels }, tensor([1, 2], [1, 0.25])), [["computed now", "kept"], true, "query 1, key 2: kept"]);
  assert.deepEqual(words({}, tensor([1, 2], [1, 0])), [[], false, "query 1, key 2: 0.00"]);
  assert.deepEqual(words({ levels: [[1, "kept"]], mask: { output: "w" } }, yes), [["kept"], true, "query 1, key 2: masked"]);
});

test("counts are written without a point, other bars as the figure says", () => {
  const counts = { ...tensor([1, 2], [256, 3]), dtype: "int64" };
  const spec = { kind: "bars", source: { output: "w" }, labels: null, axis: "keys", query_axis: "queries", ylim: null, xlabel: "", ylabel: "", title: null };
  const written = (/** @type {any} */ spec, /** @type {any} */ w) => {
    const { element, find, told } = mount(spec, { outputs: { w } });
    key(find(".lt-stage"), "Home");
    return [...[...element.querySelectorAll(".lt-bar-number")].map((n) => n.textContent), told.said.at(-1)];
  };
  assert.deepEqual(written(spec, counts), ["256", "3", "key 1: 256"]);
  assert.deepEqual(written({ ...spec, pattern: ".3f" }, tensor([1, 2], [0.0041, -0.5])), ["0.004", "−0.500", "key 1: 0.004"]);
});

test("bars follow the marked query", () => {
  const spec = { kind: "bars", source: { output: "w" }, labels: null, axis: "keys", query_axis: "queries", ylim: null, xlabel: "", ylabel: "", title: null };
  const { view, element } = mount(spec, weights);
  const numbers = () => [...element.querySelectorAll(".lt-bar-number")].map((n) => n.textContent);
  assert.deepEqual(numbers(), ["0.10", "0.90"]);
  view.highlight({ queries: 2 });
  assert.deepEqual(numbers(), ["0.62", "0.38"]);
});

test("a plane names its points and moves those of a control", () => {
  const controls = { q: { name: "q", kind: "points", value: [[1, 1]], shape: [1, 2], domain: [[-2, 2], [-2, 2]] } };
  const group = (axis, source, drag) => ({ axis, source, prefix: axis[0], labels: null, drag, arrows: true, domain: drag ? [[-2, 2], [-2, 2]] : null });
  const spec = { kind: "plane", groups: [group("queries", { control: "q" }, true), group("keys", { values: [[0, 1], [1, 0]] }, false)], drag: ["q"], weights: { output: "w" }, xlabel: "", ylabel: "", xlim: null, ylim: null, title: null };
  const { element, find, told } = mount(spec, { outputs: { w: tensor([1, 2], [0.25, 0.75]) }, state: { q: [[1, 1]] } }, controls);
  assert.deepEqual([...element.querySelectorAll(".lt-point-name")].map((n) => n.textContent), ["q1", "k1", "k2"]);
  assert.equal(element.querySelectorAll(".lt-tie").length, 2);
  key(find(".lt-handle"), "ArrowLeft", { shiftKey: true });
  assert.deepEqual(told.set.at(-1).value, [[0.8, 1]]);
});

test("a table has headings with scope and keeps its cells between frames", () => {
  const spec = { kind: "table", parts: [{ source: { output: "w" }, label: "w", sums: true, axes: ["queries", "keys"] }], decimals: 2, rows: null, cols: { values: ["a", "b"] }, rows_axis: "queries", cols_axis: "keys", title: null };
  const { view, element, find } = mount(spec, weights);
  assert.deepEqual([...element.querySelectorAll("th[scope=col]")].map((n) => n.textContent), ["a", "b", "sum"]);
  const first = find("tbody td");
  view.update({ outputs: { w: tensor([3, 2], [0.5, 0.5, 0.2, 0.8, 0.62, 0.38]) }, state: {}, history: null });
  assert.equal(find("tbody td"), first);
  assert.deepEqual([...element.querySelectorAll("tbody tr:first-child td")].map((n) => n.textContent), ["0.50", "0.50", "1.00"]);
  view.highlight({ queries: 0, keys: 1 });
  assert.equal(element.querySelector(".lt-crossed").textContent, "0.50");
});

test("tokens are a radio group: one tab stop, arrows choose the query", () => {
  const spec = { kind: "tokens", source: { output: "w" }, tokens: { values: ["the", "cat"] }, query_tokens: { values: ["a", "b", "c"] }, axis: "keys", query_axis: "queries", query: 0, vmax: null, title: null };
  const { element, told } = mount(spec, weights);
  const radios = [...element.querySelectorAll("[role=radio]")];
  assert.deepEqual(radios.map((n) => n.tabIndex), [0, -1, -1]);
  key(radios[0], "End");
  assert.deepEqual(told.marks.at(-1), { queries: 2 });
  assert.deepEqual([...element.querySelectorAll(".lt-token-weight")].map((n) => n.textContent), ["0.62", "0.38"]);
  assert.equal(told.said.at(-1), "query 3 (c) attends most to key 1 (the): 0.62");
});

test("a hand that moves on one token tells of it once, and a finger of the one below it", () => {
  const spec = { kind: "tokens", source: { output: "w" }, tokens: { values: ["the", "cat"] }, query_tokens: null, axis: "keys", query_axis: "queries", query: 0, vmax: null, title: null };
  const { view, element, told } = mount(spec, weights);
  const tokens = [...element.querySelectorAll(".lt-token")];
  const move = (/** @type {Element} */ below) => {
    document.elementFromPoint = () => below;
    tokens[0].dispatchEvent(new window.MouseEvent("pointermove", { bubbles: true })); // of a finger that came down on the first
    view.highlight(Object.assign({}, ...told.marks));
  };
  for (const below of [tokens[0], tokens[0], tokens[1], document.body, tokens[1]]) move(below);
  delete document.elementFromPoint;
  assert.deepEqual(told.marks, [{ keys: 0 }, { keys: 1 }]);
});

test("a cell that is switched by a key is called what the legend calls it", () => {
  const mask = { name: "m", kind: "mask", label: "Mask", value: [[true, true], [true, true], [true, true]] };
  const spec = { ...heatmap, edit: "m", mask: { control: "m" }, mask_word: "masked or off" };
  const { find, told } = mount(spec, { ...weights, state: { m: mask.value } }, { m: mask });
  key(find(".lt-stage"), " ");
  assert.equal(told.said.at(-1), "query 1, key 1: masked or off");
});

test("only a map whose cells a tap does not switch says that a tap tells the number", () => {
  const wide = { outputs: { w: tensor([1, 60], Array(60).fill(0.25)) } };
  const mask = { name: "m", kind: "mask", label: "Mask", value: [Array(60).fill(true)] };
  const found = [{ edit: null }, { edit: "m" }].map((more) => mount({ ...heatmap, ...more }, { ...wide, state: { m: mask.value } }, { m: mask }).find(".lt-unwritten"));
  assert.deepEqual(found.map(Boolean), [true, false]);
});

test("tokens of another text in the next frame replace the old ones", () => {
  const spec = { kind: "tokens", source: { output: "w" }, tokens: { text: "t" }, query_tokens: null, axis: "keys", query_axis: "queries", query: -1, vmax: null, title: null };
  const controls = { t: { name: "t", kind: "text", unit: "character", vocabulary: null } };
  const square = (n) => tensor([n, n], Array(n * n).fill(1 / n));
  const { view, element } = mount(spec, { outputs: { w: square(3) }, state: { t: "a b" } }, controls);
  const texts = () => [...element.querySelectorAll(".lt-token-text")].map((n) => n.textContent);
  assert.deepEqual(texts(), ["a", "␣", "b"]);
  view.update({ outputs: { w: square(2) }, state: { t: "我们" }, history: null });
  assert.deepEqual(texts(), ["我", "们"]);
});

test("a history says the last value in words", () => {
  const step = (v) => ({ loss: tensor([], [v]) });
  const spec = { kind: "history", series: [{ output: "loss", label: "loss" }], xlabel: "step", ylabel: "", ylim: null, log: false, title: null };
  const { find } = mount(spec, { outputs: step(0.25), history: [step(1), step(0.5), step(0.25)] });
  assert.equal(find(".lt-readout").textContent, "step 2: loss 0.2500");
  assert.match(find(".lt-stage").getAttribute("aria-label"), /over 2 steps/);
});

test("a history that was made level with its row before it had numbers names its curves", () => {
  const series = ["loss", "share"].map((name) => ({ output: name, label: name }));
  const spec = { kind: "history", series, xlabel: "step", ylabel: "", ylim: null, log: false, title: null };
  const place = viewOf("history", "create")(spec, { theme: () => "light", onTheme: () => () => {} });
  place.level.set(300);
  place.update({ outputs: { loss: tensor([], [1]), share: tensor([], [0]) }, state: {}, history: null });
  assert.equal(place.element.querySelectorAll(".lt-legend-item").length, 2);
});

test("bars have the colours of curves where the figure says so, else one", () => {
  const spec = { kind: "bars", source: { output: "w" }, labels: null, axis: "translators", query_axis: "queries", ylim: null, xlabel: "", ylabel: "", title: null };
  const colours = (/** @type {any} */ more) => {
    const { element } = mount({ ...spec, ...more }, { outputs: { w: tensor([2], [1, 2]) } });
    return new Set([...element.querySelectorAll(".lt-bar")].map((bar) => bar.getAttribute("fill"))).size;
  };
  assert.deepEqual([colours({}), colours({ hues: "series" })], [1, 2]);
});

test("the second query's lines are dashed", () => {
  const group = (axis, values) => ({ axis, source: { values }, prefix: axis[0], labels: null, drag: false, arrows: false, domain: null });
  const spec = { kind: "plane", groups: [group("queries", [[1, 1], [1, 0]]), group("keys", [[0, 1]])], drag: [], weights: { output: "w" }, xlabel: "", ylabel: "", xlim: null, ylim: null, title: null };
  const { element } = mount(spec, { outputs: { w: tensor([2, 1], [1, 1]) } });
  assert.deepEqual([...element.querySelectorAll(".lt-tie")].map((tie) => tie.hasAttribute("stroke-dasharray")), [false, true]);
});

test("a grid takes the room that another option needs where its numbers then fit, and never more", () => {
  const at = (/** @type {any} */ others) => laidOut({ ...heatmap, others }, ...shown(others), {}, 660);
  const shown = (/** @type {any} */ others) => {
    const frame = { outputs: { w: tensor([4, 6, 6], Array(144).fill(0.1)) } };
    return /** @type {const} */ ([contentOf({ ...heatmap, others }, frame, {}), frame]);
  };
  const eight = [{ w: { shape: [8, 6, 6] } }];
  assert.deepEqual([at([]).columns, at(eight).columns], [4, 2]);
  assert.ok(at(eight).cell.width > at([]).cell.width && at(eight).spare >= 0);
});

test("every view leaves the page when it is destroyed", () => {
  const { view, element } = mount(heatmap, weights);
  view.destroy();
  assert.equal(element.isConnected, false);
});
