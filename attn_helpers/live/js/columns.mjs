// Views beside each other where there is room: in two columns, divided so that neither is much longer.

const ROOM = 620; // pixels from which there are two columns
const WORTH = 1.15; // rows of two are read more easily: left only for columns that are this much shorter

/**
 * Which column each view goes to: by turns, or the first few left and the others right where that is shorter.
 * @param {number[]} heights
 * @returns {number[]} 0 or 1 for each
 */
export function divide(heights) {
  const sum = (/** @type {number[]} */ some) => some.reduce((total, height) => total + height, 0);
  const longest = (/** @type {number[]} */ columns) =>
    Math.max(...[0, 1].map((column) => sum(heights.filter((_, i) => columns[i] === column))));
  let best = heights.map((_, i) => i % 2);
  let length = longest(best) / WORTH;
  for (let cut = 1; cut < heights.length; cut += 1) {
    const columns = heights.map((_, i) => Number(i >= cut));
    if (longest(columns) < length) {
      best = columns;
      length = longest(columns);
    }
  }
  return best;
}

/**
 * Keep views arranged in an element, anew whenever its width changes; returns how to stop.
 * @param {HTMLElement} stage
 * @param {HTMLElement[]} views
 */
export function arrange(stage, views) {
  stage.append(...views);
  if (views.length < 2 || !globalThis.ResizeObserver) return () => {};
  const columns = [0, 1].map(() => {
    const column = document.createElement("div");
    column.className = "al-column";
    return column;
  });
  let wide = false;
  let width = 0;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  const settle = () => {
    if (!wide || views.some((view) => view.contains(document.activeElement))) return; // nothing moves under a hand
    const side = divide(views.map((view) => view.offsetHeight));
    if (views.every((view, i) => view.parentElement === columns[side[i]])) return;
    views.forEach((view, i) => columns[side[i]].append(view));
  };
  const place = () => {
    if (wide) {
      views.forEach((view, i) => columns[i % 2].append(view));
      stage.replaceChildren(...columns);
    } else {
      stage.replaceChildren(...views);
    }
  };
  const observer = new ResizeObserver(() => {
    const now = stage.clientWidth;
    if (now === width || now === 0) return;
    width = now;
    if (wide !== now >= ROOM) {
      wide = now >= ROOM;
      place();
    }
    clearTimeout(timer);
    timer = setTimeout(settle, 60); // after the views have drawn themselves at the new width
  });
  observer.observe(stage);
  return () => {
    observer.disconnect();
    clearTimeout(timer);
  };
}
