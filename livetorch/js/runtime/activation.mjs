/** Activations of networks and their gradients, element by element. */
import { isFloat } from "./dtype.mjs";
import { mapOne, mapTwo, promoted, runOf } from "./broadcast.mjs";
import { erf, erfc } from "./special.mjs";
import { cast } from "./tensor.mjs";
import { sigmoid } from "./unary.mjs";

/** @import { Numeric } from "./broadcast.mjs" */
/** @import { Table, Kernel } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

/** @param {Tensor} value */
const number = (value) => value.data[0];
/** @param {(x: number, ...parameters: any[]) => number} f @param {string} [name] a quicker loop has @returns {Kernel} */
const one =
  (f, name) =>
  (self, ...numbers) => {
    const parameters = numbers.map((value) => (value !== null && typeof value === "object" ? number(value) : value));
    return mapOne(self, self.dtype, (x) => f(x, ...parameters), parameters[0] === "tanh" ? "" : name);
  };
/** @param {(grad: number, x: number, ...parameters: any[]) => number} f @returns {Kernel} */
const backward =
  (f) =>
  (grad, self, ...numbers) => {
    const parameters = numbers.map((value) => (value !== null && typeof value === "object" ? number(value) : value));
    const { a, b, dtype } = promoted(grad, self);
    return mapTwo(
      runOf((g, x) => f(g, x, ...parameters)),
      a,
      b,
      dtype,
    );
  };

const GELU = Math.sqrt(2 / Math.PI);

/** @param {number} x @param {string} approximate */
function gelu(x, approximate) {
  if (approximate === "tanh") return 0.5 * x * (1 + Math.tanh(GELU * (x + 0.044715 * x ** 3)));
  return 0.5 * x * erfc(-x * Math.SQRT1_2); // 1 + erf(x) would lose the digits of the tail
}

/** @param {number} g @param {number} x @param {string} approximate */
function geluBackward(g, x, approximate) {
  if (approximate === "tanh") {
    const t = Math.tanh(GELU * (x + 0.044715 * x ** 3));
    return g * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * GELU * (1 + 3 * 0.044715 * x * x));
  }
  const density = Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);
  return g * (0.5 * (1 + erf(x * Math.SQRT1_2)) + x * density);
}

/** @param {number} x @param {number} alpha @param {number} scale @param {number} inputScale */
const elu = (x, alpha, scale, inputScale) => (x <= 0 ? Math.expm1(x * inputScale) * alpha * scale : x * scale);

/** @param {number} x @param {number} beta @param {number} threshold */
const softplus = (x, beta, threshold) => (x * beta > threshold ? x : Math.log1p(Math.exp(x * beta)) / beta);

/** @param {number} x @param {number} low @param {number} high */
const hardtanh = (x, low, high) => (x < low ? low : x > high ? high : x);
/** @param {number} x */
const hardSigmoid = (x) => (Number.isNaN(x) ? NaN : Math.min(Math.max(x + 3, 0), 6) / 6);

/** log(sigmoid(x)) and, as torch gives it too, the exponential it kept for the gradient. @param {Tensor} self */
function logSigmoid(self) {
  const out = mapOne(self, self.dtype, (x) => Math.min(x, 0) - Math.log1p(Math.exp(-Math.abs(x))));
  return [out, mapOne(self, self.dtype, (x) => Math.exp(-Math.abs(x)))];
}

/** @param {Tensor} self @param {Tensor} weight */
function prelu(self, weight) {
  const shape = self.shape.map((_, axis) => (axis === 1 || self.shape.length === 1 ? weight.data.length : 1));
  const slopes = weight.data.length === 1 ? weight : { ...weight, shape };
  return mapTwo(
    runOf((x, w) => (x > 0 ? x : w * x)),
    self,
    slopes,
    self.dtype,
  );
}

/** @param {Tensor} self @param {Tensor} limit @param {Tensor} value */
const threshold = (self, limit, value) => {
  if (!isFloat(self.dtype)) return mapOne(self, self.dtype, (x) => (x <= number(limit) ? number(value) : x));
  const [l, v] = [number(limit), cast(value, self.dtype).data[0]];
  return mapOne(self, self.dtype, (x) => (x <= l ? v : x));
};

const LIMITS = "min_val:S=-1 max_val:S=1";
const BACK = "grad_output:T self:T";

/** @type {Table} */
export const activations = {
  "gelu.default": ['self:T approximate="none"', one(gelu, "gelu")],
  "gelu_backward.default": [`${BACK} approximate="none"`, backward(geluBackward)],
  "silu.default": ["self:T", one((x) => x * sigmoid(x), "silu")],
  "mish.default": ["self:T", one((x) => x * Math.tanh(softplus(x, 1, 20)))],
  "elu.default": ["self:T alpha:S=1 scale:S=1 input_scale:S=1", one(elu)],
  "leaky_relu.default": ["self:T negative_slope:S=0.01", one((x, slope) => (x > 0 ? x : x * slope))],
  "softplus.default": ["self:T beta:S=1 threshold:S=20", one(softplus)],
  "relu6.default": ["self:T", one((x) => hardtanh(x, 0, 6))],
  "hardtanh.default": [`self:T ${LIMITS}`, one(hardtanh)],
  "hardsigmoid.default": ["self:T", one(hardSigmoid)],
  "hardswish.default": ["self:T", one((x) => x * hardSigmoid(x))],
  "threshold.default": ["self:T threshold:S value:S", threshold],
  "hardshrink.default": ["self:T lambd:S=0.5", one((x, limit) => (x >= -limit && x <= limit ? 0 : x))],
  "hardshrink_backward.default": ["grad_out:T self:T lambd:S", backward((g, x, limit) => (x >= -limit && x <= limit ? 0 : g))],
  "softshrink.default": ["self:T lambd:S=0.5", one((x, limit) => (x > limit ? x - limit : x < -limit ? x + limit : x * 0))],
  "softshrink_backward.default": [`${BACK} lambd:S`, backward((g, x, limit) => (x >= -limit && x <= limit ? 0 : g))],
  "log_sigmoid_forward.default": ["self:T", logSigmoid],
  "prelu.default": ["self:T weight:T", prelu],
};
