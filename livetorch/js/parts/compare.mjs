// Fetched by a page when a reader first compares two states.
export { comparing } from "../compare/pin.mjs";
