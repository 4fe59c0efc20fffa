/** Numbers in rows and columns, with the sums of rows where told. */
import { labelsOf, resolve } from "./data.mjs";
import { frameView, make } from "./dom.mjs";
import { singular, tableNumber } from "./format.mjs";

/**
 * The tables of a frame as texts. Outputs of rank 1 with the same length, one after another, share a table, and so do single numbers.
 * @returns {{caption: string, cols: string[] | null, rows: {name: string, label: string, cells: string[], index: number | null}[], sums: boolean}[]}
 */
export function tablesOf(spec, frame, controls) {
  const names = { rows: labelsOf(spec.rows, frame, controls), cols: labelsOf(spec.cols, frame, controls) };
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
      tables.push({ caption: part.label, rank, count, axes: part.axes, cols: heads(colNames, count), rows, sums: part.sums });
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
  return tables.map((table) => ({ ...table, rows: table.rows.map((row) => ({ ...row, cells: table.sums ? [...row.cells, row.sum ?? ""] : row.cells })) }));
}

/** @param {import("./data.mjs").Tensor} tensor */
function line({ data, dtype = "float32" }, part, r, count, decimals) {
  const values = Array.from({ length: count }, (_, c) => Number(data[r * count + c]));
  const sum = part.sums ? tableNumber(values.reduce((a, b) => a + b, 0), decimals, dtype === "bool" ? "int64" : dtype) : null;
  return { cells: values.map((v) => tableNumber(v, decimals, dtype)), sum };
}

function heads(labels, count) {
  return Array.from({ length: count }, (_, c) => named(labels, c));
}

/** A name; beyond a typed text a point, as in heatmaps. @param {string[]|null} labels @param {number} i */
function named(labels, i) {
  return labels ? (labels[i] ?? "·") : String(i + 1);
}

/**
 * @param {any} spec
 * @param {any} context
 */
export function createTable(spec, context) {
  const element = frameView("table", spec.title);
  const box = make("div", "al-wide");
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", spec.title ?? `Table of ${spec.parts.map((p) => p.label).join(", ")}`);
  element.append(box);
  let shape = "";
  /** @type {Text[]} the texts of all cells, in order */
  let texts = [];
  /** @type {Map<Element, {row: number | null, col: number | null, axes: string[]}>} what each cell stands for */
  const places = new Map();
  let marks = {};

  function update(frame) {
    const tables = tablesOf(spec, frame, context.controls);
    const key = JSON.stringify(tables.map((t) => [t.caption, t.cols, t.rows.map((r) => [r.name, r.cells.length])]));
    if (key !== shape) build(tables);
    shape = key;
    tables.flatMap((t) => t.rows.flatMap((r) => r.cells)).forEach((text, i) => {
      if (texts[i].data !== text) texts[i].data = text;
    });
  }

  function build(tables) {
    texts = [];
    places.clear();
    box.replaceChildren(...tables.map(buildTable));
    highlight(marks);
  }

  function buildTable(table) {
    const node = /** @type {HTMLTableElement} */ (make("table", "al-grid"));
    const place = (cell, row, col) => {
      places.set(cell, { row, col, axes: table.axes });
      return cell;
    };
    if (table.caption) node.append(make("caption", "", table.caption));
    if (table.cols) {
      const corner = table.rank === 2 ? table.axes.map(singular).join(" \\ ") : "";
      const heads = table.cols.map((name, c) => place(heading("col", name), null, c));
      node.createTHead().insertRow().append(make("td", "al-corner", corner), ...heads, ...(table.sums ? [heading("col", "sum")] : []));
    }
    const body = node.createTBody();
    for (const row of table.rows) {
      const tr = body.insertRow();
      tr.append(place(heading("row", row.name), row.index, null));
      row.cells.forEach((_, c) => {
        const sum = c >= table.count;
        const cell = place(tr.insertCell(), row.index, sum || !table.rank ? null : c);
        if (sum) cell.className = "al-rowsum";
        texts.push(cell.appendChild(document.createTextNode("")));
      });
    }
    return node;
  }

  function heading(scope, name) {
    const th = /** @type {HTMLTableCellElement} */ (make("th", "", name));
    th.scope = scope;
    return th;
  }

  function highlight(next) {
    marks = next ?? {};
    for (const [cell, { row, col, axes }] of places) {
      const inRow = row !== null && row === marks[axes[0]];
      const inCol = col !== null && col === marks[axes[1]];
      cell.classList.toggle("al-marked", inRow || inCol);
      cell.classList.toggle("al-crossed", inRow && inCol);
    }
  }

  function point(event) {
    const found = places.get(event.target.closest?.("td, th"));
    const next = Object.fromEntries(spec.parts.flatMap((part) => part.axes.map((axis) => [axis, null])));
    if (found) Object.assign(next, { [found.axes[0]]: found.row, [found.axes[1]]: found.col });
    highlight({ ...marks, ...next });
    context.highlight(next);
  }
  box.addEventListener("pointerover", point);
  box.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && point({ target: box }));
  return { element, update, highlight, destroy: () => element.remove() };
}
