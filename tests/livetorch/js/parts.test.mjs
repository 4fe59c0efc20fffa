// A page that fetches what its figures need: nothing for most, a part for a plot or a rare operator.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { place, settle } from "./page.mjs";

globalThis.LIVETORCH_PARTS = { plots: "livetorch-plots.js?v=1", operators: "livetorch-operators.js?v=2" };
globalThis.LIVETORCH_VIEWS = { history: "plots" };
globalThis.IntersectionObserver = /** @type {any} */ (class { observe() {} unobserve() {} });

const { boot } = await import("../../../livetorch/js/hosts/page.mjs");
const { adopt, missingParts } = await import("../../../livetorch/js/hosts/parts.mjs");
const { mount } = await import("../../../livetorch/js/figure/mount.mjs");

const program = (/** @type {string} */ op) => ({
  format: "livetorch/program",
  version: 1,
  inputs: [{ name: "x", shape: [], dtype: "float32" }],
  constants: [],
  nodes: [{ op, args: [{ v: 0 }] }],
  outputs: [{ name: "output", value: 1 }],
});
const history = { kind: "history", series: [{ output: "output", label: "output" }], xlabel: "", ylabel: "", ylim: null, log: false, title: null };
const slider = { name: "x", label: "x", kind: "slider", value: 1, min: 0, max: 2, step: 0.5, format: ".1f", dtype: "float32", scale: "linear", description: null };
const figure = (/** @type {any} */ more) => ({
  format: "livetorch/figure", version: 1, name: "f", title: null, caption: null, controls: [slider], programs: [program("aten.neg.default")],
  pool: [], variants: { controls: [], keys: { "": 0 } }, views: [], carry: null, ...more,
});

/** A stored figure in the page. @param {any} spec */
function stored(spec) {
  const element = place();
  element.className = "livetorch";
  element.dataset.name = spec.name;
  const script = document.createElement("script");
  script.type = "application/json";
  script.textContent = JSON.stringify(spec);
  element.append(script);
  return /** @type {any} */ (element);
}

const asked = () => Array.from(document.head.querySelectorAll("script"));

beforeEach(() => {
  document.body.replaceChildren();
  document.head.replaceChildren();
});

test("a figure of common operators and maps needs no part", () => {
  assert.deepEqual(missingParts(figure({ views: [{ kind: "heatmap" }, { kind: "table" }, { kind: "tokens" }] })), []);
});

test("a plot needs the plots, an operator that is not here the operators", () => {
  assert.deepEqual(missingParts(figure({ views: [history, history] })), ["plots"]);
  assert.deepEqual(missingParts(figure({ views: [history], programs: [program("aten.neg.default"), program("aten.gelu.default")] })), ["plots", "operators"]);
});

test("a picture of numbers that no hand changes has no buttons but that for its numbers", () => {
  const texts = (/** @type {any} */ spec) => {
    const element = place();
    mount(element, spec, { linkable: true });
    return [...element.querySelectorAll("button")].filter((one) => !one.hidden).map((one) => one.textContent);
  };
  const still = { ...program("aten.neg.default"), inputs: [], nodes: [], constants: [{ shape: [], dtype: "float32", data: "AAAAAA==" }] };
  const picture = figure({ controls: [], programs: [{ ...still, outputs: [{ name: "output", value: 0 }] }] });
  assert.deepEqual(texts(picture).filter((text) => /Open a number|Reset|link/.test(text)), ["Open a number"]);
  assert.equal(texts(figure({})).filter((text) => /Open a number|Reset|link/.test(text)).length, 3);
});

test("without its part a figure says what it lacks", () => {
  assert.throws(() => mount(place(), figure({ views: [history] })), /no view of kind history/);
});

test("a part that does not come leaves the picture and a button to try again", async () => {
  const element = stored(figure({ programs: [program("aten.gelu.default")] }));
  boot();
  const failed = element.livetorch.ready;
  asked()[0].dispatchEvent(new window.Event("error"));
  await assert.rejects(failed, /livetorch-operators\.js\?v=2 could not be loaded/);
  assert.equal(element.querySelector("button").textContent, "Try again");
});

test("a page fetches a part once, when the first figure that needs it starts", async () => {
  const [one, two] = [stored(figure({ views: [history], name: "one" })), stored(figure({ views: [history], name: "two" }))];
  boot();
  assert.deepEqual(asked(), []);
  const ready = [one.livetorch.ready, two.livetorch.ready];
  assert.deepEqual(asked().map((script) => script.getAttribute("src")), ["livetorch-plots.js?v=1"]);
  adopt("plots", { views: { history: await import("../../../livetorch/js/views/history.mjs") } });
  asked()[0].dispatchEvent(new window.Event("load"));
  await Promise.all(ready);
  assert.ok(one.classList.contains("lt-mounted") && two.classList.contains("lt-mounted"));
  assert.deepEqual(missingParts(figure({ views: [history] })), []);
  await settle();
});
