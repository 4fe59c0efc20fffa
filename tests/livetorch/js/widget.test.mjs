import assert from "node:assert/strict";
import { test } from "node:test";

import { figure } from "./demo_figure.mjs";
import { enter, field, place, settle } from "./page.mjs";

globalThis.localStorage = window.localStorage;
globalThis.location = window.location;
const { widget } = await import("../../../livetorch/js/hosts/widget.mjs");

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

test("a notebook that is run again has its last settings, unless the figure starts in another way", async () => {
  const render = (/** @type {any} */ value) => {
    const el = place();
    const kernel = model({ _spec: { ...figure(), name: "kept" }, value });
    return { el, kernel, stop: widget.render({ model: kernel, el }) };
  };
  const first = render({ width: 1, kind: 0 });
  enter(field(first.el, "Width"), 1.5);
  first.stop();
  const second = render({ width: 1, kind: 0 });
  assert.deepEqual(second.kernel.values.value, { width: 1.5, kind: 0 });
  assert.equal(second.kernel.saved, 1);
  second.stop();
  const other = render({ width: 0.5, kind: 0 });
  assert.deepEqual(other.kernel.values.value, { width: 0.5, kind: 0 });
  other.stop();
});
