/** The product of two matrices: a plain loop, or a quicker one that gives the same bits but where both are large. */
import { quick } from "./quick.mjs";

/** @import { Numbers } from "./dtype.mjs" */

/**
 * Writes the product of two contiguous matrices to `out`; the inner loop runs over a row of the right matrix.
 * @param {Numbers} left @param {Numbers} right @param {Numbers} out
 * @param {number[]} starts where the three begin @param {number[]} sizes rows, inner, cols
 */
export function multiply(left, right, out, starts, sizes) {
  if (quick.multiply(left, right, out, starts, sizes)) return;
  const [at, from, to] = starts;
  const [rows, inner, cols] = sizes;
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
