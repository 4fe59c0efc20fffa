/** Functions of numbers at the same place that few Programs use: some have a form, the others are written as a call. */
import * as e from "./expression.mjs";
import { elementwise, FORMS, minus, sign } from "./elementwise.mjs";

const ONE = e.literal(1);

/** @type {typeof FORMS} */
const MORE = {
  rsqrt: (a) => e.quotient(ONE, e.root(a)),
  reciprocal: (a) => e.quotient(ONE, a),
  sigmoid: (a) => e.quotient(ONE, e.sum([ONE, e.exponential(e.negative(a))])),
  maximum: (a, b) => e.call("max", [a, b], () => NaN),
  minimum: (a, b) => e.call("min", [a, b], () => NaN),
  relu: (a) => e.call("max", [e.literal(0), a], () => NaN),
  addcmul: (a, b, c, value) => e.sum([a, e.product(value ? [value, b, c] : [b, c])]),
  addcdiv: (a, b, c, value) => e.sum([a, e.quotient(value ? e.product([value, b]) : b, c)]),
  abs: (a) => e.words(["|", "|"], [a], ([x]) => Math.abs(x)),
  remainder: sign("mod"),
  floor_divide: sign("//"),
  logical_and: sign("and"),
  logical_or: sign("or"),
  logical_xor: sign("xor"),
  bitwise_xor: sign("xor"),
  logical_not: (a) => e.words(["not ", ""], [a], () => NaN),
  rsub: (a, b, alpha) => minus(b, a, alpha),
  square: (a) => e.power(a, e.literal(2)),
};
Object.assign(FORMS, MORE);

const OTHERS =
  "acos acosh angle asin asinh atan atan2 atanh bitwise_left_shift bitwise_right_shift __lshift__ __rshift__ " +
  "copysign cosh deg2rad digamma elu erfc exp2 expm1 fmax fmin fmod frac gcd " +
  "gelu_backward hardshrink hardshrink_backward hardsigmoid hardswish hardtanh " +
  "heaviside hypot i0 isclose isfinite isinf isneginf isposinf lcm ldexp leaky_relu " +
  "lerp lgamma log10 log1p log_sigmoid_forward logaddexp logaddexp2 logit mish nan_to_num prelu rad2deg relu6 sgn " +
  "signbit sinc sinh softplus softshrink softshrink_backward special_i1 tan " +
  "threshold trunc xlogy ceil clamp_max clamp_min erf erfinv isnan round sign silu floor log2";

/** @type {Record<string, import("./rules.mjs").Rule>} */
export const callRules = Object.fromEntries([...OTHERS.split(" "), ...Object.keys(MORE)].map((name) => [name, elementwise]));
