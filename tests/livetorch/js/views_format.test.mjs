import assert from "node:assert/strict";
import { test } from "node:test";
import { cellWord, itemName, pictured, singular, tableNumber } from "../../../livetorch/js/shared/format.mjs";

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

test("what a cell holds is a number, a word that stands for it, and what hatching means", () => {
  assert.equal(cellWord(0.618), "0.62");
  assert.equal(cellWord(0, "masked"), "0.00, masked");
  assert.equal(cellWord(1, "", [[1, "fewest bytes"]]), "fewest bytes");
  assert.equal(cellWord(2, "masked", [[1, "fewest bytes"]]), "masked");
});

test("a named item is read out with its name, unless the name is its number", () => {
  assert.equal(itemName("keys", 1, ["the", "cat"]), "key 2 (cat)");
  assert.equal(itemName("keys", 1, ["k1", "k2"]), "key 2");
  assert.equal(itemName("keys", 2, ["a", "b"]), "key 3");
  assert.equal(itemName("keys", 0, [" "]), "key 1 (space)");
});

test("names that count are the number, and numbers among words are names", () => {
  const halves = ["0", "0.5", "1", "1.5"];
  assert.deepEqual(
    halves.map((_, i) => itemName("queries", i, halves)),
    ["query 0", "query 0.5", "query 1", "query 1.5"],
  );
  assert.equal(itemName("heads", 4, ["1.1", "1.2", "1.3", "1.4", "2.1"]), "head 2.1");
  assert.equal(itemName("digits", 9, "0123456789".split("")), "digit 9");
  assert.equal(itemName("keys", 0, ["5", "mars", "2024"]), "key 1 (5)");
  assert.equal(itemName("keys", 2, ["5", "mars", "2024"]), "key 3 (2024)");
  assert.equal(itemName("keys", 1, ["0", "4", "8"]), "key 2 (4)");
  assert.equal(itemName("keys", 3, ["2", "0", "2", "4"]), "key 4"); // a 4 that stands at the fourth place
  assert.equal(itemName("keys", 1, ["2", "0", "2", "4"]), "key 2 (0)");
});

test("axis names have a singular", () => {
  const regular = ["queries", "keys", "heads", "patches", "points", "guesses", "boxes", "phases", "caches", "entropies", "movies"];
  const single = ["query", "key", "head", "patch", "point", "guess", "box", "phase", "cache", "entropy", "movie"];
  assert.deepEqual(regular.map(singular), single);
  for (const same of ["class", "bias", "status", "axis", "series", "species", "row"]) assert.equal(singular(same), same);
});
