/** The views by the name that a figure's JSON calls them. */
import { createBars } from "./bars.mjs";
import { createHeatmap } from "./heatmap.mjs";
import { createLines } from "./lines.mjs";

export const views = { heatmap: createHeatmap, lines: createLines, bars: createBars };
