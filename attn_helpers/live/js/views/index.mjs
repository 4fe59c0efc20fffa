/** The views by the name that a figure's JSON calls them. */
import { createBars } from "./bars.mjs";
import { createHeatmap } from "./heatmap.mjs";
import { createHistory } from "./history.mjs";
import { createLines } from "./lines.mjs";
import { createPlane } from "./plane.mjs";
import { createTable } from "./table.mjs";
import { createTokens } from "./tokens.mjs";

export const views = {
  heatmap: createHeatmap,
  lines: createLines,
  plane: createPlane,
  bars: createBars,
  table: createTable,
  tokens: createTokens,
  history: createHistory,
};
