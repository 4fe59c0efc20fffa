import assert from "node:assert/strict";
import { test } from "node:test";

import { bytesOf, decodeConstant, halfToNumber } from "../../../livetorch/js/runtime/encoding.mjs";
import { broadcastShapes } from "../../../livetorch/js/runtime/broadcast.mjs";
import {
  convert,
  promoteTypes,
  resultType,
  roundToBfloat,
  roundToHalf,
} from "../../../livetorch/js/runtime/dtype.mjs";
import { bindArguments, parseSignature } from "../../../livetorch/js/runtime/schema.mjs";
import { erf, erfc, erfinv, lgamma } from "../../../livetorch/js/runtime/special.mjs";
import { roundEven } from "../../../livetorch/js/runtime/unary.mjs";
import { axisOf, gatherStrided, joinAxes, scalar, tensor, writeStrided } from "../../../livetorch/js/runtime/tensor.mjs";

const near = (got, want, relative = 1e-14) =>
  assert.ok(Math.abs(got - want) <= relative * Math.abs(want), `${got} is not near ${want}`);

test("base64 gives the bytes back", () => {
  assert.deepEqual([...bytesOf("AAECAwT//g==")], [0, 1, 2, 3, 4, 255, 254]);
  assert.equal(bytesOf("").length, 0);
});

test("float16 bits are read: normal, subnormal, infinite, NaN", () => {
  assert.equal(halfToNumber(0x3c00), 1);
  assert.equal(halfToNumber(0xc100), -2.5);
  assert.equal(halfToNumber(0x0001), 2 ** -24);
  assert.equal(halfToNumber(0x7c00), Infinity);
  assert.ok(Number.isNaN(halfToNumber(0x7e00)));
});

test("constants are widened from the type they are stored in", () => {
  const halves = decodeConstant({ dtype: "float32", shape: [2], stored: "float16", data: "ADwAwQ==" });
  assert.deepEqual(halves, tensor([2], "float32", Float32Array.of(1, -2.5)));
  const integers = decodeConstant({ dtype: "int64", shape: [3], stored: "int8", data: "Af8C" });
  assert.deepEqual([...integers.data], [1, -1, 2]);
  const bits = decodeConstant({ dtype: "bool", shape: [2], data: "AAE=" });
  assert.deepEqual(bits.data, Uint8Array.of(0, 1));
});

test("float16 rounds half to even, overflows to infinity and keeps subnormals", () => {
  const data = Float32Array.of(1 + 2 ** -11, 1 + 3 * 2 ** -11, 65519, 65520, -65520, 2 ** -25, 3 * 2 ** -25, NaN, 0.1);
  roundToHalf(data);
  const want = [1, 1 + 4 * 2 ** -11, 65504, Infinity, -Infinity, 0, 2 * 2 ** -24, NaN, 0.0999755859375];
  assert.deepEqual([...data], want);
});

test("bfloat16 rounds half to even", () => {
  const data = Float32Array.of(1 + 2 ** -8, 1 + 3 * 2 ** -8, -Infinity, NaN, 0.1);
  roundToBfloat(data);
  assert.deepEqual([...data], [1, 1 + 4 * 2 ** -8, -Infinity, NaN, 0.10009765625]);
});

test("conversion to integers drops the fraction, to bool asks for zero", () => {
  assert.deepEqual([...convert(Float32Array.of(-1.9, 2.9, NaN), "float32", "int64")], [-1, 2, -(2 ** 63)]);
  assert.deepEqual([...convert(Float32Array.of(0, -0, NaN, 0.2), "float32", "bool")], [0, 0, 1, 1]);
  assert.deepEqual([...convert(Float64Array.of(2 ** 31), "int64", "int32")], [-(2 ** 31)]);
});

test("types are promoted as torch does", () => {
  const vector = (dtype) => tensor([2], dtype);
  assert.equal(promoteTypes("float16", "bfloat16"), "float32");
  assert.equal(resultType(vector("int32"), scalar(2)), "int32");
  assert.equal(resultType(vector("int32"), scalar(0.5)), "float32");
  assert.equal(resultType(vector("float16"), tensor([], "float64")), "float16");
  assert.equal(resultType(vector("bool"), scalar(true)), "bool");
  assert.equal(resultType(vector("bool"), tensor([], "int32")), "int32");
});

test("shapes broadcast from the last axis, or the error shows them", () => {
  assert.deepEqual(broadcastShapes([2, 1, 3], [4, 1]), [2, 4, 3]);
  assert.deepEqual(broadcastShapes([], [0]), [0]);
  assert.throws(() => broadcastShapes([2, 3], [2, 4]), /shapes \[2,3\] and \[2,4\] do not broadcast together/);
});

test("axes count from either end", () => {
  assert.equal(axisOf(-1, 3), 2);
  assert.equal(axisOf(-1, 0), 0);
  assert.throws(() => axisOf(3, 3), /axis must be in \[-3, 2\], got 3/);
});

test("axes without a jump are joined, length 1 is dropped", () => {
  assert.deepEqual(joinAxes([2, 1, 3], [[3, 3, 1]]), { lengths: [6], strides: [[1]] });
  assert.deepEqual(joinAxes([2, 3], [[1, 2]]), { lengths: [2, 3], strides: [[1, 2]] });
});

test("strided elements are read and written, negative steps too", () => {
  const row = tensor([4], "float32", Float32Array.of(0, 1, 2, 3));
  assert.deepEqual([...gatherStrided(row, [4], [-1], 3).data], [3, 2, 1, 0]);
  assert.equal(gatherStrided(row, [2, 2], [2, 1]).data, row.data);
  const two = tensor([2], "float32", Float32Array.of(8, 9));
  assert.deepEqual([...writeStrided(row, two, [2], [2], 1).data], [0, 8, 2, 9]);
  assert.deepEqual([...row.data], [0, 1, 2, 3]);
});

test("signatures and arguments are matched by place and by name", () => {
  const parameters = parseSignature('self:T dim=[] approximate="none"');
  assert.deepEqual(parameters[2], { name: "approximate", kind: "", required: false, initial: "none" });
  assert.deepEqual(bindArguments(parameters, [{ v: 0 }], { dim: [1] }), [{ v: 0 }, [1], "none"]);
});

test("the error functions hold 14 digits, in the tails too", () => {
  near(erf(0.5), 0.5204998778130465);
  near(erf(-2.5), -0.9995930479825550);
  near(erfc(5), 1.5374597944280349e-12, 1e-13);
  near(erfc(-1), 1.8427007929497148);
  near(erfinv(0.3), 0.2724627147267544, 1e-12);
  near(erfinv(-0.9999), -2.7510639057120607, 1e-12);
  assert.equal(erfinv(1), Infinity);
  assert.ok(Number.isNaN(erf(NaN)));
});

test("lgamma is the logarithm of factorials, halves round to even", () => {
  near(lgamma(11), Math.log(3628800));
  assert.equal(lgamma(1), 0);
  assert.deepEqual([0.5, 1.5, 2.5, -0.5, -1.5, 2.4].map(roundEven), [0, 2, 2, -0, -2, 2]);
});
