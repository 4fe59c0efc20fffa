// Fetched by a page when a reader first asks for all terms of a long sum.
export { termList } from "../panel/terms.mjs";
