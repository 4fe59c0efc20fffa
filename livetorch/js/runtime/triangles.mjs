/** Triangular matrices: Cholesky's factor of a symmetric matrix, and systems that are solved row by row. */
import { broadcastShapes } from "./broadcast.mjs";
import { cast, expanded, permuted, sizeOf, tensor } from "./tensor.mjs";

/** @import { Numbers } from "./dtype.mjs" */
/** @import { Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

/** Rows and columns exchanged. @param {Tensor} self */
export function turned(self) {
  const axes = [...self.shape.keys()];
  return permuted(self, [...axes.slice(0, -2), ...axes.slice(-2).reverse()]);
}

/**
 * Writes the lower factor of one symmetric matrix; gives 0, or the number of the first row that has none.
 * @param {Numbers} data @param {Float64Array} out @param {number} at @param {number} n
 */
function factorInto(data, out, at, n) {
  for (let row = 0; row < n; row += 1) {
    for (let col = 0; col <= row; col += 1) {
      let rest = data[at + row * n + col];
      for (let k = 0; k < col; k += 1) rest -= out[at + row * n + k] * out[at + col * n + k];
      if (row !== col) out[at + row * n + col] = rest / out[at + col * n + col];
      else if (rest > 0) out[at + row * n + row] = Math.sqrt(rest);
      else return row + 1;
    }
  }
  return 0;
}

/**
 * L with L L^T = self (or U with U^T U); an error, or else NaN, where the matrix is not positive definite.
 * @param {Tensor} self @param {boolean} upper @param {boolean} check
 */
function cholesky(self, upper, check) {
  const [n] = self.shape.slice(-1);
  if (self.shape.length < 2 || self.shape.at(-2) !== n) throw new Error(`needs square matrices, got [${self.shape}].`);
  const lead = self.shape.slice(0, -2);
  const source = (upper ? turned(self) : self).data;
  const out = new Float64Array(source.length);
  const info = tensor(lead, "int32");
  for (let k = 0; k < info.data.length; k += 1) {
    info.data[k] = factorInto(source, out, k * n * n, n);
    if (info.data[k] && check) throw new Error(`the matrix is not positive definite, as its first ${info.data[k]} rows show.`);
    if (info.data[k]) out.fill(NaN, k * n * n, (k + 1) * n * n);
  }
  const factor = cast(tensor(self.shape, "float64", out), self.dtype);
  return [upper ? turned(factor) : factor, info];
}

/**
 * Solves A X = B (or X A = B) for one triangle of A; the rest of A is not looked at.
 * @param {Tensor} a @param {Tensor} b @param {boolean} upper @param {boolean} left @param {boolean} unit
 * @returns {Tensor}
 */
export function solveTriangular(a, b, upper, left, unit) {
  if (!left) return turned(solveTriangular(turned(a), turned(b), !upper, true, unit));
  const [n, cols] = b.shape.slice(-2);
  if (a.shape.at(-1) !== n || a.shape.at(-2) !== n) throw new Error(`shapes [${a.shape}] and [${b.shape}] do not fit.`);
  const lead = broadcastShapes(a.shape.slice(0, -2), b.shape.slice(0, -2));
  const matrix = expanded(a, [...lead, n, n]).data;
  const x = Float64Array.from(expanded(b, [...lead, n, cols]).data);
  for (let stack = 0; stack < sizeOf(lead); stack += 1) {
    const [at, bt] = [stack * n * n, stack * n * cols];
    for (let step = 0; step < n; step += 1) {
      const row = upper ? n - 1 - step : step;
      const [from, to] = upper ? [row + 1, n] : [0, row];
      for (let col = 0; col < cols; col += 1) {
        let rest = x[bt + row * cols + col];
        for (let k = from; k < to; k += 1) rest -= matrix[at + row * n + k] * x[bt + k * cols + col];
        x[bt + row * cols + col] = unit ? rest : rest / matrix[at + row * n + row];
      }
    }
  }
  return cast(tensor([...lead, n, cols], "float64", x), b.dtype);
}

/** Solves (L L^T) X = B. @param {Tensor} b @param {Tensor} factor @param {boolean} upper */
function choleskySolve(b, factor, upper) {
  const lower = upper ? turned(factor) : factor;
  return solveTriangular(turned(lower), solveTriangular(lower, b, false, true, false), true, true, false);
}

/** @param {Tensor} factor @param {boolean} upper */
function choleskyInverse(factor, upper) {
  const [n] = factor.shape.slice(-1);
  const identity = tensor(factor.shape, factor.dtype);
  for (let i = 0; i < identity.data.length; i += 1) identity.data[i] = (i % (n * n)) % (n + 1) === 0 ? 1 : 0;
  return choleskySolve(identity, factor, upper);
}

/** @type {Table} */
export const triangles = {
  "linalg_cholesky_ex.default": ["self:T upper=false check_errors=false", cholesky],
  "cholesky.default": ["self:T upper=false", (self, upper) => cholesky(self, upper, true)[0]],
  "cholesky_solve.default": ["self:T input2:T upper=false", choleskySolve],
  "cholesky_inverse.default": ["self:T upper=false", choleskyInverse],
  "linalg_solve_triangular.default": ["self:T B:T upper left=true unitriangular=false", solveTriangular],
  "triangular_solve.default": [
    "self:T A:T upper=true transpose=false unitriangular=false",
    (b, a, upper, transpose, unit) => [solveTriangular(transpose ? turned(a) : a, b, transpose ? !upper : upper, true, unit), a],
  ],
};
