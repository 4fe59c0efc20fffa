// The panel that says how a number was made, in a page without a browser: what it shows, what closes it.
import assert from "node:assert/strict";
import { test } from "node:test";

import { place, settle } from "./page.mjs";
import { STORED } from "../../../livetorch/js/open/ending.mjs";
import { exactly, readCode } from "../../../livetorch/js/panel/page_code.mjs";

await import("../../../livetorch/js/parts/all.mjs");
const part = { ...(await import("../../../livetorch/js/parts/open.mjs")), ...(await import("../../../livetorch/js/parts/starts.mjs")) };
const code = await import("../../../livetorch/js/parts/code.mjs");
const { mount } = await import("../../../livetorch/js/figure/mount.mjs");
const { finer, lineOf, printedLine, quoted } = await import("../../../livetorch/js/panel/line.mjs");
const { wordsOf } = await import("../../../livetorch/js/open/figure.mjs");
const { written } = await import("../../../livetorch/js/open/writing.mjs");
const { termList, termsOf } = await import("../../../livetorch/js/panel/terms.mjs");

const slider = (/** @type {string} */ name, more = {}) => ({
  name, label: name, kind: "slider", value: 2, min: 0, max: 4, step: 1, format: ".1f", dtype: "float32", scale: "linear", description: null, ...more,
});
const numbers = (/** @type {number[]} */ values) => ({ dtype: "float32", shape: [values.length], data: Buffer.from(new Float32Array(values).buffer).toString("base64") });

/** w = x * list, of 3 numbers, or of 2 where `short` is set. */
const program = (/** @type {number[]} */ list) => ({
  format: "livetorch/program", version: 1, inputs: [{ name: "x", shape: [], dtype: "float32" }], constants: [numbers(list)],
  nodes: [{ op: "aten.mul.Tensor", args: [{ v: 0 }, { v: 1 }] }], outputs: [{ name: "w", value: 2 }],
});
const spec = {
  format: "livetorch/figure", version: 1, name: "f", title: null, caption: null, labels: {}, rows: null, pool: [], carry: null,
  controls: [slider("x"), { name: "short", label: "short", kind: "checkbox", value: false, variant: true, description: null }],
  programs: [program([1, 2, 3]), program([1, 2])],
  variants: { controls: ["short"], keys: { 0: 0, 1: 1 } },
  views: [{ kind: "table", parts: [{ source: { output: "w" }, label: "w", sums: true, axes: ["queries", "keys"] }], decimals: 2, rows: null, cols: null, rows_axis: "queries", cols_axis: "keys", title: null }],
};

/** A figure and its panel, after a click on a cell of its table. @param {number} cell */
async function asked(cell, partOf = async () => part) {
  const element = place();
  const handle = mount(element, spec, { partOf });
  const cells = () => Array.from(element.querySelectorAll("tbody td"));
  cells()[cell].dispatchEvent(new window.MouseEvent("click", { bubbles: true, detail: 1 }));
  await settle();
  const shown = () => Boolean(element.querySelector(".lt-open:not([hidden])"));
  return { element, handle, cells, shown, line: () => element.querySelector(".lt-made-line")?.textContent };
}

test("a cell of a table opens, and each of its numbers down to the control", async () => {
  const { element, line } = await asked(2);
  assert.equal(line(), "2·3 = 6.00");
  element.querySelector(".lt-term").click();
  assert.equal(line(), "2, your slider");
  const crumbs = Array.from(element.querySelectorAll(".lt-crumbs li"), (each) => each.textContent);
  assert.deepEqual(crumbs, ["6.00", "Where does 2 come from?"]);
  element.querySelector(".lt-crumb").click();
  assert.equal(line(), "2·3 = 6.00");
});

test("a number that is pressed in a line keeps the digits that it had there", async () => {
  const small = { ...spec, programs: [program([1, 2, 0.00089043]), program([1, 2])] };
  const element = place();
  mount(element, small, { partOf: async () => part });
  element.querySelectorAll("tbody td")[2].dispatchEvent(new window.MouseEvent("click", { bubbles: true, detail: 1 }));
  await settle();
  const pressed = Array.from(element.querySelectorAll(".lt-made-line .lt-term")).at(-1);
  assert.equal(pressed.textContent, "0.0008904");
  pressed.click();
  assert.equal(element.querySelector(".lt-crumbs li:last-child").textContent, "Where does 0.0008904 come from?");
});

test("where a trail ends, the digits that were pressed are said again, and what is carried says whether a step has changed it", async () => {
  const stored = { text: "0.47, stored", pieces: [{ text: "0.47, stored" }], value: 0.4739, dtype: "float32", from: [], name: "", label: "0.47" };
  assert.equal(printedLine(stored, "0.4739")[0].text, "0.4739, stored");
  assert.equal(printedLine(stored, "0.5")[0].text, "0.47, stored");
  const set = { text: "2, you set it", value: 2, dtype: "float32", from: [], name: "x", label: "x" };
  assert.deepEqual(printedLine(set, "2"), [{ text: "2, you set it" }], "what a hand has set was made of nothing");
  const carried = { kind: "state", name: "m", label: "m", ...numbers([-Infinity, NaN]), value: numbers([-Infinity, NaN]).data };
  assert.equal(wordsOf(carried, "m", { data: [-Infinity, NaN] }), "its value at the start, before any step");
  assert.equal(wordsOf(carried, "m", { data: [0, NaN] }), "from the step before");
});

test("a condition is said to be true or false, also where the figure prints 0", () => {
  const pieces = [{ text: "a = (" }, { text: "15", from: 0 }, { text: " < " }, { text: "12", from: 1 }, { text: ") = False" }];
  const item = { name: "a", label: "a", value: 0, dtype: "bool", pieces, from: [{ value: 15 }, { value: 12 }], recompute: () => 0 };
  assert.equal(printedLine(item, "0").map(({ text }) => text).join(""), "(15 < 12) = False");
});

test("a line has one more digit where its result would not come out, and says where none helps", () => {
  const said = (/** @type {number[]} */ values, /** @type {number} */ value, /** @type {string} */ result) => {
    const pieces = values.flatMap((one, from) => [{ text: from ? " + " : "a = " }, { text: written(one), from }]);
    const recompute = (/** @type {number[]} */ given) => given.reduce((sum, one) => sum + one, 0);
    const item = { name: "a", label: "a", value, pieces: [...pieces, { text: ` = ${written(value)}` }], from: values.map((one) => ({ value: one })), recompute };
    return printedLine(item, result).map(({ text }) => text).join("");
  };
  assert.equal(said([1 / 3, 1 / 3], 2 / 3, "0.67"), "0.3333 + 0.3333 = 0.67");
  assert.equal(said([1 / 3, 1 / 3, 1 / 3, 1 / 3], 4 / 3, "1.3333"), "0.33333 + 0.33333 + 0.33333 + 0.33333 = 1.3333");
  assert.equal(said([1, 2], 3.1, "3.10"), "1 + 2 ≈ 3.10");
  assert.deepEqual([written(1048576), written(1e6), written(2e9), written(-1e9)], ["1048576", "1.0e6", "2.0e9", "−1.0e9"]);
});

test("a figure of stored numbers lets them be opened too, and offers none to begin with", async () => {
  const bare = { ...program([1, 2, 3]), nodes: [], outputs: [{ name: "w", value: 1 }] };
  const element = place();
  mount(element, { ...spec, programs: [bare, bare] }, { partOf: async () => part });
  const how = element.querySelector(".lt-how");
  assert.equal(how.hidden, false);
  how.click();
  await settle();
  assert.match(element.querySelector(".lt-invite").textContent, /^Click any number.* None leads further than one step\.$/);
  assert.equal(element.querySelectorAll(".lt-starts:not([hidden]) button").length, 0);
  element.querySelectorAll("tbody td")[1].dispatchEvent(new window.MouseEvent("click", { bubbles: true, detail: 1 }));
  await settle();
  assert.equal(element.querySelector(".lt-made-line").textContent, "2, the same at every setting, and stored with the figure");
});

test("a control whose field a page leaves out is said to be set for the figure, and nothing leads to it", async () => {
  for (const [isShown, said, leads] of [[true, "2, your slider", 1], [false, "2, set for this figure", 0]]) {
    const { element, line } = await asked(2);
    element.querySelector(".lt-controls input").checkVisibility = () => isShown;
    element.querySelector(".lt-term").click();
    assert.equal(line(), said);
    assert.equal(element.querySelectorAll(".lt-leaf button").length, leads);
  }
});

test("the sum of a row opens as its numbers", async () => {
  const { line } = await asked(3);
  assert.equal(line(), "2 + 4 + 6 = 12");
});

test("a moved control is told at once, also two steps down", async () => {
  const { element, handle, line } = await asked(1);
  handle.set("x", 4);
  handle.outputs();
  assert.equal(line(), "4·2 = 8.00");
  element.querySelector(".lt-term").click();
  handle.set("x", 1);
  handle.outputs();
  assert.equal(line(), "1, your slider");
});

test("a number that is not there any more closes the panel quietly, another stays", async () => {
  const gone = await asked(2);
  gone.handle.set("short", true);
  gone.handle.outputs();
  assert.equal(gone.shown(), false);
  assert.equal(gone.element.querySelector(".lt-problem").hidden, true);
  const stays = await asked(1);
  stays.handle.set("short", true);
  stays.handle.outputs();
  assert.equal(stays.shown(), true);
});

test("without its file the figure says so and lives on", async () => {
  const { element, handle } = await asked(0, () => Promise.reject(new Error("no file")));
  assert.match(element.querySelector(".lt-problem").textContent, /could not be loaded: no file/);
  handle.set("x", 3);
  assert.equal(handle.outputs().w.data[0], 3);
});

test("a figure that goes away takes its panel along", async () => {
  const { element, handle } = await asked(0);
  handle.destroy();
  assert.equal(element.children.length, 0);
});

test("what stands in a line is text, whatever it says", () => {
  const hostile = "<img src=x onerror=alert(1)>";
  const from = [{ label: hostile, value: 1 }];
  const nodes = lineOf([{ text: hostile }, { text: hostile, from: 0 }, { text: hostile, more: 3 }], from, { open() {}, all() {}, nameOf: ({ label }) => label });
  const box = place();
  box.append(...nodes);
  assert.equal(box.querySelector("img"), null);
  assert.equal(box.textContent, hostile.repeat(3));
});

test("the list of all terms says over its columns what they are", () => {
  const from = [{ value: 1, label: "1", index: [] }, { value: 2, label: "2", index: [] }];
  const headOf = (/** @type {any} */ more) => termList({ from, terms: [], ...more }, () => {}, () => "", written).firstChild.textContent;
  assert.equal(headOf({ op: "aten._softmax.default" }), "escoreshare");
  assert.equal(headOf({ op: "aten.sum.default" }), "numbershare");
});

test("of many terms that are equal the first stands for all", () => {
  const from = [3, 0, 0, 0, 0, 2, 2].map((value) => ({ value, label: "", index: [] }));
  const rows = Array.from(termList({ from, terms: [] }, () => {}, () => "", written).children, ({ textContent }) => textContent);
  assert.deepEqual(rows.slice(1), ["3343 %", "2229 %", "2229 %", "0 and 3 more00 % each"]);
});

test("a line does not break before its result", () => {
  const nodes = lineOf([{ text: "2", from: 0 }, { text: " = 6.00, as set" }], [{ label: "2", value: 2 }], { open() {}, all() {}, nameOf: () => "" });
  assert.deepEqual(nodes.map((node) => node.textContent ?? node), ["2 ", "= 6.00, ", "as ", "set"]);
});

test("numbers without terms are sorted by their size", () => {
  const from = [1, -5, 2].map((value) => ({ label: "", value }));
  const shares = termsOf({ from, terms: [] });
  assert.deepEqual(shares.map(({ from: [i] }) => i), [1, 2, 0]);
  assert.equal(shares.reduce((sum, { share }) => sum + share, 0), 1);
});

test("the numbers to begin with are the largest, as printed and in words", async () => {
  const { element } = await asked(0);
  element.querySelector(".lt-close").click();
  element.querySelector(".lt-how").click();
  await settle();
  const starts = Array.from(element.querySelectorAll(".lt-starts button"), (each) => each.textContent);
  assert.deepEqual(starts, ["6.00 w of key 3"]);
});

test("from a number that was offered a crumb leads back to the offers", async () => {
  const { element } = await asked(0);
  element.querySelector(".lt-close").click();
  element.querySelector(".lt-how").click();
  await settle();
  element.querySelector(".lt-starts button").click();
  element.querySelector(".lt-crumb").click();
  await settle();
  assert.equal(element.querySelectorAll(".lt-starts:not([hidden]) button").length, 1);
  assert.equal(element.querySelector(".lt-made-line"), null); // nothing stands between a number and its answer
});

test("a figure offers what its views show, of a constant nothing", async () => {
  const other = (/** @type {any} */ each) => ({ ...each, outputs: [...each.outputs, { name: "raw", value: 2 }, { name: "given", value: 1 }] });
  const table = { source: { output: "given" }, label: "given", sums: false, axes: ["queries", "keys"] };
  const element = place();
  const views = [{ ...spec.views[0], parts: [...spec.views[0].parts, table] }];
  mount(element, { ...spec, views, programs: spec.programs.map(other), labels: { w: "weight" } }, { partOf: async () => part });
  element.querySelector(".lt-how").click();
  await settle();
  assert.deepEqual(Array.from(element.querySelectorAll(".lt-starts button"), (each) => each.textContent), ["6.00 Weight of key 3"]);
});

test("the numbers of a line have so many digits that its result comes out", () => {
  const [shares, values] = [[0.0634, 0.46832, 0.46832], [2, 8, 6]];
  const terms = shares.map((share) => finer(written(share), share));
  assert.deepEqual(terms, ["0.0634", "0.4683", "0.4683"]);
  const sum = (numbers) => numbers.reduce((total, share, i) => total + share * values[i], 0);
  assert.equal(sum(terms.map(Number)).toFixed(2), sum(shares).toFixed(2));
  assert.deepEqual([finer("2", 2), finer("0.50", 0.5), finer("√3", Math.sqrt(3))], ["2", "0.50", "√3"]);
});

/** The statement that gave a name last. @param {string} code @param {string} name */
const bindingIn = (code, name) => readCode([code])(name).at(-1) ?? null;

test("of a page's code the statement is found that gave a name last, by =, in a dict or by an import", () => {
  const code = 'from texts import load, words\nkeys = 1\nfirst, keys = load(\n    3,\n)\nif keys == 2:\n    pass\nlabels={"curve": "tanh"}\nreturn {"curve": f(x), "b": keys}';
  assert.equal(bindingIn(code, "keys.T"), "first, keys = load(\n    3,\n)");
  assert.equal(bindingIn(code, "words"), "from texts import load, words");
  assert.equal(bindingIn(code, "curve"), 'return {"curve": f(x), "b": keys}');
  assert.equal(bindingIn(code, "key"), null);
  const filled = "table = {}\nfor name in names:\n    table[name] = count(name)\nnone = []";
  assert.equal(bindingIn(filled, "table"), "table[name] = count(name)"); // what makes it, not what makes it empty
  assert.equal(bindingIn(filled, "none"), null);
  assert.deepEqual(readCode(["words = 1\nx = [2]  # (words,)"])("x"), ["x = [2]  # (words,)"]); // whose comment makes nothing
  assert.equal(exactly(`1, ${STORED}`, ["from book.studies.small_maps import load", "row = load()"]), "1, prepared for this page, and read once by its code");
  assert.match(exactly(`1, ${STORED}`, ["from attn_helpers import causal_mask", "mask = causal_mask(4)"]), /^1, computed once by the page's code, with attn_helpers$/);
  const ways = "ways = torch.tensor([[math.comb(n, k) / 2**n for k in range(7)] for n in range(7)])";
  assert.match(exactly(`1, ${STORED}`, [ways]), /computed once/);
  assert.match(exactly(`1, ${STORED}`, ["x = torch.tensor([[1.0, 2], [3, 4]])"]), /written in/);
  const chosen = { controls: [{ name: "shown", label: "Show", options: ["weight", "length"], variant: true }] };
  const shownAt = (/** @type {number} */ depth) => exactly(`1, ${STORED}`, ["all = f(x)"], Array(depth), chosen, { state: { shown: 1 } });
  assert.equal(shownAt(1), "1, computed once by the page's code for “length”, your choice “Show”");
  assert.match(shownAt(2), /the same at every setting$/);
  const called = 'mask = kept  # "(it\'s"\n"""Sets\nmask = none\n"""\nshow(\n    heat,\n    mask="kept",\n)';
  assert.equal(bindingIn(called, "mask"), 'mask = kept  # "(it\'s"'); // no argument of a call, and no words
});

test("of a dict that several lines make the entry is quoted that ran, without the comments of others", () => {
  for (const [text, ran, said] of [
    ['return {"a": {"b": (x @ v)[0, 1]},  # (queries,) "c": 1}', "x @ v", '"b": (x @ v)[0, 1]'],
    ['"so far": parts / after.total,', "parts / after.total", '"so far": parts / after.total'],
    ["return f({'a': x}) + y", "f({'a': x}) + y", "return f({'a': x}) + y"],
    ['y = {"a": x}["a"] + 1', '"a"] + 1', 'y = {"a": x}["a"] + 1'],
  ])
    assert.equal(quoted({ text, part: [text.indexOf(ran), text.indexOf(ran) + ran.length] }).join(""), said);
});

test("of a long chain of statements the last one is in sight", async () => {
  const named = { ...spec, programs: spec.programs.map((each) => ({ ...each, outputs: [...each.outputs, { name: "keys", value: 1 }] })) };
  const element = place();
  const answer = (/** @type {any} */ { detail }) => detail.texts.push("first = [1.0]\nsecond = first\nkeys = second");
  document.addEventListener("livetorch:code", answer);
  mount(element, named, { partOf: async (name) => (name === "code" ? code : part) });
  element.querySelectorAll("tbody td")[2].dispatchEvent(new window.MouseEvent("click", { bubbles: true, detail: 1 }));
  await settle();
  Array.from(element.querySelectorAll(".lt-made-line .lt-term")).at(-1).click();
  await settle();
  assert.equal(element.querySelector("div.lt-python code").textContent, "keys = second");
  document.removeEventListener("livetorch:code", answer);
});

test("what the page answers to livetorch:code says which statement made a stored number, from the next frame on", async () => {
  const stored = { name: "keys", value: 1 };
  const named = { ...spec, programs: spec.programs.map((each) => ({ ...each, outputs: [...each.outputs, stored] })) };
  const asked = [];
  const element = place();
  const answer = (/** @type {any} */ { target, detail }) => asked.push(target) && detail.texts.push("keys = [\n  1.0,\n  2.0, 3.0]", "keys = 4");
  document.addEventListener("livetorch:code", answer);
  const handle = mount(element, named, { partOf: async (name) => (name === "code" ? code : part) });
  const line = () => element.querySelector(".lt-made-line")?.textContent;
  const open = (/** @type {number} */ cell) => element.querySelectorAll("tbody td")[cell].dispatchEvent(new window.MouseEvent("click", { bubbles: true, detail: 1 }));
  open(2);
  await settle();
  assert.deepEqual(asked, []); // nothing stored is open yet
  for (const cell of [2, 1]) {
    open(cell);
    await settle();
    Array.from(element.querySelectorAll(".lt-made-line .lt-term")).at(-1).click();
    await settle();
    assert.match(line(), /, written in the page's code$/);
    assert.equal(element.querySelector(".lt-python code").textContent, "keys = [\n  1.0,\n  2.0, 3.0]");
  }
  assert.equal(asked.length, 1);
  element.querySelector("details.lt-python").open = true;
  for (const [x, css, said] of [[3, ".lt-python summary", /^Python, /], [4, ".lt-crumb", /^8.00$/]]) {
    element.querySelector(css).focus();
    handle.set("x", x);
    handle.outputs(); // a new frame leaves the fold open, and the focus where it is
    assert.match(document.activeElement.textContent, said);
    assert.equal(element.querySelector("details.lt-python").open, true);
  }
  document.removeEventListener("livetorch:code", answer);
});
