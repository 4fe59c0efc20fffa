/**
 * The loops that large Programs spend their time in, in WebAssembly (lanes.wat): products of matrices, softmax, layer
 * normalisation, and functions of each number. Numbers are copied into its memory a piece at a time, which stays in the
 * processor's nearest memory; what a product makes of a matrix that lasts is kept there.
 */
import { code } from "../../built/lanes.mjs";
import { bytesOf } from "./encoding.mjs";
import { lasting, quick } from "./quick.mjs";

/** @import { Numbers } from "./dtype.mjs" */

const MEGA = 1 << 20;
const LEFT = MEGA; // bytes for the left matrix and the product
const STAGE = MEGA; // bytes for rows of the right matrix on their way into panels
const ROOM = 4 * MEGA; // all that is used again; what lasts stands behind it
const FEW = 4; // rows from which it pays to pack the right matrix
const LARGE = 1 << 18; // products of a matrix from which sums of float32 are good enough
const DEPTH = 256; // of them are added up before they join the rest
const CHUNK = 4096; // numbers
const SOME = 32; // fewer numbers are done sooner than copied
const PLAIN = 128; // where one takes no longer than the copy of it
const BRIEF = 128; // numbers that are copied one by one as quickly

/** Makes one instruction, rounded once, of a product and the sum it goes to. @param {Uint8Array} plain */
function relaxed(plain) {
  const bytes = plain.slice();
  const sign = [0xfd, 0xe6, 0x01, 0x20, -1, 0xfd, 0xe4, 0x01]; // f32x4.mul, local.get, f32x4.add
  for (let i = 0; i + sign.length <= bytes.length; i += 1) {
    if (!sign.every((byte, k) => byte < 0 || byte === bytes[i + k])) continue;
    bytes.fill(0x01, i, i + 3); // nop
    bytes.set([0xfd, 0x85, 0x02], i + 5); // f32x4.relaxed_madd
  }
  return bytes;
}

/** @returns {any} what the module exports; false where WebAssembly is forbidden or has no vectors */
function compiled() {
  const bytes = bytesOf(code);
  for (const each of [relaxed(bytes), bytes]) {
    try {
      return new WebAssembly.Instance(new WebAssembly.Module(/** @type {BufferSource} */ (each))).exports;
    } catch {}
  }
  return false;
}

/** @type {any} undefined until the first loop that it is worth it for */
let wasm;
let narrow = new Float32Array(0); // its memory
let wide = new Float64Array(0);
let end = ROOM;

/** Makes the memory as large as that. @param {number} bytes */
function reserve(bytes) {
  const missing = bytes - wasm.memory.buffer.byteLength;
  if (missing > 0) wasm.memory.grow(Math.ceil(missing / 65536));
  if (narrow.buffer === wasm.memory.buffer) return;
  narrow = new Float32Array(wasm.memory.buffer);
  wide = new Float64Array(wasm.memory.buffer);
}

function ready() {
  if (wasm === undefined) {
    wasm = compiled();
    if (wasm) reserve(ROOM);
  }
  return wasm !== false;
}

/**
 * Places in memory of matrices that last; those of which nothing is left are given to others of their size.
 * @type {WeakMap<Numbers, {from: number, inner: number, cols: number, large: boolean, at: number}[]>}
 */
const packed = new WeakMap();
/** @type {Map<number, number[]>} */
const idle = new Map();
const gone = new FinalizationRegistry((/** @type {{bytes: number, at: number}} */ { bytes, at }) => idle.get(bytes)?.push(at));

/** A place that stays while the data do. @param {Numbers} data @param {number} bytes */
function placed(data, bytes) {
  const free = idle.get(bytes) ?? [];
  idle.set(bytes, free);
  let at = free.pop();
  if (at === undefined) {
    at = end;
    end += bytes;
    reserve(end);
  }
  gone.register(data, { bytes, at });
  return at;
}

/**
 * Copies columns of a matrix into panels of 32 bytes, so that the inner loop of a product reads them in order.
 * @param {Numbers} right @param {number} from @param {number[]} sizes inner, cols @param {number[]} columns first one, panels
 * @param {Numbers} memory @param {number} to address
 */
function pack(right, from, [inner, cols], [first, panels], memory, to) {
  const size = memory.BYTES_PER_ELEMENT;
  const most = Math.floor(STAGE / (cols * size) - 1); // what lies beyond the last row is read too
  for (let row = 0; row < inner; row += most) {
    const rows = Math.min(most, inner - row);
    const start = from + row * cols;
    memory.set(right.subarray(start, start + rows * cols), LEFT / size);
    wasm.pack(LEFT + first * size, cols * size, rows, to + 32 * row, 32 * inner, panels);
  }
}

/** Where a matrix that lasts stands in panels. @param {Numbers} right @param {number} from @param {number[]} sizes @param {boolean} large */
function lastingPanels(right, from, sizes, large) {
  const [inner, cols] = sizes;
  const known = packed.get(right) ?? [];
  for (const one of known) if (one.from === from && one.inner === inner && one.cols === cols && one.large === large) return one.at;
  const panels = Math.ceil(cols / (large ? 8 : 4));
  const at = placed(right, 32 * panels * inner);
  pack(right, from, sizes, [0, panels], large ? narrow : wide, at);
  packed.set(right, [...known, { from, inner, cols, large, at }]);
  return at;
}

/** @type {import("./quick.mjs").Quick["multiply"]} */
function multiply(left, right, out, [at, from, to], [rows, inner, cols]) {
  const work = rows * inner * cols;
  const lasts = work >= 1024 && lasting.has(right);
  if ((rows < FEW && !lasts) || work === 0 || !ready()) return false;
  const large = work >= LARGE && [left, right, out].every((data) => data instanceof Float32Array);
  const [panel, size] = large ? [8, 4] : [4, 8];
  const most = lasts ? Math.ceil(cols / panel) : Math.min(Math.ceil(cols / panel), Math.floor((ROOM - LEFT - STAGE) / (32 * inner)));
  const across = panel * most;
  const block = Math.floor(LEFT / size / (inner + across) / 4) * 4; // rows at a time
  if (most < 1 || block < 4 || 2 * cols * size > STAGE) return false;
  const run = large ? wasm.multiply : wasm.multiplyWide;
  const panels = lasts ? lastingPanels(right, from, [inner, cols], large) : LEFT + STAGE;
  const memory = large ? narrow : wide;
  if (rows === 1 && !large && lasts) {
    for (let k = 0; k < inner; k += 1) wide[k] = left[at + k];
    wasm.multiplyRow(0, panels, 8 * inner, inner, Math.ceil(cols / panel));
    for (let k = 0; k < cols; k += 1) out[to + k] = wide[inner + k];
    return true;
  }
  for (let first = 0; first < cols; first += across) {
    const last = Math.min(cols, first + across);
    const here = Math.ceil((last - first) / panel);
    if (!lasts) pack(right, from, [inner, cols], [first, here], memory, panels);
    for (let row = 0; row < rows; row += block) {
      const many = Math.min(block, rows - row);
      const start = at + row * inner;
      memory.set(left.subarray(start, start + many * inner));
      const made = Math.ceil(many / 4) * 4 * inner;
      run(0, panels, made * size, Math.ceil(many / 4) * 4, inner, here, DEPTH);
      const whole = last - first === cols && cols === here * panel;
      for (let r = 0; r < many; r += whole ? many : 1) {
        const place = made + r * here * panel;
        out.set(memory.subarray(place, place + (whole ? many * cols : last - first)), to + (row + r) * cols + first);
      }
    }
  }
  return true;
}

/** @param {Numbers} data @param {Numbers} out */
const suits = (data, out) => out.length >= SOME && data instanceof Float32Array && out instanceof Float32Array && ready();

/** @type {import("./quick.mjs").Quick["map"]} */
function map(name, data, out) {
  if ((out.length < PLAIN && SIMPLE.has(name)) || !suits(data, out) || !wasm[name] || PAIRS.includes(name)) return false;
  if (out.length <= BRIEF) {
    for (let i = 0; i < out.length; i += 1) narrow[i] = data[i];
    wasm[name](0, 4 * out.length);
    for (let i = 0; i < out.length; i += 1) out[i] = narrow[i];
    return true;
  }
  for (let at = 0; at < data.length; at += CHUNK) {
    const count = Math.min(CHUNK, data.length - at);
    narrow.set(data.subarray(at, at + count));
    wasm[name](0, 4 * count);
    out.set(narrow.subarray(0, count), at);
  }
  return true;
}

const SIMPLE = new Set(["neg", "sqrt", "relu"]);
const PAIRS = ["add", "sub", "mul", "div"];

/** @type {import("./quick.mjs").Quick["pair"]} */
function pair(name, a, at, stepA, b, bt, stepB, out, to, length) {
  if (stepA > 1 || stepB > 1 || !PAIRS.includes(name) || !suits(a, out) || !(b instanceof Float32Array)) return false;
  for (let done = 0; done < length; done += CHUNK) {
    const count = Math.min(CHUNK, length - done);
    if (stepA) narrow.set(a.subarray(at + done, at + done + count));
    else narrow.fill(a[at], 0, count);
    if (stepB) narrow.set(b.subarray(bt + done, bt + done + count), CHUNK);
    else if (done === 0) narrow.fill(b[bt], CHUNK, CHUNK + count);
    wasm[name](0, 4 * count, 4 * CHUNK);
    out.set(narrow.subarray(0, count), to + done);
  }
  return true;
}

/**
 * Copies rows in, runs a loop on them and copies them out; rows stand apart by a multiple of four numbers.
 * @param {Numbers} data @param {Numbers} out @param {number} length @param {number} fill what stands behind a shorter row
 * @param {(row: number, bytes: number, step: number) => void} loop
 */
function byRows(data, out, length, fill, loop) {
  const step = Math.ceil(length / 4) * 4;
  const most = step === length ? Math.max(1, Math.floor(CHUNK / length)) : 1;
  if (step !== length) narrow.fill(fill, 0, step);
  for (let at = 0; at < data.length; at += most * length) {
    const count = Math.min(most * length, data.length - at);
    narrow.set(data.subarray(at, at + count));
    loop(at / length, step === length ? 4 * count : 4 * step, 4 * step);
    out.set(narrow.subarray(0, count), at);
    if (step !== length) narrow.fill(fill, length, step);
  }
}

const WIDEST = LEFT / 8; // numbers of a row: its weights and biases stand behind it

/** @type {import("./quick.mjs").Quick["softmax"]} */
function softmax(data, out, length) {
  if (length > WIDEST || !suits(data, out)) return false;
  byRows(data, out, length, -Infinity, (_, bytes, step) => wasm.softmax(0, bytes, step));
  return true;
}

/** @type {import("./quick.mjs").Quick["normalise"]} */
function normalise(data, out, [means, rstds], [weight, bias], eps) {
  const length = data.length / means.length;
  if (length < 8 || length % 4 !== 0 || length > WIDEST || !suits(data, out)) return false;
  const scale = LEFT;
  const stats = scale + 8 * length;
  narrow.fill(1, scale / 4, scale / 4 + length);
  narrow.fill(0, scale / 4 + length, scale / 4 + 2 * length);
  if (weight) narrow.set(weight, scale / 4);
  if (bias) narrow.set(bias, scale / 4 + length);
  byRows(data, out, length, 0, (row, bytes, step) => {
    for (let at = 0, r = row; at < bytes; at += step, r += 1) {
      wasm.normalise(at, step, scale, stats, eps);
      means[r] = wide[stats / 8];
      rstds[r] = wide[stats / 8 + 1];
    }
  });
  return true;
}

/** @type {import("./quick.mjs").Quick["places"]} */
function places(count, length) {
  const each = length + (length % 2) + 72; // not a power of two, or they push each other out of the nearest memory
  if (8 * (count + 2) * each > ROOM || !ready()) return false;
  return Array.from({ length: count }, (_, i) => wide.subarray(i * each, i * each + length));
}

/** @type {import("./quick.mjs").Quick["waves"]} */
function waves(halves, table, [radix, length, side, turns]) {
  const step = radix === 4 ? wasm?.fourths : radix === 5 ? wasm?.fifths : undefined;
  if (!step || side % 2 || halves[0].buffer !== wide.buffer) return false;
  const angles = ROOM - 8 * table.length;
  wide.set(table, angles / 8);
  const [a, b, re, im] = halves.map((half) => half.byteOffset);
  step(a, b, re, im, (8 * side * length) / radix, 8 * side, length / radix, angles, 16 * turns);
  return true;
}

/** @type {import("./quick.mjs").Quick["crossed"]} */
function crossed(from, to, rows, columns) {
  if (!wasm || rows % 2 || columns % 2 || from.buffer !== wide.buffer) return false;
  wasm.crossed(from.byteOffset, to.byteOffset, rows, columns);
  return true;
}

/** For hosts that fetch this as a part. @type {import("./quick.mjs").Quick} */
export const lanes = { multiply, map, pair, softmax, normalise, places, waves, crossed };
Object.assign(quick, lanes);
