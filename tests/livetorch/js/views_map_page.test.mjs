// A heatmap in a page without a browser: what is said, what is set, what the keys do.
import assert from "node:assert/strict";
import { test } from "node:test";
import { tensor, mount, key, heatmap, weights } from "./views_place.mjs";

test("a heatmap says what it shows and can be focused", () => {
  const { find } = mount(heatmap, weights);
  const stage = find(".lt-stage");
  assert.equal(stage.tabIndex, 0);
  assert.match(stage.getAttribute("aria-label"), /^Heatmap of w: 3 queries by 2 keys\./);
});

test("a heatmap is heard as a table: what its rows ask, then each row by its name", async () => {
  const { find } = mount({ ...heatmap, title: "The weights", measure: "weight", xticks: { values: ["the", "cat"] } }, weights);
  await new Promise((done) => setTimeout(done, 350));
  const heard = find(".lt-spoken");
  assert.equal(heard.nextElementSibling, find(".lt-stage"), "before the picture that arrow keys walk in");
  assert.equal(heard.querySelector("caption").textContent, "The weights: for each query, which key has what weight?");
  const lines = Array.from(heard.querySelectorAll("tr"), (line) => Array.from(line.children, (cell) => cell.textContent).join(" | "));
  assert.equal(lines[0], "query | key 1 (the) | key 2 (cat)");
  assert.equal(lines[3], "query 3 | 0.62 | 0.38");
  assert.equal(heard.querySelectorAll("th[scope=row]").length, 3);
});

test("arrow keys walk the cells and each is read out, marked and linked", () => {
  const { find, told } = mount(heatmap, weights);
  const stage = find(".lt-stage");
  key(stage, "ArrowDown");
  key(stage, "ArrowDown");
  assert.equal(told.said.at(-1), "query 3, key 1: 0.62");
  assert.deepEqual(told.marks.at(-1), { queries: 2, keys: 0 });
  assert.equal(find(".lt-readout").textContent, "query 3, key 1: 0.62");
  key(stage, "End", { ctrlKey: true });
  assert.equal(told.said.at(-1), "query 3, key 2: 0.38");
});

test("a heatmap with token names reads the names", () => {
  const { find, told } = mount({ ...heatmap, xticks: { values: ["the", "cat"] } }, weights);
  key(find(".lt-stage"), "ArrowRight");
  assert.equal(told.said.at(-1), "query 1, key 2 (cat): 0.90");
});

test("a mark from another view shows this view's own number", () => {
  const { view, find } = mount(heatmap, weights);
  view.highlight({ queries: 0, keys: 1 });
  assert.equal(find(".lt-readout").textContent, "query 1, key 2: 0.90");
  view.highlight({ queries: 7, keys: 1 });
  assert.equal(find(".lt-readout").textContent, "", "a query that is not there");
  view.highlight({});
  assert.equal(find(".lt-readout").textContent, "");
});

test("Enter and Space switch a cell of the mask, and the whole mask is set", () => {
  const mask = [[true, true], [true, true], [true, true]];
  const spec = { ...heatmap, edit: "m", mask: { control: "m" } };
  const { find, told } = mount(spec, { ...weights, state: { m: mask } });
  const stage = find(".lt-stage");
  key(stage, "ArrowRight");
  key(stage, "Enter");
  assert.deepEqual(told.set.at(-1), { name: "m", value: [[true, false], [true, true], [true, true]], final: true });
  assert.equal(told.said.at(-1), "query 1, key 2: masked");
  key(stage, " ");
  assert.deepEqual(told.set.at(-1).value, mask);
  assert.equal(told.said.at(-1), "query 1, key 2: kept");
  assert.deepEqual(mask, [[true, true], [true, true], [true, true]], "the state is not written to");
});

test("a drawing is told in its own words, shows no mask and takes strokes in any direction", () => {
  const spec = { ...heatmap, edit: "m", words: ["ink", "paper"] };
  const { find, told } = mount(spec, { ...weights, state: { m: [[true, false], [false, false], [false, false]] } });
  const stage = find(".lt-stage");
  key(stage, "Enter");
  assert.equal(told.said.at(-1), "query 1, key 1: paper");
  key(stage, "Enter");
  assert.equal(told.said.at(-1), "query 1, key 1: ink");
  assert.equal(find(".lt-swatch").hidden, true);
  assert.ok(stage.querySelector(".lt-drawn-on"));
  find(".lt-clear").click();
  assert.ok(told.set.at(-1).value.flat().every((/** @type {any} */ one) => one === false));
});

test("a mask that can only be seen is not switched", () => {
  const { find, told } = mount({ ...heatmap, mask: { values: [[1, 0], [1, 1], [1, 1]] } }, weights);
  key(find(".lt-stage"), "Enter");
  assert.deepEqual(told.set, []);
});

test("heads are panels with names; Page Down leads to the next", () => {
  const heads = { outputs: { w: tensor([2, 1, 2], [0.1, 0.9, 0.7, 0.3]) } };
  const { find, element, told } = mount(heatmap, heads);
  assert.deepEqual([...element.querySelectorAll(".lt-panel-title")].map((n) => n.textContent), ["head 1", "head 2"]);
  key(find(".lt-stage"), "PageDown");
  assert.equal(told.said.at(-1), "head 2, query 1, key 1: 0.70");
});

test("a heatmap takes another shape in the next frame", () => {
  const { view, find } = mount(heatmap, weights);
  key(find(".lt-stage"), "End", { ctrlKey: true });
  view.update({ outputs: { w: tensor([1, 1], [1]) }, state: {}, history: null });
  assert.match(find(".lt-stage").getAttribute("aria-label"), /1 query by 1 key/);
});

test("labels are only ever text", () => {
  const { element } = mount({ ...heatmap, title: "<b>x</b>", xticks: { values: ["<img src=x>", "b"] } }, weights);
  assert.equal(element.querySelector("img, b"), null);
  assert.match(element.textContent, /<img src=x>/);
});

test("a heatmap that has no numbers yet bears a pointer, a key and a look elsewhere", () => {
  const { find, told } = mount(heatmap, { outputs: {} });
  const stage = find(".lt-stage");
  const wrong = [];
  const note = (event) => (event.preventDefault(), wrong.push(event.message));
  window.addEventListener("error", note);
  for (const name of ["pointerdown", "pointermove", "pointerup", "pointerleave", "focus", "blur"]) stage.dispatchEvent(new window.MouseEvent(name, { bubbles: true }));
  key(stage, "ArrowDown");
  window.removeEventListener("error", note);
  assert.deepEqual(wrong, []);
  assert.deepEqual(told, { said: [], marks: [], set: [] });
});

test("a scale of a map's own that comes or changes says that it is new", (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const { view, find } = mount(heatmap, weights);
  const said = (/** @type {number[]} */ ...numbers) => {
    view.update({ state: {}, history: null, outputs: { w: tensor([1, 2], numbers) } });
    const own = find(".lt-scale-own");
    return own.hidden ? "" : own.textContent;
  };
  assert.equal(said(0.5, 0.4), "");
  assert.equal(said(0.1, 0.1), "(new scale)");
  now = 5000;
  assert.equal(said(0.1, 0.09), "(own scale)");
  assert.equal(said(0.5, 0.1), "(new scale)", "back again");
  now = 10_000;
  assert.equal(said(0.4, 0.1), "");
});
