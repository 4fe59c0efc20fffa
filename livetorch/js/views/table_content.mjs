/** What a table shows of a frame: texts in rows and columns. Pure functions. */
import { labelsOf, resolve } from "./sources.mjs";
import { minus, singular, tableNumber } from "../shared/format.mjs";

/** @import { Frame, Source, Tensor } from "./sources.mjs" */

/**
 * The tables of a frame as texts. Outputs of rank 1 with the same length, one after another, share a table, and so do single numbers.
 * What the corner of one says is needed only where rows or columns have but numbers.
 * @typedef {{name: string, index: number|null, cells: string[], sum: string|null, source: Source}} Row
 * @typedef {{caption: string, rank: number, count: number, axes: string[], corner: string, cols: string[]|null, rows: Row[], sums: boolean}} Table
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
        corner: rowNames && colNames ? "" : part.axes.map(singular).join(" ↓ ").concat(" →"),
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
      tables.push({
        caption: "",
        rank,
        count,
        axes: part.axes,
        corner: "",
        cols: rank ? heads(colNames, count) : null,
        rows: [row],
        sums: part.sums,
      });
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
  const write = (/** @type {number} */ v, kind = dtype) => minus(tableNumber(v, decimals, kind));
  const total = values.reduce((a, b) => a + b, 0);
  const sum = part.sums ? write(total, dtype === "bool" ? "int64" : dtype) : null;
  return { cells: values.map((v) => write(v)), sum, source: part.source };
}

/** @param {string[]|null} labels @param {number} count */
function heads(labels, count) {
  return Array.from({ length: count }, (_, c) => named(labels, c));
}

/** A name; beyond a typed text a point, as in heatmaps. @param {string[]|null} labels @param {number} i */
function named(labels, i) {
  return labels ? (labels[i] ?? "·") : String(i + 1);
}
