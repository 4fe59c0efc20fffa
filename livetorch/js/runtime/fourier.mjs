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
 * Transforms in place, where the length is a power of two: halves of halves (Cooley and Tukey).
 * @param {Float64Array} re @param {Float64Array} im
 */
function byHalves(re, im) {
  const size = re.length;
  for (let i = 1, j = 0; i < size; i += 1) {
    let bit = size >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  const table = waves(size);
  for (let half = 1; half < size; half *= 2) {
    const step = size / half; // of the table, which holds pairs
    for (let start = 0; start < size; start += 2 * half) {
      for (let a = start, b = start + half, w = 0; a < start + half; a += 1, b += 1, w += step) {
        const cos = table[w];
        const sin = table[w + 1];
        const x = re[b] * cos + im[b] * sin;
        const y = im[b] * cos - re[b] * sin;
        re[b] = re[a] - x;
        im[b] = im[a] - y;
        re[a] += x;
        im[a] += y;
      }
    }
  }
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
  const transform = (size & (size - 1)) === 0 ? byHalves : size <= FEW ? bySums : byConvolution;
  const [x, y] = forward ? [re, im] : [im, re]; // halves that change places turn the other way round
  for (let start = 0; start < real.data.length; start += size) {
    re.set(real.data.subarray(start, start + size));
    if (imaginary) im.set(imaginary.data.subarray(start, start + size));
    else im.fill(0);
    transform(x, y);
    if (!imaginary) for (const end of size % 2 ? [0] : [0, size / 2]) im[end] = 0; // and never -0, whose angle is another
    outs[0].data.set(re, start);
    outs[1].data.set(im, start);
  }
  return outs;
}

/** @type {Table} */
export const transforms = { "livetorch.fourier.default": ["real:T imaginary:T forward", fourier] };
