/** Pooling over the last two axes, and its gradients. */
import { pair } from "./convolution.mjs";
import { cast, sizeOf, tensor } from "./tensor.mjs";

/** Start and end of the windows along one axis. */
function windowsOf(length, kernel, stride, padding, dilation, ceilMode) {
  const room = length + 2 * padding - dilation * (kernel - 1) - 1;
  let count = (ceilMode ? Math.ceil(room / stride) : Math.floor(room / stride)) + 1;
  // A window that would begin in the right border is dropped.
  if (ceilMode && (count - 1) * stride >= length + padding) count -= 1;
  return Array.from({ length: count }, (_, k) => ({
    start: k * stride - padding,
    end: Math.min(k * stride - padding + kernel, length + padding),
    places: Array.from({ length: kernel }, (_, j) => k * stride - padding + j * dilation).filter(
      (place) => place >= 0 && place < length,
    ),
  }));
}

function gridOf(shape, kernel, stride, padding, dilation, ceilMode) {
  const [k, p, d] = [pair(kernel), pair(padding), pair(dilation)];
  const s = [stride].flat().length === 0 ? k : pair(stride);
  return [0, 1].map((axis) => windowsOf(shape.at(axis - 2), k[axis], s[axis], p[axis], d[axis], ceilMode));
}

/** Windows of adaptive pooling: as equal as they can be. */
function adaptiveGrid(shape, size) {
  return size.map((count, axis) => {
    const length = shape.at(axis - 2);
    return Array.from({ length: count }, (_, k) => {
      const start = Math.floor((k * length) / count);
      const end = Math.ceil(((k + 1) * length) / count);
      return { start, end, places: Array.from({ length: end - start }, (_, j) => start + j) };
    });
  });
}

/** Visits each window: `visit(output place, plane offset, rows, columns)`. */
function walkWindows(shape, [rows, cols], visit) {
  const planes = sizeOf(shape.slice(0, -2));
  const area = shape.at(-2) * shape.at(-1);
  let to = 0;
  for (let plane = 0; plane < planes; plane += 1) {
    for (const row of rows) {
      for (const col of cols) {
        visit(to, plane * area, row, col);
        to += 1;
      }
    }
  }
}

const outShape = (shape, [rows, cols]) => [...shape.slice(0, -2), rows.length, cols.length];

function divisor(row, col, includePad, override) {
  if (override !== null) return override;
  return includePad ? (row.end - row.start) * (col.end - col.start) : row.places.length * col.places.length;
}

function average(self, grid, includePad, override) {
  const out = tensor(outShape(self.shape, grid), self.dtype);
  const width = self.shape.at(-1);
  walkWindows(self.shape, grid, (to, plane, row, col) => {
    let total = 0;
    for (const y of row.places) for (const x of col.places) total += self.data[plane + y * width + x];
    out.data[to] = total / divisor(row, col, includePad, override);
  });
  return out;
}

function averageBackward(grad, self, grid, includePad, override) {
  const out = new Float64Array(self.data.length);
  const width = self.shape.at(-1);
  walkWindows(self.shape, grid, (to, plane, row, col) => {
    const part = grad.data[to] / divisor(row, col, includePad, override);
    for (const y of row.places) for (const x of col.places) out[plane + y * width + x] += part;
  });
  return cast(tensor(self.shape, "float64", out), grad.dtype);
}

/** Largest values with their places in the plane; NaN counts as the largest, the first of equals wins. */
function largest(self, grid) {
  const shape = outShape(self.shape, grid);
  const values = tensor(shape, self.dtype);
  const places = tensor(shape, "int64");
  const width = self.shape.at(-1);
  walkWindows(self.shape, grid, (to, plane, row, col) => {
    let best = -Infinity;
    let where = row.places[0] * width + col.places[0];
    for (const y of row.places) {
      for (const x of col.places) {
        const value = self.data[plane + y * width + x];
        if (value > best || Number.isNaN(value)) {
          best = value;
          where = y * width + x;
        }
      }
    }
    values.data[to] = best;
    places.data[to] = where;
  });
  return [values, places];
}

function largestBackward(grad, self, indices) {
  const out = new Float64Array(self.data.length);
  const area = self.shape.at(-2) * self.shape.at(-1);
  const outArea = grad.shape.at(-2) * grad.shape.at(-1);
  grad.data.forEach((value, i) => {
    out[Math.floor(i / outArea) * area + indices.data[i]] += value;
  });
  return cast(tensor(self.shape, "float64", out), grad.dtype);
}

function avgPool(self, kernel, stride, padding, ceilMode, includePad, override) {
  return average(self, gridOf(self.shape, kernel, stride, padding, 1, ceilMode), includePad, override);
}

function avgPoolBackward(grad, self, kernel, stride, padding, ceilMode, includePad, override) {
  return averageBackward(grad, self, gridOf(self.shape, kernel, stride, padding, 1, ceilMode), includePad, override);
}

const adaptiveBackward = (grad, self) =>
  averageBackward(grad, self, adaptiveGrid(self.shape, grad.shape.slice(-2)), true, null);

const WINDOW = "kernel_size stride=[] padding=0";

/** @type {Record<string, [string, Function]>} */
export const pooling = {
  "avg_pool2d.default": [
    `self:T ${WINDOW} ceil_mode=false count_include_pad=true divisor_override=null`,
    avgPool,
  ],
  "avg_pool2d_backward.default": [
    "grad_output:T self:T kernel_size stride padding ceil_mode count_include_pad divisor_override",
    avgPoolBackward,
  ],
  "max_pool2d_with_indices.default": [
    `self:T ${WINDOW} dilation=1 ceil_mode=false`,
    (self, ...window) => largest(self, gridOf(self.shape, ...window)),
  ],
  "max_pool2d_with_indices_backward.default": [
    "grad_output:T self:T kernel_size stride padding dilation ceil_mode indices:T",
    (grad, self, kernel, stride, padding, dilation, ceilMode, indices) => largestBackward(grad, self, indices),
  ],
  "_adaptive_avg_pool2d.default": [
    "self:T output_size",
    (self, size) => average(self, adaptiveGrid(self.shape, size), true, null),
  ],
  "_adaptive_avg_pool2d_backward.default": ["grad_output:T self:T", adaptiveBackward],
  "adaptive_max_pool2d.default": ["self:T output_size", (self, size) => largest(self, adaptiveGrid(self.shape, size))],
  "adaptive_max_pool2d_backward.default": ["grad_output:T self:T indices:T", largestBackward],
};
