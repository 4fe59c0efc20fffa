// A table of on/off cells: the arrow keys walk in it, Enter or Space switches a cell, a drag paints a stretch of them.

import { h, sideways } from "../shared/dom.mjs";

const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * @param {object} what
 * @param {string[]} what.rows labels
 * @param {string[]} what.columns labels
 * @param {(row: number, column: number) => string} what.name what a screen reader says of a cell
 * @param {(row: number, column: number, on: boolean, final: boolean) => void} what.put called for each cell that a
 *   hand changes; `final` is false while it drags
 */
export function createToggles({ rows, columns, name, put }) {
  const isOn = (/** @type {Element} */ button) => button.getAttribute("aria-pressed") === "true";
  /** @type {{button: any, on: boolean, dragged: boolean, from: PointerEvent}|null} what a held-down hand does */
  let brush = null;
  /** @type {Map<Element, number[]>} */
  const places = new Map();
  const buttons = rows.map((_, r) => columns.map((_, c) => cell(r, c)));

  /** @param {Element} button @param {boolean} on @param {boolean} final */
  function paint(button, on, final) {
    const [r, c] = /** @type {number[]} */ (places.get(button));
    put(r, c, on, final);
  }

  /** @param {number} r @param {number} c */
  function cell(r, c) {
    const button = h("button", {
      type: "button",
      class: "lt-toggle",
      tabindex: r + c === 0 ? 0 : -1,
      "aria-label": name(r, c),
      "aria-pressed": "false",
      onclick: () => brush?.dragged || paint(button, !isOn(button), true),
      onpointerdown: (/** @type {PointerEvent} */ event) => {
        brush = event.button > 0 ? null : { button, on: !isOn(button), dragged: false, from: event };
        button.releasePointerCapture?.(event.pointerId); // else the first cell keeps a pen to itself
      },
      onfocus: () => {
        for (const each of places.keys()) /** @type {HTMLElement} */ (each).tabIndex = -1;
        button.tabIndex = 0;
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        const [dr, dc] = moves[/** @type {keyof typeof moves} */ (event.key)] ?? [0, 0];
        if (dr || dc) event.preventDefault();
        buttons[r + dr]?.[c + dc]?.focus();
      },
    });
    places.set(button, [r, c]);
    return button;
  }

  const body = h(
    "tbody",
    {
      onpointermove: (/** @type {PointerEvent} */ event) => {
        if (event.pointerType === "touch" && brush && !brush.dragged && !sideways(brush.from, event)) return; // it taps, or scrolls
        if (!brush || !event.buttons) return;
        const { from } = brush;
        // a fast stroke is followed between two events, so that it leaves no gaps
        for (let part = 1 / 8; part <= 1; part += 1 / 8) {
          const [x, y] = [from.clientX + part * (event.clientX - from.clientX), from.clientY + part * (event.clientY - from.clientY)];
          const button = document.elementFromPoint(x, y);
          if (!button || !places.has(button) || (button === brush.button && !brush.dragged)) continue;
          for (const each of brush.dragged ? [button] : [brush.button, button]) if (isOn(each) !== brush.on) paint(each, brush.on, false);
          brush.dragged = true;
        }
        if (brush.dragged) brush.from = event;
      },
      onpointerup: () => {
        if (brush?.dragged) paint(brush.button, brush.on, true);
        setTimeout(() => (brush = null)); // after the click that ends a press
      },
      onpointercancel: () => (brush = null),
    },
    ...rows.map((label, r) => h("tr", {}, h("th", { scope: "row" }, label), ...buttons[r].map((button) => h("td", {}, button)))),
  );
  return {
    buttons,
    element: h("table", {}, headOf(columns), body),
    /** @param {boolean[][]} value */
    show(value) {
      value.forEach((row, r) => row.forEach((on, c) => buttons[r][c].setAttribute("aria-pressed", String(on))));
    },
  };
}

/** @param {string[]} columns */
const headOf = (columns) => h("thead", {}, h("tr", {}, h("td"), ...columns.map((label) => h("th", { scope: "col" }, label))));

/**
 * The matrix with one cell set.
 * @template T
 * @param {T[][]} matrix
 * @param {number} r
 * @param {number} c
 * @param {T} value
 */
export const withCell = (matrix, r, c, value) => matrix.map((row, i) => row.map((x, j) => (i === r && j === c ? value : x)));
