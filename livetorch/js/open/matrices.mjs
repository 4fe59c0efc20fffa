/** Operators on whole matrices: what their factors and solutions are made of, number by number. */
import * as e from "./expression.mjs";

/** @import { At, Rule } from "./rules.mjs" */

const ZERO = e.literal(0);

/** Row, column and the first place of the matrix in which a number stands. @param {At} at */
function whereIn(at) {
  const [rows, columns] = at.out.shape.slice(-2);
  const [row, column] = at.index.slice(-2);
  return { row, column, columns, first: at.i - (at.i % (rows * columns)) };
}

/** All numbers of the square matrix at this place of a stack. @param {At} at @param {number} stack */
function matrix(at, stack) {
  const n = at.tensor(0).shape.at(-1) ?? 0;
  return Array.from({ length: n * n }, (_, k) => at.cell(0, stack * n * n + k));
}

/** L[i, j] of A = L Lᵀ, from what stands left of it: a root on the diagonal, else a quotient. @type {Rule} */
function cholesky(at) {
  if (at.k !== 0 || at.option("upper", false)) return at.fallback();
  const { row, column, columns, first } = whereIn(at);
  if (column > row) return ZERO;
  const own = (/** @type {number} */ i, /** @type {number} */ j) => at.result(0, first + i * columns + j);
  const known = Array.from({ length: column }, (_, k) => e.product([own(row, k), own(column, k)]));
  const given = at.cell(0, at.i);
  const rest = known.length ? e.difference(given, e.sum(known)) : given;
  return row === column ? e.root(rest) : e.quotient(rest, own(column, column));
}

/** A determinant: a d − b c of two rows, of more by the kernel. @type {Rule} */
function determinant(at) {
  const cells = matrix(at, at.i);
  if (at.k !== 0 || !cells.length) return at.fallback();
  if (cells.length === 1) return cells[0];
  const [a, b, c, d] = cells;
  if (cells.length === 4) return e.difference(e.product([a, d]), e.product([b, c]));
  return named(at, "the determinant of the matrix ");
}

/** An inverse: of two rows by its formula, of more by the kernel. @type {Rule} */
function inverse(at) {
  const { row, column, columns, first } = whereIn(at);
  if (at.k !== 0) return at.fallback();
  const cells = matrix(at, first / (columns * columns));
  if (cells.length !== 4) return named(at, `row ${row}, column ${column} of the inverse of the matrix `);
  const [a, b, c, d] = cells;
  const top = row === column ? (row ? a : d) : e.negative(row ? c : b);
  return e.quotient(top, e.difference(e.product([a, d]), e.product([b, c])));
}

/** What the kernel makes of all that it reads, with words for it. @param {At} at @param {string} what */
const named = (at, what) => {
  const by = at.fallback();
  return by.form === "words" ? { ...by, text: [what, ""] } : by;
};

/** @param {(at: At) => string} what @returns {Rule} */
const words = (what) => (at) => named(at, what(at));
const FACTORS = ["U", "the singular values", "Vᵀ"];

/** @type {Record<string, Rule>} */
export const matrixRules = {
  linalg_cholesky_ex: cholesky,
  cholesky,
  _linalg_det: determinant,
  _linalg_slogdet: words((at) => `the ${at.k === 0 ? "sign" : "logarithm of the size"} of the determinant of the matrix `),
  linalg_inv_ex: inverse,
  _linalg_solve_ex: words((at) => `number ${at.i} of the X that solves A X = B, with A and B `),
  linalg_solve_triangular: words((at) => `number ${at.i} of the X that solves A X = B for a triangle A, with A and B `),
  triangular_solve: words((at) => `number ${at.i} of the X that solves A X = B for a triangle A, with B and A `),
  _linalg_svd: words((at) => `number ${at.i} of ${FACTORS[at.k]} where U S Vᵀ is the matrix `),
  scatter_reduce: words((at) => `the ${at.arg("reduce")} of what the indices send here, from the target, indices and numbers `),
  searchsorted: words(() => "how many of a sorted row stand before the number, from the row and the number "),
  dist: words(() => "the length of the difference between the numbers "),
};
