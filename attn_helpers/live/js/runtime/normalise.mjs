/** Normalisation of layers, groups and batches, with gradients. */
import { cast, reshaped, sizeOf, tensor } from "./tensor.mjs";

/**
 * Mean and 1 / standard deviation of `length` elements in runs of `run`, `jump` apart.
 * Layers and groups are one run; the channel of a batch is one run per example.
 */
function moments(data, start, length, eps, run = length, jump = length) {
  const at = (i) => data[start + Math.floor(i / run) * jump + (i % run)];
  let total = 0;
  for (let i = 0; i < length; i += 1) total += at(i);
  const mean = total / length;
  let spread = 0;
  for (let i = 0; i < length; i += 1) spread += (at(i) - mean) ** 2;
  const variance = spread / length;
  return { mean, variance, rstd: 1 / Math.sqrt(variance + eps) };
}

/** Normalises rows of `length`; `placeOf(i)` says which weight and bias element i takes. */
function normaliseRows(input, rows, length, placeOf, weight, bias, eps) {
  const out = tensor(input.shape, input.dtype);
  const means = tensor([rows], input.dtype);
  const rstds = tensor([rows], input.dtype);
  const { data } = input;
  for (let row = 0; row < rows; row += 1) {
    const start = row * length;
    const { mean, rstd } = moments(data, start, length, eps);
    for (let i = start; i < start + length; i += 1) {
      const place = placeOf(i);
      out.data[i] = (data[i] - mean) * rstd * (weight ? weight.data[place] : 1) + (bias ? bias.data[place] : 0);
    }
    means.data[row] = mean;
    rstds.data[row] = rstd;
  }
  return [out, means, rstds];
}

/** Output, means and 1 / standard deviations over the last axes. */
function layerNorm(input, normalizedShape, weight, bias, eps) {
  const length = sizeOf(normalizedShape);
  const lead = input.shape.length - normalizedShape.length;
  const rows = sizeOf(input.shape.slice(0, lead));
  const [out, means, rstds] = normaliseRows(input, rows, length, (i) => i % length, weight, bias, eps);
  const statShape = input.shape.map((size, axis) => (axis < lead ? size : 1));
  return [out, reshaped(means, statShape), reshaped(rstds, statShape)];
}

function groupNorm(input, weight, bias, n, channels, area, groups, eps) {
  const length = (channels / groups) * area;
  const placeOf = (i) => Math.floor(i / area) % channels;
  const [out, means, rstds] = normaliseRows(input, n * groups, length, placeOf, weight, bias, eps);
  return [out, reshaped(means, [n, groups]), reshaped(rstds, [n, groups])];
}

/** Gradients by input, weight and bias of rows that were normalised. */
function rowsBackward(grad, input, rows, length, placeOf, places, mean, rstd, weight, mask) {
  const inputGrad = tensor(input.shape, input.dtype);
  const weightGrad = new Float64Array(places);
  const biasGrad = new Float64Array(places);
  for (let row = 0; row < rows; row += 1) {
    const [m, r] = [mean.data[row], rstd.data[row]];
    let sum = 0;
    let sumOfProducts = 0;
    for (let i = row * length; i < (row + 1) * length; i += 1) {
      const place = placeOf(i);
      const x = (input.data[i] - m) * r;
      weightGrad[place] += grad.data[i] * x;
      biasGrad[place] += grad.data[i];
      const g = grad.data[i] * (weight ? weight.data[place] : 1);
      sum += g;
      sumOfProducts += g * x;
    }
    for (let i = row * length; i < (row + 1) * length; i += 1) {
      const x = (input.data[i] - m) * r;
      const g = grad.data[i] * (weight ? weight.data[placeOf(i)] : 1);
      inputGrad.data[i] = r * (g - (sum + x * sumOfProducts) / length);
    }
  }
  const shape = weight?.shape ?? [places];
  const narrow = (data) => cast(tensor(shape, "float64", data), input.dtype);
  return [mask[0] ? inputGrad : null, mask[1] ? narrow(weightGrad) : null, mask[2] ? narrow(biasGrad) : null];
}

function layerNormBackward(grad, input, normalizedShape, mean, rstd, weight, bias, mask) {
  const length = sizeOf(normalizedShape);
  const rows = length === 0 ? 0 : input.data.length / length;
  return rowsBackward(grad, input, rows, length, (i) => i % length, length, mean, rstd, weight, mask);
}

function groupNormBackward(grad, input, mean, rstd, weight, n, channels, area, groups, mask) {
  const placeOf = (i) => Math.floor(i / area) % channels;
  const length = (channels / groups) * area;
  return rowsBackward(grad, input, n * groups, length, placeOf, channels, mean, rstd, weight, mask);
}

/** Batch normalisation: by its own moments when training, by the running ones otherwise. */
function batchNorm(input, weight, bias, runningMean, runningVar, training, momentum, eps) {
  const [n, channels] = input.shape;
  const area = sizeOf(input.shape.slice(2));
  const out = tensor(input.shape, input.dtype);
  const stats = [0, 1, 2, 3].map(() => tensor([channels], input.dtype));
  for (let c = 0; c < channels; c += 1) {
    const own = training && moments(input.data, c * area, n * area, eps, area, channels * area);
    const mean = own ? own.mean : runningMean.data[c];
    const rstd = own ? own.rstd : 1 / Math.sqrt(runningVar.data[c] + eps);
    for (let k = 0; k < n * area; k += 1) {
      const i = (Math.floor(k / area) * channels + c) * area + (k % area);
      out.data[i] = (input.data[i] - mean) * rstd * (weight ? weight.data[c] : 1) + (bias ? bias.data[c] : 0);
    }
    stats[0].data[c] = mean;
    stats[1].data[c] = rstd;
    if (own && runningMean) {
      stats[2].data[c] = (1 - momentum) * runningMean.data[c] + momentum * mean;
      const unbiased = (own.variance * n * area) / (n * area - 1);
      stats[3].data[c] = (1 - momentum) * runningVar.data[c] + momentum * unbiased;
    }
  }
  // Torch keeps no moments when it used the running ones, and leaves those as they are.
  const kept = training ? stats.slice(0, 2) : [tensor([0], input.dtype), tensor([0], input.dtype)];
  const running = training && runningMean ? stats.slice(2) : [runningMean, runningVar];
  return [out, ...kept, ...running];
}

const inference = (input, weight, bias, mean, variance, momentum, eps) =>
  batchNorm(input, weight, bias, mean, variance, false, momentum, eps);
const noStats = (input, weight, bias, training, momentum, eps) =>
  batchNorm(input, weight, bias, null, null, true, momentum, eps);

const AFFINE = "input:T weight:T bias:T";
const RUNNING = "running_mean:T running_var:T";

/** @type {Record<string, [string, Function]>} */
export const normalisation = {
  "native_layer_norm.default": ["input:T normalized_shape weight:T bias:T eps", layerNorm],
  "layer_norm.default": [
    "input:T normalized_shape weight:T=null bias:T=null eps=1e-05 cudnn_enable=true",
    (...args) => layerNorm(...args)[0],
  ],
  "native_layer_norm_backward.default": [
    "grad_out:T input:T normalized_shape mean:T rstd:T weight:T bias:T output_mask",
    layerNormBackward,
  ],
  "native_group_norm.default": [`${AFFINE} N C HxW group eps`, groupNorm],
  "native_group_norm_backward.default": [
    "grad_out:T input:T mean:T rstd:T weight:T N C HxW group output_mask",
    groupNormBackward,
  ],
  "native_batch_norm.default": [`${AFFINE} ${RUNNING} training momentum eps`, batchNorm],
  "_native_batch_norm_legit_functional.default": [`${AFFINE} ${RUNNING} training momentum eps`, batchNorm],
  "_native_batch_norm_legit_no_training.default": [`${AFFINE} ${RUNNING} momentum eps`, inference],
  "_native_batch_norm_legit.no_stats": [`${AFFINE} training momentum eps`, noStats],
};
