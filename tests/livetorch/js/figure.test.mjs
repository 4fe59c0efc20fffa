import assert from "node:assert/strict";
import { test } from "node:test";

import { button, enter, field, pick, place, settle } from "./page.mjs";

const { mount } = await import("../../../livetorch/js/figure/mount.mjs");
const { widget } = await import("../../../livetorch/js/hosts/widget.mjs");
const { oncePerFrame } = await import("../../../livetorch/js/shared/dom.mjs");
const { splitHash } = await import("../../../livetorch/js/figure/link.mjs");

const scalar = (/** @type {string} */ name, dtype = "float32") => ({ name, shape: [], dtype });

/** width * factor, and what training would make of it. @param {number} factor */
const times = (factor) => ({
  format: "livetorch/program",
  version: 1,
  inputs: [scalar("width")],
  constants: [{ dtype: "float32", shape: [1, 2], data: "AACAPwAAAEA=" }], // [[1, 2]]
  nodes: [
    { op: "aten.mul.Tensor", args: [{ v: 1 }, { v: 0 }], kwargs: {}, outs: 1 },
    { op: "aten.mul.Scalar", args: [{ v: 2 }, { f: factor }], kwargs: {}, outs: 1 },
    { op: "aten.mul.Scalar", args: [{ v: 0 }, 0.5], kwargs: {}, outs: 1 },
  ],
  outputs: [{ name: "output", value: 3 }, { name: "next", value: 4 }],
});

const width = { name: "width", label: "Width", kind: "slider", value: 0.5, min: 0, max: 2, step: 0.1, format: ".2f", dtype: "float32", scale: "linear", description: null };
const kind = { name: "kind", label: "Kind", kind: "dropdown", value: 0, options: ["once", "ten times"], variant: true, description: null };

const figure = (more = {}) => ({
  format: "livetorch/figure",
  version: 1,
  name: "demo",
  title: "Demo",
  caption: "A caption",
  controls: [width, kind],
  programs: [times(1), times(10)],
  pool: [],
  variants: { controls: ["kind"], keys: { 0: 0, 1: 1 } },
  views: [],
  carry: null,
  ...more,
});

const carrying = figure({ carry: { names: { width: "next" }, steps: 8, pace: 1000 } });
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

test("numbers open under their words, and what has none stays inside", () => {
  const element = place();
  mount(element, figure({ labels: { output: "width times one and two" } }));
  const details = element.querySelector("details");
  details.open = true;
  details.dispatchEvent(new Event("toggle"));
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

test("the numbers are made when they are opened, and then follow", () => {
  const element = place();
  const handle = mount(element, figure());
  const details = element.querySelector("details");
  assert.equal(details.querySelectorAll("td").length, 0);
  details.open = true;
  details.dispatchEvent(new window.Event("toggle"));
  assert.match(details.textContent, /output, shape \(1, 2\).*0\.5000.*1\.0000/);
  handle.set("width", 0.25);
  handle.outputs();
  assert.match(details.textContent, /0\.2500.*0\.5000/);
});

test("a step feeds the outputs back, and is counted", () => {
  const element = place();
  const handle = mount(element, carrying);
  button(element, "Step").click();
  button(element, "Step").click();
  assert.equal(handle.state().width, 0.125);
  assert.deepEqual(handle.history().map((/** @type {any} */ frame) => frame.next.data[0]), [0.25, 0.125, 0.0625]);
  assert.match(element.textContent, /step 2/);
});

test("a run goes to its end by itself; restart goes back to where it began", async () => {
  const element = place();
  const handle = mount(element, carrying);
  handle.set("width", 1);
  button(element, "Run").click();
  assert.ok(button(element, "Stop"));
  await settle(60);
  assert.equal(handle.state().width, 2 ** -8);
  assert.ok(button(element, "Step").disabled);
  button(element, "Run again").click();
  assert.equal(handle.state().width, 1); // from the beginning
  await settle(60);
  assert.equal(handle.state().width, 2 ** -8);
  button(element, "Restart").click();
  assert.equal(handle.state().width, 1);
  handle.outputs();
  assert.equal(handle.history().length, 1);
});

test("a control that the carry names begins again, at the settings that stand", async () => {
  const element = place();
  const control = { ...carrying.controls[0], name: "other", label: "Other", value: 0.5 };
  const restart = figure({ ...carrying, controls: [...carrying.controls, control], carry: { ...carrying.carry, restart: ["other"] } });
  const handle = mount(element, restart);
  handle.set("width", 1);
  await handle.step(2);
  handle.set("other", 0.25);
  assert.deepEqual([handle.state().width, handle.state().other], [1, 0.25]);
  handle.outputs();
  assert.equal(handle.history().length, 1);
});

test("the button that starts a run bears the word it was given", () => {
  const element = place();
  mount(element, figure({ carry: { ...carrying.carry, run: "Train" } }));
  button(element, "Train").click();
  assert.ok(button(element, "Stop"));
});

test("moving a carried slider begins a new run, moving another does not", () => {
  const handle = mount(place(), carrying);
  handle.step(2);
  return settle(40).then(() => {
    handle.set("kind", 1);
    handle.outputs();
    assert.equal(handle.history().length, 3);
    handle.set("width", 1);
    handle.outputs();
    assert.equal(handle.history().length, 1);
  });
});

test("a link to a run does its steps again", async () => {
  const first = mount(place(), carrying);
  first.set("width", 1);
  await first.step(3);
  assert.equal(first.link(), "#lt:demo=width:1,@:3");
  const second = mount(place(), carrying, { state: splitHash(first.link()).demo });
  await second.ready;
  assert.deepEqual(second.state(), first.state());
  assert.deepEqual(second.history(), first.history());
});

test("a run that leaves the numbers stops and says so", () => {
  const element = place();
  const growing = structuredClone(carrying);
  growing.programs.forEach((/** @type {any} */ program) => (program.nodes[2].args[1] = 1e30));
  mount(element, growing);
  for (let i = 0; i < 3; i += 1) button(element, "Step").click();
  assert.match(element.querySelector("[role=alert]").textContent, /next is no longer a finite number/);
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

/** What anywidget gives a widget, without a kernel. @param {Record<string, any>} values */
function model(values) {
  /** @type {Record<string, Function[]>} */
  const listeners = {};
  return {
    values,
    saved: 0,
    get: (/** @type {string} */ name) => values[name],
    set(/** @type {string} */ name, /** @type {any} */ value) {
      values[name] = value;
      for (const listener of listeners[`change:${name}`] ?? []) listener();
    },
    save_changes() {
      this.saved += 1;
    },
    on: (/** @type {string} */ event, /** @type {Function} */ listener) => (listeners[event] ??= []).push(listener),
    off: (/** @type {string} */ event, /** @type {Function} */ listener) => (listeners[event] = listeners[event].filter((each) => each !== listener)),
    count: (/** @type {string} */ event) => (listeners[event] ?? []).length,
  };
}

test("a widget starts at the kernel's settings, follows them, and tells its own", async () => {
  const el = place();
  const kernel = model({ _spec: figure(), value: { width: 1, kind: 1 } });
  const stop = widget.render({ model: kernel, el });
  const handle = /** @type {any} */ (el.firstElementChild).livetorch;
  assert.deepEqual(handle.state(), { width: 1, kind: 1 });
  kernel.set("value", { width: 0.25, kind: 0 });
  assert.deepEqual(handle.state(), { width: 0.25, kind: 0 });
  assert.equal(kernel.saved, 0);
  enter(field(el, "Width"), 1.5);
  assert.deepEqual(kernel.values.value, { width: 1.5, kind: 0 });
  assert.equal(kernel.saved, 1);
  stop();
  assert.equal(kernel.count("change:value"), 0);
});

test("a slider under the hand tells the kernel soon, not at every move", async () => {
  const el = place();
  const kernel = model({ _spec: figure(), value: {} });
  const stop = widget.render({ model: kernel, el });
  for (let i = 1; i <= 10; i += 1) enter(field(el, "Width"), i / 10, ["input"]);
  assert.equal(kernel.saved, 0);
  await settle(150);
  assert.equal(kernel.saved, 1);
  assert.equal(kernel.values.value.width, 1);
  stop();
});
