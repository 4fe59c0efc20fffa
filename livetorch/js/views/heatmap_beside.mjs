/** What stands beside a map: the scale below it; and as a screen reader hears it a table, each row by its name and then its numbers. */
import { rampStops } from "../shared/colour.mjs";
import { h, make, writeText } from "../shared/dom.mjs";
import { itemName, singular } from "../shared/format.mjs";
import { colourOf, OWN, scaleEnd, wordAt } from "./heatmap_picture.mjs";

/** @import { Theme } from "../shared/colour.mjs" */
/** @import { Names } from "./heatmap.mjs" */
/** @import { Content } from "./heatmap_picture.mjs" */

const MOST = 600; // cells that anyone listens to; "Numbers" has the others
const CALM = 300; // milliseconds without a change
const SEEN = 1500; // milliseconds in which a scale that has changed is seen to

/** The lines of the table, the head first. @param {any} spec @param {Names} names @param {Content} content */
function linesOf(spec, names, content) {
  const { panels, rows, cols, titles, xLabels, yLabels } = content;
  const columns = Array.from({ length: cols }, (_, c) => itemName(names.cols, c, xLabels));
  const line = (/** @type {number} */ panel, /** @type {number} */ r) => [
    [titles[panel], itemName(names.rows, r, yLabels)].filter(Boolean).join(", "),
    ...columns.map((_, c) => wordAt(spec, content, panel, r * cols + c)),
  ];
  return [[singular(names.rows), ...columns], ...Array.from({ length: panels * rows }, (_, i) => line(Math.floor(i / rows), i % rows))];
}

/** @param {any} spec @param {Names} names @param {string} what it shows */
export function heardTable(spec, names, what) {
  const element = h("div", { class: "lt-spoken" });
  const asks = `${what}: for each ${singular(names.rows)}, which ${singular(names.cols)} has what ${spec.measure ?? "number"}?`;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  let drawn = "";
  /** @param {Content} content */
  function write(content) {
    const few = content.panels * content.rows * content.cols <= MOST;
    const lines = few ? linesOf(spec, names, content) : [];
    const size = `${lines.length} ${content.cols}`;
    if (size !== drawn) {
      const cell = (/** @type {number} */ r, /** @type {number} */ c) => (r && c ? h("td") : h("th", { scope: r ? "row" : "col" }));
      const body = lines.map((line, r) => h("tr", {}, ...line.map((_, c) => cell(r, c))));
      element.replaceChildren(...(few ? [h("table", {}, h("caption", {}, asks), ...body)] : []));
    }
    drawn = size;
    const cells = element.querySelectorAll("th, td");
    lines.flat().forEach((text, i) => writeText(cells[i], text)); // in place: a reader may stand in it
  }
  return {
    element,
    /** @param {Content} content */
    follow(content) {
      clearTimeout(timer);
      timer = setTimeout(write, CALM, content);
    },
  };
}

/** The line under the cells: the scale and what the marked cell holds. @param {any} spec */
export function makeScale(spec) {
  const bar = make("div", "lt-view-foot");
  const name = make("span", "lt-scale-name", spec.measure ?? "");
  const low = make("span", "lt-scale-end");
  const ramp = make("span", "lt-ramp");
  const high = make("span", "lt-scale-end");
  const swatch = make("span", "lt-swatch");
  const masked = make("span", "lt-scale-end");
  const readout = make("span", "lt-readout");
  const own = make("span", "lt-scale-own", OWN);
  const scale = make("span", "lt-scale");
  const part = (/** @type {Element[]} */ ...inside) => {
    const span = make("span", "lt-scale-part"); // what does not break
    span.append(...inside);
    return span;
  };
  const range = part(low, ramp, high);
  const few = make("span", "lt-levels");
  scale.append(name, range, few, own, part(swatch, masked));
  bar.append(scale, readout);
  let key = "";
  let ends = ""; // of the scale, where weights are so small that it is the map's own
  let since = -Infinity; // when they changed
  /** A scale that changes says so until the next change of the numbers. @param {number[]} limits @param {boolean} isOwn */
  const sayOwn = (limits, isOwn) => {
    const now = `${limits} ${isOwn}`;
    if (ends && now !== ends && (isOwn || ends.endsWith("true"))) since = performance.now();
    ends = now;
    const fresh = performance.now() - since < SEEN;
    own.classList.toggle("lt-scale-new", fresh);
    writeText(own, fresh ? "(new scale)" : OWN);
    own.hidden = !isOwn && !fresh;
  };
  /** @param {number[]} limits @param {Theme} theme @param {string} hatched what hatching means; "" without a mask @param {boolean} isOwn @param {[number, string][]|null} levels */
  const legend = (limits, theme, hatched, isOwn, levels) => {
    sayOwn(limits, isOwn);
    const now = `${limits} ${theme} ${hatched} ${levels}`;
    if (now === key) return;
    key = now;
    ramp.style.background = `linear-gradient(to right, ${rampStops(spec.scale, theme).join(",")})`;
    writeText(low, scaleEnd(limits[0]));
    writeText(high, scaleEnd(limits[1]));
    masked.textContent = hatched;
    swatch.hidden = masked.hidden = !hatched;
    range.hidden = levels !== null;
    name.hidden = range.hidden || !spec.measure;
    few.hidden = !levels;
    few.replaceChildren(
      ...(levels ?? []).map(([value, words]) => {
        const one = make("i", "lt-swatch");
        one.style.background = colourOf(spec.scale, theme, value, limits);
        return part(one, make("span", "lt-scale-end", words));
      }),
    );
  };
  return { bar, readout, legend };
}
