/** What a number is mostly made of: the terms of the longest sum in its calculation. */
import * as e from "./expression.mjs";
import { textOf, write } from "./writing.mjs";

/** @import { Context } from "./writing.mjs" */

/**
 * The parts of the longest sum in a calculation, by their share.
 * @param {e.Expression} top @param {Context} context @param {e.Cell[]} leaves
 */
export function termsOf(top, context, leaves) {
  /** @type {e.Expression[]} */
  let longest = [];
  const walk = (/** @type {e.Expression} */ part) => {
    const args = part.form === "softmax" ? part.args : part.form === "sum" ? part.args : [];
    if (args.length > longest.length) longest = args;
    (part.form === "cell" ? (part.inner ? [part.inner] : []) : part.args).forEach(walk);
  };
  walk(top);
  if (longest.length < 2) return [];
  const powers = top.form === "softmax";
  const numbers = longest.map((part) => Number(context.number(part)));
  const most = Math.max(...numbers);
  const sizes = numbers.map((x) => (powers ? Math.exp(x - most) : Math.abs(x)));
  const whole = sizes.reduce((x, y) => x + y, 0);
  const terms = longest.map((part, k) => ({
    text: powers ? `e^${textOf(write(part, context))}` : textOf(write(part, context)),
    value: powers ? Math.exp(numbers[k]) : numbers[k],
    share: whole > 0 ? sizes[k] / whole : 0,
    from: e.leavesOf(part).map((leaf) => leaves.indexOf(leaf)),
  }));
  return terms.sort((x, y) => y.share - x.share);
}
