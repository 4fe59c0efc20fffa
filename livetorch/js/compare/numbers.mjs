/** Deltas: by how much a number differs from the pinned one, beside a large number and in each cell of a table. */
import { h } from "../shared/dom.mjs";
import { formatNumber, minus, tableNumber } from "../shared/format.mjs";
import { resolve } from "../views/sources.mjs";

/** "+0.13", "−0.13", "±0" where nothing is seen of a change. @param {number} by @param {(by: number) => string} write */
export function signed(by, write) {
  const text = write(by);
  if (!/[1-9]|inf|nan/i.test(text)) return "±0";
  return by > 0 ? `+${text}` : minus(text);
}

/** @param {any} spec @param {any} view @param {any} then @param {any} context */
export function createNumberDelta(spec, view, then, { frame }) {
  const line = h("div", { class: "lt-delta" });
  view.element.append(line);
  const valueAt = (/** @type {any} */ at) => Number(resolve(spec.source, at)?.data[0] ?? NaN);
  const write = (/** @type {number} */ x) => formatNumber(x, spec.format);
  const old = valueAt(then);
  return {
    update() {
      const by = valueAt(frame()) - old;
      line.textContent = Number.isNaN(by) ? `pinned: ${minus(write(old))}` : `${signed(by, write)} from ${minus(write(old))}`;
    },
    remove: () => line.remove(),
  };
}

/** @param {any} spec @param {any} view @param {any} then @param {any} context */
export function createTableDeltas(spec, view, then, { frame }) {
  /** @type {Map<Element, HTMLElement>} */
  let deltas = new Map();

  /** The number of a cell in a frame, or NaN where it has none there. @param {any} place @param {any} at */
  function numberAt({ row, col, source }, at) {
    const tensor = resolve(source, at);
    if (!tensor) return NaN;
    const [columns = 1, rows = 1] = [...tensor.shape].reverse();
    const [r, c] = [row ?? 0, col ?? 0];
    return r < rows && c < columns ? Number(tensor.data[r * columns + c]) : NaN;
  }

  return {
    update() {
      const now = frame();
      const { places } = view.shown();
      const next = new Map();
      for (const [cell, place] of places) {
        if (!place.source || place.sum) continue;
        const by = numberAt(place, now) - numberAt(place, then);
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
