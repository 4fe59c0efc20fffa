// Fetched by a page when a reader first compares two states.
export { pin } from "../compare/pin.mjs";
