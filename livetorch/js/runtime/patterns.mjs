/** Tensors that follow a pattern: evenly spaced values, the unit matrix, the places of a triangle. */
import { OPTIONS, PLACE } from "./create.mjs";
import { cast, tensor } from "./tensor.mjs";

/** @import { DType } from "./dtype.mjs" */
/** @import { Kernel, Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

/**
 * Evenly spaced values; each half is counted from its own end, so that both ends are exact.
 * @param {Tensor} start @param {Tensor} end @param {number} steps @param {DType|null} dtype
 */
function linspace(start, end, steps, dtype) {
  const whole = dtype?.includes("int"); // whole numbers begin and end at whole ones
  const [first, last] = [start, end].map(({ data }) => (whole ? Math.trunc(data[0]) : data[0]));
  const step = steps > 1 ? (last - first) / (steps - 1) : 0;
  const values = Float64Array.from({ length: steps }, (_, i) => (i < steps / 2 ? first + i * step : last - (steps - 1 - i) * step));
  return cast({ shape: [steps], dtype: "float64", data: values }, dtype ?? "float32");
}

/** @param {number} rows @param {number} cols @param {DType|null} dtype */
function eye(rows, cols, dtype) {
  const out = tensor([rows, cols], dtype ?? "float32");
  for (let k = 0; k < Math.min(rows, cols); k += 1) out.data[k * cols + k] = 1;
  return out;
}

/**
 * Row and column numbers of the triangle on one side of a diagonal, row by row.
 * @param {(difference: number, offset: number) => boolean} keeps @returns {Kernel}
 */
const triangleIndices = (keeps) => (rows, cols, offset, dtype) => {
  /** @type {number[][]} */
  const places = [];
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) if (keeps(col - row, offset)) places.push([row, col]);
  }
  const data = Float64Array.from([...places.map(([row]) => row), ...places.map(([, col]) => col)]);
  return cast({ shape: [2, places.length], dtype: "int64", data }, dtype ?? "int64");
};

/** @type {Table} */
export const patterns = {
  "linspace.default": [`start:S end:S steps ${OPTIONS}`, linspace],
  "eye.default": [`n ${OPTIONS}`, (n, dtype) => eye(n, n, dtype)],
  "eye.m": [`n m ${OPTIONS}`, eye],
  "tril_indices.default": [`row col offset=0 dtype="int64" ${PLACE}`, triangleIndices((d, offset) => d <= offset)],
  "triu_indices.default": [`row col offset=0 dtype="int64" ${PLACE}`, triangleIndices((d, offset) => d >= offset)],
};
