import assert from "node:assert/strict";
import { test } from "node:test";

const { Instance } = WebAssembly;
let made = 0;
WebAssembly.Instance = function counted(...given) {
  made += 1;
  return new Instance(...given);
};

/** The quicker loops anew each time, so that each decides whether it may compile. */
const fresh = async (mark) => {
  await import(`../../../livetorch/js/runtime/lanes.mjs?${mark}`);
  return (await import("../../../livetorch/js/runtime/multiply.mjs")).multiply;
};

let seed = 1;
const random = () => ((seed = (seed * 48271) % 2147483647) / 2147483647) * 4 - 2;
const rarely = [NaN, Infinity, -Infinity, -0, 1e30, 1e-40];

/** @param {number} length @param {any} Type @param {boolean} wild */
const numbers = (length, Type, wild) => Type.from({ length }, () => (wild && random() > 1.7 ? rarely[Math.floor((random() + 2) * 1.49)] : random()));

/** Sum by sum, each in float64 and in the order of k. */
function plainly(left, right, Type, [at, from, to], [rows, inner, cols]) {
  const out = new Type(to + rows * cols + 3);
  for (let r = 0; r < rows; r += 1) {
    for (let c = 0; c < cols; c += 1) {
      let sum = 0;
      for (let k = 0; k < inner; k += 1) sum += left[at + r * inner + k] * right[from + k * cols + c];
      out[to + r * cols + c] = sum;
    }
  }
  return out;
}

const SIZES = [
  ...Array.from({ length: 9 }, (_, i) => [i, 3, 5]),
  ...Array.from({ length: 9 }, (_, i) => [5, i, 6]),
  ...Array.from({ length: 9 }, (_, i) => [6, 2, i]),
  [240, 32, 32],
  [33, 240, 17],
  [1200, 90, 61], // worked on in pieces
  [4, 3, 50_000], // one panel after another, wider than a piece
  [9, 40_000, 5],
];

for (const [mark, forbidden] of [["compiled", false], ["forbidden", true]]) {
  test(`a product has the bits of a plain loop, unless it is large, WebAssembly ${mark}`, async () => {
    const before = made;
    const { Module } = WebAssembly;
    if (forbidden) {
      WebAssembly.Module = function refused() {
        throw new WebAssembly.CompileError("the page's policy says no");
      };
    }
    try {
      const multiply = await fresh(mark);
      for (const Type of [Float32Array, Float64Array]) {
        for (const [rows, inner, cols] of SIZES) {
          const starts = [7, 2, 3];
          const small = rows * inner * cols < 1e4;
          const left = numbers(7 + rows * inner + 1, Type, small);
          const right = numbers(2 + inner * cols + 1, Type, small);
          const out = new Type(3 + rows * cols + 3);
          multiply(left, right, out, starts, [rows, inner, cols]);
          const wanted = plainly(left, right, Type, starts, [rows, inner, cols]);
          // Large products of float32 are summed in float32: alike to 1e-6 of the largest number.
          const blurred = !forbidden && Type === Float32Array && rows * inner * cols >= 2 ** 18;
          const reach = blurred ? 1e-6 * wanted.reduce((top, x) => Math.max(top, Math.abs(x)), 0) : 0;
          const wrong = out.findIndex((x, i) => !Object.is(x, wanted[i]) && !(Math.abs(x - wanted[i]) <= reach));
          assert.equal(wrong, -1, `${Type.name} ${rows} x ${inner} x ${cols}: ${out[wrong]} for ${wanted[wrong]} at ${wrong}`);
        }
      }
      assert.equal(made - before, forbidden ? 0 : 1);
    } finally {
      WebAssembly.Module = Module;
    }
  });
}
