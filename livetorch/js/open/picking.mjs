/** Numbers that an index picked, which the reader's inputs decide. */
import * as e from "./expression.mjs";
import { axisOf, sizeOf } from "../runtime/tensor.mjs";

/** @import { At, Rule } from "./rules.mjs" */

/** Which number of the index decided. @param {At} at @returns {[argument: number, place: number]} */
function pointer(at) {
  const { name, index, i } = at;
  if (name === "gather") return [at.place("index"), i];
  if (name === "embedding") return [at.place("indices"), Math.floor(i / sizeOf(at.tensor(0).shape.slice(1)))];
  const axis = at.tensor(0).shape.length ? axisOf(at.arg("dim"), at.tensor(0).shape.length) : 0;
  return [at.place("index"), index[axis] ?? 0];
}

/** @param {At} at */
function picked(at) {
  const cell = at.cellOf(...at.source());
  const which = at.cell(...pointer(at));
  const shown = e.words(["", ", picked because ", ""], [cell, e.fact(which)], () => NaN, { choice: true });
  return e.computed(shown, [cell, which], ([x]) => x, { exact: true });
}

/** @type {Record<string, Rule>} */
export const pickingRules = { gather: picked, embedding: picked, index_select: picked };
