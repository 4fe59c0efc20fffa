// What stands behind the editors of a lesson: what a cell needs, what runs when, what is kept and shared.
import assert from "node:assert/strict";
import { test } from "node:test";

import { JSDOM } from "jsdom";

import { createCell } from "../../../pagepython/editing/cell.mjs";
import { bookCheck, errorBox } from "../../../pagepython/editing/errors.mjs";
import { createDock } from "../../../pagepython/editing/dock.mjs";
import { follow, ofArrows } from "../../../pagepython/editing/follow.mjs";
import { createKeep, keyOf, sumOf } from "../../../pagepython/editing/keep.mjs";
import { createNames } from "../../../pagepython/editing/names.mjs";
import { notebookOf } from "../../../pagepython/editing/notebook.mjs";
import { createOutputs, unveil } from "../../../pagepython/editing/outputs.mjs";
import { createRunner } from "../../../pagepython/editing/runner.mjs";
import { changesOf } from "../../../pagepython/editing/sent.mjs";
import { pack, unpack } from "../../../pagepython/editing/share.mjs";

const storage = () => {
  const kept = new Map();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  };
};

test("a press on Run that meets a run begun by itself a moment ago runs anew; a later one stops", (t) => {
  const { document } = new JSDOM('<div id="in-0"><div class="highlight-python"></div></div>').window;
  Object.assign(globalThis, { document, window: globalThis });
  t.mock.timers.enable({ apis: ["setInterval"] });
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const done = [];
  const hands = { run: () => done.push("run"), stop: () => done.push("stop"), said() {}, failed() {} };
  const cell = createCell({ place: 0, number: 1, id: "a", book: "1", about: {}, solvedBy: "", waysIn: "", solved: false }, hands);
  cell.open();
  const press = (at) => ((now = at), document.querySelector(".ed-run").click(), done.pop());
  assert.equal(press(0), "run");
  cell.starts();
  assert.equal(press(50), "stop", "whoever ran it may stop it at once");
  cell.ends({ stopped: true });
  cell.unasked();
  now = 1000;
  cell.starts();
  t.mock.timers.tick(900);
  assert.match(document.querySelector(".ed-run").textContent, /Run/);
  assert.equal(press(1900), "run");
  cell.waits();
  assert.equal(document.getElementById("in-0").dataset.run, "running", "what runs, and will again, shows it");
  t.mock.timers.tick(100);
  assert.equal(press(2000), "stop");
  cell.ends({ stopped: true });
  assert.equal(press(1400), "run");
  cell.starts();
  assert.equal(press(1450), "stop");
});

test("a check of the book's that fails after an edit is no mistake; one that the reader wrote, and any other error, is", () => {
  const frames = [{ cell: "cell 4", line: 2, text: "    assert total == 1" }];
  const error = { name: "AssertionError", message: "", frames };
  assert.match(bookCheck(error, "cell 4", "total = 1\nassert total == 1"), /^The book\u2019s check in cell 4 no longer holds/);
  assert.equal(bookCheck(error, "cell 4", "total = 1"), "");
  assert.equal(bookCheck(error, "cell 5", "assert total == 1"), "");
  assert.equal(bookCheck({ ...error, name: "NameError" }, "cell 4", "assert total == 1"), "");
});

test("what an error means stands below what Python says of it", () => {
  globalThis.document = new JSDOM().window.document;
  const how = { go: () => {}, waysIn: "" };
  const box = errorBox({ name: "NameError", message: "name 'q' is not defined", plain: "No line makes q." }, how);
  assert.deepEqual(Array.from(box.children, (one) => one.textContent), ["NameError: name 'q' is not defined", "No line makes q."]);
  assert.equal(errorBox({ name: "NameError", message: "" }, how).children.length, 1);
});

test("edits are kept by page, until the book says something else in that cell", () => {
  const browser = storage();
  createKeep("/a", browser).set("formula", "x = 1", "x = 2");
  assert.equal(createKeep("/a", browser).get("formula", "x = 1"), "x = 2");
  assert.equal(createKeep("/b", browser).get("formula", "x = 1"), null);
  assert.equal(createKeep("/a", browser).get("formula", "x = 1.0"), null);
  assert.equal(createKeep("/a", browser).older("formula", "x = 1.0"), "x = 2");
  createKeep("/a", browser).set("formula", "x = 1", "x = 1");
  assert.equal(browser.getItem(keyOf("/a")), null, "as in the book: nothing is kept");
});

test("nonsense in the browser's storage is no edit", () => {
  for (const text of ["", "null", "7", '{"a": null}', '{"a": {"was": 1}}', '{"a": {"was": "x", "text": 7}}', "{"]) {
    const browser = storage();
    browser.setItem(keyOf("/a"), text);
    assert.equal(createKeep("/a", browser).get("a", ""), null);
  }
  const refusing = { getItem: () => { throw new Error("refused"); }, setItem: () => { throw new Error("refused"); }, removeItem() {} };
  assert.equal(createKeep("/a", refusing).set("a", "1", "2"), false);
});

test("a link gives back what was packed into it, and nothing for nonsense", async () => {
  const edits = { formula: { was: sumOf("x"), text: "x = '\u559c\u6b22' # " + "long ".repeat(500) } };
  const hash = await pack(edits);
  assert.match(hash, /^#edits=[\w-]+$/);
  assert.ok(hash.length < 250, `${hash.length} letters`);
  assert.deepEqual(await unpack(hash), edits);
  assert.deepEqual(await unpack(`${hash}.3.5`), edits, "the numbers of the cells follow it");
  for (const bad of ["", "#lt:a=1", "#edits=", "#edits=%%%", "#edits=AAAA", `${hash.slice(0, -9)}`, "#edits=" + "A".repeat(70_000)]) {
    assert.equal(await unpack(bad), null, bad.slice(0, 30));
  }
  assert.equal(await unpack(await pack({})), null);
  const bomb = await pack({ a: { was: "x", text: "a".repeat(2_000_000) } });
  assert.equal(await unpack(bomb), null, "what unpacks to millions of letters");
});

// the book's lines, the link's -> what is said to have gone and come, with the line's number in its own text
for (const [book, sent, said] of [
  ["a\nb\nc", "a\nB\nc", "-2b +2B"],
  ["a\nb\nc\nd", "x\na\nc\nd!", "+1x -2b -4d +4d!"],
  ["a", "a", ""],
  ["a\na", "a\na\na", "+3a"],
  ["", "x", "-1 +1x"],
  [`${"a\n".repeat(1500)}z`, `${"b\n".repeat(1500)}z`, `${Array.from({ length: 1500 }, (_, i) => `-${i + 1}a`).join(" ")} ${Array.from({ length: 1500 }, (_, i) => `+${i + 1}b`).join(" ")}`],
])
  test(`what a link changes is told by lines: ${book.slice(0, 9)} and ${sent.slice(0, 9)}`, () => {
    const told = changesOf(book, sent).map(({ kind, line, text }) => `${kind === "del" ? "-" : "+"}${line}${text}`);
    assert.equal(told.join(" "), said);
  });

test("the notebook to download is the lesson with the edits, and nothing of the page", () => {
  const lesson = {
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {},
    page: { solved: "Correct:", cells: {} },
    cells: [
      { id: "a", cell_type: "markdown", metadata: {}, source: "# A" },
      { id: "b", cell_type: "code", metadata: {}, source: "1", outputs: [], execution_count: null },
    ],
  };
  const made = JSON.parse(notebookOf(lesson, () => "2"));
  assert.deepEqual(made.cells.map(({ source }) => source), ["# A", "2"]);
  assert.equal("page" in made, false);
});

// what Python says of the texts below: names bound, and names read at once, or later
const SAID = {
  "a = 1": ["a", ""], "a = 2": ["a", ""], "a = wrong": ["a", ""], "a = wrong, too": ["a", ""], "a = absent": ["a", ""], "z = 9": ["z", ""], "b = a": ["b", "a"], a: ["", "a"], b: ["", "b"],
  "explore(f)": ["", "f"], "explore(g)": ["", "g"], forever: ["", "a"], "a = train(a)": ["a", "a"], "wrong(a)": ["", "a"],
  "def f(x):\n    return a": ["f", "", "a"], "def f(x):\n    return 2 * a": ["f", "", "a"],
};
const list = (word) => (word ? [word] : []);
const names = (text) => text === "no Python" ? null : (([binds, reads, later]) => ({ binds: list(binds), touches: [], reads: list(reads), later: list(later) }))(SAID[text]);

/** Cells that note what becomes of them, and a client whose cells do as their text says. */
function workbench(texts, more = {}, hands = {}) {
  const log = [];
  let stopped = null;
  const client = {
    state: "ready",
    async run(source) {
      log.push(source);
      if (source.includes("absent")) return { ok: false, absent: true, error: { name: "NotInPage", message: "" } };
      if (source.includes("forever")) return new Promise((done) => (stopped = done));
      return source.includes("wrong") ? { ok: false, error: { name: "E", message: "" } } : { ok: true, milliseconds: 1 };
    },
    async stop() {
      stopped?.({ ok: false, stopped: true });
    },
    async reset() {},
  };
  const said = [];
  const cells = texts.map((book, at) => {
    const cell = {
      number: at + 1, hidden: false, pictured: book.includes("explore"), drawn: book.includes("explore"), kept: null, book, now: book, why: null,
      text: () => cell.now, waits() {}, starts: () => () => {}, ends(result) { cell.result = result; }, rests(why, before) { Object.assign(cell, { why, before }); },
      ...more[at],
    };
    return cell;
  });
  const asked = [];
  const known = createNames(texts.map((book) => ({ book, names: names(book) })), async (fresh) => (asked.push(...fresh), fresh.map(names)));
  const begun = [];
  const options = { client, names: known, ready: async () => true, said: (words) => said.push(words), begins: (at) => begun.push(at), ...hands };
  return { cells, log, said, asked, begun, runner: createRunner(cells, options) };
}

test("what a cell needs runs first, once; what does not concern it does not run", async () => {
  const { runner, log } = workbench(["a = 1", "z = 9", "b = a", "b"]);
  await runner.run(3);
  assert.deepEqual(log, ["a = 1", "b = a", "b"]);
  await runner.run(3);
  assert.deepEqual(log.slice(3), ["b"]);
  await runner.run(3, "above");
  assert.deepEqual(log.slice(4), ["a = 1", "z = 9", "b = a", "b"]);
});

test("a figure follows the formula behind it, and only when the formula changed", async () => {
  const { runner, log, cells, said } = workbench(["a = 1", "def f(x):\n    return a", "explore(f)", "explore(g)"]);
  await runner.run(1);
  assert.deepEqual(log, ["a = 1", "def f(x):\n    return a"], "the figure shows this already");
  cells[1].now = "def f(x):\n    return 2 * a";
  assert.equal(runner.stale(2), true);
  await runner.run(1);
  assert.deepEqual(log.slice(2), [cells[1].now, "explore(f)"]);
  assert.deepEqual(said, ["The figure follows."]);
  assert.equal(runner.stale(2), false);
});

// what the figure below is that follows what is typed -> what runs, and what is said
for (const [title, more, now, ran, heard] of [
  ["a figure follows what is typed", {}, "explore(f)", ["a = 2", "def f(x):\n    return a", "explore(f)"], []],
  ["a figure that takes long waits for Run", { slow: () => true }, "explore(f)", ["a = 2"], []],
  ["what a link brought waits for Run", {}, "explore(g)", ["a = 2"], []],
])
  test(`${title}, while somebody types`, async () => {
    const texts = ["a = 1", "def f(x):\n    return a", "explore(f)"];
    const unasked = [];
    const { runner, log, cells } = workbench(texts, { 0: { unasked: () => unasked.push(1) }, 2: { pictured: true, drawn: true, ...more } });
    cells[2].now = now;
    await runner.run(0);
    log.length = 0;
    cells[0].now = "a = 2";
    assert.equal(await runner.may(0), "runs");
    await runner.run(0, "typed");
    assert.deepEqual(log, ran);
    assert.deepEqual(unasked, [1], "the run by hand was asked for");
  });

test("a figure whose own text failed when it was last run follows what is typed all the same", async () => {
  const { runner, log, cells } = workbench(["a = 1", "explore(f)"]);
  cells[1].now = "wrong(a)";
  await runner.run(1);
  cells[0].now = "a = 2";
  await runner.run(0, "typed");
  assert.deepEqual(log, ["a = 1", "wrong(a)", "a = 2", "wrong(a)"]);
});

test("a text runs by itself if it is Python and what it needs has run", async () => {
  const { runner, cells } = workbench(["a = 1", "b = a"]);
  assert.equal(await runner.may(1), "no");
  await runner.run(1);
  assert.equal(await runner.may(1), "runs");
  cells[1].now = "no Python";
  assert.equal(await runner.may(1), "unfinished");
  cells[0].now = "a = 2";
  assert.equal(await runner.may(1), "no");
  assert.equal(createNames([], async () => [null]).whole("a = ("), false);
});

test("an error of what ran by itself is quiet until nobody types, and the next edit ends what is said of it", (t) => {
  const { document } = new JSDOM('<div id="in-0"><div class="highlight-python"></div></div><div id="out-0"><svg></svg></div>').window;
  Object.assign(globalThis, { document, window: globalThis });
  t.mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  const heard = [];
  const hands = { said() {}, failed: (words) => heard.push(words), mended: () => heard.push("mended"), edited() {} };
  const cell = createCell({ place: 0, number: 1, id: "a", book: "1", about: {}, solvedBy: "", waysIn: "", solved: false }, hands);
  const [code, shown] = ["in-0", "out-0"].map((id) => document.getElementById(id));
  const fails = () => cell.ends({ ok: false, milliseconds: 5, error: { name: "NameError", message: "no q", frames: [{ cell: "cell 1", line: 1 }] } });
  cell.open();
  cell.unasked();
  cell.starts()({ kind: "stream", text: "half" });
  fails();
  assert.deepEqual([shown.innerHTML, shown.dataset.old, code.dataset.run, heard], ["<svg></svg>", undefined, "", []]);
  t.mock.timers.tick(1500);
  assert.deepEqual([shown.dataset.old, code.dataset.run, heard], ["From before the error in line 1", "failed", ["NameError: no q"]]);
  assert.match(document.querySelector(".ed-error").textContent, /half/);
  cell.set("2");
  assert.deepEqual([shown.dataset.old, code.dataset.run, heard.at(-1)], [undefined, "", "mended"]);
  assert.equal(document.querySelector(".ed-error"), null);
  cell.unasked();
  cell.starts();
  fails();
  cell.set("3");
  t.mock.timers.tick(5000);
  assert.equal(heard.at(-1), "mended", "whoever types on hears nothing");
  cell.unasked();
  cell.starts();
  cell.ends({ ok: false, error: { name: "SyntaxError", message: "invalid", frames: [{ cell: "cell 1", line: 1, column: 3 }] } });
  assert.equal(heard.at(-1), "SyntaxError: invalid", "a text that is no Python has had its time");
});

test("an edited cell above runs again before what needs it", async () => {
  const { runner, log, cells, asked } = workbench(["a = 1", "a"]);
  await runner.run(1);
  cells[0].now = "a = 2";
  await runner.run(1);
  assert.deepEqual(log, ["a = 1", "a", "a = 2", "a"]);
  assert.deepEqual(asked, ["a = 2"], "Python is asked of the reader's own text, and only of that");
});

test("a text that is no Python counts as the book's", async () => {
  const known = createNames([{ book: "a = 1", names: names("a = 1") }], async () => [null]);
  await known.learn(["a = ("]);
  assert.deepEqual(known.of("a = (", 0).binds, ["a"]);
});

test("an error ends the row and says which cell it was", async () => {
  const { runner, log, cells } = workbench(["a = wrong", "a"]);
  await runner.run(1);
  assert.deepEqual(log, ["a = wrong"]);
  assert.match(cells[1].why, /Cell 1/);
  assert.deepEqual([cells[1].before.first, cells[1].before.stale], [cells[0], false]);
  cells[0].now = "a = wrong, too";
  await runner.run(1);
  assert.equal(cells[1].before.stale, true, "what it shows came from another text");
});

test("a cell that waits for others stops them by its Run, and says whose error kept it from running", () => {
  const { document } = new JSDOM('<div id="in-1"><div class="highlight-python"></div></div><div id="out-1"><p>old</p></div>').window;
  Object.assign(globalThis, { document, window: globalThis });
  const done = [];
  const hands = { run: () => done.push("run"), stop: () => done.push("stop"), go: (...where) => done.push(where) };
  const cell = createCell({ place: 1, number: 2, id: "b", book: "a", about: {}, solvedBy: "", waysIn: "", solved: false }, hands);
  cell.open();
  const [code, shown, run] = ["#in-1", "#out-1", ".ed-run"].map((one) => document.querySelector(one));
  cell.heeds();
  cell.waits();
  run.click();
  cell.heeds();
  assert.equal(run.getAttribute("aria-label"), "Stop cell 2");
  run.click();
  const first = { name: "cell 1", fault: () => 5 };
  cell.rests("Cell 1, which comes first, has an error.", { first, stale: true });
  assert.deepEqual([code.dataset.run, shown.dataset.old], ["blocked", "From before the error in cell 1"]);
  assert.equal(document.querySelector(".ed-note").textContent, "Cell 1, which comes first, has an error.");
  document.querySelector(".ed-note button").click();
  run.click();
  assert.deepEqual(done, ["run", "stop", ["cell 1", 5], "run"]);
  cell.freed("cell 7");
  assert.equal(code.dataset.run, "blocked");
  cell.freed("cell 1");
  assert.deepEqual([code.dataset.run, shown.dataset.old, document.querySelector(".ed-note").textContent], ["", undefined, ""]);
  cell.rests("Cell 1, which comes first, has an error.", { first, stale: false });
  assert.equal(shown.dataset.old, undefined, "what does not hang on it is not old");
});

test("a check of the book's that fails keeps no figure from following, and the bar hears where the row is", async () => {
  const texts = ["a = 1", "a", "def f(x):\n    return a", "explore(f)"];
  const { runner, log, cells, said, begun } = workbench(texts, { 1: { pictured: true, ends: (result) => !result.ok } });
  await runner.run(1);
  cells[0].now = "a = 2";
  cells[1].now = "wrong(a)";
  await runner.run(0);
  assert.deepEqual(log, ["a = 1", "a", "a = 2", "wrong(a)", texts[2], "explore(f)"]);
  assert.deepEqual(said, ["The figure follows."]);
  assert.deepEqual(begun, [0, 1, 0, 1, 2, 3]);
});

// what the figure below cell 1 does, or is -> what is said when cell 1 changes
for (const [title, more, said] of [
  ["a figure is said to follow", {}, ["The figure follows."]],
  ["a figure whose check fails is an older one, and is not said to follow", { 1: { ends: () => true } }, []],
  ["a figure that fails unseen is not said to follow", { 1: { hidden: true } }, []],
  ["a cell that is a figure itself says so before the figures below it", { 0: { drawn: true } }, ["The figure follows.", "2 figures follow."]],
])
  test(title, async () => {
    const { runner, cells, said: heard } = workbench(["a = 1", "a"], { ...more, 1: { pictured: true, drawn: true, ...more[1] } });
    cells[0].now = "a = 2";
    cells[1].now = more[1] ? "wrong(a)" : "a";
    await runner.run(0);
    assert.deepEqual(heard, said);
  });

test("a cell in which only a check of the book's fails does not run again for others", async () => {
  const { runner, log } = workbench(["a = wrong", "a"], { 0: { ends: () => true } });
  await runner.run(1);
  await runner.run(1);
  assert.deepEqual(log, ["a = wrong", "a", "a"]);
});

test("the error of a cell that is not on the page ends nothing", async () => {
  const { runner, log } = workbench(["a = wrong", "a"], { 0: { hidden: true } });
  await runner.run(1);
  assert.deepEqual(log, ["a = wrong", "a"]);
});

test("after a stop Python knows nothing: one call brings all back, or a run what it needs", async () => {
  const { runner, log, cells } = workbench(["a = 1", "forever"]);
  await runner.run(0);
  const endless = runner.run(1);
  while (!log.includes("forever")) await new Promise((next) => setImmediate(next));
  const again = await runner.stop();
  assert.equal(await endless, false);
  assert.equal(cells[1].result.stopped, true);
  cells[1].now = "a";
  await runner.run(1);
  assert.deepEqual(log, ["a = 1", "forever", "a = 1", "a"]);
  await again();
  assert.deepEqual(log.slice(4), ["a = 1"]);
  assert.equal(await workbench(["a = 1"]).runner.stop(), null, "nothing comes back where nothing had run");
});

test("what is stopped while it runs as it had run before does not come back with the others", async () => {
  let ends;
  const { runner, log } = workbench(["a = 1", "a"]);
  await runner.run(1);
  log.push = (source) => (Array.prototype.push.call(log, source), source === "a" && log.length < 4 && (ends = runner.stop()));
  await runner.run(1);
  await (await ends)();
  assert.deepEqual([...log], ["a = 1", "a", "a", "a = 1"]);
});

test("what runs unasked and does not end is told of after ten seconds, or a minute the first time; what a hand runs is not", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const heard = [];
  for (const [first, lasted, anew] of [["typed", 5], ["typed", 0], ["needed", 5], ["typed", 5, true]]) {
    const { runner } = workbench(["forever"], [{ lasted: () => lasted }], { endless: (...said) => heard.push(said) });
    const running = runner.run(0, first);
    await new Promise(setImmediate);
    if (anew) runner.run(0); // a hand wants what runs
    for (const seconds of [9, 2, 50]) {
      t.mock.timers.tick(1000 * seconds);
      heard.push(seconds);
    }
    await runner.stop();
    await running;
    t.mock.timers.tick(1e6);
  }
  assert.deepEqual(heard, [9, [0, 10], 2, 50, 9, 2, [0, 60], 50, 9, 2, 50, 9, 2, 50]);
});

test("a cell that is run while another row runs ends that row, waits for its turn, and has the last word", async () => {
  const { runner, log, cells, said } = workbench(["a = 1", "def f(x):\n    return a", "explore(f)", "forever"]);
  cells[1].now = "def f(x):\n    return 2 * a";
  const order = [];
  for (const cell of cells) {
    cell.starts = () => (order.push(`starts ${cell.number}`), () => {});
    cell.ends = () => order.push(`ends ${cell.number}`);
  }
  const endless = runner.run(3);
  while (!log.includes("forever")) await new Promise((next) => setImmediate(next));
  const figure = runner.run(1);
  cells[1].now = "a = wrong";
  const wrong = runner.run(1);
  for (let i = 0; i < 20; i++) await new Promise((next) => setImmediate(next));
  assert.deepEqual(order, ["starts 1", "ends 1", "starts 4"], "who waits has not begun");
  await runner.stop();
  assert.deepEqual(await Promise.all([endless, figure, wrong]), [false, false, false]);
  assert.deepEqual(order.slice(3), ["ends 4"]);
  assert.equal(await runner.run(1), false);
  const both = [runner.run(1), runner.run(1)];
  assert.deepEqual(await Promise.all(both), [false, false]);
  assert.deepEqual(log.slice(2), ["a = wrong", "a = wrong"]);
  assert.deepEqual(said, [], "no figure follows an error");
});

test("a kept cell takes along the kept cell it needs; where the page cannot have that one, it says so", async () => {
  const kept = { 0: { kept: "minutes" }, 1: { kept: "needs cell 1" } };
  const { runner, log } = workbench(["a = 1", "a"], kept);
  await runner.run(1);
  assert.deepEqual(log, ["a = 1", "a"]);
  const other = workbench(["a = absent", "a"], kept);
  await other.runner.run(1);
  assert.deepEqual(other.log, ["a = absent"]);
  assert.match(other.cells[1].result.error.message, /needs cell 1/);
});

test("cells that are kept do not run for others, and run when they are asked for", async () => {
  const { runner, log } = workbench(["a = 1", "a = train(a)", "a"], { 1: { kept: "minutes" } });
  await runner.run(2);
  assert.deepEqual(log, ["a = 1", "a"]);
  await runner.run(1);
  assert.ok(log.includes("a = train(a)"));
});

test("nothing in a cell's HTML runs in the page", async () => {
  const { window } = new JSDOM("");
  Object.assign(globalThis, { DOMParser: window.DOMParser, document: window.document });
  const { clean } = await import("../../../pagepython/editing/sanitize.mjs");
  const hostile = `<p onclick="x()">text</p><script>x()</script><img src=x onerror="x()"><iframe src="/"></iframe>
    <a href="java\nscript:x()">a</a><a href="https://example.org/">b</a><svg><a xlink:href="javascript:x()"><set attributeName="href"/></a></svg>
    <form action="javascript:x()"><button formaction="javascript:x()">c</button></form><meta http-equiv="refresh" content="0">
    <script type="application/json">{"kept": 1}</script><img src="data:image/png;base64,AA=="><a href="data:text/html,x">d</a>`;
  const box = window.document.createElement("div");
  box.append(clean(hostile));
  const html = box.innerHTML;
  for (const gone of ["onclick", "onerror", "iframe", "javascript", "script>x", "<set", "<form", "<meta", "data:text"]) assert.ok(!html.includes(gone), `${gone}: ${html}`);
  for (const stays of ["text", "https://example.org/", '{"kept": 1}', "data:image/png"]) assert.ok(html.includes(stays), stays);
});

test("a cell that is run keeps its picture while the numbers are those of the book, and shows others as text", () => {
  const page = `<div class="cell"><div id="in"></div><div id="out"><div class="figure-inline"><svg></svg></div></div>
    <details><pre class="figure-numbers">key 1  0.25\nkey 2  0.75</pre></details></div>`;
  const { document } = new JSDOM(page).window;
  Object.assign(globalThis, { document });
  const [code, stored] = ["in", "out"].map((id) => document.getElementById(id));
  const outputs = createOutputs({ code, stored, wake: async () => {} });
  const pictures = (text) => {
    const run = outputs.begin();
    run.add({ kind: "text", text });
    run.end("");
    return [stored.querySelectorAll("svg").length, stored.querySelectorAll("pre").length];
  };
  assert.deepEqual(pictures("key 1   0.25\nkey 2   0.75"), [1, 0]);
  assert.deepEqual(pictures("key 1   0.20\nkey 2   0.80"), [0, 1]);
  outputs.restore();
  assert.equal(stored.querySelectorAll("svg").length, 1);
});

test("a figure beside its open code that nobody has come to is not asked for its numbers", () => {
  const { window } = new JSDOM("");
  const { document } = window;
  Object.assign(globalThis, { document, getComputedStyle: window.getComputedStyle.bind(window), innerHeight: 800, XMLSerializer: window.XMLSerializer });
  document.body.innerHTML =
    '<div class="figure-block"><div id="shown"><figure class="livetorch"></figure></div>' +
    '<details class="code-fold" open style="position: sticky; top: 0px"><div id="written"></div></details></div>';
  const [stored, code, figure] = ["#shown", "#written", "figure"].map((name) => document.querySelector(name));
  let asked = 0;
  figure.livetorch = { outputs: () => ({ [++asked]: { data: [1] } }) };
  const outputs = createOutputs({ code, stored, wake: async () => {} });
  outputs.begin();
  assert.equal(asked, 0);
  figure.classList.add("lt-mounted");
  outputs.begin();
  assert.equal(asked, 1);
});

test("what is too long for the page is cut, and that is said", () => {
  const { document } = new JSDOM('<div id="in-0"></div><div id="out-0"></div>').window;
  Object.assign(globalThis, { document, DOMParser: new JSDOM("").window.DOMParser });
  const [code, stored] = ["in-0", "out-0"].map((id) => document.getElementById(id));
  const outputs = createOutputs({ code, stored, wake: async () => {} });
  const long = "x".repeat(60_000);
  for (const texts of [[["stream", long], ["stream", long], ["stream", "y"], ["text", "7"]], [["text", long + long]]]) {
    const run = outputs.begin();
    for (const [kind, text] of texts) run.add({ kind, text });
    run.end("");
    assert.match(stored.textContent, /^x{100000}\n\(more than 100,000 signs: the rest is not shown\)\n$/);
  }
});

test("what a figure's code prints stands below that code, and a text that was stopped says that it is from before", () => {
  const { document } = new JSDOM('<div id="in-0" data-editing></div><div id="out-0"><figure class="livetorch"></figure></div>').window;
  Object.assign(globalThis, { document, getComputedStyle: () => ({}), DOMParser: new JSDOM("").window.DOMParser });
  const [code, stored] = ["in-0", "out-0"].map((id) => document.getElementById(id));
  const figure = createOutputs({ code, stored, wake: async () => {} });
  const printed = () => Array.from(document.querySelectorAll("#in-0 + .ed-printed"), (each) => each.textContent);
  let run = figure.begin();
  for (const text of ["4", "2"]) run.add({ kind: "stream", text });
  run.add({ kind: "figure", html: '<figure class="livetorch" data-name="new"></figure>' });
  run.end("Run here");
  assert.deepEqual([stored.querySelector("figure").dataset.name, stored.children.length, printed()], ["new", 1, ["42"]]);
  run = figure.begin();
  run.add({ kind: "stream", text: "half" });
  run.hold();
  assert.deepEqual(printed(), ["42"], "whoever types has not ended");
  const box = document.createElement("div");
  run.fail(box, "the error");
  assert.deepEqual([printed(), box.textContent, box.querySelector(".ed-printed")], [[], "half", null], "in its box nothing is pinned");
  run = figure.begin();
  run.add({ kind: "figure", html: '<figure class="livetorch"></figure>' });
  for (const text of ["one", "", "two"]) run.add(text ? { kind: "stream", text } : { kind: "clear" });
  run.end("");
  assert.deepEqual([printed(), stored.querySelectorAll("figure").length], [["two"], 1], "what is cleared is what was printed");

  document.body.innerHTML = '<div id="in-1" data-editing></div><div id="out-1"><pre>old</pre></div>';
  const [its, text] = ["in-1", "out-1"].map((id) => document.getElementById(id));
  const outputs = createOutputs({ code: its, stored: text, wake: async () => {} });
  outputs.begin().halt();
  assert.equal(text.dataset.old, "From before the stop");
  outputs.shelve();
  assert.equal(text.dataset.old, undefined, "the book's own is nothing old");
  outputs.unshelve();
  assert.equal(text.dataset.old, "From before the stop");
  run = outputs.begin();
  run.add({ kind: "stream", text: "new" });
  run.halt();
  assert.deepEqual([text.dataset.old, text.textContent], [undefined, "new"]);
  outputs.begin().fail(document.createElement("div"), "the error");
  assert.equal(text.textContent, "");
  outputs.begin().halt();
  assert.deepEqual([text.dataset.old, text.textContent], ["From before the stop", "old"], "the book's, where only an error stood");
  document.body.innerHTML = '<div id="in-2" data-editing></div><div id="out-2" hidden>Empty.</div>';
  const [answer, reply] = ["in-2", "out-2"].map((id) => document.getElementById(id));
  createOutputs({ code: answer, stored: reply, wake: async () => {} }).begin().halt();
  assert.deepEqual([reply.hidden, reply.dataset.old], [true, undefined], "the book's reply to an empty exercise");
});

test("a figure that follows behind its veil is said to be hidden, and what lifts it stands beside", async () => {
  const { document, Event, MutationObserver } = new JSDOM('<div><figure data-veil></figure></div>').window;
  Object.assign(globalThis, { document, Event, MutationObserver, innerHeight: 800 });
  const cell = { outputs: { element: () => document.querySelector("div") }, focus() {} };
  let [said, way, still] = ["", null, true];
  const announce = (...now) => (([said, way] = now), () => still);
  assert.equal(follow("2 figures follow.", cell, cell, announce), "2 figures follow, the first hidden until your guess.");
  follow("The figure follows. Type.", cell, cell, announce);
  assert.equal(said, "The figure follows, hidden until your guess. Type.");
  way.work();
  await new Promise((done) => setTimeout(done));
  assert.notEqual(way?.text, "Just show me");
  assert.equal(said, "The figure follows. Type.");
  document.querySelector("figure").dataset.veil = "";
  follow("The figure follows.", cell, cell, announce);
  [said, still] = ["else", false];
  way.work();
  await new Promise((done) => setTimeout(done));
  assert.equal(said, "else", "another word stays");
  document.querySelector("figure").dataset.veil = "";
  follow("The figure follows.", cell, cell, announce, true);
  assert.deepEqual([said, "veil" in document.querySelector("figure").dataset], ["The figure follows.", false], "a link is opened to see what it changes");
});

test("on a phone an error's name and the way there are all that the bar says, and what follows a check leads there", () => {
  const { document, window } = new JSDOM("").window;
  Object.assign(globalThis, { document, window, innerWidth: 1280 });
  const dock = createDock(/** @type {any} */ ({ first: null }));
  const bar = () => Array.from(dock.element.querySelector(".ed-said").children, (one) => one.textContent);
  const way = { text: "cell 4, line 2", work() {} };
  dock.wrong("NameError: name 'q' is not defined", way);
  assert.deepEqual(bar(), ["NameError: name 'q' is not defined", "cell 4, line 2"]);
  globalThis.innerWidth = 390;
  dock.wrong("NameError: name 'q' is not defined", way);
  assert.deepEqual(bar(), ["NameError", "cell 4, line 2"]);
  assert.equal(dock.element.querySelector("[role=status]").textContent, "cell 4, line 2. NameError: name 'q' is not defined");
  dock.wrong("The check no longer holds: that is expected.", way, true);
  dock.announce("The figure follows. The check no longer holds: that is expected.");
  assert.equal(bar()[1], "cell 4, line 2");
  dock.announce("The figure follows.");
  assert.equal(bar().length, 1);
});

test("of an edited flow it is said that the words on its arrows stay", () => {
  const book = 'A = S / 3**0.5\nFlow(steps=["\u00f7 \u221a3"])';
  assert.match(ofArrows(book.replace("3**", ""), book), /arrows stay/);
  for (const [text, own] of [[book, book], ["Bars()", "Bars(x)"]]) assert.equal(ofArrows(text, own), "");
});

test("a figure keeps its veil however it is drawn, until it has been lifted once", () => {
  const html = '<figure class="livetorch" data-name="f" data-veil></figure>';
  const { document, Event } = new JSDOM(`<div id="in-0"></div><div id="out-0"><div>${html}</div></div>`).window;
  Object.assign(globalThis, { document, Event, DOMParser: new JSDOM("").window.DOMParser });
  const [code, stored] = ["in-0", "out-0"].map((id) => document.getElementById(id));
  code.dataset.editing = "";
  const outputs = createOutputs({ code, stored, wake: async () => {} });
  const veiled = () => Array.from(stored.querySelectorAll("figure"), ({ dataset }) => "veil" in dataset).join();
  const run = () => {
    const made = outputs.begin();
    made.add({ kind: "figure", html });
    return made;
  };
  const box = () => document.createElement("div");
  const states = [
    run, // while it runs
    () => run().end(""),
    () => run().halt(),
    () => run().hold(),
    () => run().fail(box(), "the error"),
    outputs.restore,
    () => (outputs.shelve(), outputs.unshelve()),
  ];
  const drawn = () => states.map((state) => (state(), veiled())).join();
  assert.equal(drawn(), "true,true,true,true,true,true,true");
  run().end("");
  unveil(stored.querySelector("figure"));
  assert.equal(drawn(), "false,false,false,false,false,false,false", "the book's own figure among them");
});
