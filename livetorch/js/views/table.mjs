/** Numbers in rows and columns, with the sums of rows where told. */
import { frameView, h, make } from "../shared/dom.mjs";
import { minus, singular, tableNumber, textWidth } from "../shared/format.mjs";
import { signed } from "./ghosts.mjs";
import { padded, sameSource } from "./places.mjs";
import { size } from "./size.mjs";
import { labelsOf, resolve } from "./sources.mjs";

/** @import { Frame, Source, Tensor } from "./sources.mjs" */
/** @import { Context, Marks } from "./index.mjs" */
/** @import { Kind } from "./kind.mjs" */
/** @typedef {import("../shared/scene.mjs").Shape} Shape */

export const part = "table";
export const tells = false; // its numbers are there to be read, and a press asks
export const level = () => /** @type {const} */ ("");

const SIZE = 12.5; // of the letters

/** @type {Kind["sizeOf"]} */
export function sizeOf(spec, frame, controls) {
  const wide = (/** @type {string[]} */ texts) => Math.max(0, ...texts.map((text) => textWidth(text, SIZE)));
  const widths = tablesOf(spec, frame, controls).map(({ cols, rows, corner }) => {
    const first = wide([...rows.map((row) => row.name), corner]);
    const count = rows[0]?.cells.length ?? 0;
    const columns = Array.from({ length: count }, (_, c) => wide([cols?.[c] ?? "", ...rows.map((row) => `${row.cells[c] ?? ""}0`)]) + 18);
    return first + 12 + columns.reduce((sum, width) => sum + width, 0);
  });
  const need = Math.ceil(Math.max(160, ...widths));
  return size(need, need + 12);
}

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

// ---- as a picture

const LINE = 22;
const PAD = 18; // between two columns
const MOST_ROWS = 24;

/** As shapes: on the page it is HTML. @type {Kind["still"]} */
export function still(spec, { frame, controls }, width) {
  let y = 0;
  /** @type {Shape[]} */
  const shapes = [];
  for (const table of tablesOf(spec, frame, controls)) {
    const drawn = oneTable(table, width);
    shapes.push(["g", { transform: `translate(0 ${y})` }, drawn.shapes]);
    y += drawn.height + 10;
  }
  return { width, height: y, shapes, under: 0 };
}

/**
 * One table, as far as it fits: columns and rows that do not are told by "…".
 * @param {Table} table
 * @param {number} width
 * @returns {{height: number, shapes: Shape[]}}
 */
function oneTable({ caption, cols, corner, rows, sums }, width) {
  const head = cols ? [...cols, ...(sums ? ["sum"] : [])] : null;
  const shown = rows.slice(0, MOST_ROWS);
  const first = Math.max(textWidth(corner, SIZE), ...shown.map(({ name }) => textWidth(name, SIZE))) + PAD / 2;
  /** @type {number[]} where each column ends */
  const ends = [];
  for (let c = 0; c < (shown[0]?.cells.length ?? 0); c += 1) {
    const widest = Math.max(textWidth(head?.[c] ?? "", SIZE), ...shown.map(({ cells }) => textWidth(cells[c] ?? "", SIZE)));
    const end = (ends.at(-1) ?? first) + widest + PAD;
    if (end > width && c > 0) break;
    ends.push(end);
  }
  const cut = ends.length < (shown[0]?.cells.length ?? 0);
  const right = ends.at(-1) ?? first;
  /** @type {Shape[]} */
  const shapes = [];
  let y = 0;
  const write = (/** @type {string} */ name, /** @type {string[]} */ words, /** @type {string} */ kind) => {
    shapes.push(["text", { class: kind ? "lt-table-head" : "lt-table-name", x: 0, y: y + 15 }, name]);
    ends.forEach((end, c) =>
      shapes.push(["text", { class: kind || "lt-table-number", x: end - PAD / 2, y: y + 15, "text-anchor": "end" }, words[c] ?? ""]),
    );
    if (cut) shapes.push(["text", { class: "lt-table-head", x: right, y: y + 15 }, "…"]);
    y += LINE;
    shapes.push(["path", { class: "lt-table-line", d: `M0 ${y - 0.5}H${Math.round(right)}` }]);
  };
  if (caption) {
    shapes.push(["text", { class: "lt-title-word", x: 0, y: y + 14 }, caption]);
    y += 20;
  }
  if (head) write(corner, head, "lt-table-head");
  for (const { name, cells } of shown) write(name, cells, "");
  if (shown.length < rows.length) {
    shapes.push(["text", { class: "lt-table-head", x: 0, y: y + 15 }, `… ${rows.length - shown.length} more rows`]);
    y += LINE;
  }
  return { height: y, shapes };
}

// ---- in the page

/** @typedef {{row: number|null, col: number|null, axes: string[], source?: Source, sum?: boolean}} Place what a cell stands for */
/** @typedef {{places: Map<Element, Place>, cursor: HTMLElement|null, box: HTMLElement}} Shown */

/** @param {any} spec @param {Context} context */
export function create(spec, context) {
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
  let places = new Map();
  /** @type {Marks} */
  let marks = {};

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
    const built = tables.map(buildTable);
    texts = built.flatMap((one) => one.texts);
    places = new Map(built.flatMap((one) => [...one.places]));
    walker.forget();
    box.replaceChildren(...built.map(({ node }) => node));
    highlight(marks);
  }

  /** @param {Marks} next */
  function highlight(next) {
    marks = next ?? {};
    for (const [cell, { row, col, axes: own }] of places) {
      const inRow = row !== null && row === marks[own[0]];
      const inCol = col !== null && col === marks[own[1]];
      cell.classList.toggle("lt-marked", inRow || inCol);
      cell.classList.toggle("lt-crossed", inRow && inCol);
    }
  }

  /** @param {Element} target */
  function point(target) {
    const cell = target.closest("td, th");
    const found = cell && places.get(cell);
    /** @type {Marks} */
    const next = Object.fromEntries(spec.parts.flatMap((/** @type {{axes: string[]}} */ one) => one.axes.map((axis) => [axis, null])));
    if (found) Object.assign(next, { [found.axes[0]]: found.row, [found.axes[1]]: found.col });
    highlight({ ...marks, ...next });
    context.highlight(next);
  }

  const walker = walkCells(box, (cell, said) => (point(cell), context.announce(said)));
  // a finger points by a tap: one that moves scrolls the page, or the table
  for (const kind of ["pointerover", "click"])
    box.addEventListener(kind, (/** @type {any} */ { target, pointerType }) => {
      if (kind === "click" || pointerType !== "touch") point(target);
    });
  box.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && point(box));
  return { element, update, highlight, shown: () => ({ places, cursor: walker.cursor(), box }), destroy: () => element.remove() };
}

/** A table with empty cells, their texts in order, and what each of them stands for. @param {Table} table */
function buildTable(table) {
  const node = /** @type {HTMLTableElement} */ (make("table", "lt-grid"));
  /** @type {Map<Element, Place>} */
  const places = new Map();
  /** @type {Text[]} */
  const texts = [];
  /** @type {<T extends Element>(cell: T, row: number|null, col: number|null, more?: Partial<Place>) => T} */
  const place = (cell, row, col, more = {}) => {
    places.set(cell, { row, col, axes: table.axes, ...more });
    return cell;
  };
  if (table.caption) node.append(make("caption", "", table.caption));
  if (table.cols) {
    const above = table.cols.map((name, c) => place(heading("col", name), null, c));
    node
      .createTHead()
      .insertRow()
      .append(make("td", "lt-corner", table.corner), ...above, ...(table.sums ? [heading("col", "sum")] : []));
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
  return { node, places, texts };
}

/** @param {string} scope @param {string} name */
function heading(scope, name) {
  const th = /** @type {HTMLTableCellElement} */ (make("th", "", name));
  th.scope = scope;
  return th;
}

/**
 * Arrow keys walk the cells: to the side, or to the row above or below.
 * @param {HTMLElement} box
 * @param {(cell: Element, said: string) => void} came
 */
function walkCells(box, came) {
  /** @type {any} the cell that they have led to */
  let cursor = null;
  box.addEventListener("keydown", (event) => {
    /** @type {Record<string, number[]|undefined>} */
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    const step = steps[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    const rows = Array.from(box.querySelectorAll("tbody tr"), (tr) => Array.from(tr.querySelectorAll("td")));
    const r = rows.findIndex((cells) => cells.includes(cursor));
    const near = (/** @type {any[]} */ list, /** @type {number} */ i) => list[Math.min(list.length - 1, Math.max(0, i))];
    const cells = near(rows, r < 0 ? 0 : r + step[0]);
    const to = near(cells, r < 0 ? 0 : rows[r].indexOf(cursor) + step[1]);
    event.preventDefault();
    cursor?.classList.remove("lt-here");
    cursor = to;
    to.classList.add("lt-here");
    to.scrollIntoView?.({ block: "nearest", inline: "nearest" });
    const beside = [to.parentElement.querySelector("th"), to.closest("table").tHead?.rows[0].cells[to.cellIndex]];
    const names = beside.map((head) => head?.textContent).filter(Boolean);
    came(to, `${names.join(", ")}: ${to.textContent}`);
  });
  return { cursor: () => /** @type {HTMLElement|null} */ (cursor), forget: () => void (cursor = null) };
}

// ---- its numbers

/** @type {Kind["numberAt"]} */
export function numberAt(_, { places, cursor, box }, pointed) {
  const cell = pointed ? pointed.target.closest("td") : (cursor ?? box.querySelector("tbody td"));
  const { source = null, row = 0, col = 0, sum = false } = (cell && places.get(cell)) || {};
  if (!cell || !source) return null;
  if (!sum) return { source, index: [row ?? 0, col ?? 0] };
  const all = /** @type {Place[]} */ (Array.from(places.values()));
  const others = all.filter((one) => one.source && !one.sum && one.row === row && sameSource(one.source, source));
  return {
    all: others.map((one) => ({ source, index: [one.row ?? 0, one.col ?? 0] })),
    words: `sum of ${cell.parentElement?.querySelector("th")?.textContent}`,
    sum: true,
  };
}

/** @type {Kind["boxesOf"]} */
export function boxesOf(_, { places }, source, index) {
  const [row, col] = padded(index, 2);
  const found = /** @type {[Element, Place][]} */ (Array.from(places)).find(
    ([, one]) => one.source && !one.sum && (one.row ?? 0) === row && (one.col ?? 0) === col && sameSource(one.source, source),
  );
  return found ? [found[0].getBoundingClientRect()] : [];
}

/** @type {Kind["axes"]} */
export function axes(spec, source) {
  const { axes: own } = spec.parts.find((/** @type {any} */ one) => sameSource(one.source, source));
  return [
    [own[0], own[0] === spec.rows_axis ? spec.rows : null],
    [own[1], own[1] === spec.cols_axis ? spec.cols : null],
  ];
}

/** By how much each number differs, in its cell. @type {NonNullable<Kind["ghost"]>} */
export function ghost(spec, view, then, { frame }) {
  /** @type {Map<Element, HTMLElement>} */
  let deltas = new Map();

  /** The number of a cell in a frame, or NaN where it has none there. @param {any} place @param {any} at */
  function numberIn({ row, col, source }, at) {
    const tensor = resolve(source, at);
    if (!tensor) return NaN;
    const [columns = 1, rows = 1] = [...tensor.shape].reverse();
    const [r, c] = [row ?? 0, col ?? 0];
    return r < rows && c < columns ? Number(tensor.data[r * columns + c]) : NaN;
  }

  return {
    update() {
      const now = frame();
      const next = new Map();
      for (const [cell, place] of view.shown().places) {
        if (!place.source || place.sum) continue;
        const by = numberIn(place, now) - numberIn(place, then);
        const mark = deltas.get(cell) ?? cell.appendChild(h("small", { class: "lt-delta" }));
        mark.textContent = Number.isNaN(by) ? "" : signed(by, (x) => tableNumber(x, spec.decimals));
        next.set(cell, mark);
      }
      deltas = next;
    },
    remove() {
      for (const mark of deltas.values()) mark.remove();
    },
  };
}
