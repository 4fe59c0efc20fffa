/** Rules of operators that few Programs use: a page fetches them when a number of such a figure is opened. */
import { callRules } from "./calls.mjs";
import { fourierRules } from "./fourier.mjs";
import { gatheringRules } from "./gathering.mjs";
import { runOn } from "./kernel.mjs";
import * as e from "./expression.mjs";
import { isRef } from "../runtime/schema.mjs";
import { matrixRules } from "./matrices.mjs";
import { normaliseRules } from "./normalise.mjs";
import { pickingRules } from "./picking.mjs";
import { rareProducts } from "./rare_products.mjs";
import { rareReductions } from "./rare_reductions.mjs";
import { sortingRules } from "./sorting.mjs";

/** What an operator without a rule made of all that it read, by its kernel. @type {import("./rules.mjs").Rule} */
const opaque = (at) => {
  const { node } = at;
  const refs = node.bound.flatMap((value, n) => (isRef(value) ? [n] : []));
  const lists = node.bound.flatMap((value) => (Array.isArray(value) ? value.filter(isRef) : []));
  const parts = refs.map((n) => Array.from(at.tensor(n).data, (_, i) => at.cell(n, i)));
  const cells = parts.flat();
  const calc = (/** @type {number[]} */ numbers) => {
    let next = 0;
    const args = node.bound.map((value, n) => {
      if (!isRef(value)) return at.resolved(node.parameters[n].name);
      const { shape, dtype, data } = at.tensor(n);
      const own = numbers.slice(next, (next += data.length));
      return { shape, dtype, data: data.slice().map((_, i) => own[i]) };
    });
    return runOn(node, args, at.k, at.i);
  };
  const shown = e.words([`computed by ${node.op} from `, ""], [e.list(cells)], () => NaN, { whole: true });
  if (lists.length)
    return e.computed(
      shown,
      lists.flatMap(({ v }) => [at.cellOf(v, 0)]),
      () => at.value,
      { exact: true },
    );
  return e.computed(shown, cells, calc);
};

/** @type {Record<string, import("./rules.mjs").Rule>} */
export const rare = {
  ...callRules,
  ...fourierRules,
  ...gatheringRules,
  ...matrixRules,
  ...normaliseRules,
  ...pickingRules,
  ...rareProducts,
  ...rareReductions,
  ...sortingRules,
  opaque,
};
