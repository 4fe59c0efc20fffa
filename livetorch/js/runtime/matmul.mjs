/** Products of matrices and vectors. */
import { broadcastShapes, mapTwo, runOf } from "./broadcast.mjs";
import { add } from "./binary.mjs";
import { expanded, permuted } from "./strided.mjs";
import { reshaped, sizeOf, tensor } from "./tensor.mjs";

/** @import { Numbers } from "./dtype.mjs" */
/** @import { Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

const FEW = 3; // rows from which it pays to copy b into panels

let panels = new Float64Array(1024); // b as float64, four columns after four columns: kept from product to product

/**
 * Copies a matrix into panels of four columns, so that the inner loop of a product reads it in order; what the last panel
 * has too many is 0.
 * @param {Numbers} b @param {number} from @param {number} inner @param {number} cols
 */
function pack(b, from, inner, cols) {
  const size = 4 * inner * Math.ceil(cols / 4);
  if (panels.length < size) panels = new Float64Array(size);
  let to = 0;
  for (let col = 0; col < cols; col += 4) {
    const wide = Math.min(4, cols - col);
    for (let k = 0, at = from + col; k < inner; k += 1, at += cols, to += 4) {
      panels[to] = b[at];
      panels[to + 1] = wide > 1 ? b[at + 1] : 0;
      panels[to + 2] = wide > 2 ? b[at + 2] : 0;
      panels[to + 3] = wide > 3 ? b[at + 3] : 0;
    }
  }
}

/**
 * Writes the product of two contiguous matrices to `out`, three rows and four columns at a time: their twelve float64 sums
 * stay in registers. Where rows are left over, the last ones are made once more.
 * @param {Numbers} a @param {Numbers} b @param {Numbers} out @param {number[]} starts @param {number[]} sizes at least FEW rows
 */
function multiplyBlocks(a, b, out, [at, bt, to], [rows, inner, cols]) {
  pack(b, bt, inner, cols);
  const p = panels;
  for (let block = 0; block < rows; block += 3) {
    const row = Math.min(block, rows - 3);
    const x = at + row * inner;
    const y = x + inner;
    const z = y + inner;
    let place = to + row * cols;
    let q = 0;
    for (let left = cols; left > 0; left -= 4, place += 4) {
      let x0 = 0;
      let x1 = 0;
      let x2 = 0;
      let x3 = 0;
      let y0 = 0;
      let y1 = 0;
      let y2 = 0;
      let y3 = 0;
      let z0 = 0;
      let z1 = 0;
      let z2 = 0;
      let z3 = 0;
      for (let k = 0; k < inner; k += 1, q += 4) {
        const ax = a[x + k];
        const ay = a[y + k];
        const az = a[z + k];
        const b0 = p[q];
        const b1 = p[q + 1];
        const b2 = p[q + 2];
        const b3 = p[q + 3];
        x0 += ax * b0;
        x1 += ax * b1;
        x2 += ax * b2;
        x3 += ax * b3;
        y0 += ay * b0;
        y1 += ay * b1;
        y2 += ay * b2;
        y3 += ay * b3;
        z0 += az * b0;
        z1 += az * b1;
        z2 += az * b2;
        z3 += az * b3;
      }
      writeFour(out, place, left, x0, x1, x2, x3);
      writeFour(out, place + cols, left, y0, y1, y2, y3);
      writeFour(out, place + 2 * cols, left, z0, z1, z2, z3);
    }
  }
}

/**
 * @param {Numbers} out @param {number} to @param {number} left columns that there still are
 * @param {number} s0 @param {number} s1 @param {number} s2 @param {number} s3
 */
function writeFour(out, to, left, s0, s1, s2, s3) {
  out[to] = s0;
  if (left > 1) out[to + 1] = s1;
  if (left > 2) out[to + 2] = s2;
  if (left > 3) out[to + 3] = s3;
}

/**
 * The same for a few rows, which are over before b is copied: the inner loop runs over a row of b and a float64 accumulator.
 * @param {Numbers} a @param {Numbers} b @param {Numbers} out @param {number[]} starts @param {number[]} sizes
 * @param {Float64Array} total
 */
function multiplyRows(a, b, out, [at, bt, to], [rows, inner, cols], total) {
  for (let row = 0; row < rows; row += 1) {
    total.fill(0);
    for (let k = 0; k < inner; k += 1) {
      const x = a[at + row * inner + k];
      const from = bt + k * cols;
      for (let col = 0; col < cols; col += 1) total[col] += x * b[from + col];
    }
    out.set(total, to + row * cols);
  }
}

/** @param {Tensor} a @param {Tensor} b */
const mismatch = (a, b) => new Error(`cannot multiply matrices of shapes [${a.shape}] and [${b.shape}].`);

/**
 * Product of two stacks of matrices of the same number: (count, rows, inner) x (count, inner, cols).
 * @param {Tensor} a @param {Tensor} b
 */
export function batched(a, b) {
  const [count, rows, inner] = a.shape;
  const cols = b.shape[2];
  const stacks = a.shape.length === 3 && b.shape.length === 3;
  if (!stacks || b.shape[0] !== count || b.shape[1] !== inner) throw mismatch(a, b);
  const out = tensor([count, rows, cols], a.dtype);
  const total = new Float64Array(rows < FEW ? cols : 0);
  for (let k = 0; k < count; k += 1) {
    const starts = [k * rows * inner, k * inner * cols, k * rows * cols];
    if (rows < FEW) multiplyRows(a.data, b.data, out.data, starts, [rows, inner, cols], total);
    else multiplyBlocks(a.data, b.data, out.data, starts, [rows, inner, cols]);
  }
  return out;
}

/** @param {Tensor} a @param {Tensor} b */
export function matrixProduct(a, b) {
  if (a.shape.length !== 2 || b.shape.length !== 2) throw mismatch(a, b);
  return reshaped(batched(reshaped(a, [1, ...a.shape]), reshaped(b, [1, ...b.shape])), [a.shape[0], b.shape[1]]);
}

/** A vector as a matrix of one column. @param {Tensor} self */
const column = (self) => reshaped(self, [self.data.length, 1]);

/** @param {Tensor} a @param {Tensor} v */
const matrixVector = (a, v) => reshaped(matrixProduct(a, column(v)), [a.shape[0]]);

/** @param {Tensor} a @param {Tensor} b */
function dot(a, b) {
  if (a.data.length !== b.data.length) throw mismatch(a, b);
  return reshaped(matrixProduct(reshaped(a, [1, a.data.length]), column(b)), []);
}

/**
 * beta * self + alpha * product; with beta 0 torch does not look at self at all.
 * @param {Tensor} self @param {Tensor} product @param {Tensor} beta @param {Tensor} alpha
 */
function plus(self, product, beta, alpha) {
  const x = beta.data[0];
  const y = alpha.data[0];
  if (x === 1 && y === 1) return add(self, product);
  const run = x === 0 ? runOf((_, p) => y * p) : runOf((s, p) => x * s + y * p);
  return mapTwo(run, self, product, product.dtype);
}

/**
 * Any two tensors as torch.matmul multiplies them; leading axes broadcast.
 * @param {Tensor} a @param {Tensor} b @returns {Tensor}
 */
export function matmul(a, b) {
  if (a.shape.length === 0 || b.shape.length === 0) throw mismatch(a, b);
  if (a.shape.length === 1) return dropAxis(matmul(reshaped(a, [1, a.shape[0]]), b), b.shape.length === 1 ? -1 : -2);
  if (b.shape.length === 1) return dropAxis(matmul(a, column(b)), -1);
  const [left, right, lead] = stacked(a, b);
  const product = batched(left, right);
  return reshaped(product, [...lead, ...a.shape.slice(-2, -1), ...b.shape.slice(-1)]);
}

/** @param {Tensor} self @param {number} axis */
const dropAxis = (self, axis) =>
  reshaped(
    self,
    self.shape.filter((_, k) => k !== self.shape.length + axis),
  );

/**
 * Two tensors as stacks of as many matrices.
 * @param {Tensor} a @param {Tensor} b @returns {[Tensor, Tensor, number[]]}
 */
function stacked(a, b) {
  const lead = broadcastShapes(a.shape.slice(0, -2), b.shape.slice(0, -2));
  /** @param {Tensor} self */
  const stack = (self) => {
    const matrix = self.shape.slice(-2);
    return reshaped(expanded(self, [...lead, ...matrix]), [sizeOf(lead), ...matrix]);
  };
  return [stack(a), stack(b), lead];
}

/**
 * x W^T + bias, as nn.Linear keeps its weight.
 * @param {Tensor} input @param {Tensor} weight @param {Tensor|null} bias
 */
function linear(input, weight, bias) {
  const rank = weight.shape.length;
  const turned = rank === 2 ? permuted(weight, [1, 0]) : weight;
  const flatInput = input.shape.length > 2 && rank === 2;
  const rows = flatInput ? reshaped(input, [sizeOf(input.shape.slice(0, -1)), ...input.shape.slice(-1)]) : input;
  const product = matmul(rows, turned);
  const out = flatInput ? reshaped(product, [...input.shape.slice(0, -1), weight.shape[0]]) : product;
  return bias ? add(out, bias) : out;
}

/**
 * Sum over the stack of products: (count, rows, inner) x (count, inner, cols) -> (rows, cols).
 * @param {Tensor} a @param {Tensor} b
 */
function summedProducts(a, b) {
  const [count, rows, inner] = a.shape;
  const left = reshaped(permuted(a, [1, 0, 2]), [rows, count * inner]);
  return matrixProduct(left, reshaped(b, [count * inner, b.shape[2]]));
}

const FACTORS = "beta:S=1 alpha:S=1";

/** @type {Table} */
export const products = {
  "mm.default": ["self:T mat2:T", matrixProduct],
  "bmm.default": ["self:T mat2:T", batched],
  "mv.default": ["self:T vec:T", matrixVector],
  "dot.default": ["self:T tensor:T", dot],
  "vdot.default": ["self:T other:T", dot],
  "matmul.default": ["self:T other:T", matmul],
  "linear.default": ["input:T weight:T bias:T=null", linear],
  "addmm.default": [`self:T mat1:T mat2:T ${FACTORS}`, (self, a, b, beta, alpha) => plus(self, matrixProduct(a, b), beta, alpha)],
  "baddbmm.default": [`self:T batch1:T batch2:T ${FACTORS}`, (self, a, b, beta, alpha) => plus(self, batched(a, b), beta, alpha)],
  "addbmm.default": [`self:T batch1:T batch2:T ${FACTORS}`, (self, a, b, beta, alpha) => plus(self, summedProducts(a, b), beta, alpha)],
  "addmv.default": [`self:T mat:T vec:T ${FACTORS}`, (self, a, v, beta, alpha) => plus(self, matrixVector(a, v), beta, alpha)],
};
