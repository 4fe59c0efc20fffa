import { h, writeText } from "../shared/dom.mjs";
import { minus } from "../shared/format.mjs";
import { alike, clamp, isNumber, LONGEST_TABLE, parsed, short, tensor } from "./base.mjs";
import { createToggles, withCell } from "./toggles.mjs";

/** @typedef {import("./base.mjs").Control} Control */
/** @typedef {import("./base.mjs").Kind} Kind */

/**
 * Rows and columns as the control has them, each cell made clean; undefined when they are not such a table.
 * @param {Control} control
 * @param {any} value
 * @param {(cell: any, column: number) => any} clean undefined: not a cell
 */
function validTable({ shape: [rows, columns] }, value, clean) {
  if (!Array.isArray(value) || value.length !== rows) return undefined;
  if (!value.every((row) => Array.isArray(row) && row.length === columns)) return undefined;
  const cells = value.map((row) => row.map(clean));
  return cells.flat().includes(undefined) ? undefined : cells;
}

/**
 * @param {ArrayLike<any>} cells
 * @param {number[]} shape
 */
function rowsOf(cells, [rows, columns]) {
  if (cells.length !== rows * columns) return undefined;
  return Array.from({ length: rows }, (_, r) => Array.from({ length: columns }, (_, c) => cells[r * columns + c]));
}

const inTables = {
  ...alike,
  inputs: (/** @type {Control} */ control, /** @type {any[][]} */ value) => {
    const shape = control.flat ? [control.shape[0]] : control.shape;
    return { [control.name]: tensor(shape, control.dtype, value.flat().map(Number)) };
  },
};

const MOST = 1e9; // of numbers without bounds: products of larger ones are soon no numbers any more

/** The least and the largest number of a column. @param {Control} control @param {number} column */
const boundsOf = ({ domain, min, max }, column) => domain?.[column] ?? [min ?? -MOST, max ?? MOST];

/** Number fields. @type {Kind} */
export const matrix = {
  ...inTables,
  valid: (control, value) =>
    validTable(control, value, (x, column) => {
      const [low, high] = boundsOf(control, column);
      return isNumber(x) ? clamp(x, low, high) : undefined;
    }),
  fromOutput: (control, { data }) => rowsOf(Array.from(data, Number), control.shape),
  toLink: (_, value) => (value.flat().length > LONGEST_TABLE ? null : value.flat().map(short).join("_")),
  fromLink: (control, text) => matrix.valid(control, rowsOf(text.split("_").map(parsed), control.shape)),
  element: createMatrix,
};
export const points = matrix;

/** @type {Kind} */
export const mask = {
  ...inTables,
  valid: (control, value) => validTable(control, value, Boolean),
  fromOutput: (control, { data }) => rowsOf(Array.from(data, Boolean), control.shape),
  toLink: (_, value) => (value.flat().length > LONGEST_TABLE ? null : value.flat().map(Number).join("")),
  fromLink: (control, text) =>
    /^[01]+$/.test(text)
      ? mask.valid(
          control,
          rowsOf(
            Array.from(text, (bit) => bit === "1"),
            control.shape,
          ),
        )
      : undefined,
  element: createMask,
};

/**
 * @param {any} spec
 * @param {string} id
 * @param {(row: number, column: number) => HTMLElement} cell
 * @param {{rows: string[], columns: string[]}} heads
 */
function table(spec, id, cell, heads) {
  const [rows, columns] = spec.shape;
  const head = h("tr", {}, h("td"));
  for (let c = 0; c < columns; c += 1) head.append(h("th", { scope: "col" }, heads.columns[c]));
  const body = h("tbody");
  for (let r = 0; r < rows; r += 1) {
    const line = h("tr", {}, h("th", { scope: "row" }, heads.rows[r]));
    for (let c = 0; c < columns; c += 1) line.append(h("td", {}, cell(r, c)));
    body.append(line);
  }
  return group(spec, id, h("table", {}, h("thead", {}, head), body));
}

/**
 * A table under the control's label.
 * @param {any} spec
 * @param {string} id
 * @param {HTMLElement} table
 */
function group(spec, id, table) {
  return h(
    "div",
    { class: `lt-control lt-cells lt-${spec.kind}`, role: "group", "aria-labelledby": `${id}-label` },
    h("span", { id: `${id}-label`, class: "lt-label" }, spec.label),
    h("div", { class: "lt-scroll" }, table),
  );
}

/** @param {number} count @param {string} [word] */
const numbered = (count, word = "") => Array.from({ length: count }, (_, i) => `${word}${i + 1}`);

/**
 * Number fields, for a matrix or for points that no view draws.
 * @param {any} spec
 * @param {import("./base.mjs").Context} context
 */
function createMatrix(spec, { id, set }) {
  const [rows, columns] = spec.shape;
  const isPoints = spec.kind === "points";
  /** @type {number[][]} */
  let present = spec.value;
  const heads = {
    rows: spec.labels ?? (rows > 1 || isPoints ? numbered(rows) : [""]), // one row needs no number
    columns: isPoints ? ["x", "y"].slice(0, columns) : (spec.columns ?? numbered(columns)),
  };
  const said = (/** @type {number} */ r, /** @type {number} */ c) =>
    isPoints || spec.labels || spec.columns
      ? [heads.rows[r] || (rows > 1 && `row ${r + 1}`), heads.columns[c]].filter(Boolean).join(", ")
      : `row ${r + 1}, column ${c + 1}`;
  const note = h("span", { class: "lt-note", role: "status" });
  /** @type {HTMLInputElement[][]} */
  const inputs = Array.from({ length: rows }, () => []);
  const cell = (/** @type {number} */ r, /** @type {number} */ c) => {
    const [low, high] = boundsOf(spec, c);
    const change = (/** @type {boolean} */ final) => () => {
      const number = input.valueAsNumber;
      if (Number.isFinite(number)) set(withCell(present, r, c, number), { final });
      if (!final) return;
      writeText(note, beyond(number, low, high, present[r][c]));
      input.value = plain(present[r][c]);
    };
    const input = numberField(said(r, c), { low, high, step: spec.step ?? 0.1, change });
    inputs[r][c] = input;
    return input;
  };
  const element = table(spec, id, cell, heads);
  element.append(note);
  return {
    element,
    /** @param {number[][]} value */
    update(value) {
      present = value;
      value.forEach((row, r) =>
        row.forEach((x, c) => {
          // A field that is being typed in is left alone: "1." must not become "1", nor "2", on the way to 25, its least 10.
          const input = inputs[r][c];
          const [low, high] = boundsOf(spec, c);
          const typed = document.activeElement === input && (input.value === "" || clamp(input.valueAsNumber, low, high) === x);
          if (!typed && input.valueAsNumber !== x) input.value = plain(x);
        }),
      );
    },
  };
}

/**
 * A field for one number; the arrow keys add a step.
 * @param {string} name
 * @param {{low: number, high: number, step: number, change: (final: boolean) => () => void}} how
 * @returns {HTMLInputElement}
 */
function numberField(name, { low, high, step, change }) {
  const input = h("input", {
    type: "number",
    step: "any",
    min: low,
    max: high,
    class: "lt-cell",
    "aria-label": name,
    oninput: change(false),
    onchange: change(true),
    // a comma is a decimal point, also where the browser's language has it for thousands and would swallow it
    onbeforeinput: (/** @type {InputEvent} */ event) => {
      if (!event.data?.includes(",")) return;
      event.preventDefault();
      document.execCommand("insertText", false, event.data.replaceAll(",", "."));
    },
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const sign = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
      if (!sign) return;
      event.preventDefault();
      input.value = plain(clamp((input.valueAsNumber || 0) + sign * step, low, high));
      change(false)();
    },
  });
  return input;
}

/**
 * What is said when something was typed that the field cannot hold.
 * @param {number} given @param {number} low @param {number} high @param {number} present
 */
function beyond(given, low, high, present) {
  if (Number.isNaN(given)) return minus(`That was no number, so it is ${plain(present)} again.`);
  const end = clamp(given, low, high);
  return end === given ? "" : minus(`${plain(given)} is ${given < end ? "below" : "above"} ${plain(end)}, so it became ${plain(end)}.`);
}

/** @param {number} x */
const plain = (x) => String(Number(x.toPrecision(6)));

/**
 * A grid of toggles for a mask that no view draws.
 * @param {any} spec
 * @param {import("./base.mjs").Context} context
 */
function createMask(spec, { id, set }) {
  const [rows, columns] = spec.shape;
  /** @type {boolean[][]} */
  let present = spec.value;
  const [rowNames, columnNames] = [rows, columns].map((count, i) => numbered(count, spec.axes && `${spec.axes[i]} `));
  const toggles = createToggles({
    rows: rowNames,
    columns: columnNames,
    name: (r, c) => (spec.axes ? `${rowNames[r]}, ${columnNames[c]}` : `query ${r + 1} may attend to key ${c + 1}`),
    put: (r, c, on, final) => set(withCell(present, r, c, on), { final }),
  });
  return {
    element: group(spec, id, toggles.element),
    /** @param {boolean[][]} value */
    update(value) {
      present = value;
      toggles.show(value);
    },
  };
}
