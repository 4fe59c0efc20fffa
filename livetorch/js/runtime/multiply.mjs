/** The product of two matrices: a plain loop, or a quicker one that gives the same bits but where both are large. */
import { quick } from "./quick.mjs";

/** @import { Numbers } from "./dtype.mjs" */

/**
 * Writes the product of two contiguous matrices to `out`; the inner loop runs over a row of the right matrix.
 * @param {Numbers} left @param {Numbers} right @param {Numbers} out
 * @param {number[]} starts where the three begin @param {number[]} sizes rows, inner, cols
 */
export function multiply(left, right, out, starts, sizes) {
  const [at, from, to] = starts;
  const [rows, inner, cols] = sizes;
  if (!quick.multiply(left, right, out, starts, sizes)) {
    const total = new Float64Array(cols);
    for (let row = 0; row < rows; row += 1) {
      total.fill(0);
      for (let k = 0; k < inner; k += 1) {
        const x = left[at + row * inner + k];
        const place = from + k * cols;
        for (let col = 0; col < cols; col += 1) total[col] += x * right[place + col];
      }
      out.set(total, to + row * cols);
    }
  }
  for (let i = 0; i < rows * cols; i += 1) {
    if (Math.abs(out[to + i]) !== Infinity || !(out instanceof Float32Array)) continue;
    let sum = 0; // what is beyond the type on the way may end as NaN
    const row = at + Math.floor(i / cols) * inner;
    for (let k = 0; k < inner; k += 1) sum = Math.fround(sum + Math.fround(left[row + k] * right[from + k * cols + (i % cols)]));
    out[to + i] = sum;
  }
}
