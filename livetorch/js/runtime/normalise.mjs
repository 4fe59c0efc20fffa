/** Layer normalisation. Other kinds are lowered to sums and products when they are traced. */
import { quick } from "./quick.mjs";
import { blank, reshaped, sizeOf, tensor } from "./tensor.mjs";

/** @import { Numbers } from "./dtype.mjs" */
/** @import { Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

/**
 * Mean and 1 / standard deviation of a stretch of data.
 * @param {Numbers} data @param {number} start @param {number} length @param {number} eps
 */
function moments(data, start, length, eps) {
  let total = 0;
  for (let i = start; i < start + length; i += 1) total += data[i];
  const mean = total / length;
  let spread = 0;
  for (let i = start; i < start + length; i += 1) spread += (data[i] - mean) ** 2;
  return [mean, 1 / Math.sqrt(spread / length + eps)];
}

const LARGEST = 3.4028235e38; // squares that add up to more are NaN in torch, and all that they touch

/**
 * Output, means and 1 / standard deviations over the last axes.
 * @param {Tensor} input @param {number[]} normalizedShape @param {Tensor|null} weight @param {Tensor|null} bias
 * @param {number} eps
 */
function nativeLayerNorm(input, normalizedShape, weight, bias, eps) {
  const length = sizeOf(normalizedShape);
  const lead = input.shape.length - normalizedShape.length;
  const rows = sizeOf(input.shape.slice(0, lead));
  const out = blank(input.shape, input.dtype);
  const means = tensor([rows], input.dtype);
  const rstds = tensor([rows], input.dtype);
  const quickly = quick.normalise(input.data, out.data, [means.data, rstds.data], [weight?.data, bias?.data], eps);
  for (let row = 0; row < rows && !quickly; row += 1) {
    const start = row * length;
    const [mean, rstd] = moments(input.data, start, length, eps);
    for (let i = 0; i < length; i += 1) {
      const value = (input.data[start + i] - mean) * rstd;
      out.data[start + i] = value * (weight ? weight.data[i] : 1) + (bias ? bias.data[i] : 0);
    }
    means.data[row] = mean;
    rstds.data[row] = rstd;
  }
  for (let row = 0; row < rows; row += 1) {
    if (input.dtype === "float64" ? rstds.data[row] > 0 : length / rstds.data[row] ** 2 < LARGEST) continue;
    rstds.data[row] = NaN;
    out.data.fill(NaN, row * length, (row + 1) * length);
  }
  const statShape = input.shape.map((size, axis) => (axis < lead ? size : 1));
  return [out, reshaped(means, statShape), reshaped(rstds, statShape)];
}

/** @type {Table} */
export const normalisation = {
  "native_layer_norm.default": ["input:T normalized_shape weight:T bias:T eps", nativeLayerNorm],
  "layer_norm.default": [
    "input:T normalized_shape weight:T=null bias:T=null eps=1e-05 cudnn_enable=true",
    (input, shape, weight, bias, eps) => nativeLayerNorm(input, shape, weight, bias, eps)[0],
  ],
};
