// Fetched by a page when a reader first unfolds the numbers of a figure.
export { outputTables } from "../figure/tables.mjs";
