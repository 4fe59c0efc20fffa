/** Hands on a row of items: a pointer over it, arrow keys along it. */
import { onPoint } from "../shared/dom.mjs";

/**
 * Where a key leads in a row of items, or undefined.
 * @param {string} key @param {number} from the present item, or -1 @param {number} count
 * @returns {number|undefined}
 */
export function steppedTo(key, from, count) {
  const last = count - 1;
  return { ArrowLeft: Math.max(0, from - 1), ArrowRight: Math.min(last, from + 1), Home: 0, End: last }[key];
}

/**
 * Let pointer and keys mark the items of a stage.
 * @param {HTMLElement} stage
 * @param {object} items
 * @param {(x: number, y: number) => number|null} items.at the item at a place of the stage
 * @param {() => number|null} items.marked
 * @param {() => number} items.count 0: nothing is there yet
 * @param {(i: number|null) => void} items.mark
 * @param {(i: number) => void} items.tell
 */
export function markItems(stage, { at, marked, count, mark, tell }) {
  const over = (/** @type {PointerEvent} */ event) => {
    const { left, top } = stage.getBoundingClientRect();
    if (count()) mark(at(event.clientX - left, event.clientY - top));
  };
  onPoint(stage, over, () => mark(null));
  stage.addEventListener("blur", () => mark(null));
  stage.addEventListener("keydown", (event) => {
    const to = count() ? steppedTo(event.key, marked() ?? -1, count()) : undefined;
    if (to === undefined) return;
    event.preventDefault();
    mark(to);
    tell(to);
  });
}
