// Every part at once, for hosts where one file is fine and for tests.
import { adopt } from "../hosts/parts.mjs";
import * as views from "../views/all.mjs";
import { addViews } from "../views/index.mjs";
import { allChecked } from "../views/kind.mjs";
import { zoomable } from "../views/zoomed.mjs";
import * as compare from "./compare.mjs";
import * as curves from "./curves.mjs";
import * as hands from "./hands.mjs";
import * as lanes from "./lanes.mjs";
import * as numbers from "./numbers.mjs";
import * as open from "./open.mjs";
import * as operators from "./operators.mjs";
import * as picks from "./picks.mjs";
import "./tokenizer.mjs";

adopt("views", { views: allChecked(views) });
addViews({ heatmap: { create: zoomable(views.heatmap.create) } });
adopt("compare", compare);
adopt("curves", curves);
adopt("hands", hands);
adopt("lanes", lanes);
adopt("numbers", numbers);
adopt("open", open);
adopt("operators", operators);
adopt("picks", picks);
