// Every kind of view by the name that a figure's JSON calls it: one line each. The build and Node read this list.
export * as arcs from "./arcs.mjs";
export * as bars from "./bars.mjs";
export * as flow from "./flow.mjs";
export * as heatmap from "./heatmap.mjs";
export * as history from "./history.mjs";
export * as lines from "./lines.mjs";
export * as number from "./number.mjs";
export * as plane from "./plane.mjs";
export * as strip from "./strip.mjs";
export * as table from "./table.mjs";
export * as tokens from "./tokens.mjs";
