import { h } from "../dom.mjs";
import { createToggles, withCell } from "./toggles.mjs";

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
    { class: `al-control al-cells al-${spec.kind}`, role: "group", "aria-labelledby": `${id}-label` },
    h("span", { id: `${id}-label`, class: "al-label" }, spec.label),
    h("div", { class: "al-scroll" }, table),
  );
}

/** @param {number} count @param {string} [word] */
const numbered = (count, word = "") => Array.from({ length: count }, (_, i) => `${word}${i + 1}`);

/**
 * Number fields, for a matrix or for points that no view draws.
 * @param {any} spec
 * @param {{id: string, set: (value: any, more?: {final: boolean}) => void}} context
 */
export function createMatrix(spec, { id, set }) {
  const [rows, columns] = spec.shape;
  const isPoints = spec.kind === "points";
  /** @type {number[][]} */
  let present = spec.value;
  const heads = {
    rows: (isPoints && spec.labels) || numbered(rows),
    columns: isPoints ? ["x", "y"].slice(0, columns) : numbered(columns),
  };
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
        if (final) input.value = plain(present[r][c]);
      };
      /** @type {HTMLInputElement} */
      const input = h("input", {
        type: "number",
        step: "any",
        min: low,
        max: high,
        class: "al-cell",
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

/** @param {number} x */
const plain = (x) => String(Number(x.toPrecision(6)));

/**
 * A grid of toggles for a mask that no view draws.
 * @param {any} spec
 * @param {{id: string, set: (value: any, more?: {final: boolean}) => void}} context
 */
export function createMask(spec, { id, set }) {
  const [rows, columns] = spec.shape;
  /** @type {boolean[][]} */
  let present = spec.value;
  const toggles = createToggles({
    rows: numbered(rows),
    columns: numbered(columns),
    name: (r, c) => `query ${r + 1} may attend to key ${c + 1}`,
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
