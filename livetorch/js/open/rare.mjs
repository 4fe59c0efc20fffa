/** Rules of operators that few Programs use: a page fetches them when a number of such a figure is opened. */
import { callRules } from "./calls.mjs";
import { fourierRules } from "./fourier.mjs";
import { gatheringRules } from "./gathering.mjs";
import { matrixRules } from "./matrices.mjs";
import { normaliseRules } from "./normalise.mjs";
import { rareProducts } from "./rare_products.mjs";
import { rareReductions } from "./rare_reductions.mjs";
import { sortingRules } from "./sorting.mjs";

/** @type {Record<string, import("./rules.mjs").Rule>} */
export const rare = {
  ...callRules,
  ...fourierRules,
  ...gatheringRules,
  ...matrixRules,
  ...normaliseRules,
  ...rareProducts,
  ...rareReductions,
  ...sortingRules,
};
