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

/** Number fields between the bounds that each column has. @param {(control: Control, column: number) => number[]} bounds @returns {Kind} */
const numberTable = (bounds) => ({
  ...inTables,
  valid: (control, value) =>
    validTable(control, value, (x, column) => {
      const [low, high] = bounds(control, column);
      return isNumber(x) ? clamp(x, low, high) : undefined;
    }),
  fromOutput: (control, { data }) => rowsOf(Array.from(data, Number), control.shape),
  toLink: (_, value) => (value.flat().length > LONGEST_TABLE ? null : value.flat().map(short).join("_")),
  fromLink(control, text) {
    return this.valid(control, rowsOf(text.split("_").map(parsed), control.shape));
  },
  element: createMatrix,
});

export const points = numberTable((control, column) => control.domain[column]);
export const matrix = numberTable(({ min, max }) => [min ?? -Infinity, max ?? Infinity]);

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
    rows: (isPoints && spec.labels) || numbered(rows),
    columns: isPoints ? ["x", "y"].slice(0, columns) : numbered(columns),
  };
  const note = h("span", { class: "lt-note", role: "status" });
  /** @type {HTMLInputElement[][]} */
  const inputs = Array.from({ length: rows }, () => []);
  const element = table(
    spec,
    id,
    (r, c) => {
      const [low, high] = isPoints ? spec.domain[c] : [spec.min, spec.max];
      const change = (/** @type {boolean} */ final) => () => {
        const number = input.valueAsNumber;
        if (Number.isFinite(number)) {
          set(withCell(present, r, c, number), { final });
        }
        if (!final) return;
        writeText(note, beyond(number, low, high));
        input.value = plain(present[r][c]);
      };
      /** @type {HTMLInputElement} */
      const input = h("input", {
        type: "number",
        step: "any",
        min: low,
        max: high,
        class: "lt-cell",
        "aria-label": isPoints ? `${heads.rows[r]}, ${heads.columns[c]}` : `row ${r + 1}, column ${c + 1}`,
        oninput: change(false),
        onchange: change(true),
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          const sign = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
          if (!sign) return;
          event.preventDefault();
          input.value = plain((input.valueAsNumber || 0) + sign * (spec.step ?? 0.1));
          change(false)();
        },
      });
      inputs[r][c] = input;
      return input;
    },
    heads,
  );
  element.append(note);
  return {
    element,
    /** @param {number[][]} value */
    update(value) {
      present = value;
      value.forEach((row, r) =>
        row.forEach((x, c) => {
          // A field that is being typed in is left alone: "1." must not become "1".
          if (inputs[r][c].valueAsNumber !== x && (document.activeElement !== inputs[r][c] || inputs[r][c].value !== "")) {
            inputs[r][c].value = plain(x);
          }
        }),
      );
    },
  };
}

/**
 * What is said when a number was typed that the field cannot hold.
 * @param {number} given @param {number|null} low @param {number|null} high
 */
function beyond(given, low, high) {
  const end = low !== null && given < low ? low : high !== null && given > high ? high : null;
  return end === null ? "" : minus(`${plain(given)} is ${given < end ? "below" : "above"} ${plain(end)}, so it became ${plain(end)}.`);
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
  const toggles = createToggles({
    rows: numbered(rows),
    columns: numbered(columns),
    name: (r, c) => (spec.axes ? `${spec.axes[0]} ${r + 1}, ${spec.axes[1]} ${c + 1}` : `query ${r + 1} may attend to key ${c + 1}`),
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
