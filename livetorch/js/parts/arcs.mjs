// Fetched by a page when a figure has arcs.
import { createArcs as arcs } from "../views/arcs.mjs";

export const views = { arcs };
