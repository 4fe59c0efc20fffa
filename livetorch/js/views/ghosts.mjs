/** What stays of a pinned state: old values as thin marks over a plot, and by how much a number differs. */
import { makeSvg } from "../shared/dom.mjs";
import { minus } from "../shared/format.mjs";
import { painter } from "../shared/scene.mjs";

/** @typedef {import("../shared/scene.mjs").Shape} Shape */

/**
 * A layer over the stage of a view.
 * @param {any} view
 * @param {(shown: any) => Shape[]} shapesOf from what the view shows
 */
export function layerOver(view, shapesOf) {
  const svg = makeSvg();
  svg.setAttribute("class", "lt-svg lt-ghost");
  const paint = painter(svg);
  view.shown().stage.append(svg);
  return {
    update() {
      const shown = view.shown();
      if (shown.drawn?.box?.y) paint(shapesOf(shown));
    },
    remove: () => svg.remove(),
  };
}

/** A place on an axis, at most at its ends. @param {number} px @param {number} a @param {number} b */
export const inside = (px, a, b) => Math.min(Math.max(px, Math.min(a, b)), Math.max(a, b));

/**
 * A ring where a point was that has moved.
 * @param {number[][]} old @param {number[][]} now @param {(x: number, y: number) => number[]} place @returns {Shape[]}
 */
export function rings(old, now, place) {
  const moved = old.filter((point, i) => point.every(Number.isFinite) && point.some((at, axis) => at !== now[i]?.[axis]));
  return moved.map(([x, y]) => {
    const [cx, cy] = place(x, y);
    return ["circle", { class: "lt-ghost-line", r: 5, cx, cy }];
  });
}

/** "+0.13", "−0.13", "±0" where nothing is seen of a change. @param {number} by @param {(by: number) => string} write */
export function signed(by, write) {
  const text = write(by);
  if (!/[1-9]|inf|nan/i.test(text)) return "±0";
  return by > 0 ? `+${text}` : minus(text);
}
