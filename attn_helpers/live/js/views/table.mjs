/** Numbers in rows and columns, with the sums of rows where told. */
import { labelsOf, resolve } from "./data.mjs";
import { frameView, make } from "./dom.mjs";
import { itemName, singular, tableNumber } from "./format.mjs";

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
    const lines = Array.from({ length: tensor.data.length / (count || 1) }, (_, r) => line(tensor, part, r, count, spec.decimals));
    if (rank === 2) {
      const rows = lines.map((one, r) => ({ ...one, name: names.rows?.[r] ?? String(r + 1), index: r }));
      tables.push({ caption: part.label, rank, count, cols: heads(names.cols, count), rows, sums: part.sums });
      continue;
    }
    const last = tables.at(-1);
    const row = { ...lines[0], name: part.label, index: null };
    if (last && last.rank === rank && last.count === count) {
      last.rows.push(row);
      last.sums ||= part.sums;
    } else {
      tables.push({ caption: "", rank, count, cols: rank ? heads(names.cols, count) : null, rows: [row], sums: part.sums });
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
  return Array.from({ length: count }, (_, c) => labels?.[c] ?? String(c + 1));
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
  let cells = [];
  let marks = {};

  function update(frame) {
    const tables = tablesOf(spec, frame, context.controls);
    const key = JSON.stringify(tables.map((t) => [t.caption, t.cols, t.rows.map((r) => [r.name, r.cells.length])]));
    if (key !== shape) build(tables);
    shape = key;
    const texts = tables.flatMap((t) => t.rows.flatMap((r) => r.cells));
    texts.forEach((text, i) => {
      if (cells[i].data !== text) cells[i].data = text;
    });
  }

  function build(tables) {
    cells = [];
    box.replaceChildren(...tables.map(buildTable));
    highlight(marks);
  }

  function buildTable(table) {
    const node = /** @type {HTMLTableElement} */ (make("table", "al-grid"));
    if (table.caption) node.append(make("caption", "", table.caption));
    if (table.cols) {
      const head = node.createTHead().insertRow();
      const corner = head.appendChild(make("td", "al-corner", ""));
      if (table.rank === 2) corner.textContent = `${singular(spec.rows_axis)} \\ ${singular(spec.cols_axis)}`;
      [...table.cols, ...(table.sums ? ["sum"] : [])].forEach((name, c) => head.append(heading("col", name, c < table.count ? c : null)));
    }
    const body = node.createTBody();
    for (const row of table.rows) {
      const tr = body.insertRow();
      tr.append(heading("row", row.name, row.index));
      row.cells.forEach((_, c) => {
        const cell = mark(tr.insertCell(), row.index, c < table.count && table.rank ? c : null, c >= table.count);
        cells.push(cell.appendChild(document.createTextNode("")));
      });
    }
    return node;
  }

  function heading(scope, name, index) {
    const th = /** @type {HTMLTableCellElement} */ (make("th", "", name));
    th.scope = scope;
    if (index === null) return th;
    const axis = scope === "col" ? spec.cols_axis : spec.rows_axis;
    if (name !== String(index + 1)) th.title = itemName(axis, index);
    return mark(th, scope === "row" ? index : null, scope === "col" ? index : null, false);
  }

  function mark(cell, row, col, sum) {
    if (row !== null) cell.dataset.row = row;
    if (col !== null) cell.dataset.col = col;
    if (sum) cell.className = "al-rowsum";
    return cell;
  }

  function highlight(next) {
    marks = next ?? {};
    const [row, col] = [marks[spec.rows_axis] ?? null, marks[spec.cols_axis] ?? null];
    for (const cell of /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll("td, th"))) {
      const { row: r, col: c } = cell.dataset;
      const inRow = row !== null && r === String(row);
      const inCol = col !== null && c === String(col);
      cell.classList.toggle("al-marked", inRow || inCol);
      cell.classList.toggle("al-crossed", inRow && inCol && cell.tagName === "TD");
    }
  }

  function point(event) {
    const cell = event.target.closest?.("td, th");
    const index = (text) => (text === undefined ? null : Number(text));
    const next = { [spec.rows_axis]: index(cell?.dataset.row), [spec.cols_axis]: index(cell?.dataset.col) };
    highlight({ ...marks, ...next });
    context.highlight(next);
  }
  box.addEventListener("pointerover", point);
  box.addEventListener("pointerleave", () => point({ target: box }));
  return { element, update, highlight, destroy: () => element.remove() };
}
