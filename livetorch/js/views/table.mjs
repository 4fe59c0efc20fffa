/** Numbers in rows and columns, with the sums of rows where told. */
import { labelsOf, resolve } from "./sources.mjs";
import { frameView, make } from "../shared/dom.mjs";
import { singular, tableNumber } from "../shared/format.mjs";

/** @import { Frame, Source, Tensor } from "./sources.mjs" */
/** @import { Context, Marks } from "./index.mjs" */

/**
 * The tables of a frame as texts. Outputs of rank 1 with the same length, one after another, share a table, and so do single numbers.
 * @typedef {{name: string, index: number|null, cells: string[], sum: string|null, source: Source}} Row
 * @typedef {{caption: string, rank: number, count: number, axes: string[], cols: string[]|null, rows: Row[], sums: boolean}} Table
 *
 * @param {any} spec @param {Frame} frame @param {Record<string, any>} controls @returns {Table[]}
 */
export function tablesOf(spec, frame, controls) {
  /** @type {Record<string, string[]|null>} */
  const names = { rows: labelsOf(spec.rows, frame, controls), cols: labelsOf(spec.cols, frame, controls) };
  /** @type {Table[]} */
  const tables = [];
  for (const part of spec.parts) {
    const tensor = resolve(part.source, frame);
    if (!tensor) continue;
    const rank = tensor.shape.length;
    const count = tensor.shape.at(-1) ?? 1;
    const [rowNames, colNames] = ["rows", "cols"].map((side, i) => (part.axes[i] === spec[`${side}_axis`] ? names[side] : null));
    const lines = Array.from({ length: tensor.data.length / (count || 1) }, (_, r) => line(tensor, part, r, count, spec.decimals));
    if (rank === 2) {
      const rows = lines.map((one, r) => ({ ...one, name: named(rowNames, r), index: r }));
      tables.push({
        caption: spec.title && spec.parts.length === 1 ? "" : part.label,
        rank,
        count,
        axes: part.axes,
        cols: heads(colNames, count),
        rows,
        sums: part.sums,
      });
      continue;
    }
    const last = tables.at(-1);
    const row = { ...lines[0], name: part.label, index: null };
    if (last && last.rank === rank && last.count === count && last.axes[1] === part.axes[1]) {
      last.rows.push(row);
      last.sums ||= part.sums;
    } else {
      tables.push({ caption: "", rank, count, axes: part.axes, cols: rank ? heads(colNames, count) : null, rows: [row], sums: part.sums });
    }
  }
  return tables.map((table) => ({
    ...table,
    rows: table.rows.map((row) => ({ ...row, cells: table.sums ? [...row.cells, row.sum ?? ""] : row.cells })),
  }));
}

/** @param {Tensor} tensor @param {any} part @param {number} r @param {number} count @param {number} decimals */
function line({ data, dtype = "float32" }, part, r, count, decimals) {
  const values = Array.from({ length: count }, (_, c) => Number(data[r * count + c]));
  const sum = part.sums
    ? tableNumber(
        values.reduce((a, b) => a + b, 0),
        decimals,
        dtype === "bool" ? "int64" : dtype,
      )
    : null;
  return { cells: values.map((v) => tableNumber(v, decimals, dtype)), sum, source: part.source };
}

/** @param {string[]|null} labels @param {number} count */
function heads(labels, count) {
  return Array.from({ length: count }, (_, c) => named(labels, c));
}

/** A name; beyond a typed text a point, as in heatmaps. @param {string[]|null} labels @param {number} i */
function named(labels, i) {
  return labels ? (labels[i] ?? "·") : String(i + 1);
}

/** @typedef {{row: number|null, col: number|null, axes: string[], source?: Source, sum?: boolean}} Place what a cell stands for */
/** @typedef {{places: Map<Element, Place>, cursor: HTMLElement|null, box: HTMLElement}} Shown */

/**
 * @param {any} spec
 * @param {Context} context
 */
export function createTable(spec, context) {
  const element = frameView("table", spec.title);
  const box = make("div", "lt-wide");
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", spec.title ?? `Table of ${spec.parts.map((/** @type {any} */ p) => p.label).join(", ")}`);
  element.append(box);
  let shape = "";
  /** @type {Text[]} the texts of all cells, in order */
  let texts = [];
  /** @type {Map<Element, Place>} */
  const places = new Map();
  /** @type {Marks} */
  let marks = {};
  /** @type {HTMLElement | null} the cell that the arrow keys have led to */
  let cursor = null;

  /** @param {Frame} frame */
  function update(frame) {
    const tables = tablesOf(spec, frame, context.controls);
    const key = JSON.stringify(tables.map((t) => [t.caption, t.cols, t.rows.map((r) => [r.name, r.cells.length])]));
    if (key !== shape) build(tables);
    shape = key;
    tables
      .flatMap((t) => t.rows.flatMap((r) => r.cells))
      .forEach((text, i) => {
        if (texts[i].data !== text) texts[i].data = text;
      });
  }

  /** @param {Table[]} tables */
  function build(tables) {
    texts = [];
    places.clear();
    cursor = null;
    box.replaceChildren(...tables.map(buildTable));
    highlight(marks);
  }

  /** @param {Table} table */
  function buildTable(table) {
    const node = /** @type {HTMLTableElement} */ (make("table", "lt-grid"));
    /** @type {<T extends Element>(cell: T, row: number|null, col: number|null, more?: Partial<Place>) => T} */
    const place = (cell, row, col, more = {}) => {
      places.set(cell, { row, col, axes: table.axes, ...more });
      return cell;
    };
    if (table.caption) node.append(make("caption", "", table.caption));
    if (table.cols) {
      const corner = table.rank === 2 ? table.axes.map(singular).join(" \\ ") : "";
      const heads = table.cols.map((name, c) => place(heading("col", name), null, c));
      node
        .createTHead()
        .insertRow()
        .append(make("td", "lt-corner", corner), ...heads, ...(table.sums ? [heading("col", "sum")] : []));
    }
    const body = node.createTBody();
    for (const row of table.rows) {
      const tr = body.insertRow();
      tr.append(place(heading("row", row.name), row.index, null));
      row.cells.forEach((_, c) => {
        const sum = c >= table.count;
        const cell = place(tr.insertCell(), row.index, sum || !table.rank ? null : c, { source: row.source, sum });
        if (sum) cell.className = "lt-rowsum";
        texts.push(cell.appendChild(document.createTextNode("")));
      });
    }
    return node;
  }

  /** @param {string} scope @param {string} name */
  function heading(scope, name) {
    const th = /** @type {HTMLTableCellElement} */ (make("th", "", name));
    th.scope = scope;
    return th;
  }

  /** @param {Marks} next */
  function highlight(next) {
    marks = next ?? {};
    for (const [cell, { row, col, axes }] of places) {
      const inRow = row !== null && row === marks[axes[0]];
      const inCol = col !== null && col === marks[axes[1]];
      cell.classList.toggle("lt-marked", inRow || inCol);
      cell.classList.toggle("lt-crossed", inRow && inCol);
    }
  }

  /** @param {Element} target */
  function point(target) {
    const cell = target.closest("td, th");
    const found = cell && places.get(cell);
    /** @type {Marks} */
    const next = Object.fromEntries(spec.parts.flatMap((/** @type {{axes: string[]}} */ part) => part.axes.map((axis) => [axis, null])));
    if (found) Object.assign(next, { [found.axes[0]]: found.row, [found.axes[1]]: found.col });
    highlight({ ...marks, ...next });
    context.highlight(next);
  }
  /** Walk the cells: to the side, or to the row above or below. @param {KeyboardEvent} event */
  function walk(event) {
    /** @type {Record<string, number[]|undefined>} */
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    const step = steps[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    const rows = Array.from(box.querySelectorAll("tbody tr"), (tr) => Array.from(tr.querySelectorAll("td")));
    const r = rows.findIndex((cells) => cells.includes(/** @type {any} */ (cursor)));
    const near = (/** @type {any[]} */ list, /** @type {number} */ i) => list[Math.min(list.length - 1, Math.max(0, i))];
    const cells = near(rows, r < 0 ? 0 : r + step[0]);
    const to = near(cells, r < 0 ? 0 : rows[r].indexOf(/** @type {any} */ (cursor)) + step[1]);
    event.preventDefault();
    cursor?.classList.remove("lt-here");
    cursor = to;
    to.classList.add("lt-here");
    to.scrollIntoView?.({ block: "nearest", inline: "nearest" });
    point(to);
    context.announce(`${to.parentElement.querySelector("th").textContent}: ${to.textContent}`);
  }

  box.addEventListener("keydown", walk);
  box.addEventListener("pointerover", (event) => point(/** @type {Element} */ (event.target)));
  box.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && point(box));
  return { element, update, highlight, shown: () => ({ places, cursor, box }), destroy: () => element.remove() };
}
