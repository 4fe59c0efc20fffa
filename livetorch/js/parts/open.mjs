// Fetched by a page when a reader first opens a number.
export { written } from "../open/open.mjs";
export { fetchRules } from "../open/rules.mjs";
export { calculationOf } from "../panel/line.mjs";
export { createExplainer } from "../panel/names.mjs";
export { apart, numbersIn, printedIn, rootAt } from "../panel/marks.mjs";
export { createPanel } from "../panel/panel.mjs";
export { cut, numberIn, openOne } from "../panel/way_down.mjs";
