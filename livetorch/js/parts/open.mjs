// Fetched by a page when a reader first opens a number.
export { openFigure } from "../open/figure.mjs";
export { openProgram, written } from "../open/open.mjs";
export { fetchRules } from "../open/rules.mjs";
export { offer } from "../panel/offer.mjs";
export { createPanel } from "../panel/panel.mjs";
export { createReader } from "../panel/reads.mjs";
