import assert from "node:assert/strict";
import { test } from "node:test";

import { decodeState, encodeState, splitHash, tooLarge } from "../../../livetorch/js/figure/link.mjs";

const width = { name: "width", label: "width", kind: "slider", value: 0.5, min: 0.1, max: 2, step: 0.1, dtype: "float32" };
const heads = { name: "heads", label: "heads", kind: "slider", value: 2, min: 1, max: 8, step: 1, dtype: "int64" };
const kernel = { name: "kernel", label: "kernel", kind: "dropdown", value: 0, options: ["gaussian", "boxcar"], variant: true };
const causal = { name: "causal", label: "causal", kind: "checkbox", value: false, variant: true };
const words = { name: "words", label: "words", kind: "text", value: "a", vocabulary: null, unit: "character", length: 8, pad: 0, unknown: null };
const queries = { name: "queries", label: "queries", kind: "points", value: [[0, 1], [2, 3]], shape: [2, 2], domain: [[-5, 5], [-5, 5]], dtype: "float32" };
const mask = { name: "mask", label: "mask", kind: "mask", value: [[true, false, true]], shape: [1, 3], dtype: "bool" };
const carried = { name: "m", label: "m", kind: "state", shape: [2], dtype: "float32", value: "AACA/wAAAAA=" };
const spec = { name: "kernel-weights", controls: [width, heads, kernel, causal, words, queries, mask], carry: null };
const settings = {
  width: 0.3,
  heads: 3,
  kernel: 1,
  causal: true,
  words: "我,喜欢:=&#%<b>",
  queries: [[-1.25, 0], [5, 1e-7]],
  mask: [[false, true, false]],
};

/** @param {any} aSpec @param {any} some */
const reopen = (aSpec, some) => decodeState(aSpec, splitHash(encodeState(aSpec, some))[aSpec.name]);

test("a link brings back every setting", () => {
  assert.deepEqual(reopen(spec, settings), { settings, steps: 0, wrong: "" });
});

test("a whole number comes back whole: a die has ten digits", () => {
  const dice = { ...heads, name: "dice", max: 2147483646 };
  assert.equal(reopen({ name: "f", controls: [dice] }, { dice: 1234567891 }).settings.dice, 1234567891);
});

test("half an emoji does not keep a link from being made", () => {
  assert.equal(reopen(spec, { ...settings, words: "a\ud83d b" }).settings.words, "a b");
});

test("the longest text that a field takes finds its way back, in any writing", () => {
  const long = "\u6211".repeat(2000);
  assert.equal(reopen(spec, { ...settings, words: long }).settings.words, long);
});

test("a link that was cut off on its way says so, wherever it was cut", () => {
  const whole = encodeState(spec, { ...settings, words: "a long text ".repeat(9) }).split("=")[1];
  assert.equal(decodeState(spec, whole).wrong, "");
  for (let end = "from,width".length; end < whole.length; end += 1) assert.match(decodeState(spec, whole.slice(0, end)).wrong, /cut off/);
});

test("a state that is too large for a link is named", () => {
  const large = { ...carried, label: "weights", shape: [2000] };
  const start = { shape: [2000], dtype: "float32", data: new Float32Array(2000) };
  const trained = { ...start, data: new Float32Array(2000).fill(1) };
  assert.deepEqual(tooLarge({ controls: [large, width] }, { m: trained, width: 1 }, { m: start, width: 0.5 }), ["weights"]);
  assert.deepEqual(tooLarge({ controls: [large, width] }, { m: start, width: 1 }, { m: start, width: 0.5 }), []);
});

test("a link survives being part of an address", () => {
  const url = new URL("https://example.org/page.html");
  url.hash = encodeState(spec, settings);
  const found = splitHash(new URL(url.href).hash);
  assert.deepEqual(decodeState(spec, found["kernel-weights"]).settings, settings);
});

test("settings at their default are left out", () => {
  const defaults = Object.fromEntries(spec.controls.map((control) => [control.name, control.value]));
  assert.equal(encodeState(spec, { ...defaults, width: 0.3 }, { defaults }), "#lt:kernel-weights=width:0.3");
});

test("a carried tensor comes back bit for bit, infinities included", () => {
  const steps = { name: "f", controls: [carried], carry: { names: { m: "new_m" }, steps: 10 } };
  const value = { shape: [2], dtype: "float32", data: Float32Array.of(-Infinity, 0.1) };
  assert.deepEqual(reopen(steps, { m: value }).settings.m, value);
});

test("steps are read only where the figure has steps, up to its own end", () => {
  const steps = { name: "f", controls: [width], carry: { names: { width: "w" }, steps: 10 } };
  assert.equal(decodeState(steps, "@:7").steps, 7);
  assert.equal(decodeState(steps, "@:900").steps, 10);
  assert.equal(decodeState(spec, "@:7").steps, 0);
});

test("values outside the range are put back into it", () => {
  const { settings: found, wrong } = decodeState(spec, "width:99,heads:-3,queries:-99_99_0_0,kernel:1");
  assert.deepEqual(found, { width: 2, heads: 1, queries: [[-5, 5], [0, 0]], kernel: 1 });
  assert.equal(wrong, "The link says what this figure cannot be: width, heads, queries.");
});

for (const nonsense of [
  "width:abc", "width:", "width:NaN", "width:Infinity", "width:1e999", "width:0x10", "kernel:2", "kernel:-1", "kernel:1.5",
  "causal:yes", "queries:1_2_3", "queries:1_2_3_x", "mask:12", "mask:1", "words:%E0%A4%A", "width", ":::", "%%%:1",
  "__proto__:1", "constructor:1", "@:1e3", "toString:1",
]) {
  test(`nonsense is left out: ${nonsense}`, () => {
    const { wrong, ...found } = decodeState(spec, nonsense);
    assert.deepEqual(found, { settings: {}, steps: 0 });
    assert.match(wrong, /^The link says what this figure cannot be: ./); // nobody takes the first state for the one that was sent
  });
}

test("nonsense beside sense harms only itself", () => {
  assert.deepEqual(decodeState(spec, "width:abc,kernel:1,zzz:3").settings, { kernel: 1 });
});

for (const hash of ["", "#section-2", "#lt:", "#lt:=", "#lt:%E0%A4%A=x", `#lt:f=${"9".repeat(90000)}`]) {
  test(`a hash that names no figure names none: ${hash.slice(0, 20)}`, () => {
    assert.deepEqual(Object.keys(splitHash(hash)), []);
  });
}

test("a hash that ends in a figure's name names that figure", () => {
  assert.deepEqual({ ...splitHash("#lt:fit") }, { fit: "" });
});

test("several figures share one link", () => {
  assert.deepEqual({ ...splitHash("#lt:a=x:1&b=y:2") }, { a: "x:1", b: "y:2" });
});

test("text in a link stays text, and is cut at a limit", () => {
  const found = decodeState(spec, `words:${encodeURIComponent("<img src=x onerror=alert(1)>")}`).settings.words;
  assert.equal(found, "<img src=x onerror=alert(1)>");
  assert.equal(decodeState(spec, `words:${"a".repeat(5000)}`).settings.words.length, 2000);
});
