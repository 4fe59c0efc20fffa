// Every part at once, for hosts where one file is fine and for tests.
import { adopt } from "../hosts/parts.mjs";
import * as arcs from "./arcs.mjs";
import * as compare from "./compare.mjs";
import * as curves from "./curves.mjs";
import * as flow from "./flow.mjs";
import * as lanes from "./lanes.mjs";
import * as open from "./open.mjs";
import * as operators from "./operators.mjs";
import * as picks from "./picks.mjs";
import * as plots from "./plots.mjs";
import * as table from "./table.mjs";

adopt("arcs", arcs);
adopt("compare", compare);
adopt("curves", curves);
adopt("flow", flow);
adopt("lanes", lanes);
adopt("open", open);
adopt("operators", operators);
adopt("picks", picks);
adopt("plots", plots);
adopt("table", table);
