/** Determinants, inverses and solutions of small square systems, by elimination with row exchanges. */
import { broadcastShapes } from "./broadcast.mjs";
import { cast, expanded, reshaped, sizeOf, tensor } from "./tensor.mjs";
import { turned } from "./triangles.mjs";

/** @import { Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

/**
 * Eliminates one matrix in place; `pivots` are counted from 1, as LAPACK does.
 * @param {Float64Array} lu @param {number} at @param {number} n @param {Float64Array} pivots @param {number} first
 */
function eliminate(lu, at, n, pivots, first) {
  let sign = 1;
  let singular = 0;
  for (let k = 0; k < n; k += 1) {
    let best = k;
    for (let i = k + 1; i < n; i += 1) {
      if (Math.abs(lu[at + i * n + k]) > Math.abs(lu[at + best * n + k])) best = i;
    }
    pivots[first + k] = best + 1;
    if (best !== k) {
      sign = -sign;
      for (let j = 0; j < n; j += 1) {
        [lu[at + k * n + j], lu[at + best * n + j]] = [lu[at + best * n + j], lu[at + k * n + j]];
      }
    }
    const pivot = lu[at + k * n + k];
    if (pivot === 0) {
      singular ||= k + 1;
      continue;
    }
    for (let i = k + 1; i < n; i += 1) {
      const factor = lu[at + i * n + k] / pivot;
      lu[at + i * n + k] = factor;
      for (let j = k + 1; j < n; j += 1) lu[at + i * n + j] -= factor * lu[at + k * n + j];
    }
  }
  return { sign, singular };
}

/**
 * Solves for one right-hand side of `cols` columns, in place.
 * @param {Float64Array} lu @param {number} at @param {number} n @param {Float64Array} pivots @param {number} first
 * @param {Float64Array} x @param {number} bt @param {number} cols
 */
function substitute(lu, at, n, pivots, first, x, bt, cols) {
  for (let k = 0; k < n; k += 1) {
    const other = pivots[first + k] - 1;
    if (other === k) continue;
    for (let j = 0; j < cols; j += 1) {
      [x[bt + k * cols + j], x[bt + other * cols + j]] = [x[bt + other * cols + j], x[bt + k * cols + j]];
    }
  }
  for (let j = 0; j < cols; j += 1) {
    for (let i = 0; i < n; i += 1) {
      for (let k = 0; k < i; k += 1) x[bt + i * cols + j] -= lu[at + i * n + k] * x[bt + k * cols + j];
    }
    for (let i = n - 1; i >= 0; i -= 1) {
      for (let k = i + 1; k < n; k += 1) x[bt + i * cols + j] -= lu[at + i * n + k] * x[bt + k * cols + j];
      x[bt + i * cols + j] /= lu[at + i * n + i];
    }
  }
}

/** @typedef {ReturnType<typeof factor>} Factored */

/** Elimination of a whole stack of matrices. @param {Tensor} self */
function factor(self) {
  const [n] = self.shape.slice(-1);
  if (self.shape.length < 2 || self.shape.at(-2) !== n) throw new Error(`needs square matrices, got [${self.shape}].`);
  const lead = self.shape.slice(0, -2);
  const count = sizeOf(lead);
  const lu = Float64Array.from(self.data);
  const pivots = new Float64Array(count * n);
  const results = Array.from({ length: count }, (_, k) => eliminate(lu, k * n * n, n, pivots, k * n));
  return { n, lead, count, lu, pivots, results };
}

// Torch also gives the triangles and exchanges, for gradients that the runtime takes another way: null here.

/** @param {Factored} parts @param {number} k */
const diagonal = ({ lu, n }, k) => Array.from({ length: n }, (_, i) => lu[k * n * n + i * n + i]);

/** @param {Tensor} self */
function determinant(self) {
  const parts = factor(self);
  const out = tensor(parts.lead, self.dtype);
  parts.results.forEach(({ sign }, k) => {
    out.data[k] = diagonal(parts, k).reduce((product, x) => product * x, sign);
  });
  return [out, null, null];
}

/** Sign and logarithm of the absolute determinant. @param {Tensor} self */
function logDeterminant(self) {
  const parts = factor(self);
  const [signs, logs] = [tensor(parts.lead, self.dtype), tensor(parts.lead, self.dtype)];
  parts.results.forEach(({ sign }, k) => {
    const entries = diagonal(parts, k);
    signs.data[k] = entries.reduce((product, x) => product * Math.sign(x), sign);
    logs.data[k] = entries.reduce((sum, x) => sum + Math.log(Math.abs(x)), 0);
  });
  return [signs, logs, null, null];
}

/** @param {Factored} parts */
const infoOf = ({ lead, results }) =>
  tensor(
    lead,
    "int32",
    Float64Array.from(results, ({ singular }) => singular),
  );

/** @param {Tensor} a @param {Tensor} b @param {boolean} left @param {boolean} check @returns {[Tensor, null, null, Tensor]} */
function solve(a, b, left, check) {
  if (!left) {
    const [result, ...rest] = solve(turned(a), turned(b), true, check);
    return [turned(result), ...rest];
  }
  const stackOfVectors = b.shape.length === a.shape.length - 1 && b.shape.every((x, k) => x === a.shape[k]);
  const vector = b.shape.length === 1 || stackOfVectors;
  const right = vector ? reshaped(b, [...b.shape, 1]) : b;
  const lead = broadcastShapes(a.shape.slice(0, -2), right.shape.slice(0, -2));
  const wide = expanded(a, [...lead, ...a.shape.slice(-2)]);
  const parts = factor(wide);
  const singular = check && parts.results.find((result) => result.singular)?.singular;
  if (singular) throw new Error(`the matrix is singular: no row is left for its column ${singular}.`);
  const [n, cols] = right.shape.slice(-2);
  const x = Float64Array.from(expanded(right, [...lead, n, cols]).data);
  for (let k = 0; k < parts.count; k += 1) {
    substitute(parts.lu, k * n * n, n, parts.pivots, k * n, x, k * n * cols, cols);
  }
  const out = cast(tensor(vector ? [...lead, n] : [...lead, n, cols], "float64", x), b.dtype);
  return [out, null, null, infoOf(parts)];
}

/** @param {Tensor} self @param {boolean} check */
function inverse(self, check) {
  const { n, lead, count } = factor(self);
  const identity = tensor([...lead, n, n], self.dtype);
  for (let k = 0; k < count; k += 1) for (let i = 0; i < n; i += 1) identity.data[k * n * n + i * n + i] = 1;
  const [out, , , info] = solve(self, identity, true, check);
  return [out, info];
}

/** @type {Table} */
export const linearAlgebra = {
  "_linalg_det.default": ["A:T", determinant],
  "_linalg_slogdet.default": ["A:T", logDeterminant],
  "_linalg_solve_ex.default": ["A:T B:T left=true check_errors=false", solve],
  "linalg_inv_ex.default": ["A:T check_errors=false", inverse],
};
