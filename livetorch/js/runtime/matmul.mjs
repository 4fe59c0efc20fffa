/** Products of matrices and vectors. */
import { broadcastShapes, mapTwo, runOf } from "./broadcast.mjs";
import { add } from "./binary.mjs";
import { multiply } from "./multiply.mjs";
import { expanded, permuted, reshaped, sizeOf, tensor } from "./tensor.mjs";

/** @import { Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

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
  for (let k = 0; k < count; k += 1) {
    const starts = [k * rows * inner, k * inner * cols, k * rows * cols];
    multiply(a.data, b.data, out.data, starts, [rows, inner, cols]);
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
