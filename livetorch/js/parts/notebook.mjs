// Stands in a notebook beside the core: the figure as a widget. No page of the website fetches it.
import { widget } from "../hosts/widget.mjs";

/** @type {any} */ (globalThis).LiveTorch.widget = widget;
