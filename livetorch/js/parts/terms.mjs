// Fetched by a page when a reader first asks for all terms of a long sum.
export { firstTerm, termList } from "../panel/terms.mjs";
