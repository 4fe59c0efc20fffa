// Fetched by a page when a Program names an operator that is not in the core.
export { rare as operators } from "../runtime/rare.mjs";
