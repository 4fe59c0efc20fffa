import assert from "node:assert/strict";
import { test } from "node:test";
import { cellText, itemName, pictured, singular, tableNumber } from "../../../livetorch/js/shared/format.mjs";

test("numbers are written with a fixed number of decimals and a real minus", () => {
  assert.equal(pictured(0.625), "0.63");
  assert.equal(pictured(-1.5), "−1.50");
  assert.equal(pictured(2, 0), "2");
});

test("a number that rounds to zero has no minus", () => {
  assert.equal(pictured(-0.001), "0.00");
  assert.equal(pictured(-0.4, 0), "0");
});

test("what is no finite number has a name, and huge numbers an exponent", () => {
  assert.deepEqual([NaN, Infinity, -Infinity, -1e9].map((v) => pictured(v)), ["NaN", "∞", "−∞", "−1.0e9"]);
});

test("a table has numbers that can be copied: plain minus, Python's words", () => {
  assert.equal(tableNumber(-0.12345, 4), "-0.1235");
  assert.equal(tableNumber(-Infinity, 4), "-inf");
  assert.equal(tableNumber(7, 4, "int64"), "7");
  assert.equal(tableNumber(1, 4, "bool"), "True");
});

test("a cell is read out by its query and key, counted from 1", () => {
  const cell = { row: itemName("queries", 2), col: itemName("keys", 0), value: 0.62 };
  assert.equal(cellText(cell), "query 3, key 1: 0.62");
  assert.equal(cellText({ ...cell, panel: "head 2", masked: true }), "head 2, query 3, key 1: 0.62, masked");
});

test("a named item is read out with its name, unless the name is its number", () => {
  assert.equal(itemName("keys", 1, ["the", "cat"]), "key 2 (cat)");
  assert.equal(itemName("keys", 1, ["k1", "k2"]), "key 2");
  assert.equal(itemName("keys", 2, ["a", "b"]), "key 3");
  assert.equal(itemName("keys", 0, [" "]), "key 1 (space)");
});

test("axis names have a singular", () => {
  assert.deepEqual(["queries", "keys", "heads", "patches", "points"].map(singular), ["query", "key", "head", "patch", "point"]);
});
