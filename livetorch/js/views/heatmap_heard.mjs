/** A map as a screen reader hears it: a table, what its rows ask first, each row by its name and then its numbers. */
import { h, writeText } from "../shared/dom.mjs";
import { cellWord, itemName, singular } from "../shared/format.mjs";
import { hatchedWord } from "./heatmap_picture.mjs";

/** @import { Names } from "./heatmap.mjs" */
/** @import { Content } from "./heatmap_picture.mjs" */

const MOST = 600; // cells that anyone listens to; "Numbers" has the others
const CALM = 300; // milliseconds without a change

/** What a cell holds, in words. @param {any} spec @param {Content} content @param {number} panel @param {number} i */
export const wordAt = (spec, { rows, cols, data, any, hidden, levels }, panel, i) =>
  cellWord(Number(data[panel * rows * cols + i]), any && hidden(panel, i) ? hatchedWord(spec) : "", levels);

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
