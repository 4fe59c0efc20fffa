/** Operators that make one number of many along some axes: sums, means, and whether any or all of them hold. */
import { runOn, tensorOf } from "./kernel.mjs";
import * as e from "./expression.mjs";
import { rowsOver } from "../runtime/reduce.mjs";
import { axesOf, axisOf, stridesOf } from "../runtime/tensor.mjs";

/** @import { Tensor } from "../runtime/tensor.mjs" */
/** @import { At, Rule } from "./rules.mjs" */

/** The cells that one number of a reduction is made of. @param {At} at */
export function row(at) {
  const self = at.tensor(0);
  const dim = at.place("dim");
  const axes = axesOf(dim < 0 ? null : at.bound(dim), self.shape.length);
  const { data, length } = at.once("rows", () => rowsOver(placesOf(self), axes));
  return Array.from({ length }, (_, k) => at.cell(0, data[at.i * length + k]));
}

/** @param {Tensor} self @returns {Tensor} */
const placesOf = ({ shape, data }) => ({ shape, dtype: "int64", data: Float64Array.from(data, (_, i) => i) });

/** The cells of the line along an axis in which a number stands, and its place there. @param {At} at @param {number} [arg] */
export function line(at, arg = 0) {
  const { shape } = at.tensor(arg);
  if (shape.length === 0) return { cells: [at.cell(arg, 0)], place: 0 };
  const axis = axisOf(at.bound(at.place("dim")), shape.length);
  const step = stridesOf(shape)[axis];
  const place = at.index[axis];
  // The result may be shorter along the axis, as that of topk is: the other axes say where the line starts.
  const start = stridesOf(shape).reduce((sum, stride, k) => sum + (k === axis ? 0 : stride * at.index[k]), 0);
  return { cells: Array.from({ length: shape[axis] }, (_, k) => at.cell(arg, start + k * step)), place };
}

/** The kernel on one row, as a tensor of one axis. @param {At} at @param {number} [i] which number of the result @returns {e.Calc} */
export function kernelOn(at, i = 0) {
  const { node } = at;
  const dtype = at.tensor(0).dtype;
  const replaced = (/** @type {number[]} */ numbers) =>
    node.bound.map((value, n) => {
      if (n === 0) return tensorOf(numbers, dtype, [numbers.length]);
      if (node.parameters[n].name === "dim") return Array.isArray(value) ? (value.length ? [0] : []) : value === null ? null : 0;
      return node.parameters[n].name === "keepdim" ? false : value;
    });
  return (numbers) => runOn(node, replaced(numbers), at.k, i);
}

/** @param {string} name @param {boolean} wanted the kind that decides @returns {Rule} */
export const quantifier = (name, wanted) => (at) => {
  const cells = row(at);
  const winner = cells.find((cell) => Boolean(at.number(cell)) === wanted);
  const weight = (/** @type {e.Expression} */ cell) => (Boolean(at.number(cell)) === wanted ? 1 : 0);
  return e.computed(
    e.call(name, cells, () => NaN, { weight, whole: true, winner }),
    cells,
    kernelOn(at),
    { exact: true },
  );
};

/** @typedef {(cells: e.Expression[]) => e.Expression} Written */

/** A sum; whole numbers go through the kernel, which wraps them round. @param {At} at @param {e.Expression} shown @param {e.Expression[]} cells */
const summed = (at, shown, cells) => (at.isWhole() ? e.computed(shown, cells, kernelOn(at), { exact: true }) : shown);

/** @param {Written} write @returns {Rule} */
export const folded = (write) => (at) => {
  const cells = row(at);
  return cells.length ? summed(at, write(cells), cells) : e.literal(Number(at.value));
};

/** @type {Written} */
export const mean = (cells) => e.quotient(e.sum(cells), e.literal(cells.length));

const MANY = 6; // conditions: of more their number is said

/** How many conditions hold. @param {At} at @returns {e.Expression} */
function counted(at) {
  const cells = row(at);
  if (cells.some(({ dtype }) => dtype !== "bool") || cells.length <= MANY) return folded(e.sum)(at);
  const firsts = [true, false].map((is) => cells.find((cell) => Boolean(at.number(cell)) === is)); // one of each is told
  const few = { ...e.list(cells), weight: (/** @type {e.Expression} */ cell) => Number(firsts.includes(cell)) };
  const shown = e.words([`${at.value} of ${cells.length} are True: `, ""], [few], () => NaN, { choice: true, whole: true });
  return e.computed(shown, cells, kernelOn(at), { exact: true });
}

/** @type {Record<string, Rule>} */
export const reductionRules = {
  sum: counted,
  mean: folded(mean),
  any: quantifier("any", true),
};
