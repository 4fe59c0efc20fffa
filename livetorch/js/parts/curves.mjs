// Fetched by a page when a slider of one of its figures has a curve.
export { createCurves } from "../curves/curves.mjs";
