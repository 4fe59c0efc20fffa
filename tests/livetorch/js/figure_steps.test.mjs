import assert from "node:assert/strict";
import { test } from "node:test";

import { carrying, figure } from "./demo_figure.mjs";
import { button, place, until } from "./page.mjs";

const { mount } = await import("../../../livetorch/js/figure/mount.mjs");
const { splitHash } = await import("../../../livetorch/js/figure/link.mjs");

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
  const [card] = element.children;
  card.dispatchEvent(new window.KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  assert.ok(card.matches(".lt-glide"));
  button(element, "Run").click();
  assert.ok(button(element, "Stop"));
  await until(() => handle.state().width === 2 ** -8);
  assert.ok(!card.matches(".lt-glide"), "bars and numbers are those of one step: the next one comes before they have glided");
  assert.ok(button(element, "Step").disabled);
  button(element, "Run again").click();
  assert.equal(handle.state().width, 1); // from the beginning
  await until(() => handle.state().width === 2 ** -8);
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

test("moving a carried slider begins a new run, moving another does not", async () => {
  const handle = mount(place(), carrying);
  handle.step(2);
  await until(() => handle.history().length === 3);
  handle.set("kind", 1);
  handle.outputs();
  assert.equal(handle.history().length, 3);
  handle.set("width", 1);
  handle.outputs();
  assert.equal(handle.history().length, 1);
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
