/** Fourier transforms of rows of complex numbers, as two tensors of real ones: sums of x e^(-2 pi i k n / N), in float64. */
import { tensor } from "./tensor.mjs";

/** @import { Numbers } from "./dtype.mjs" */
/** @import { Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

const TINY = 1e-14; // a cosine or sine that small is 0, so that real signals have real ends

/**
 * Cosines and sines of 2 pi k / size: in turn, for k up to half of size (of a power of two) or all of it.
 * @type {Map<number, Float64Array>}
 */
const tables = new Map();

/** @param {number} size */
function waves(size) {
  const known = tables.get(size);
  if (known) return known;
  const out = new Float64Array(2 * size);
  for (let k = 0; k < size; k += 1) {
    const angle = (2 * Math.PI * k) / size;
    for (const [at, wave] of [Math.cos(angle), Math.sin(angle)].entries()) out[2 * k + at] = Math.abs(wave) < TINY ? 0 : wave;
  }
  if (tables.size > 16) tables.clear();
  tables.set(size, out);
  return out;
}

/**
 * What transforms of a power of two begin with: where each number goes (its place's bits backwards), and the cosines and
 * sines of the steps, which stand in the order in which they are read.
 * @type {Map<number, {order: Uint32Array, cos: Float64Array, sin: Float64Array}>}
 */
const plans = new Map();

/** @param {number} size */
function planOf(size) {
  const known = plans.get(size);
  if (known) return known;
  const table = waves(size);
  const plan = { order: new Uint32Array(size), cos: new Float64Array(size), sin: new Float64Array(size) };
  for (let i = 1; i < size; i += 1) plan.order[i] = (plan.order[i >> 1] >> 1) | (i & 1 ? size >> 1 : 0);
  for (let half = 1; half < size; half *= 2) {
    for (let k = 0; k < half; k += 1) [plan.cos[half + k], plan.sin[half + k]] = table.subarray((k * size) / half, (k * size) / half + 2);
  }
  if (plans.size > 16) plans.clear();
  plans.set(size, plan);
  return plan;
}

/** The first two steps, whose cosines and sines are 1 and 0. @param {Float64Array} re @param {Float64Array} im */
function byFours(re, im) {
  for (let i = 0; i < re.length; i += 4) {
    const [a, b, c, d] = [re[i] + re[i + 1], re[i] - re[i + 1], re[i + 2] + re[i + 3], re[i + 2] - re[i + 3]];
    const [p, q, r, s] = [im[i] + im[i + 1], im[i] - im[i + 1], im[i + 2] + im[i + 3], im[i + 2] - im[i + 3]];
    re[i] = a + c;
    im[i] = p + r;
    re[i + 1] = b + s;
    im[i + 1] = q - d;
    re[i + 2] = a - c;
    im[i + 2] = p - r;
    re[i + 3] = b - s;
    im[i + 3] = q + d;
  }
}

/**
 * Transforms in place, where the length is a power of two: halves of halves (Cooley and Tukey).
 * @param {Float64Array} re @param {Float64Array} im
 */
function byHalves(re, im) {
  const size = re.length;
  const { order, cos, sin } = planOf(size);
  for (let i = 1; i < size; i += 1) {
    const j = order[i];
    if (i >= j) continue;
    const [x, y] = [re[i], im[i]];
    re[i] = re[j];
    im[i] = im[j];
    re[j] = x;
    im[j] = y;
  }
  if (size >= 4) byFours(re, im);
  for (let half = size >= 4 ? 4 : 1; half < size; half *= 2) {
    for (let start = 0; start < size; start += 2 * half) {
      for (let k = 0, a = start, b = start + half; k < half; k += 1, a += 1, b += 1) {
        const [c, s] = [cos[half + k], sin[half + k]];
        const x = re[b] * c + im[b] * s;
        const y = im[b] * c - re[b] * s;
        re[b] = re[a] - x;
        im[b] = im[a] - y;
        re[a] += x;
        im[a] += y;
      }
    }
  }
}

/**
 * Real numbers, of which there are a power of two: those at even places and those at odd ones, as one complex row.
 * @param {Numbers} x @param {number} from @param {Float64Array} re @param {Float64Array} im
 */
function ofReal(x, from, re, im) {
  const size = re.length;
  const half = size / 2;
  const [even, odd] = [re.subarray(0, half), im.subarray(0, half)];
  for (let k = 0; k < half; k += 1) {
    even[k] = x[from + 2 * k];
    odd[k] = x[from + 2 * k + 1];
  }
  byHalves(even, odd);
  const { cos, sin } = planOf(size);
  const [p, q] = [re[0], im[0]];
  for (let k = 1; 2 * k <= half; k += 1) {
    const other = half - k;
    const [a, b] = [(re[k] + re[other]) / 2, (im[k] - im[other]) / 2];
    const [c, d] = [(im[k] + im[other]) / 2, (re[other] - re[k]) / 2];
    const [w, v] = [cos[half + k], sin[half + k]];
    const x = c * w + d * v;
    const y = d * w - c * v;
    re[k] = re[size - k] = a + x;
    im[k] = b + y;
    im[size - k] = -im[k];
    re[other] = re[half + k] = a - x;
    im[other] = y - b;
    im[half + k] = -im[other];
  }
  re[0] = p + q;
  re[half] = p - q;
  im[0] = im[half] = 0;
}

/**
 * Any length: as a convolution, which transforms of a power of two do (Bluestein).
 * @param {Float64Array} re @param {Float64Array} im
 */
function byConvolution(re, im) {
  const size = re.length;
  const wide = 2 ** Math.ceil(Math.log2(2 * size - 1));
  const table = waves(2 * size);
  const place = (/** @type {number} */ k) => 2 * ((k * k) % (2 * size)); // whole turns left out, for exact angles
  const [a, b, c, d] = Array.from({ length: 4 }, () => new Float64Array(wide));
  for (let k = 0; k < size; k += 1) {
    const [cos, sin] = [table[place(k)], table[place(k) + 1]];
    a[k] = re[k] * cos + im[k] * sin;
    b[k] = im[k] * cos - re[k] * sin;
    c[k] = c[(wide - k) % wide] = cos;
    d[k] = d[(wide - k) % wide] = sin;
  }
  byHalves(a, b);
  byHalves(c, d);
  for (let k = 0; k < wide; k += 1) [b[k], a[k]] = [a[k] * c[k] - b[k] * d[k], a[k] * d[k] + b[k] * c[k]]; // halves change places: back
  byHalves(a, b);
  for (let k = 0; k < size; k += 1) {
    const [cos, sin] = [table[place(k)], table[place(k) + 1]];
    const [x, y] = [b[k] / wide, a[k] / wide];
    re[k] = x * cos + y * sin;
    im[k] = y * cos - x * sin;
  }
}

const FEW = 16; // numbers that are summed up as the formula says

/** @param {Float64Array} re @param {Float64Array} im */
function bySums(re, im) {
  const size = re.length;
  const table = waves(size);
  const [x, y] = [re.slice(), im.slice()];
  for (let k = 0; k < size; k += 1) {
    re[k] = im[k] = 0;
    for (let n = 0; n < size; n += 1) {
      const at = 2 * ((k * n) % size);
      re[k] += x[n] * table[at] + y[n] * table[at + 1];
      im[k] += y[n] * table[at] - x[n] * table[at + 1];
    }
  }
}

/**
 * Both halves of the transform along the last axis, unscaled.
 * @param {Tensor} real @param {Tensor|null} imaginary null: 0 @param {boolean} forward else with e^(+...)
 */
function fourier(real, imaginary, forward) {
  const size = real.shape.at(-1) ?? 1;
  const outs = [tensor(real.shape, real.dtype), tensor(real.shape, real.dtype)];
  const [re, im] = [new Float64Array(size), new Float64Array(size)];
  const halves = (size & (size - 1)) === 0;
  const transform = halves ? byHalves : size <= FEW ? bySums : byConvolution;
  const [x, y] = forward ? [re, im] : [im, re]; // halves that change places turn the other way round
  for (let start = 0; start < real.data.length; start += size) {
    if (halves && size >= 4 && isZero(imaginary, start, size)) {
      ofReal(real.data, start, re, im);
      if (!forward) for (let k = 0; k < size; k += 1) im[k] = 0 - im[k];
    } else {
      re.set(real.data.subarray(start, start + size));
      if (imaginary) im.set(imaginary.data.subarray(start, start + size));
      else im.fill(0);
      transform(x, y);
    }
    if (!imaginary) for (const end of size % 2 ? [0] : [0, size / 2]) im[end] = 0; // and never -0, whose angle is another
    outs[0].data.set(re, start);
    outs[1].data.set(im, start);
  }
  return outs;
}

/** @param {Tensor|null} self @param {number} start @param {number} length */
function isZero(self, start, length) {
  if (self) for (let i = start; i < start + length; i += 1) if (self.data[i] !== 0) return false;
  return true;
}

/** @type {Table} */
export const transforms = { "livetorch.fourier.default": ["real:T imaginary:T forward", fourier] };
