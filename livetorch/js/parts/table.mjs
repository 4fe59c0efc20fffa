// Fetched by a page when a figure has a table.
import { createTable as table } from "../views/table.mjs";

export const views = { table };
