// The quicker loops give what the plain ones give (which are held to torch): to 1e-6, NaN, infinities and zeros alike.
import assert from "node:assert/strict";
import { test } from "node:test";

import { findOperator } from "../../../livetorch/js/runtime/load.mjs";
import { quick } from "../../../livetorch/js/runtime/quick.mjs";

const slow = { ...quick }; // before the quicker ones come
const { lanes } = await import("../../../livetorch/js/runtime/lanes.mjs");

let seed = 7;
const random = () => ((seed = (seed * 48271) % 2147483647) / 2147483647) * 2 - 1;
const odd = [NaN, Infinity, -Infinity, 0, -0, 88.7, 88.8, -87.5, 1e-40];

/** @param {number[]} shape @param {number} scale @param {boolean} [wild] */
const tensor = (shape, scale, wild = false) => ({
  shape,
  dtype: "float32",
  data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => (wild && i % 7 === 3 ? odd[(i >> 3) % odd.length] : random() * scale)),
});

/** An operator with the quicker loops and without; says whether one was used. @param {string} name @param {any[]} args */
function both(name, args) {
  const { kernel } = /** @type {any} */ (findOperator(name.startsWith("livetorch.") ? name : `aten.${name}`));
  let used = false;
  const counted = Object.entries(lanes).map(([key, loop]) => [key, (...rest) => { const done = /** @type {any} */ (loop)(...rest); used ||= done !== false; return done; }]);
  Object.assign(quick, Object.fromEntries(counted));
  const got = [kernel(...args)].flat();
  Object.assign(quick, slow);
  const wanted = [kernel(...args)].flat();
  Object.assign(quick, lanes);
  return { got, wanted, used };
}

/** @param {string} name @param {any[]} args @param {number} [relative] @param {number} [floor] */
function alike(name, args, relative = 1e-6, floor = 1e-37) {
  const { got, wanted, used } = both(name, args);
  assert.ok(used, `${name} used no quicker loop`);
  got.forEach(({ data }, k) => {
    const want = wanted[k].data;
    const wrong = data.findIndex((x, i) => !Object.is(x, want[i]) && !(Math.abs(x - want[i]) <= relative * Math.abs(want[i]) + floor && x !== 0 === (want[i] !== 0)) && !(Math.abs(want[i]) < floor && Math.abs(x) <= floor));
    assert.equal(wrong, -1, `${name}, result ${k}: ${data[wrong]} for ${want[wrong]} at ${wrong} of ${args[0].data?.[wrong]}`);
  });
}

for (const length of [128, 131, 4096, 10_001]) {
  for (const scale of [0.01, 1, 12]) {
    test(`functions of ${length} numbers up to ${scale}`, () => {
      for (const wild of [false, true]) {
        const x = tensor([length], scale, wild);
        for (const name of ["exp", "sigmoid", "tanh", "neg", "relu", "sqrt", "silu"]) alike(`${name}.default`, [x]);
        alike("gelu.default", [x, "none"], 1e-5, 1e-25); // the tail of the distribution
      }
    });
  }
}

test("Fourier transforms along any axes", () => {
  for (const shape of [[64, 64], [100, 50], [3, 625], [4, 18, 20], [1024], [40, 33]]) {
    for (const axes of [[0], [-1], shape.map((_, axis) => axis)]) {
      for (const forward of [true, false]) alike("livetorch.fourier.default", [tensor(shape, 1), tensor(shape, 1), forward, axes], 1e-6, 1e-6);
    }
  }
});

test("sums, differences, products and quotients have the same bits", () => {
  for (const name of ["add", "sub", "mul", "div"]) {
    const alpha = name === "add" || name === "sub" ? [{ shape: [], dtype: "int64", data: Float64Array.of(1), weak: true }] : [];
    const one = { shape: [], dtype: "float32", data: Float32Array.of(0.3) };
    for (const [a, b] of [[[5000], [5000]], [[9, 130], [130]], [[9, 130], [9, 1]], [[3, 1, 200], [1, 4, 200]]]) {
      alike(`${name}.Tensor`, [tensor(a, 3, true), tensor(b, 3), ...alpha], 0, 0);
      alike(`${name}.Tensor`, [tensor(b, 3), tensor(a, 3, true), ...alpha], 0, 0);
    }
    alike(`${name}.Tensor`, [tensor([9000], 3), one, ...alpha], 0, 0);
    alike(`${name}.Tensor`, [one, tensor([9000], 3), ...alpha], 0, 0);
  }
});

test("softmax of rows of any length, masked rows and rows of -inf", () => {
  for (const [rows, length] of [[20, 8], [9, 33], [64, 64], [3, 5000], [700, 17]]) {
    const x = tensor([rows, length], 30);
    for (let i = 0; i < x.data.length; i += 3) if (i % length !== 0) x.data[i] = -Infinity;
    x.data.fill(-Infinity, length, 2 * length);
    x.data[2 * length] = NaN;
    alike("_softmax.default", [x, -1, false], 5e-6); // a difference of 60 is rounded to 4e-6
    if (rows >= 8) alike("_softmax.default", [x, 0, false], 5e-6);
  }
});

test("layer normalisation with and without weight and bias, far from 0 too", () => {
  for (const [rows, length] of [[20, 8], [64, 64], [3, 5000]]) {
    const x = tensor([rows, length], 2);
    for (let i = 0; i < length; i += 1) x.data[i] += 1000;
    for (const [w, b] of [[tensor([length], 1), tensor([length], 1)], [null, null]]) {
      alike("native_layer_norm.default", [x, [length], w, b, 1e-5], 1e-6, 3e-7);
    }
  }
});

test("products of many sizes of one shape, one after another", () => {
  for (let k = 0; k < 20; k += 1) alike("mm.default", [tensor([40, 96], 1), tensor([96, 100], 1)], 0, 8e-6);
});
