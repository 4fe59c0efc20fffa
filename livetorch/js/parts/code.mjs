// Fetched by a page that gives its code when a stored number is first open: which statement made it.
export { statedIn } from "../panel/page_code.mjs";
