// Fetched by a page when a figure has a flow.
import { createFlow as flow } from "../views/flow.mjs";

export const views = { flow };
