/** Operators on whole matrices: what their factors and solutions are made of, number by number. */
import * as e from "./expression.mjs";

/** @import { Expression } from "./expression.mjs" */
/** @import { At, Rule } from "./rules.mjs" */
/** @typedef {(row: number, column: number) => Expression} Cells */

const ZERO = e.literal(0);
const MOST = 6; // rows of a determinant that is written out along its first row
const range = (/** @type {number} */ n, from = 0) => Array.from({ length: Math.max(n - from, 0) }, (_, k) => from + k);
const total = (/** @type {Expression[]} */ terms) => (terms.length ? e.sum(terms) : ZERO);
/** a − (b + c), or a alone. @param {Expression} a @param {Expression[]} taken */
const less = (a, taken) => (taken.length ? e.difference(a, e.sum(taken)) : a);

/**
 * Where a number of a result stands, and the matrices at this place of a stack.
 * @param {At} at
 */
function place(at) {
  const [rows, columns] = at.out.shape.slice(-2);
  const stack = Math.floor(at.i / (rows * columns));
  const [row, column] = at.index.slice(-2);
  /** @type {(n: number) => Cells} */
  const given = (n) => {
    const [height, width] = at.tensor(n).shape.slice(-2);
    return (r, c) => at.cell(n, (stack * height + r) * width + c);
  };
  /** @type {Cells} */
  const own = (r, c) => at.result(at.k, (stack * rows + r) * columns + c);
  return { row, column, rows, columns, stack, given, own };
}

/** What the kernel makes of all that it reads, with words for it. @param {At} at @param {string} what */
const named = (at, what) => {
  const by = at.fallback();
  return by.form === "words" ? { ...by, text: [what, ""] } : by;
};

/**
 * A formula, where it gives the number that the kernel found another way; else words: a matrix may be nearly singular.
 * @param {At} at @param {Expression} formula @param {string} what
 */
function orNamed(at, formula, what) {
  const value = Number(
    e.evaluate(
      formula,
      (cell) => at.number(cell),
      (x) => x,
    ),
  );
  const wanted = Number(at.value);
  const close = Object.is(value, wanted) || Math.abs(value - wanted) <= 5e-6 * Math.abs(wanted);
  return close ? formula : named(at, what);
}

/** @param {(at: At) => string} what @returns {Rule} */
const words = (what) => (at) => named(at, what(at));

/** A determinant by elimination. @type {e.Calc} */
function determinantOf(numbers) {
  const n = Math.sqrt(numbers.length);
  const a = range(n).map((r) => numbers.slice(r * n, r * n + n));
  let found = 1;
  for (let k = 0; k < n; k += 1) {
    const best = range(n, k).reduce((x, y) => (Math.abs(a[y][k]) > Math.abs(a[x][k]) ? y : x), k);
    if (best !== k) [a[k], a[best], found] = [a[best], a[k], -found];
    found *= a[k][k];
    if (a[k][k] === 0) return 0;
    for (const r of range(n, k + 1)) {
      const factor = a[r][k] / a[k][k];
      for (const c of range(n, k)) a[r][c] -= factor * a[k][c];
    }
  }
  return found;
}

/**
 * The determinant of rows and columns of a matrix: a d − b c of two, else "det(…)".
 * @param {Cells} cell @param {number[]} rows @param {number[]} columns
 */
function minor(cell, rows, columns) {
  const cells = rows.flatMap((r) => columns.map((c) => cell(r, c)));
  if (cells.length === 4) return e.difference(e.product([cells[0], cells[3]]), e.product([cells[1], cells[2]]));
  return cells.length === 1 ? cells[0] : e.call("det", cells, determinantOf);
}

/** A determinant along its first row. @param {Cells} cell @param {number} n */
function expanded(cell, n) {
  if (n < 3 || n > MOST) return minor(cell, range(n), range(n));
  const rest = (/** @type {number} */ c) => range(n).filter((other) => other !== c);
  const terms = range(n).map((c) => e.product([cell(0, c), minor(cell, range(n, 1), rest(c))]));
  return terms.reduce((all, term, c) => (c % 2 ? e.difference(all, term) : c ? e.sum([all, term]) : term));
}

/** @param {At} at @returns {[Cells, number]} the matrix whose determinant, sign or logarithm this is, and its size */
function ofStack(at) {
  const n = at.tensor(0).shape.at(-1) ?? 0;
  return [(r, c) => at.cell(0, (at.i * n + r) * n + c), n];
}

/** @type {Rule} */
function determinant(at) {
  const [cell, n] = ofStack(at);
  return at.k === 0 && n ? orNamed(at, expanded(cell, n), "the determinant of the matrix ") : at.fallback();
}

/** @type {Rule} */
function logDeterminant(at) {
  const [cell, n] = ofStack(at);
  if (at.k > 1 || !n) return at.fallback();
  const found = minor(cell, range(n), range(n));
  if (at.k === 0)
    return orNamed(
      at,
      e.call("sign", [found], ([x]) => Math.sign(x)),
      "the sign of the determinant of the matrix ",
    );
  const size = e.call("|det|", [found], ([x]) => Math.abs(x));
  return orNamed(at, e.logarithm(size), "the logarithm of the size of the determinant of the matrix ");
}

/** A number of an inverse: the determinant without its column and row, over that of all. @type {Rule} */
function inverse(at) {
  if (at.k !== 0) return at.fallback();
  const { row, column, rows: n, given } = place(at);
  const what = `row ${row}, column ${column} of the inverse of the matrix `;
  const cell = given(0);
  if (n === 1) return e.quotient(e.literal(1), cell(0, 0));
  const without = (/** @type {number} */ k) => range(n).filter((other) => other !== k);
  const part = minor(cell, without(column), without(row));
  const signed = (row + column) % 2 ? e.negative(part) : part;
  return orNamed(at, e.quotient(signed, minor(cell, range(n), range(n))), what);
}

/** A number of a solution: the determinant with a column replaced by the right side, over that without. @type {Rule} */
function solution(at) {
  const what = `number ${at.i} of the X that solves A X = B, with A and B `;
  const [a, b] = [at.tensor(0).shape, at.tensor(1).shape];
  const vector = b.length === a.length - 1;
  const same = vector || (b.length === a.length && b.slice(0, -2).every((length, k) => length === a[k]));
  if (at.k !== 0 || !same || at.option("left", true) === false) return at.k === 0 ? named(at, what) : at.fallback();
  const n = a[a.length - 1];
  const width = vector ? 1 : b[b.length - 1];
  const stack = Math.floor(at.i / (n * width));
  const row = Math.floor(at.i / width) % n;
  /** @type {Cells} */
  const cell = (r, c) => at.cell(0, (stack * n + r) * n + c);
  /** @type {Cells} */
  const replaced = (r, c) => (c === row ? at.cell(1, (stack * n + r) * width + (at.i % width)) : cell(r, c));
  if (n === 1) return e.quotient(replaced(0, 0), cell(0, 0));
  const shown = e.words(
    ["", " / ", `, where B stands in column ${row} of the first determinant`],
    [minor(replaced, range(n), range(n)), minor(cell, range(n), range(n))].map((part) =>
      part.form === "call" ? part : e.call("", [part], ([x]) => x),
    ),
    ([x, y]) => x / y,
  );
  return orNamed(at, shown, what);
}

/** L[i, j] of A = L Lᵀ, from what stands left of it: a root on the diagonal, else a quotient. @type {Rule} */
function cholesky(at) {
  if (at.k !== 0 || at.option("upper", false)) return at.fallback();
  const { row, column, given, own } = place(at);
  if (column > row) return ZERO;
  const known = range(column).map((k) => e.product([own(row, k), own(column, k)]));
  const rest = less(given(0)(row, column), known);
  return row === column ? e.root(rest) : e.quotient(rest, own(column, column));
}

/**
 * One row of a triangle: what is known of the others is taken from the right side.
 * @param {At} at @param {number} a where the triangle stands @param {number} b @param {boolean} upper @param {boolean} turned
 */
function substituted(at, a, b, upper, turned) {
  const what = `number ${at.i} of the X that solves A X = B for a triangle A, with both `;
  const lead = (/** @type {number} */ n) => at.tensor(n).shape.slice(0, -2).join();
  if (lead(a) !== lead(b) || at.option("left", true) === false) return named(at, what);
  const { row, column, rows, given, own } = place(at);
  /** @type {Cells} */
  const cell = (r, c) => (turned ? given(a)(c, r) : given(a)(r, c));
  const others = upper !== turned ? range(rows, row + 1) : range(row);
  const rest = less(
    given(b)(row, column),
    others.map((k) => e.product([cell(row, k), own(k, column)])),
  );
  return at.option("unitriangular", false) ? rest : orNamed(at, e.quotient(rest, cell(row, row)), what);
}

/** @type {Rule} */
function orthogonal(at) {
  const { row, column, given, stack } = place(at);
  const what = `row ${row}, column ${column} of ${at.k === 0 ? "Q" : "R"} where Q R is the matrix `;
  const [height, width] = at.tensor(0).shape.slice(-2);
  const [q, r] = [0, 1].map((which) => {
    const [rows, columns] = [which ? Math.min(height, width) : height, which ? width : Math.min(height, width)];
    return (/** @type {number} */ i, /** @type {number} */ j) => at.result(which, (stack * rows + i) * columns + j);
  });
  if (at.arg("mode") !== "reduced") return named(at, what);
  const a = given(0);
  if (at.k === 0) {
    const known = range(column).map((k) => e.product([r(k, column), q(row, k)]));
    return orNamed(at, e.quotient(less(a(row, column), known), r(column, column)), what);
  }
  if (row > column) return ZERO;
  if (row < column) {
    const terms = range(height).map((k) => e.product([q(k, row), a(k, column)]));
    return orNamed(at, total(terms), what);
  }
  const squares = range(height).map((k) => e.power(a(k, column), e.literal(2)));
  const known = range(column).map((k) => e.power(r(k, column), e.literal(2)));
  const length = e.root(less(total(squares), known));
  return orNamed(at, Number(at.value) < 0 ? e.negative(length) : length, what);
}

const FACTORS = ["U", "the singular values", "Vᵀ"];

/** U and S of U S Vᵀ from Vᵀ: A turns its row k, and S is the length of what comes out. @type {Rule} */
function singular(at) {
  const what = `number ${at.i} of ${FACTORS[at.k]} where U S Vᵀ is the matrix `;
  const [height, width] = at.tensor(0).shape.slice(-2);
  const least = Math.min(height, width);
  const values = at.k === 1 ? least : (at.out.shape.at(-2) ?? 1) * (at.out.shape.at(-1) ?? 1);
  const stack = Math.floor(at.i / values);
  const k = at.k === 1 ? at.i % least : (at.index.at(-1) ?? 0);
  if (at.k === 2 || k >= least || at.arg("compute_uv") === false) return named(at, what);
  const rowsOfV = at.arg("full_matrices") ? width : least;
  const turned = (/** @type {number} */ r) =>
    e.sum(
      range(width).map((c) => e.product([at.cell(0, (stack * height + r) * width + c), at.result(2, (stack * rowsOfV + k) * width + c)])),
    );
  if (at.k === 0) return orNamed(at, e.quotient(turned(at.index.at(-2) ?? 0), at.result(1, stack * least + k)), what);
  const squares = range(height).map((r) => e.power(turned(r), e.literal(2)));
  return orNamed(at, e.root(total(squares)), what);
}

/** An eigenvalue from its vector v: v A v, of one triangle of A. @type {Rule} */
function eigenvalue(at) {
  const n = at.tensor(0).shape.at(-1) ?? 0;
  const what = at.k ? `number ${at.i} of the eigenvectors of the matrix ` : `eigenvalue ${at.i % n} of the matrix `;
  if (at.k !== 0 || at.arg("compute_v") === false) return named(at, what);
  const [stack, k] = [Math.floor(at.i / n), at.i % n];
  const lower = at.arg("UPLO") !== "U";
  const a = (/** @type {number} */ r, /** @type {number} */ c) => {
    const [i, j] = r > c === lower ? [r, c] : [c, r];
    return at.cell(0, (stack * n + i) * n + j);
  };
  const v = (/** @type {number} */ r) => at.result(1, (stack * n + r) * n + k);
  return orNamed(at, total(range(n).flatMap((r) => range(n).map((c) => e.product([v(r), a(r, c), v(c)])))), what);
}

/** @type {Rule} */
function distance(at) {
  const what = "the length of the difference between the numbers ";
  const [a, b] = [at.tensor(0), at.tensor(1)];
  if (at.option("p", 2) !== 2 || a.shape.join() !== b.shape.join() || !a.data.length) return named(at, what);
  const squares = range(a.data.length).map((k) => e.power(e.difference(at.cell(0, k), at.cell(1, k)), e.literal(2)));
  return e.root(e.sum(squares));
}

/** @type {Record<string, Rule>} */
export const matrixRules = {
  linalg_cholesky_ex: cholesky,
  cholesky,
  _linalg_det: determinant,
  _linalg_slogdet: logDeterminant,
  linalg_inv_ex: inverse,
  _linalg_solve_ex: solution,
  linalg_solve_triangular: (at) => substituted(at, 0, 1, Boolean(at.arg("upper")), false),
  triangular_solve: (at) => (at.k ? at.fallback() : substituted(at, 1, 0, at.arg("upper") !== false, at.arg("transpose") === true)),
  cholesky_solve: words((at) => `number ${at.i} of the X that solves L Lᵀ X = B, with B and L `),
  cholesky_inverse: words((at) => `number ${at.i} of the inverse of L Lᵀ, with L `),
  linalg_matrix_exp: words((at) => `number ${at.i} of 1 + A + A²/2 + A³/6 + …, with A `),
  linalg_qr: orthogonal,
  _linalg_svd: singular,
  _linalg_eigh: eigenvalue,
  searchsorted: words(() => "how many of a sorted row stand before the number, from the row and the number "),
  dist: distance,
};
