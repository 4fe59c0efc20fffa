/** Operators that few Programs use: a page fetches them when one of its figures does. */
import { activations } from "./activation.mjs";
import { checks } from "./checks.mjs";
import { factors } from "./factors.mjs";
import { transforms } from "./fourier.mjs";
import { linearAlgebra } from "./linalg.mjs";
import { normalisation } from "./normalise.mjs";
import { norms } from "./norms.mjs";
import { pairs } from "./pairs.mjs";
import { patterns } from "./patterns.mjs";
import { repeating } from "./repeating.mjs";
import { scattering } from "./scatter.mjs";
import { sorting } from "./sort.mjs";
import { special } from "./special.mjs";
import { spreads } from "./spreads.mjs";
import { triangles } from "./triangles.mjs";

/** @type {import("./registry.mjs").Table[]} */
export const rare = [
  activations,
  checks,
  factors,
  linearAlgebra,
  normalisation,
  norms,
  pairs,
  patterns,
  repeating,
  scattering,
  sorting,
  special,
  spreads,
  transforms,
  triangles,
];
