/** Operators that make each number of the numbers at the same place: arithmetic, functions, comparisons, choices. */
import { kindOf, ownTensorOf, runOn, tensorOf } from "./kernel.mjs";
import * as e from "./expression.mjs";

/** @import { At, Rule } from "./rules.mjs" */

/** @typedef {(a: e.Expression, b: e.Expression, alpha?: e.Expression) => e.Expression} Scaled */

/** @type {Scaled} */
export const minus = (a, b, alpha) => (alpha ? e.difference(a, e.product([alpha, b])) : e.difference(a, b));
/** @type {Scaled} */
const plus = (a, b, alpha) => e.sum([a, alpha ? e.product([alpha, b]) : b]);
/** @param {string} text @returns {(a: e.Expression, b: e.Expression) => e.Expression} */
export const sign = (text) => (a, b) => e.infix(text, a, b, () => NaN);

/** How operators are written; the others are "name(a, b)". @type {Record<string, ((...operands: any[]) => e.Expression)|undefined>} */
export const FORMS = {
  add: plus,
  sub: minus,
  mul: (a, b) => e.product([a, b]),
  div: (a, b) => e.quotient(a, b),
  pow: e.power,
  neg: e.negative,
  exp: e.exponential,
  sqrt: e.root,
  eq: sign("="),
  ne: sign("≠"),
  lt: sign("<"),
  le: sign("≤"),
  gt: sign(">"),
  ge: sign("≥"),
  bitwise_and: sign("and"),
  bitwise_or: sign("or"),
  bitwise_not: (a) => e.words(["not ", ""], [a], () => NaN),
  _to_copy: (a) => e.words(["", ", in another kind of number"], [a], () => NaN),
};
FORMS.to = FORMS._to_copy;

const COMPARISONS = ["eq", "ne", "lt", "le", "gt", "ge"];

const CALLS = "clamp cos gelu log sin tanh";

/** A clamp with one bound is an extreme of two. @param {At} at */
function oneBound({ name, arg }) {
  const above = name === "clamp_max" || (name === "clamp" && arg("min") === null);
  if (!above && !["clamp", "clamp_min"].includes(name)) return undefined;
  return (/** @type {e.Expression[]} */ ...pair) => e.call(above ? "min" : "max", pair, () => NaN);
}

/** @param {At} at */
export function elementwise(at) {
  const { node, name } = at;
  const operands = node.bound.map((value, n) => (kindOf(value) ? at.operand(n) : null));
  const cells = operands.flatMap((operand) => (operand?.form === "cell" ? [operand] : []));
  const tensor = COMPARISONS.includes(name) ? ownTensorOf : tensorOf;
  const calc = (/** @type {number[]} */ numbers) => {
    let next = 0;
    const args = node.bound.map((value, n) => {
      const operand = operands[n];
      return operand?.form === "cell" ? tensor([numbers[next++]], at.tensor(n).dtype, []) : value;
    });
    // A list of one for what broadcasts along an axis, as the weight of prelu does.
    return runOn(node, args, at.k);
  };
  // A factor of 1, as `alpha` mostly is, goes without saying.
  const said = (/** @type {e.Expression} */ operand, /** @type {number} */ n) =>
    !(["alpha", "value"].includes(node.parameters[n].name) && operand.value === 1);
  const written = operands.flatMap((operand, n) => (operand && said(operand, n) ? [operand] : []));
  const form = FORMS[name] ?? (written.length === 2 ? oneBound(at) : undefined);
  const floored = name === "div" && at.arg("rounding_mode");
  const whole = form && !floored ? form(...written) : e.call(floored ? `${floored} of division` : name, written, () => NaN);
  return e.computed(whole, cells, calc, { exact: true });
}

elementwise.inPlace = true; // each part of the script has its own copy of this function: a mark tells it

/** The number that a condition chose; the other one was not used. @param {At} at */
function where(at) {
  const masked = at.name === "masked_fill";
  const condition = at.operand(at.place(masked ? "mask" : "condition"));
  const yes = Boolean(at.number(condition));
  const chosen = at.operand(at.place(masked ? (yes ? "value" : "self") : yes ? "self" : "other"));
  const why = masked && yes ? ", filled in because " : ", because ";
  const cells = [chosen, condition].filter(({ form }) => form === "cell");
  const shown = e.words(["", why, ""], [chosen, e.fact(condition)], () => NaN, { choice: true });
  return e.computed(shown, cells, ([first]) => (chosen.form === "cell" ? first : chosen.value), { exact: true });
}

/** @type {Record<string, Rule>} */
export const elementwiseRules = { where, masked_fill: where };
for (const name of [...Object.keys(FORMS), ...CALLS.split(" ")]) elementwiseRules[name] ??= elementwise;
