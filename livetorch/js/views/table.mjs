/** Numbers in rows and columns, with the sums of rows where told. */
import { tablesOf } from "./table_content.mjs";
import { frameView, make } from "../shared/dom.mjs";

/** @import { Frame, Source } from "./sources.mjs" */
/** @import { Table } from "./table_content.mjs" */
/** @import { Context, Marks } from "./index.mjs" */

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
      const heads = table.cols.map((name, c) => place(heading("col", name), null, c));
      node
        .createTHead()
        .insertRow()
        .append(make("td", "lt-corner", table.corner), ...heads, ...(table.sums ? [heading("col", "sum")] : []));
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
    const heads = [to.parentElement.querySelector("th"), to.closest("table").tHead?.rows[0].cells[to.cellIndex]];
    context.announce(
      `${heads
        .map((head) => head?.textContent)
        .filter(Boolean)
        .join(", ")}: ${to.textContent}`,
    );
  }

  box.addEventListener("keydown", walk);
  // a finger points by a tap: one that moves scrolls the page, or the table
  for (const kind of ["pointerover", "click"])
    box.addEventListener(kind, (/** @type {any} */ { target, pointerType }) => {
      if (kind === "click" || pointerType !== "touch") point(target);
    });
  box.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && point(box));
  return { element, update, highlight, shown: () => ({ places, cursor, box }), destroy: () => element.remove() };
}
