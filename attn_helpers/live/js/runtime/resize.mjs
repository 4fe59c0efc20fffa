/** Resizing of planes, borders that mirror or repeat, and windows laid out as columns. */
import { pair } from "./convolution.mjs";
import { gatherStrided } from "./strided.mjs";
import { cast, sizeOf, stridesOf, tensor } from "./tensor.mjs";

/**
 * A linear map along one axis as, per output place, a list of `[input place, weight]`.
 * @typedef {Array<Array<[number, number]>>} AxisMap
 */

/** The scale that torch divides by: the one it was told, or the ratio of lengths. */
const ratio = (input, output, scale) => (scale > 0 ? 1 / scale : input / output);

/** @returns {AxisMap} */
function nearestMap(input, output, scale, exact) {
  const step = ratio(input, output, scale);
  const shift = exact ? 0.5 : 0;
  return Array.from({ length: output }, (_, k) => [[Math.min(Math.floor((k + shift) * step), input - 1), 1]]);
}

/** @returns {AxisMap} */
function linearMap(input, output, alignCorners, scale) {
  const step = alignCorners ? (output > 1 ? (input - 1) / (output - 1) : 0) : ratio(input, output, scale);
  return Array.from({ length: output }, (_, k) => {
    const place = alignCorners ? k * step : Math.max(0, (k + 0.5) * step - 0.5);
    const low = Math.min(Math.floor(place), input - 1);
    const high = Math.min(low + 1, input - 1);
    const part = Math.min(Math.max(place - low, 0), 1);
    return [[low, 1 - part], [high, part]];
  });
}

/** Applies one map to each of the last axes; backwards, the same weights spread gradients. */
function applyMaps(self, maps, backward, shape) {
  const rank = maps.length;
  const planes = sizeOf(shape.slice(0, shape.length - rank));
  const small = maps.map((map, k) => (backward ? shape.at(k - rank) : map.length));
  const source = self.shape.slice(-rank);
  const out = new Float64Array(sizeOf(shape));
  const outArea = sizeOf(small);
  const inArea = sizeOf(source);
  const counts = maps.map((map) => map.length);
  const steps = stridesOf(counts);
  const inner = stridesOf(backward ? small : source);
  for (let cell = 0; cell < sizeOf(counts); cell += 1) {
    let terms = [[0, 1]];
    maps.forEach((map, axis) => {
      const choices = map[Math.floor(cell / steps[axis]) % counts[axis]];
      terms = terms.flatMap(([at, w]) => choices.map(([place, part]) => [at + place * inner[axis], w * part]));
    });
    for (let plane = 0; plane < planes; plane += 1) {
      for (const [at, weight] of terms) {
        if (backward) out[plane * outArea + at] += weight * self.data[plane * inArea + cell];
        else out[plane * outArea + cell] += weight * self.data[plane * inArea + at];
      }
    }
  }
  return cast(tensor(shape, "float64", out), self.dtype);
}

const resized = (self, maps) =>
  applyMaps(self, maps, false, [...self.shape.slice(0, -maps.length), ...maps.map((map) => map.length)]);

const nearest = (exact) => (self, size, ...scales) =>
  resized(self, size.map((length, k) => nearestMap(self.shape.at(k - size.length), length, scales[k], exact)));

const nearestBackward = (exact) => (grad, size, inputSize, ...scales) =>
  applyMaps(
    grad,
    size.map((length, k) => nearestMap(inputSize.at(k - size.length), length, scales[k], exact)),
    true,
    inputSize,
  );

const linear = (self, size, align, ...scales) =>
  resized(self, size.map((length, k) => linearMap(self.shape.at(k - size.length), length, align, scales[k])));

const linearBackward = (grad, size, inputSize, align, ...scales) =>
  applyMaps(
    grad,
    size.map((length, k) => linearMap(inputSize.at(k - size.length), length, align, scales[k])),
    true,
    inputSize,
  );

/** Output size from either a size or scale factors, as the `.vec` overloads take them. */
const sizeFrom = (self, size, factors) =>
  size ?? factors.map((factor, k) => Math.floor(self.shape.at(k - factors.length) * factor));

/** Place in the input that a place in a bordered output shows. */
const borders = {
  reflection: (place, length) => {
    const period = 2 * (length - 1) || 1;
    const folded = ((place % period) + period) % period;
    return folded < length ? folded : period - folded;
  },
  replication: (place, length) => Math.min(Math.max(place, 0), length - 1),
};

const bordered = (kind) => (self, padding) => {
  const rank = padding.length / 2;
  const maps = Array.from({ length: rank }, (_, k) => {
    const length = self.shape.at(k - rank);
    const [before, after] = padding.slice(2 * (rank - 1 - k), 2 * (rank - k));
    return Array.from({ length: length + before + after }, (_, place) => [[borders[kind](place - before, length), 1]]);
  });
  return resized(self, maps);
};

/** Windows of (batch, channels, height, width) as columns: (batch, channels * window, windows). */
function im2col(self, kernel, dilation, padding, stride) {
  const batched = self.shape.length === 4 ? self.shape : [1, ...self.shape];
  const [n, channels, height, width] = batched;
  const [k, d, p, s] = [kernel, dilation, padding, stride].map(pair);
  const count = [height, width].map((length, a) => Math.floor((length + 2 * p[a] - d[a] * (k[a] - 1) - 1) / s[a]) + 1);
  const [tall, broad] = [height + 2 * p[0], width + 2 * p[1]];
  const wide = tensor([n, channels, tall, broad], self.dtype);
  for (let row = 0; row < n * channels * height; row += 1) {
    const plane = Math.floor(row / height);
    const to = (plane * tall + (row % height) + p[0]) * broad + p[1];
    wide.data.set(self.data.subarray(row * width, (row + 1) * width), to);
  }
  const [byBatch, byChannel, byRow, byCol] = stridesOf(wide.shape);
  const shape = [n, channels, ...k, ...count];
  const strides = [byBatch, byChannel, d[0] * byRow, d[1] * byCol, s[0] * byRow, s[1] * byCol];
  const { data } = gatherStrided(wide, shape, strides);
  const columns = [channels * k[0] * k[1], count[0] * count[1]];
  return tensor(self.shape.length === 4 ? [n, ...columns] : columns, self.dtype, data);
}

const SIZE = "output_size";
const BACK = "grad_output:T output_size input_size";
const TWO = "scales_h=null scales_w=null";

/** @type {Record<string, [string, Function]>} */
export const resizing = {
  "upsample_nearest1d.default": [`self:T ${SIZE} scales=null`, nearest(false)],
  "upsample_nearest2d.default": [`self:T ${SIZE} ${TWO}`, nearest(false)],
  "upsample_nearest2d.vec": [
    `input:T ${SIZE} scale_factors`,
    (self, size, factors) => nearest(false)(self, sizeFrom(self, size, factors), ...(factors ?? [])),
  ],
  "_upsample_nearest_exact2d.default": [`self:T ${SIZE} ${TWO}`, nearest(true)],
  "upsample_nearest1d_backward.default": [`${BACK} scales=null`, nearestBackward(false)],
  "upsample_nearest2d_backward.default": [`${BACK} ${TWO}`, nearestBackward(false)],
  "upsample_linear1d.default": [`self:T ${SIZE} align_corners scales=null`, linear],
  "upsample_bilinear2d.default": [`self:T ${SIZE} align_corners ${TWO}`, linear],
  "upsample_bilinear2d.vec": [
    `input:T ${SIZE} align_corners scale_factors`,
    (self, size, align, factors) => linear(self, sizeFrom(self, size, factors), align, ...(factors ?? [])),
  ],
  "upsample_linear1d_backward.default": [`${BACK} align_corners scales=null`, linearBackward],
  "upsample_bilinear2d_backward.default": [`${BACK} align_corners ${TWO}`, linearBackward],
  "im2col.default": ["self:T kernel_size dilation padding stride", im2col],
};
for (const rank of [1, 2, 3]) {
  for (const kind of Object.keys(borders)) resizing[`${kind}_pad${rank}d.default`] = ["self:T padding", bordered(kind)];
}
