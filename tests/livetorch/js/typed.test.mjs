import assert from "node:assert/strict";
import { test } from "node:test";

import { button, field, place } from "./page.mjs";

const { text } = await import("../../../livetorch/js/controls/text.mjs");
const createText = /** @type {any} */ (text.element);
const { cropped } = await import("../../../livetorch/js/views/sources.mjs");

const word = { name: "word", label: "Word", kind: "text", value: "ab", vocabulary: ["", "a", "b", "c"], unit: "character", length: 4, pad: 0, unknown: null };
const typed = { text: "word", unit: "character", crop: true };
const numbers = (/** @type {number[]} */ shape) => ({ shape, data: Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => i) });
const crop = (/** @type {any} */ tensor, /** @type {string} */ text, names = { yticks: null, xticks: typed }) =>
  cropped(tensor, names, { outputs: {}, state: { word: text }, history: null }, { word });

test("columns beyond the typed text are left out", () => {
  assert.deepEqual(crop(numbers([2, 4]), "abc"), { shape: [2, 3], data: [0, 1, 2, 4, 5, 6] });
});

test("rows too, and in every head", () => {
  const both = crop(numbers([2, 4, 4]), "ab", { yticks: typed, xticks: typed });
  assert.deepEqual(both, { shape: [2, 2, 2], data: [0, 1, 4, 5, 16, 17, 20, 21] });
});

test("a text without a known token leaves one column, a long one leaves all", () => {
  assert.deepEqual(crop(numbers([1, 4]), "?").data, [0]);
  assert.deepEqual(crop(numbers([1, 4]), "abcabc").data, [0, 1, 2, 3]);
});

test("a row of weights is cut as well", () => {
  assert.deepEqual(crop(numbers([4]), "ab"), { shape: [2], data: [0, 1] });
});

test("names that are not typed change nothing", () => {
  const whole = numbers([2, 4]);
  assert.equal(crop(whole, "a", { yticks: null, xticks: { text: "word" } }), whole);
});

test("an example is a button that puts its text into the field", () => {
  /** @type {any[]} */
  const told = [];
  const control = createText({ ...word, examples: ["abc", "cab"] }, { id: "w", set: (value) => told.push(value) });
  const element = place();
  element.append(control.element);
  button(element, "cab").click();
  assert.deepEqual(told, ["cab"]);
  control.update("cab");
  assert.equal(field(element, "Word").value, "cab");
  const pressed = () => Array.from(element.querySelectorAll("[aria-pressed='true']"), (one) => one.textContent);
  assert.deepEqual(pressed(), ["cab"], "the one that stands in the field");
  control.update("cabs");
  assert.deepEqual(pressed(), []);
});

test("a text without examples has no buttons", () => {
  const control = createText(word, { id: "w", set: () => {} });
  assert.equal(control.element.querySelector("button"), null);
});
