import assert from "node:assert/strict";
import { test } from "node:test";

import { figure, kind, width } from "./demo_figure.mjs";
import { button, enter, field, pick, place, settle } from "./page.mjs";

const { mount } = await import("../../../livetorch/js/figure/mount.mjs");
await import("../../../livetorch/js/parts/all.mjs");
const { partOf } = await import("../../../livetorch/js/hosts/parts.mjs");
const { oncePerFrame } = await import("../../../livetorch/js/shared/dom.mjs");
const { splitHash } = await import("../../../livetorch/js/figure/link.mjs");

const numbers = (/** @type {any} */ handle) => Array.from(handle.outputs().output.data, (x) => Number(x.toFixed(4)));

test("a figure computes its outputs for the default setting", () => {
  assert.deepEqual(numbers(mount(place(), figure())), [0.5, 1]);
});

test("a moved slider changes the outputs and the value beside it", () => {
  const element = place();
  const handle = mount(element, figure());
  enter(field(element, "Width"), 1.5);
  assert.deepEqual(numbers(handle), [1.5, 3]);
  assert.equal(element.querySelector("output").textContent, "1.50");
});

test("a move is answered at once", () => {
  const element = place();
  mount(element, figure()).set("width", 0.75);
  assert.equal(element.querySelector("output").textContent, "0.75");
});

test("a storm of moves is computed at its first and its last, once a frame", async () => {
  const done = [];
  const slow = oncePerFrame(() => done.push(latest));
  let latest = 0;
  for (latest = 1; latest <= 50; latest += 1) slow.ask();
  assert.deepEqual(done, [1]);
  await settle();
  assert.deepEqual(done, [1, 51]);
});

test("what still waits for its frame is done when the outputs are read", () => {
  const element = place();
  const handle = mount(element, figure());
  for (const x of [0.1, 0.2, 0.3]) enter(field(element, "Width"), x, ["input"]);
  assert.deepEqual(numbers(handle), [0.3, 0.6]);
});

test("what is shown is not drawn again while a worker computes what comes next", async () => {
  globalThis.ResizeObserver = /** @type {any} */ (class { observe() {} disconnect() {} });
  const [asked, far] = [[], { ask: (/** @type {any} */ settings) => asked.push(settings), end() {} }];
  let came = (/** @type {any[]} */ ..._) => {};
  const worker = { createFar: (/** @type {any} */ _, /** @type {any} */ told) => ((came = told.came), far) };
  const first = { output: { dtype: "float32", shape: [], data: "AAAAQA==" } };
  const view = { kind: "number", source: { output: "output" }, unit: "", format: ".1f", title: "one" };
  const large = figure({ first, pool: [{ shape: [1000, 1001] }], views: [view] });
  const handle = mount(place(), large, { partOf: (name) => (name === "worker" ? Promise.resolve(worker) : partOf(name)) });
  await settle();
  handle.set("width", 0.75);
  let reads = 0;
  const read = () => ((reads += 1), { shape: [], data: [1] });
  came(asked.at(-1), Object.defineProperty({}, "output", { get: read, enumerable: true }));
  await settle();
  const [once, so] = [reads, asked.length];
  handle.set("width", 1);
  await settle();
  assert.deepEqual([once > 0, reads, asked.length], [true, once, so + 1]);
});

test("an option chooses its Program", () => {
  const element = place();
  const handle = mount(element, figure());
  pick(element, "ten times");
  assert.deepEqual(numbers(handle), [5, 10]);
});

test("every control has a label, and its value in words", () => {
  const element = place();
  mount(element, figure());
  assert.equal(field(element, "Width").getAttribute("aria-valuetext"), "0.50");
  assert.equal(element.querySelector("[role=radiogroup]").textContent, "Kindonceten times");
});

test("reset puts every control back", () => {
  const element = place();
  const handle = mount(element, figure());
  handle.set("width", 2);
  handle.set("kind", "ten times");
  button(element, "Reset").click();
  assert.deepEqual(handle.state(), { width: 0.5, kind: 0 });
  assert.deepEqual(numbers(handle), [0.5, 1]);
});

test("a link opens another figure in the same state", async () => {
  const first = mount(place(), figure());
  first.set("width", 1.25);
  first.set("kind", 1);
  const state = splitHash(first.link()).demo;
  const second = mount(place(), figure(), { state });
  await second.ready;
  assert.deepEqual(second.state(), first.state());
});

test("a link full of nonsense opens the figure at its default", async () => {
  const handle = mount(place(), figure(), { state: "width:<b>,kind:9,other:1,@:99,:::" });
  await handle.ready;
  assert.deepEqual(handle.state(), { width: 0.5, kind: 0 });
});

test("a setting that makes no sense is refused by name", () => {
  const handle = mount(place(), figure());
  assert.throws(() => handle.set("width", "wide"), /width cannot be set to "wide"/);
  assert.throws(() => handle.set("depth", 1), /no control depth/);
});

test("a figure is named by its title and described by what to do", () => {
  const element = place();
  mount(element, figure({ do: "Turn the width" }));
  const card = element.querySelector("[role=group]");
  const words = (/** @type {string} */ name) => document.getElementById(card.getAttribute(name))?.textContent;
  assert.deepEqual(["aria-labelledby", "aria-describedby"].map(words), ["Demo", "Turn the width"]);
});

test("numbers open under their words, and what has none stays inside", async () => {
  const element = place();
  mount(element, figure({ labels: { output: "width times one and two" } }), { partOf });
  const details = element.querySelector("details");
  details.open = true;
  details.dispatchEvent(new Event("toggle"));
  await settle();
  assert.match(details.textContent, /width times one and two, shape \(1, 2\)/);
  assert.doesNotMatch(details.textContent, /next/);
});

test("titles, captions, labels and options are only ever text", () => {
  const evil = "<img src=x onerror=alert(1)>";
  const element = place();
  mount(element, figure({ title: evil, caption: evil, controls: [{ ...width, label: evil }, { ...kind, options: [evil, "b"] }] }));
  assert.equal(element.querySelector("img"), null);
  assert.equal(element.querySelector("figcaption").textContent, evil);
});

test("the numbers are made when they are opened, and then follow", async () => {
  const element = place();
  const handle = mount(element, figure(), { partOf });
  const details = element.querySelector("details");
  assert.equal(details.querySelectorAll("td").length, 0);
  details.open = true;
  details.dispatchEvent(new window.Event("toggle"));
  await settle();
  assert.match(details.textContent, /output, shape \(1, 2\).*0\.5000.*1\.0000/);
  handle.set("width", 0.25);
  handle.outputs();
  assert.match(details.textContent, /0\.2500.*0\.5000/);
});

test("what a hand did is taken back, one thing after the other, by a button or Ctrl+Z, but not while a field is written in", async () => {
  const element = place();
  const handle = mount(element, figure(), { partOf });
  const undo = Array.from(element.querySelectorAll("button")).find((each) => each.textContent === "Undo");
  const [range, start] = [element.querySelector("[type=range]"), handle.state()];
  const press = async (/** @type {any} */ at) => {
    at.dispatchEvent(new window.KeyboardEvent("keydown", { key: "z", ctrlKey: true, bubbles: true }));
    await settle();
  };
  assert.equal(undo.hidden, true);
  handle.set("width", 0.25);
  handle.set("width", 0.75);
  assert.equal(undo.hidden, false);
  assert.equal(undo.nextElementSibling?.localName, "input", "the last of the buttons: no other has moved");
  undo.click();
  await settle();
  assert.equal(handle.state().width, 0.25);
  handle.set("width", 1);
  await press(range);
  assert.equal(handle.state().width, 0.25);
  const text = document.createElement("input");
  text.type = "text";
  range.after(text);
  await press(text);
  assert.equal(handle.state().width, 0.25);
  await press(range);
  assert.deepEqual([handle.state(), undo.hidden], [start, true]);
});

test("a hundred things can be taken back, and no more are kept", async () => {
  const element = place();
  const handle = mount(element, figure(), { partOf });
  const undo = Array.from(element.querySelectorAll("button")).find((each) => each.textContent === "Undo");
  const widths = Array.from({ length: 130 }, (_, i) => (i % 2 ? 0.25 : 0.75));
  for (const width of widths) handle.set("width", width);
  let taken = 0;
  for (; !undo.hidden && taken < 200; taken += 1) {
    undo.click();
    await settle();
  }
  assert.equal(taken, 100);
  assert.equal(handle.state().width, widths[29]);
});

test("a figure of another version is refused in words", () => {
  assert.throws(() => mount(place(), figure({ version: 2 })), /cannot show a figure of format livetorch\/figure, version 2/);
});

test("a figure that is taken away leaves nothing behind", () => {
  const element = place();
  mount(element, figure()).destroy();
  assert.equal(element.childElementCount, 0);
  assert.equal(element.livetorch, undefined);
});

test("a control that does nothing at these settings is grey until another is chosen", () => {
  const element = place();
  const handle = mount(element, figure({ controls: [{ ...width, when: { kind: [1] } }, kind] }));
  const seen = () => {
    const slider = element.querySelector(".lt-slider");
    return [slider.matches(".lt-idle"), slider.querySelector("input").disabled, slider.querySelector("label").textContent];
  };
  const grey = [true, true, "Width (only with Kind: ten times)"]; // a screen reader finds it, and hears why
  assert.deepEqual(seen(), grey);
  handle.set("kind", 1);
  assert.deepEqual(seen(), [false, false, "Width"]);
  handle.reset();
  assert.deepEqual(seen(), grey);
});

test("a wrong value is refused at once, also while a figure waits for its weights", () => {
  const asleep = mount(place(), figure(), { whole: () => new Promise(() => {}) });
  for (const handle of [mount(place(), figure()), asleep]) {
    assert.throws(() => handle.set("nothing", 1), /has no control nothing/);
    assert.throws(() => handle.set("width", "wide"), /width cannot be set to "wide"/);
    handle.set("width", 0.5);
  }
});
