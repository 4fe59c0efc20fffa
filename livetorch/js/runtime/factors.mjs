/** Factors of matrices that are no triangles alone: QR, eigenvectors of symmetric matrices, singular vectors, exp. */
import { sizeOf, tensor } from "./tensor.mjs";

/** @import { Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

/** @typedef {number[][]} Rows a small matrix, row by row */

/** @param {Rows} rows @param {number} cols */
const transposed = (rows, cols) => Array.from({ length: cols }, (_, j) => rows.map((row) => row[j]));
/** @param {number} n */
const identity = (n) => Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => Number(i === j)));
/** @param {number[]} a @param {number[]} b */
const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);

/** Each matrix of a stack as rows of numbers. @returns {Rows[]} @param {Tensor} self */
function matrices({ shape, data }) {
  const [rows, cols] = shape.slice(-2);
  const at = (/** @type {number} */ stack, /** @type {number} */ i) => (stack * rows + i) * cols;
  return Array.from({ length: sizeOf(shape.slice(0, -2)) }, (_, stack) =>
    Array.from({ length: rows }, (_, i) => Array.from(data.subarray(at(stack, i), at(stack, i) + cols))),
  );
}

/**
 * A tensor of a stack of matrices, or of rows.
 * @param {Tensor} like @param {number[][] | number[][][]} parts @param {...number} sizes
 */
const stacked = (like, parts, ...sizes) => {
  const out = tensor([...like.shape.slice(0, -2), ...sizes], like.dtype);
  out.data.set(parts.flat(2));
  return out;
};

/**
 * Reflections as LAPACK chooses them, so that all signs are torch's. `r` is overwritten.
 * @param {Rows} r @param {number} m @param {number} n @returns {Rows} Q, m x m
 */
function reflect(r, m, n) {
  const q = identity(m);
  for (let k = 0; k < Math.min(m - 1, n); k += 1) {
    const v = r.map((row, i) => (i < k ? 0 : row[k]));
    const size = Math.hypot(...v);
    if (v.every((x, i) => i <= k || x === 0)) continue;
    const first = v[k] < 0 || Object.is(v[k], -0) ? size : -size;
    v[k] -= first;
    const half = dot(v, v) / 2;
    for (let j = 0; j < n; j += 1) {
      const share = r.reduce((sum, row, i) => sum + v[i] * row[j], 0) / half;
      r.forEach((row, i) => {
        row[j] -= share * v[i];
      });
    }
    for (const row of q) {
      const share = dot(row, v) / half;
      row.forEach((x, i) => {
        row[i] = x - share * v[i];
      });
    }
    r.forEach((row, i) => {
      if (i > k) row[k] = 0;
    });
  }
  return q;
}

/** @param {Tensor} self @param {string} mode */
function qr(self, mode) {
  const [m, n] = self.shape.slice(-2);
  const k = mode === "complete" ? m : Math.min(m, n);
  /** @type {Rows[][]} */
  const [qs, rs] = [[], []];
  for (const r of matrices(self)) {
    qs.push(reflect(r, m, n).map((row) => row.slice(0, k)));
    rs.push(r.slice(0, k));
  }
  return [mode === "r" ? tensor([0], self.dtype) : stacked(self, qs, m, k), stacked(self, rs, k, n)];
}

/**
 * The sign of a vector is open: here, as in signs.py, the first of its largest entries is positive.
 * @param {number[]} vector
 */
function signOf(vector) {
  const largest = Math.max(...vector.map(Math.abs));
  return (vector.find((x) => Math.abs(x) >= 0.999 * largest) ?? 0) < 0 ? -1 : 1;
}

/**
 * The turn by which a Jacobi step makes two directions independent: cosine and sine.
 * @param {number} p @param {number} q @param {number} both @returns {number[]}
 */
function turn(p, q, both) {
  const slope = (q - p) / (2 * both);
  const t = (slope < 0 ? -1 : 1) / (Math.abs(slope) + Math.hypot(1, slope));
  const cos = 1 / Math.hypot(1, t);
  return [cos, t * cos];
}

/**
 * Turns two vectors towards each other in place.
 * @param {number[]} a @param {number[]} b @param {number[]} step cosine and sine
 */
function rotate(a, b, step) {
  const [cos, sin] = step;
  for (let k = 0; k < a.length; k += 1) [a[k], b[k]] = [cos * a[k] - sin * b[k], sin * a[k] + cos * b[k]];
}

const SWEEPS = 60;
const TINY = 1e-15;

/**
 * Turns pairs of columns until all are at right angles: `a` (columns) becomes U S, `v` (columns) the turns.
 * @param {Rows} a
 */
function orthogonalise(a) {
  const v = identity(a.length);
  for (let sweep = 0, moved = true; moved && sweep < SWEEPS; sweep += 1) {
    moved = false;
    for (let p = 0; p < a.length - 1; p += 1) {
      for (let q = p + 1; q < a.length; q += 1) {
        const [pp, qq, pq] = [dot(a[p], a[p]), dot(a[q], a[q]), dot(a[p], a[q])];
        if (pq === 0 || Math.abs(pq) <= TINY * Math.sqrt(pp * qq)) continue;
        moved = true;
        const step = turn(pp, qq, pq);
        rotate(a[p], a[q], step);
        rotate(v[p], v[q], step);
      }
    }
  }
  return v;
}

/**
 * One more direction at right angles to some: as in signs.py, what they leave of the unit vector they leave most of.
 * @param {Rows} u @param {number} m
 */
function beside(u, m) {
  const left = Array.from({ length: m }, (_, i) => 1 - u.reduce((sum, vector) => sum + vector[i] ** 2, 0));
  const at = left.findIndex((x) => x >= 0.999 * Math.max(...left));
  const rest = left.map((_, i) => Number(i === at) - u.reduce((sum, vector) => sum + vector[i] * vector[at], 0));
  const size = Math.hypot(...rest);
  return rest.map((x) => x / size);
}

/**
 * U (columns), S and V (columns) of a matrix with at least as many rows as columns; U has m columns if `full`.
 * @param {Rows} rows @param {number} m @param {number} n @param {boolean} full
 */
function singular(rows, m, n, full) {
  const a = transposed(rows, n);
  const turns = orthogonalise(a);
  const order = a.map((column, i) => ({ size: Math.hypot(...column), column, turn: turns[i] }));
  order.sort((x, y) => y.size - x.size);
  const whole = order.filter(({ size }) => size > 1e-14 * order[0].size);
  const u = whole.map(({ size, column }) => column.map((x) => x / size));
  const wanted = full ? m : n;
  while (u.length < wanted) u.push(beside(u, m));
  return { u, s: order.map(({ size }) => size), v: order.map(({ turn }) => turn) };
}

/** @param {Tensor} self @param {boolean} full @param {boolean} vectors */
function svd(self, full, vectors) {
  const [m, n] = self.shape.slice(-2);
  const wide = m < n;
  const k = Math.min(m, n);
  /** @type {[Rows[], number[][], Rows[]]} */
  const [us, ss, vs] = [[], [], []];
  for (const rows of matrices(self)) {
    if (!rows.flat().every(Number.isFinite)) throw new Error("the matrix has NaN or infinities.");
    const found = wide ? singular(transposed(rows, n), n, m, full) : singular(rows, m, n, full);
    const [u, v] = wide ? [found.v, found.u] : [found.u, found.v];
    for (let i = 0; i < Math.max(u.length, v.length); i += 1) {
      const sign = signOf(u[i] ?? v[i]);
      for (const vector of i < k ? [u[i], v[i]] : [u[i] ?? v[i]])
        vector.forEach((x, j) => {
          vector[j] = sign * x;
        });
    }
    us.push(transposed(u, m));
    ss.push(found.s);
    vs.push(v);
  }
  const sizes = stacked(self, ss, k);
  if (!vectors) return [tensor([0], self.dtype), sizes, tensor([0], self.dtype)];
  return [stacked(self, us, m, full ? m : k), sizes, stacked(self, vs, full ? n : k, n)];
}

/**
 * Eigenvalues from small to large and their vectors (rows of `v`), of one triangle of a symmetric matrix.
 * @param {Rows} rows @param {boolean} upper
 */
function diagonalise(rows, upper) {
  const n = rows.length;
  const a = rows.map((row, i) => row.map((_, j) => (j < i === !upper || i === j ? rows[i][j] : rows[j][i])));
  if (!a.flat().every(Number.isFinite)) throw new Error("the matrix has NaN or infinities.");
  const v = identity(n);
  for (let sweep = 0, moved = true; moved && sweep < SWEEPS; sweep += 1) {
    moved = false;
    for (let p = 0; p < n - 1; p += 1) {
      for (let q = p + 1; q < n; q += 1) {
        if (Math.abs(a[p][q]) <= TINY * Math.hypot(a[p][p], a[q][q], Number.MIN_VALUE)) continue;
        moved = true;
        const step = turn(a[p][p], a[q][q], a[p][q]);
        rotate(a[p], a[q], step);
        for (const row of a) [row[p], row[q]] = [step[0] * row[p] - step[1] * row[q], step[1] * row[p] + step[0] * row[q]];
        rotate(v[p], v[q], step);
      }
    }
  }
  return a.map((row, i) => ({ value: row[i], vector: v[i] })).sort((x, y) => x.value - y.value);
}

/** @param {Tensor} self @param {string} triangle @param {boolean} vectors */
function eigh(self, triangle, vectors) {
  const [n] = self.shape.slice(-1);
  const found = matrices(self).map((rows) => diagonalise(rows, triangle === "U"));
  const values = stacked(
    self,
    found.map((all) => all.map(({ value }) => value)),
    n,
  );
  if (!vectors) return [values, tensor([0], self.dtype)];
  const columns = found.map((all) =>
    transposed(
      all.map(({ vector }) => vector.map((x) => signOf(vector) * x)),
      n,
    ),
  );
  return [values, stacked(self, columns, n, n)];
}

/** @param {Rows} a @param {Rows} b */
const product = (a, b) => a.map((row) => transposed(b, b.length).map((column) => dot(row, column)));

/** exp of a square matrix: the series for a small part of it, then squared again and again. @param {Rows} rows */
function exponential(rows) {
  const size = Math.max(0, ...rows.map((row) => row.reduce((sum, x) => sum + Math.abs(x), 0)));
  const squarings = size > 0.5 && Number.isFinite(size) ? Math.ceil(Math.log2(size)) + 1 : 0;
  const small = rows.map((row) => row.map((x) => x / 2 ** squarings));
  let out = identity(rows.length);
  for (let k = 16; k > 0; k -= 1) {
    out = product(small, out).map((row, i) => row.map((x, j) => x / k + Number(i === j)));
  }
  for (let k = 0; k < squarings; k += 1) out = product(out, out);
  return out;
}

/** @type {Table} */
export const factors = {
  "linalg_qr.default": ['A:T mode="reduced"', qr],
  "_linalg_svd.default": ["A:T full_matrices=false compute_uv=true driver=null", svd],
  "_linalg_eigh.default": ['A:T UPLO="L" compute_v=true', eigh],
  "linalg_matrix_exp.default": ["self:T", (self) => stacked(self, matrices(self).map(exponential), ...self.shape.slice(-2))],
};
