// Fetched by a page when a map is so large that a reader wants to come nearer.
import { addViews, viewOf } from "../views/index.mjs";
import { zoomable } from "../views/zoomed.mjs";

addViews({ heatmap: { create: zoomable(viewOf("heatmap", "create")) } });
