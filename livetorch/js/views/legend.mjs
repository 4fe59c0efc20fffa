/** The names of curves and points above a plot; one alone says nothing. */
import { make } from "../shared/dom.mjs";
import { textWidth } from "../shared/format.mjs";

/** @typedef {import("../shared/scene.mjs").Shape} Shape */
/** @typedef {{label: string, colour?: string, dash?: string, fill?: string}} Entry without a colour: scattered points; fill: of those that are squares */

const LINE = 19.5; // pixels from one line of names to the next

/** Pixels of a name with its sample: a little generous, so that page and picture break the line at the same name. @param {string} label */
const widthOf = (label) => 28 + textWidth(label, 13);

/** @param {HTMLElement} element @param {Entry[]} entries */
export function showLegend(element, entries) {
  const items = entries.map(({ label, colour, dash, fill }) => {
    const item = make("span", "lt-legend-item");
    item.style.minWidth = `${widthOf(label)}px`;
    const sample = make("span", colour ? "lt-sample" : "lt-sample lt-sample-point");
    if (colour) {
      sample.style.borderTopColor = colour;
      sample.style.borderTopStyle = dash ? (Number.parseInt(dash, 10) < 4 ? "dotted" : "dashed") : "solid";
    }
    if (fill) sample.style.cssText = `background:${fill};border-color:${fill};border-radius:1.5px`;
    item.append(sample, make("span", "", label));
    return item;
  });
  element.replaceChildren(...(items.length > 1 ? items : []));
}

/** The same as shapes. @param {Entry[]} entries @param {number} width @returns {{height: number, shapes: Shape[]}} */
export function legendShapes(entries, width) {
  if (entries.length < 2) return { height: 0, shapes: [] };
  let [x, y] = [0, 0];
  /** @type {Shape[]} */
  const shapes = [];
  for (const { label, colour, dash, fill } of entries) {
    const wide = widthOf(label);
    if (x > 0 && x + wide > width) [x, y] = [0, y + LINE];
    const sample = { class: "lt-curve", stroke: colour, "stroke-dasharray": dash || null, d: `M${x},${y + 9}h22` };
    const dot = fill
      ? ["rect", { fill, rx: 1.5, width: 8, height: 8, x, y: y + 5 }]
      : ["circle", { class: "lt-point", cx: x + 4, cy: y + 9, r: 4 }];
    shapes.push(colour ? ["path", sample] : /** @type {Shape} */ (dot));
    shapes.push(["text", { class: "lt-word", x: x + 28, y: y + 13 }, label]);
    x += wide + 16;
  }
  return { height: y + LINE - 2, shapes };
}
