/** Fourier transforms of rows of complex numbers, as two tensors of real ones: sums of x e^(-2 pi i k n / N), in float64. */
import { unwritten } from "./dtype.mjs";
import { quick } from "./quick.mjs";
import { axisOf, tensor } from "./tensor.mjs";

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

/** Factors of a length, fours first; empty where a prime is so large that sums of it take too long. @param {number} size */
function factorsOf(size) {
  const out = [];
  for (let factor = 4, left = size; left > 1; factor = factor === 4 ? 2 : factor === 2 ? 3 : factor + 2) {
    if (factor > LARGEST) return [];
    for (; left % factor === 0; left /= factor) out.push(factor);
  }
  return out;
}

const LARGEST = 31;
const SOME = 512; // fewer numbers are done sooner than copied
const BLOCK = 8192; // numbers that are transformed at once: they stay in the processor's nearer memory

/** @typedef {[Float64Array, Float64Array]} Halves real and imaginary parts, an axis of the columns behind that of the transform */

/** Numbers that are used again, where there is no quicker place. @type {Float64Array[]} */
let rooms = [];

/** Two places for numbers of two halves. @param {number} length @returns {Halves[]} */
function places(length) {
  const near = length >= SOME && quick.places(4, length);
  if (!near && !(rooms[0]?.length >= length)) rooms = Array.from({ length: 4 }, () => new Float64Array(length));
  const [a, b, c, d] = near || rooms;
  return [
    [a, b],
    [c, d],
  ];
}

/**
 * One step: each `radix` numbers that stand far apart become sums of them, which come to stand side by side (Stockham).
 * @typedef {{radix: number, length: number, side: number, table: Float64Array, turns: number}} Step
 * length: what is left of the transform; side: numbers that are treated alike; turns: of the table in one of the length
 */

/** @param {Halves} from @param {Halves} to @param {Step} step */
function byTwo([a, b], [re, im], { length, side, table, turns }) {
  const far = (side * length) / 2;
  for (let p = 0, at = 0, out = 0; p < length / 2; p += 1, out += side) {
    const [c, s] = [table[2 * p * turns], table[2 * p * turns + 1]];
    for (let q = 0; q < side; q += 1, at += 1, out += 1) {
      const x = a[at] - a[at + far];
      const y = b[at] - b[at + far];
      re[out] = a[at] + a[at + far];
      im[out] = b[at] + b[at + far];
      re[out + side] = x * c + y * s;
      im[out + side] = y * c - x * s;
    }
  }
}

/** @param {Halves} from @param {Halves} to @param {Step} step */
function byFour([a, b], [re, im], { length, side, table, turns }) {
  const far = (side * length) / 4;
  for (let p = 0, at = 0, out = 0; p < length / 4; p += 1, out += 3 * side) {
    const one = 2 * p * turns;
    const [c1, s1, c2, s2, c3, s3] = [table[one], table[one + 1], table[2 * one], table[2 * one + 1], table[3 * one], table[3 * one + 1]];
    for (let q = 0; q < side; q += 1, at += 1, out += 1) {
      const i = at + far;
      const j = i + far;
      const k = j + far;
      const x0 = a[at] + a[j];
      const y0 = b[at] + b[j];
      const x1 = a[at] - a[j];
      const y1 = b[at] - b[j];
      const x2 = a[i] + a[k];
      const y2 = b[i] + b[k];
      const x3 = b[i] - b[k];
      const y3 = a[k] - a[i];
      re[out] = x0 + x2;
      im[out] = y0 + y2;
      const u = out + side;
      const v = u + side;
      const w = v + side;
      re[u] = (x1 + x3) * c1 + (y1 + y3) * s1;
      im[u] = (y1 + y3) * c1 - (x1 + x3) * s1;
      re[v] = (x0 - x2) * c2 + (y0 - y2) * s2;
      im[v] = (y0 - y2) * c2 - (x0 - x2) * s2;
      re[w] = (x1 - x3) * c3 + (y1 - y3) * s3;
      im[w] = (y1 - y3) * c3 - (x1 - x3) * s3;
    }
  }
}

/** Any odd number at once: those that mirror each other share their cosines and sines. @param {Halves} from @param {Halves} to @param {Step} step */
function byOdd([a, b], [re, im], { radix, length, side, table, turns }) {
  const [many, half] = [length / radix, (radix - 1) / 2];
  const far = side * many;
  const own = waves(radix);
  const [sx, sy, dx, dy] = Array.from({ length: 4 }, () => new Float64Array(half));
  for (let p = 0, at = 0, out = 0; p < many; p += 1, out += (radix - 1) * side) {
    for (let q = 0; q < side; q += 1, at += 1, out += 1) {
      let x = a[at];
      let y = b[at];
      for (let j = 0, i = at + far, k = at + (radix - 1) * far; j < half; j += 1, i += far, k -= far) {
        x += sx[j] = a[i] + a[k];
        y += sy[j] = b[i] + b[k];
        dx[j] = a[i] - a[k];
        dy[j] = b[i] - b[k];
      }
      re[out] = x;
      im[out] = y;
      for (let k = 1; k <= half; k += 1) {
        let cx = a[at];
        let cy = b[at];
        let ex = 0;
        let ey = 0;
        for (let j = 0, turn = k; j < half; j += 1, turn += k) {
          if (turn >= radix) turn -= radix;
          const cos = own[2 * turn];
          const sin = own[2 * turn + 1];
          cx += sx[j] * cos;
          cy += sy[j] * cos;
          ex += dx[j] * sin;
          ey += dy[j] * sin;
        }
        turned(re, im, out + k * side, cx + ey, cy - ex, table, 2 * p * k * turns);
        turned(re, im, out + (radix - k) * side, cx - ey, cy + ex, table, 2 * p * (radix - k) * turns);
      }
    }
  }
}

/** @param {Float64Array} re @param {Float64Array} im @param {number} at @param {number} x @param {number} y @param {Float64Array} table @param {number} turn */
function turned(re, im, at, x, y, table, turn) {
  re[at] = x * table[turn] + y * table[turn + 1];
  im[at] = y * table[turn] - x * table[turn + 1];
}

/**
 * Transforms along the first of two axes; gives where the numbers are, which is one of both.
 * @param {Halves} numbers @param {Halves} other @param {number} size @param {number} columns @returns {Halves}
 */
function transformed(numbers, other, size, columns) {
  const factors = factorsOf(size);
  if (size > 1 && !factors.length) return byConvolution(numbers, size, columns);
  const table = waves(size);
  let [length, side] = [size, columns];
  for (const radix of factors) {
    const step = { radix, length, side, table, turns: size / length };
    const plain = radix === 4 ? byFour : radix === 2 ? byTwo : byOdd;
    if (!quick.waves([...numbers, ...other], table, [radix, length, side, step.turns])) plain(numbers, other, step);
    [numbers, other] = [other, numbers];
    length /= radix;
    side *= radix;
  }
  return numbers;
}

/**
 * Any length: as a convolution, which transforms of a power of two do (Bluestein).
 * @param {Halves} numbers @param {number} size @param {number} columns @returns {Halves}
 */
function byConvolution([re, im], size, columns) {
  const wide = 2 ** Math.ceil(Math.log2(2 * size - 1));
  const table = waves(2 * size);
  const place = (/** @type {number} */ k) => 2 * ((k * k) % (2 * size)); // whole turns left out, for exact angles
  const [a, b, ...rest] = Array.from({ length: 4 }, () => new Float64Array(wide * columns));
  const kernel = /** @type {Halves} */ ([new Float64Array(wide), new Float64Array(wide)]);
  for (let k = 0; k < size; k += 1) {
    const [cos, sin] = [table[place(k)], table[place(k) + 1]];
    for (let at = k * columns; at < (k + 1) * columns; at += 1) {
      a[at] = re[at] * cos + im[at] * sin;
      b[at] = im[at] * cos - re[at] * sin;
    }
    kernel[0][k] = kernel[0][(wide - k) % wide] = cos;
    kernel[1][k] = kernel[1][(wide - k) % wide] = sin;
  }
  const other = /** @type {Halves} */ (rest);
  const [c, d] = transformed(kernel, [new Float64Array(wide), new Float64Array(wide)], wide, 1);
  const [x, y] = transformed([a, b], other, wide, columns);
  for (let k = 0, at = 0; k < wide; k += 1) {
    for (let q = 0; q < columns; q += 1, at += 1) {
      const real = x[at] * c[k] - y[at] * d[k];
      x[at] = x[at] * d[k] + y[at] * c[k]; // halves change places: back
      y[at] = real;
    }
  }
  const [v, u] = transformed([x, y], x === a ? other : [a, b], wide, columns);
  for (let k = 0; k < size; k += 1) {
    const [cos, sin] = [table[place(k)] / wide, table[place(k) + 1] / wide];
    for (let at = k * columns; at < (k + 1) * columns; at += 1) {
      re[at] = u[at] * cos + v[at] * sin;
      im[at] = v[at] * cos - u[at] * sin;
    }
  }
  return [re, im];
}

/** Rows that become columns. @param {Float64Array} from @param {Float64Array} to @param {number} rows @param {number} columns */
function crossed(from, to, rows, columns) {
  if (quick.crossed(from, to, rows, columns)) return;
  for (let row = 0, at = 0; row < rows; row += 1) {
    for (let column = 0, out = row; column < columns; column += 1, at += 1, out += rows) to[out] = from[at];
  }
}

/**
 * The transform of numbers that stand in `halves[0]`, along axes in order. What lies before an axis goes behind all others.
 * @param {Halves[]} halves @param {number[]} shape @param {number[]} axes @param {number|null} naught the half that is 0 for sure, if one is @returns {Halves}
 */
function along([numbers, other], shape, axes, naught) {
  const count = product(shape);
  let ahead = 1; // of the axis that comes first now
  const bring = (/** @type {number} */ axis) => {
    const rows = product(shape.slice(0, axis)) / ahead;
    ahead *= rows;
    if (rows === 1 || rows === count) return;
    for (const half of [0, 1]) crossed(numbers[half], other[half], rows, count / rows);
    [numbers, other] = [other, numbers];
  };
  for (const [turn, axis] of axes.entries()) {
    bring(axis);
    const columns = count / shape[axis];
    const done = transformed(numbers, other, shape[axis], columns);
    if (done[0] !== numbers[0]) [numbers, other] = [done, numbers];
    if (naught !== null && turn === 0) for (const at of ends(shape[axis])) numbers[naught].fill(0, at * columns, (at + 1) * columns);
  }
  bring(shape.length);
  return numbers;
}

/** Of what is real the mean and the quickest wave are real, and never -0, whose angle is another. @param {number} size */
const ends = (size) => (size % 2 === 0 ? [0, size / 2] : [0]);

/** @param {number[]} sizes */
const product = (sizes) => sizes.reduce((a, b) => a * b, 1);

/** Halves that change places turn the other way round. @param {Halves} numbers @returns {Halves} */
const turnedRound = ([re, im]) => [im, re];

/**
 * Both halves of the transform along axes, unscaled.
 * @param {Tensor} real @param {Tensor|null} imaginary null: 0 @param {boolean} forward else with e^(+...) @param {number|number[]} dim
 */
function fourier(real, imaginary, forward, dim) {
  const shape = real.shape.length ? real.shape : [1];
  const axes = [dim]
    .flat()
    .map((axis) => axisOf(axis, shape.length))
    .sort((a, b) => a - b);
  const outs = [unwritten(real.dtype, real.data.length), unwritten(real.dtype, real.data.length)];
  const given = imaginary && isZero(imaginary) ? null : imaginary;
  const one = product(shape.slice(axes[0])); // of the parts that nothing leads out of
  const length = one * Math.max(1, Math.floor(BLOCK / one));
  for (let from = 0; from < real.data.length; from += length) {
    const to = Math.min(from + length, real.data.length);
    const [numbers, other] = places(to - from);
    numbers[0].set(real.data.subarray(from, to));
    if (given) numbers[1].set(given.data.subarray(from, to));
    else numbers[1].fill(0);
    const inner = [(to - from) / one, ...shape.slice(axes[0])];
    const turn = forward ? (/** @type {Halves} */ halves) => halves : turnedRound;
    const own = axes.map((axis) => axis - axes[0] + 1);
    const done = turn(along([turn(numbers), turn(other)], inner, own, given ? null : Number(forward)));
    for (const [half, out] of outs.entries()) out.set(done[half].subarray(0, to - from), from);
  }
  return outs.map((data) => tensor(real.shape, real.dtype, data));
}

/** @param {Tensor} self */
const isZero = ({ data }) => {
  for (let i = 0; i < data.length; i += 1) if (data[i] !== 0) return false;
  return true;
};

/** @type {Table} */
export const transforms = { "livetorch.fourier.default": ["real:T imaginary:T forward dim=-1", fourier] };
