// Fetched by a page with a flow when a hand first stays on one of its cells: what the cell was made of.
export { createReader } from "../panel/reads.mjs";
