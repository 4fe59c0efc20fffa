/**
 * The product of two matrices: in WebAssembly with two float64 numbers to an instruction (multiply.wat), or, where a page
 * may not have that, by a loop that gives the same bits.
 */
import { code } from "../../built/multiply.mjs";
import { bytesOf } from "./encoding.mjs";

/** @import { Numbers } from "./dtype.mjs" */

const FEW = 4; // rows from which it pays to pack the right matrix
const ROOM = 1 << 17; // numbers of the left matrix and of the product that are worked on at a time

/** @returns {any} memory and multiply; null where WebAssembly is forbidden or has no vectors */
function compiled() {
  try {
    return new WebAssembly.Instance(new WebAssembly.Module(/** @type {BufferSource} */ (bytesOf(code)))).exports;
  } catch {
    return null;
  }
}

/** @type {any} undefined until the first product that it is worth it for */
let wasm;
let numbers = new Float64Array(0); // its memory

/** Makes room for so many numbers. @param {number} count */
function reserve(count) {
  const missing = 8 * count - wasm.memory.buffer.byteLength;
  if (missing > 0) wasm.memory.grow(Math.ceil(missing / 65536));
  if (numbers.buffer !== wasm.memory.buffer) numbers = new Float64Array(wasm.memory.buffer);
}

/**
 * Copies a matrix into panels of four columns, so that the inner loop of a product reads it in order; what the last panel
 * has too many is 0.
 * @param {Numbers} right @param {number} from @param {number} inner @param {number} cols
 */
function pack(right, from, inner, cols) {
  let to = 0;
  for (let col = 0; col < cols; col += 4) {
    const wide = Math.min(4, cols - col);
    for (let k = 0, at = from + col; k < inner; k += 1, at += cols, to += 4) {
      numbers[to] = right[at];
      numbers[to + 1] = wide > 1 ? right[at + 1] : 0;
      numbers[to + 2] = wide > 2 ? right[at + 2] : 0;
      numbers[to + 3] = wide > 3 ? right[at + 3] : 0;
    }
  }
  return to;
}

/**
 * @param {Numbers} left @param {Numbers} right @param {Numbers} out @param {number[]} starts
 * @param {number[]} sizes at least FEW rows, nothing empty
 */
function multiplyBlocks(left, right, out, [at, from, to], [rows, inner, cols]) {
  const panels = Math.ceil(cols / 4);
  const wide = 4 * panels;
  const most = Math.max(FEW, Math.floor(ROOM / (inner + wide)));
  reserve(wide * inner + Math.min(rows, most + FEW) * (inner + wide));
  const start = pack(right, from, inner, cols);
  for (let row = 0; row < rows; ) {
    const many = rows - row < most + FEW ? rows - row : most; // never fewer than FEW are left for the last
    const place = at + row * inner;
    numbers.set(left.subarray(place, place + many * inner), start);
    const made = start + many * inner;
    wasm.multiply(8 * start, 0, 8 * made, many, inner, panels);
    for (let r = 0; r < many; r += cols === wide ? many : 1) {
      const length = cols === wide ? many * cols : cols;
      out.set(numbers.subarray(made + r * wide, made + r * wide + length), to + (row + r) * cols);
    }
    row += many;
  }
}

/**
 * For a few rows, which are over before anything is packed: the inner loop runs over a row of the right matrix.
 * @param {Numbers} left @param {Numbers} right @param {Numbers} out @param {number[]} starts @param {number[]} sizes
 */
function multiplyRows(left, right, out, [at, from, to], [rows, inner, cols]) {
  const total = new Float64Array(cols);
  for (let row = 0; row < rows; row += 1) {
    total.fill(0);
    for (let k = 0; k < inner; k += 1) {
      const x = left[at + row * inner + k];
      const place = from + k * cols;
      for (let col = 0; col < cols; col += 1) total[col] += x * right[place + col];
    }
    out.set(total, to + row * cols);
  }
}

/**
 * Writes the product of two contiguous matrices to `out`.
 * @param {Numbers} left @param {Numbers} right @param {Numbers} out
 * @param {number[]} starts where the three begin @param {number[]} sizes rows, inner, cols
 */
export function multiply(left, right, out, starts, sizes) {
  const [rows, inner, cols] = sizes;
  const many = rows >= FEW && inner * cols > 0;
  if (many) wasm ??= compiled() ?? false;
  (many && wasm ? multiplyBlocks : multiplyRows)(left, right, out, starts, sizes);
}
