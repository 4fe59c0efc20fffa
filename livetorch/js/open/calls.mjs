/** Functions of one number that few Programs use: they are written as a call. */
import { elementwise } from "./elementwise.mjs";

const OTHERS =
  "acos acosh angle asin asinh atan atan2 atanh bitwise_left_shift bitwise_right_shift __lshift__ __rshift__ " +
  "copysign cosh deg2rad digamma elu erfc exp2 expm1 fmax fmin fmod frac gcd " +
  "gelu_backward hardshrink hardshrink_backward hardsigmoid hardswish hardtanh " +
  "heaviside hypot i0 isclose isfinite isinf isneginf isposinf lcm ldexp leaky_relu " +
  "lerp lgamma log10 log1p log_sigmoid_forward logaddexp logaddexp2 logit mish nan_to_num prelu rad2deg relu6 sgn " +
  "signbit sinc sinh softplus softshrink softshrink_backward special_i1 tan " +
  "threshold trunc xlogy";

/** @type {Record<string, import("./rules.mjs").Rule>} */
export const callRules = Object.fromEntries(OTHERS.split(" ").map((name) => [name, elementwise]));
