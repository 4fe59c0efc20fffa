// Fetched by a page when a Program has many numbers: quicker loops.
export { lanes } from "../runtime/lanes.mjs";
