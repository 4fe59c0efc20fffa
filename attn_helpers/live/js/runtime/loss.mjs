/** Losses that torch keeps whole, dropout that does nothing, and distances between rows. */
import { broadcastShapes, filled, mapTwo, runOf } from "./broadcast.mjs";
import { expanded } from "./strided.mjs";
import { reshaped, sizeOf, tensor } from "./tensor.mjs";

const MEAN = 1;
const NONE = 0;

const weightOf = (weight, target) => (weight ? weight.data[target] : 1);

/** Negative log-likelihood of (batch, classes) or (classes); gives the loss and the sum of weights. */
function nllForward(self, target, weight, reduction, ignoreIndex) {
  const classes = self.shape.at(-1);
  const losses = tensor(target.shape, self.dtype);
  let total = 0;
  let weights = 0;
  target.data.forEach((label, row) => {
    if (label === ignoreIndex) return;
    if (label < 0 || label >= classes) throw new Error(`target ${label} is outside ${classes} classes.`);
    const w = weightOf(weight, label);
    losses.data[row] = -self.data[row * classes + label] * w;
    total -= self.data[row * classes + label] * w;
    weights += w;
  });
  if (reduction === NONE && self.shape.length > 1) return [losses, filled([], self.dtype, 0)];
  const loss = filled([], self.dtype, reduction === MEAN ? total / weights : total);
  return [loss, filled([], self.dtype, weights)];
}

function nllBackward(grad, self, target, weight, reduction, ignoreIndex, totalWeight) {
  const classes = self.shape.at(-1);
  const out = tensor(self.shape, self.dtype);
  target.data.forEach((label, row) => {
    if (label === ignoreIndex) return;
    const share = reduction === MEAN ? totalWeight.data[0] : 1;
    const own = grad.data[grad.shape.length === 0 ? 0 : row];
    out.data[row * classes + label] = (-own * weightOf(weight, label)) / share;
  });
  return out;
}

/** Dropout outside training keeps everything. */
function dropout(input, p, train) {
  if (train !== false && p > 0) throw new Error("dropout in training is random; call .eval() before tracing.");
  return [input, filled(input.shape, input.data.length > 0 ? "bool" : input.dtype, 1)];
}

const reduceBy = (f) => (self, target, reduction) => {
  const losses = mapTwo(runOf(f), self, target, self.dtype);
  if (reduction === NONE) return losses;
  const total = losses.data.reduce((sum, value) => sum + value, 0);
  return filled([], self.dtype, reduction === MEAN ? total / losses.data.length : total);
};

/** Distance of order p between two rows. */
function rowDistance(a, at, b, bt, length, p) {
  let total = 0;
  for (let i = 0; i < length; i += 1) {
    const gap = Math.abs(a[at + i] - b[bt + i]);
    if (p === Infinity) total = Math.max(total, gap);
    else total += p === 0 ? Number(gap !== 0) : p === 2 ? gap * gap : gap ** p;
  }
  if (p === 0 || p === 1 || p === Infinity) return total;
  return p === 2 ? Math.sqrt(total) : total ** (1 / p);
}

/** Both stacks of rows over a common leading shape. */
function stacks(x1, x2) {
  const lead = broadcastShapes(x1.shape.slice(0, -2), x2.shape.slice(0, -2));
  const wide = (x) => reshaped(expanded(x, [...lead, ...x.shape.slice(-2)]), [sizeOf(lead), ...x.shape.slice(-2)]);
  return [wide(x1), wide(x2), lead];
}

function cdist(x1, x2, p) {
  const [a, b, lead] = stacks(x1, x2);
  const [count, rows, length] = a.shape;
  const cols = b.shape[1];
  const out = tensor([...lead, rows, cols], x1.dtype);
  for (let i = 0; i < out.data.length; i += 1) {
    const batch = Math.floor(i / (rows * cols));
    const at = (batch * rows + (Math.floor(i / cols) % rows)) * length;
    out.data[i] = rowDistance(a.data, at, b.data, (batch * cols + (i % cols)) * length, length, p);
  }
  return count === 0 ? tensor([...lead, rows, cols], x1.dtype) : out;
}

/** How the distance changes with a gap, given the distance. */
function slopeOf(gap, p, distance) {
  if (distance === 0 || p === 0) return 0;
  if (p === Infinity) return Math.abs(gap) === distance ? Math.sign(gap) : 0;
  return Math.sign(gap) * (Math.abs(gap) / distance) ** (p - 1);
}

function cdistBackward(grad, x1, x2, p, distances) {
  const [a, b, lead] = stacks(x1, x2);
  const [, rows, length] = a.shape;
  const cols = b.shape[1];
  const out = tensor([...lead, rows, length], x1.dtype);
  for (let i = 0; i < distances.data.length; i += 1) {
    const batch = Math.floor(i / (rows * cols));
    const at = (batch * rows + (Math.floor(i / cols) % rows)) * length;
    const bt = (batch * cols + (i % cols)) * length;
    for (let k = 0; k < length; k += 1) {
      out.data[at + k] += grad.data[i] * slopeOf(a.data[at + k] - b.data[bt + k], p, distances.data[i]);
    }
  }
  return out;
}

const NLL = "self:T target:T weight:T reduction ignore_index";

/** @type {Record<string, [string, Function]>} */
export const losses = {
  "nll_loss_forward.default": [NLL, nllForward],
  "nll_loss_backward.default": [`grad_output:T ${NLL} total_weight:T`, nllBackward],
  "native_dropout.default": ["input:T p train", dropout],
  "mse_loss.default": ["self:T target:T reduction=1", reduceBy((x, y) => (x - y) ** 2)],
  "_cdist_forward.default": ["x1:T x2:T p compute_mode", cdist],
  "_cdist_backward.default": ["grad:T x1:T x2:T p cdist:T", cdistBackward],
};
