// The outputs of the present state as tables, with the sum of each row where the rows are weights of keys.

import { h } from "../shared/dom.mjs";
import { formatNumber, itemName, singular, tableNumber } from "../shared/format.mjs";
import { labelsOf as namesOf } from "../views/sources.mjs";

const MOST_ROWS = 64;
const MOST_COLUMNS = 64;
const MOST_TABLES = 16;

/** @import { Frame, Tensor } from "../views/sources.mjs" */

/**
 * Whether every row is a set of weights: none below 0, and a sum of 1 (or 0: nothing may be attended).
 * @param {ArrayLike<number>} data
 * @param {number} columns
 */
export function rowsAreWeights(data, columns) {
  if (columns < 2 || data.length === 0) return false;
  let ones = 0;
  for (let start = 0; start < data.length; start += columns) {
    let sum = 0;
    for (let i = start; i < start + columns; i += 1) {
      if (!(data[i] >= 0)) return false;
      sum += data[i];
    }
    if (Math.abs(sum - 1) < 1e-3) ones += 1;
    else if (sum !== 0) return false;
  }
  return ones > 0;
}

/**
 * Whether a view shows the numbers of a row as those of keys; other numbers may add up to 1 by chance.
 * @param {{views: any[]}} spec
 * @param {string} name
 */
const overKeys = ({ views }, name) =>
  views.some((view) =>
    [view, ...(view.parts ?? [])].some(
      (each) => each.source?.output === name && (each.axes?.at(-1) ?? each.cols_axis ?? each.axis) === "keys",
    ),
  );

/** @param {string|undefined} dtype @param {number} value */
const write = (dtype, value) => tableNumber(value, 4, dtype, { tiny: true });

/**
 * The labels and titles that the views give to an output's rows, columns and panels.
 * @param {{views: any[], controls: any[]}} spec
 * @param {string} name
 * @param {Frame} frame
 */
function labelsOf(spec, name, frame) {
  const controls = Object.fromEntries(spec.controls.map((control) => [control.name, control]));
  const view = spec.views.find((each) => each.source?.output === name && (each.rows_axis || each.labels)) ?? {};
  const columns = namesOf(view.xticks ?? view.labels ?? null, frame, controls);
  const rows = namesOf(view.yticks ?? null, frame, controls);
  const one = (/** @type {string|undefined} */ axis, /** @type {string} */ otherwise) => (axis ? `${singular(axis)} ` : otherwise);
  const row = one(view.rows_axis ?? view.query_axis, "row ");
  const column = one(view.cols_axis ?? view.axis, "");
  return {
    row: (/** @type {number} */ i) => rows?.[i] ?? `${row}${i + 1}`,
    column: (/** @type {number} */ i) => columns?.[i] ?? `${column}${i + 1}`,
    overKeys: overKeys(spec, name),
    /** As the map calls it, or by its place, counted as Python does. @param {number[]} at */
    panel: (at) =>
      at.length === 1 && view.panels_axis ? (view.titles?.[at[0]] ?? itemName(view.panels_axis, at[0])) : `[${at.join(", ")}]`,
  };
}

/**
 * @param {string} title
 * @param {Tensor} output
 * @param {number} start
 * @param {number} rows
 * @param {number} columns
 * @param {ReturnType<typeof labelsOf>} labels
 * @param {boolean} oneRow
 */
function table(title, output, start, rows, columns, labels, oneRow) {
  const size = rows * columns;
  const data = Array.prototype.slice.call(output.data, start, start + size);
  const sums = labels.overKeys && rowsAreWeights(data, columns);
  const shownRows = Math.min(rows, MOST_ROWS);
  const shownColumns = Math.min(columns, MOST_COLUMNS);
  const head = h("tr", {}, h("td"));
  for (let c = 0; c < shownColumns; c += 1) head.append(h("th", { scope: "col" }, labels.column(c)));
  if (shownColumns < columns) head.append(h("th", { scope: "col" }, "…"));
  if (sums) head.append(h("th", { scope: "col", class: "lt-sum" }, "row sum"));
  const body = h("tbody");
  for (let r = 0; r < shownRows; r += 1) {
    const line = h("tr", {}, h("th", { scope: "row" }, oneRow ? "" : labels.row(r)));
    let sum = 0;
    for (let c = 0; c < columns; c += 1) {
      sum += data[r * columns + c];
      if (c < shownColumns) line.append(h("td", {}, write(output.dtype, data[r * columns + c])));
    }
    if (shownColumns < columns) line.append(h("td", {}, "…"));
    if (sums) line.append(h("td", { class: "lt-sum" }, formatNumber(sum, ".4f")));
    body.append(line);
  }
  if (oneRow) for (const cell of body.querySelectorAll("th")) cell.replaceWith(h("td"));
  const caption = shownRows < rows ? `${title} (the first ${shownRows} of ${rows} rows)` : title;
  return h(
    "div",
    { class: "lt-scroll", tabindex: 0, role: "region", "aria-label": title },
    h("table", { class: "lt-numbers-table" }, h("caption", {}, caption), h("thead", {}, head), body),
  );
}

/**
 * @param {string} name
 * @param {Tensor} output
 * @param {{views: any[], controls: any[], labels?: Record<string, string>}} spec
 * @param {Frame} frame
 * @returns {HTMLElement[]}
 */
export function outputTables(name, output, spec, frame) {
  const { shape, data, dtype } = output;
  const words = spec.labels?.[name] ?? name;
  const labels = labelsOf(spec, name, frame);
  if (shape.length === 0) return [h("p", { class: "lt-single" }, `${words}: `, h("b", {}, write(dtype, data[0])))];
  const what = `${words}, shape (${shape.join(", ")}${shape.length === 1 ? "," : ""})`;
  if (data.length === 0) return [h("p", { class: "lt-single" }, `${what}: no numbers`)];
  const columns = shape[shape.length - 1];
  const rows = shape.length === 1 ? 1 : shape[shape.length - 2];
  const panels = data.length / (rows * columns);
  const tables = [];
  for (let panel = 0; panel < Math.min(panels, MOST_TABLES); panel += 1) {
    const title = panels > 1 ? `${words}, ${labels.panel(indices(shape.slice(0, -2), panel))}` : what;
    tables.push(table(title, output, panel * rows * columns, rows, columns, labels, shape.length === 1));
  }
  if (panels > MOST_TABLES) tables.push(h("p", { class: "lt-note" }, `${panels - MOST_TABLES} more tables of ${words} are left out.`));
  return tables;
}

/**
 * @param {number[]} shape
 * @param {number} flat
 */
function indices(shape, flat) {
  const out = [];
  for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
    out.unshift(flat % shape[axis]);
    flat = Math.floor(flat / shape[axis]);
  }
  return out;
}
