// Fetched by a page when a figure has a view with axes.
import { createBars as bars } from "../views/bars.mjs";
import { createHistory as history } from "../views/history.mjs";
import { createLines as lines } from "../views/lines.mjs";
import { createNumber as number } from "../views/number.mjs";
import { createPlane as plane } from "../views/plane.mjs";
import { createStrip as strip } from "../views/strip.mjs";

export const views = { bars, history, lines, number, plane, strip };
