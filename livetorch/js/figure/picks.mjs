// Where a figure says so (`picks`), the item of an axis that is pressed in a view sets a control: a click, a tap or Space.

import { formatNumber } from "../shared/format.mjs";

/**
 * @typedef {{control: string, values: any[], beside?: string, width?: number}} Pick the setting that each item of an axis
 *   stands for; with another axis `beside` it, each of its cells, so many (`width`) to an item
 */

/** The axes of a view, by which it tells what is pointed at. @param {any} view @returns {string[]} */
function axesOf({ rows_axis, cols_axis, panels_axis, axis, query_axis, parts = [] }) {
  const own = parts.flatMap((/** @type {any} */ part) => part.axes ?? []);
  return [rows_axis, cols_axis, panels_axis, axis, query_axis, ...own];
}

/** A setting as its control shows it. @param {any} control @param {any} value */
function shownAs(control, value) {
  if (control.options && control.kind === "dropdown") return control.options[value];
  return typeof value === "number" ? formatNumber(value, control.format) : "";
}

/**
 * @param {any} spec the figure's JSON
 * @param {object} figure
 * @param {any[]} figure.views as `spec.views` tells
 * @param {Record<string, any>} figure.controls by name
 * @param {() => Record<string, any>} figure.state
 * @param {(name: string, value: any) => unknown} figure.set
 * @param {Record<string, number|null>[]} figure.pointed of each view and axis the item that is pointed at
 * @param {(text: string) => void} figure.announce
 */
export function createPicks({ picks = {}, views: specs }, { views, controls, state, set, pointed, announce }) {
  /** Of each view the axes whose items set something. @type {string[][]} */
  const own = specs.map((/** @type {any} */ view) => (view.edit ? [] : Object.keys(picks).filter((axis) => axesOf(view).includes(axis))));
  const words = (/** @type {string[]} */ axes) => axes.map((axis) => controls[picks[axis].control].label.toLowerCase()).join(" and ");
  own.forEach((axes, i) => {
    if (!axes.length) return;
    views[i].element.classList.add("lt-picks");
    const stage = views[i].element.querySelector("[tabindex]");
    stage?.setAttribute("aria-description", `A click or Space chooses ${words(axes)}.`);
  });
  const viewAt = (/** @type {any} */ target) =>
    target?.closest?.("button, a, input, .lt-handle")
      ? -1
      : views.findIndex((view, i) => own[i].length > 0 && view.element.contains(target));

  /** Set what the item that is pointed at stands for; false: it is set already, or nothing is pointed at. @param {number} at */
  function pick(at) {
    const chosen = own[at].flatMap((axis) => {
      const { control, values, beside, width = 1 } = /** @type {Pick} */ (picks[axis]);
      const value = values[(pointed[at]?.[axis] ?? NaN) * width + (beside ? (pointed[at]?.[beside] ?? NaN) : 0)];
      return value === undefined ? [] : [{ control, value }];
    });
    const before = state();
    const fresh = chosen.filter(({ control, value }) => JSON.stringify(before[control]) !== JSON.stringify(value));
    for (const { control, value } of fresh) set(control, value);
    if (fresh.length)
      announce(chosen.map(({ control, value }) => `${controls[control].label} ${shownAs(controls[control], value)}`).join(", "));
    return fresh.length > 0;
  }

  /** @param {MouseEvent} event */
  function click(event) {
    const { target } = /** @type {{target: any}} */ (event);
    const asks = event.altKey || target.closest(".lt-choosing"); // how a number was made
    const at = asks ? -1 : viewAt(target);
    if (at >= 0 && pick(at)) event.stopImmediatePropagation(); // a second click opens its number, as elsewhere
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    const at = event.key === " " ? viewAt(event.target) : -1;
    if (at < 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    pick(at);
  }

  return {
    /** Hear the hands on a card before its views do. @param {HTMLElement} card */
    listen(card) {
      card.addEventListener("click", click, { capture: true });
      card.addEventListener("keydown", key, { capture: true });
    },
  };
}
