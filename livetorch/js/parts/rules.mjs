// Fetched by a page when a number is opened of a figure that has operators which few Programs use.
export { rare as rules } from "../open/rare.mjs";
