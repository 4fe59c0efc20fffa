/** Convolutions over one or two axes, transposed ones, and their gradients. */
import { cast, reshaped, sizeOf, tensor } from "./tensor.mjs";

/** A number for both axes, or one per axis. */
export const pair = (list) => {
  const values = [list].flat();
  return values.length === 1 ? [values[0], values[0]] : values;
};

/**
 * Visits every row of products of a convolution: `visit(inputAt, inputStep, weightAt, outputAt, count)`.
 * The convolution and both its gradients read and write the same elements, so they share this walk.
 * @param {number[]} input shape (batch, channels, height, width)
 * @param {number[]} weight shape (out channels, channels / groups, height, width)
 * @param {number[]} output shape (batch, out channels, height, width)
 */
function walkProducts(input, weight, output, { stride, padding, dilation, groups }, visit) {
  const [batch, channels, height, width] = input;
  const [outs, perGroup, kernelHeight, kernelWidth] = weight;
  const [, , outHeight, outWidth] = output;
  const outsPerGroup = outs / groups;
  for (let n = 0; n < batch; n += 1) {
    for (let out = 0; out < outs; out += 1) {
      const firstChannel = Math.floor(out / outsPerGroup) * perGroup;
      for (let k = 0; k < perGroup * kernelHeight * kernelWidth; k += 1) {
        const channel = firstChannel + Math.floor(k / (kernelHeight * kernelWidth));
        const shiftX = (k % kernelWidth) * dilation[1] - padding[1];
        const shiftY = (Math.floor(k / kernelWidth) % kernelHeight) * dilation[0] - padding[0];
        const from = Math.max(0, Math.ceil(-shiftX / stride[1]));
        const to = Math.min(outWidth, Math.floor((width - 1 - shiftX) / stride[1]) + 1);
        for (let y = 0; y < outHeight && from < to; y += 1) {
          const row = y * stride[0] + shiftY;
          if (row < 0 || row >= height) continue;
          const inputAt = ((n * channels + channel) * height + row) * width + from * stride[1] + shiftX;
          const outputAt = ((n * outs + out) * outHeight + y) * outWidth + from;
          visit(inputAt, stride[1], out * perGroup * kernelHeight * kernelWidth + k, outputAt, to - from);
        }
      }
    }
  }
}

const wide = (shape, data, dtype) => cast(tensor(shape, "float64", data), dtype);

function forward(input, weight, shape, options) {
  const out = new Float64Array(sizeOf(shape));
  walkProducts(input.shape, weight.shape, shape, options, (at, step, w, to, count) => {
    const factor = weight.data[w];
    for (let i = 0; i < count; i += 1) out[to + i] += factor * input.data[at + i * step];
  });
  return wide(shape, out, input.dtype);
}

function gradientOfInput(grad, weight, shape, options) {
  const out = new Float64Array(sizeOf(shape));
  walkProducts(shape, weight.shape, grad.shape, options, (at, step, w, from, count) => {
    const factor = weight.data[w];
    for (let i = 0; i < count; i += 1) out[at + i * step] += factor * grad.data[from + i];
  });
  return wide(shape, out, grad.dtype);
}

function gradientOfWeight(grad, input, shape, options) {
  const out = new Float64Array(sizeOf(shape));
  walkProducts(input.shape, shape, grad.shape, options, (at, step, w, from, count) => {
    let total = 0;
    for (let i = 0; i < count; i += 1) total += grad.data[from + i] * input.data[at + i * step];
    out[w] += total;
  });
  return wide(shape, out, grad.dtype);
}

/** Length of one axis of the output. */
function outLength(input, kernel, options, axis) {
  const { stride, padding, dilation, transposed, outputPadding } = options;
  const reach = dilation[axis] * (kernel - 1) + 1;
  if (transposed) return (input - 1) * stride[axis] - 2 * padding[axis] + reach + outputPadding[axis];
  return Math.floor((input + 2 * padding[axis] - reach) / stride[axis]) + 1;
}

function optionsOf(stride, padding, dilation, transposed, outputPadding, groups, flat) {
  // A convolution over one axis is one over two, of which the first has length 1.
  const both = (list, first) => (flat ? [first, [list].flat()[0]] : pair(list));
  return {
    stride: both(stride, 1),
    padding: both(padding, 0),
    dilation: both(dilation, 1),
    outputPadding: both(outputPadding, 0),
    transposed,
    groups,
  };
}

/** (batch, channels, length) as (batch, channels, 1, length). */
const lift = (self) => (self.shape.length === 3 ? reshaped(self, [...self.shape.slice(0, 2), 1, self.shape[2]]) : self);
const lower = (self, flat) => (flat ? reshaped(self, self.shape.filter((_, axis) => axis !== 2)) : self);

function withBias(out, bias) {
  if (!bias) return out;
  const [, channels, height, width] = out.shape;
  const data = out.data.map((value, i) => value + bias.data[Math.floor(i / (height * width)) % channels]);
  return tensor(out.shape, out.dtype, data);
}

function convolution(input, weight, bias, ...rest) {
  const flat = input.shape.length === 3;
  if (!flat && input.shape.length !== 4) {
    throw new Error(`convolutions run over one or two axes of a batch, got the shape [${input.shape}].`);
  }
  const options = optionsOf(...rest, flat);
  const [x, w] = [lift(input), lift(weight)];
  const channels = options.transposed ? w.shape[1] * options.groups : w.shape[0];
  const lengths = [0, 1].map((axis) => outLength(x.shape[2 + axis], w.shape[2 + axis], options, axis));
  const shape = [x.shape[0], channels, ...lengths];
  const run = options.transposed ? gradientOfInput : forward;
  return lower(withBias(run(x, w, shape, options), bias), flat);
}

function convolutionBackward(grad, input, weight, biasSizes, ...rest) {
  const mask = rest.pop();
  const flat = input.shape.length === 3;
  const options = optionsOf(...rest, flat);
  const [g, x, w] = [lift(grad), lift(input), lift(weight)];
  const { transposed } = options;
  const inputGrad = mask[0] && (transposed ? forward : gradientOfInput)(g, w, x.shape, options);
  const weightGrad = mask[1] && (transposed ? gradientOfWeight(x, g, w.shape, options) : gradientOfWeight(g, x, w.shape, options));
  return [
    inputGrad ? lower(inputGrad, flat) : null,
    weightGrad ? lower(weightGrad, flat) : null,
    mask[2] ? channelSums(g) : null,
  ];
}

function channelSums(grad) {
  const channels = grad.shape[1];
  const area = grad.shape[2] * grad.shape[3];
  const out = new Float64Array(channels);
  grad.data.forEach((value, i) => {
    out[Math.floor(i / area) % channels] += value;
  });
  return wide([channels], out, grad.dtype);
}

const OPTIONS = "stride padding dilation transposed output_padding groups";

/** @type {Record<string, [string, Function]>} */
export const convolutions = {
  "convolution.default": [`input:T weight:T bias:T ${OPTIONS}`, convolution],
  "convolution_backward.default": [
    `grad_output:T input:T weight:T bias_sizes ${OPTIONS} output_mask`,
    convolutionBackward,
  ],
};
