/** The few things all views do with the page. */
import { select } from "d3-selection";

/**
 * A new element with a class and a text.
 * @param {string} tag
 * @param {string} className
 * @param {string} [text]
 */
export function make(tag, className, text) {
  const element = document.createElement(tag);
  element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

/** A new SVG element that scripts draw into; screen readers are told by the element around it. */
export function makeSvg() {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "al-svg");
  return svg;
}

/** A group in an SVG element. @param {Element} parent @param {string} className */
export function group(parent, className) {
  return select(parent).append("g").attr("class", className);
}

/** The frame of a view: its title and a place to draw. */
export function frameView(kind, title) {
  const element = make("div", `al-view al-view-${kind}`);
  if (title) element.append(make("div", "al-view-title", title));
  return element;
}

/**
 * Calls `draw(width)` whenever the element gets another width; returns the current width.
 * @param {Element} element
 * @param {(width: number) => void} draw
 */
export function onWidth(element, draw) {
  let width = 0;
  const observer = new ResizeObserver((entries) => {
    const now = Math.floor(entries[entries.length - 1].contentRect.width);
    if (now === width || now === 0) return;
    width = now;
    draw(width);
  });
  observer.observe(element);
  return {
    /** @returns {number} */
    width() {
      if (!width) width = Math.floor(element.clientWidth);
      return width || 360;
    },
    stop: () => observer.disconnect(),
  };
}

/** Listen to theme changes where the figure tells them; returns what ends it. */
export function listenTheme(context, redraw) {
  const stop = context.onTheme?.(redraw);
  return typeof stop === "function" ? stop : () => {};
}

/**
 * Tell where a pointer is over an element: hovering mouse and tapping finger alike; `out` when a mouse leaves.
 * A finger "leaves" as soon as it is lifted: what it pointed at then stays until something else is touched.
 * @param {HTMLElement} element
 * @param {(event: PointerEvent) => void} over
 * @param {() => void} out
 */
export function onPoint(element, over, out) {
  element.addEventListener("pointermove", over);
  element.addEventListener("pointerdown", over);
  element.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && out());
}

/** Say which marks changed, so that a hover does not tell the same thing twice. */
export function sameMarks(a, b) {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => (a[name] ?? null) === (b[name] ?? null));
}
