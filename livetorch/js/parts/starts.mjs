// Fetched by a page when a reader asks which number to open.
export { startsOf } from "../panel/starts.mjs";
