/** Products of matrices and vectors that few Programs use. */
import { added, productRules, terms, total } from "./products.mjs";

/** @type {Record<string, import("./rules.mjs").Rule>} */
export const rareProducts = {
  addbmm: (at) => {
    const batches = Array.from({ length: at.tensor(1).shape[0] }, (_, b) => terms(at, 1, 2, { index: [b, ...at.index] }));
    return added(at, batches.flat());
  },
  linear: (at) => {
    const parts = terms(at, 0, 1, { turned: true });
    const bias = at.place("bias");
    return total(at.bound(bias) ? [...parts, at.cell(bias, at.index.at(-1) ?? 0)] : parts);
  },
  mv: productRules.mm,
  dot: productRules.mm,
  vdot: productRules.mm,
  matmul: productRules.mm,
  baddbmm: productRules.addmm,
  addmv: productRules.addmm,
};
