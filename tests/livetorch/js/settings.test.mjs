import assert from "node:assert/strict";
import { test } from "node:test";

import { kindOf } from "../../../livetorch/js/controls/index.mjs";
import { programIndex } from "../../../livetorch/js/figure/programs.mjs";
import { decodeConstant, encodeNumbers } from "../../../livetorch/js/runtime/encoding.mjs";
import { textOf } from "../../../livetorch/js/shared/tokens.mjs";

const validSetting = (control, value) => kindOf(control).valid(control, value);
const inputsOf = (control, value) => kindOf(control).inputs(control, value);
const tokenIds = (control, text) => {
  const { [control.name]: ids, [`${control.name}_length`]: length } = inputsOf(control, text);
  return Array.from(ids.data).slice(0, length.data[0]);
};

const width = { name: "width", label: "w", kind: "slider", value: 0.5, min: 0.1, max: 2, step: 0.1, dtype: "float32" };
const count = { name: "count", label: "n", kind: "slider", value: 4, min: 2, max: 8, step: 2, dtype: "int64", variant: true };
const kernel = { name: "kernel", label: "k", kind: "dropdown", value: 0, options: ["gaussian", "boxcar"], variant: true };
const causal = { name: "causal", label: "c", kind: "checkbox", value: false, variant: true };
const words = {
  name: "words", label: "w", kind: "text", value: "b a", unit: "word", length: 4, pad: 0, unknown: null,
  vocabulary: ["<pad>", "a", "b"],
};

test("slider arithmetic does not leave traces in a setting", () => {
  assert.equal(validSetting(width, 0.30000000000000004), 0.3);
});

test("a stepped slider whose end no step reaches stops at the last one before it", () => {
  const uneven = { ...count, min: 1, max: 8, step: 4, value: 1 };
  assert.deepEqual([1, 4, 7, 8].map((value) => validSetting(uneven, value)), [1, 5, 5, 5]);
});

test("an integer slider has only its own positions", () => {
  assert.equal(validSetting(count, 5.1), 6);
  assert.equal(validSetting(count, 100), 8);
});

test("an option can be given by its label", () => {
  assert.equal(validSetting(kernel, "boxcar"), 1);
  assert.equal(validSetting(kernel, "cosine"), undefined);
});

for (const wrong of [NaN, Infinity, "1", null, undefined, [], {}]) {
  test(`a slider does not take ${JSON.stringify(wrong)} (${typeof wrong})`, () => {
    assert.equal(validSetting(width, wrong), undefined);
  });
}

test("the options of all variant controls choose the Program", () => {
  const variants = { controls: ["kernel", "count", "causal"], keys: { "1,3,1": 7 } };
  const spec = { controls: [width, count, kernel, causal], variants };
  assert.equal(programIndex(spec, { width: 1, count: 8, kernel: 1, causal: true }), 7);
});

test("a figure without variants has one Program", () => {
  assert.equal(programIndex({ controls: [width], variants: { controls: [], keys: { "": 0 } } }, { width: 1 }), 0);
});

test("words become ids, unknown ones are left out", () => {
  assert.deepEqual(tokenIds(words, "  b zebra  a "), [2, 1]);
});

test("an unknown word gets the id that is kept for it", () => {
  assert.deepEqual(tokenIds({ ...words, unknown: 1 }, "b zebra"), [2, 1]);
});

test("ids are cut off or padded to the length, and counted", () => {
  const { words: ids, words_length: length } = inputsOf(words, "b a");
  assert.deepEqual([Array.from(ids.data), length.data[0]], [[2, 1, 0, 0], 2]);
  assert.equal(inputsOf(words, "a a a a a a").words_length.data[0], 4);
});

test("characters are code points, not halves of them", () => {
  const letters = { ...words, unit: "character", vocabulary: null };
  assert.deepEqual(tokenIds(letters, "我𝄞"), [0x6211, 0x1d11e]);
  assert.equal(textOf(letters, [0x6211, 0x1d11e, 0, 0]), "我𝄞");
});

test("carried ids become text again", () => {
  assert.equal(textOf(words, [2, 1, 0, 0]), "b a");
  assert.equal(kindOf(words).fromOutput(words, { shape: [4], data: [1, 0, 0, 0] }), "a");
});

test("points on a line are fed as a vector", () => {
  const line = { name: "q", label: "q", kind: "points", value: [[1], [2]], shape: [2, 1], flat: true, domain: [[0, 3]], dtype: "float32" };
  const { q } = inputsOf(line, [[1], [2]]);
  assert.deepEqual([q.shape, Array.from(q.data)], [[2], [1, 2]]);
});

test("a table of another shape is not a setting", () => {
  const matrix = { name: "m", label: "m", kind: "matrix", value: [[1, 2]], shape: [1, 2], min: 0, max: 1, dtype: "float32" };
  assert.equal(validSetting(matrix, [[1, 2, 3]]), undefined);
  assert.equal(validSetting(matrix, [[1, NaN]]), undefined);
  assert.deepEqual(validSetting(matrix, [[-1, 5]]), [[0, 1]]);
});

for (const [dtype, data] of /** @type {[string, any][]} */ ([
  ["float32", Float32Array.of(1.5, -Infinity, NaN)],
  ["int64", Float64Array.of(-3, 2 ** 40, 0)],
  ["bool", Uint8Array.of(1, 0, 1)],
])) {
  test(`a tensor of ${dtype} travels as base64 and back`, () => {
    const text = encodeNumbers({ dtype, data });
    assert.deepEqual(decodeConstant({ shape: [3], dtype, data: text }), { shape: [3], dtype, data });
  });
}
