// The few helpers that the figure's own modules build their elements with. Text is only ever set as text.

/**
 * Make an element. Properties that start with "on" become listeners, "class" and everything else attributes;
 * false, null and undefined leave an attribute out.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node|string|null|undefined)} children
 * @returns {any}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
  return element;
}

/**
 * Write a number as Python's format() does for "d", ".2f", ".3g" and ".2e".
 * @param {number} value
 * @param {string} [pattern]
 */
export function formatNumber(value, pattern = ".4f") {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  const [, digits, kind] = /^\.?(\d*)([dfge%]?)$/.exec(pattern) ?? [null, "4", "f"];
  if (kind === "d") return String(Math.round(value));
  if (kind === "e") return value.toExponential(Number(digits || 6));
  if (kind === "%") return `${(value * 100).toFixed(Number(digits || 6))}%`;
  if (kind === "g") return String(Number(value.toPrecision(Number(digits) || 6)));
  const text = value.toFixed(Math.min(Number(digits || 6), 20));
  return Number(text) === 0 ? text.replace("-", "") : text;
}

/**
 * Call a function at once when it is first asked for, and at most once per animation frame after that, however often
 * it is asked for: a single move is answered without waiting, a storm of them is not computed in full.
 * @param {() => void} work
 */
export function oncePerFrame(work) {
  /** @type {number|null} */
  let frame = null;
  let again = false;
  const next = () => {
    frame = null;
    if (again) now();
  };
  const now = () => {
    again = false;
    frame ??= requestAnimationFrame(next);
    work();
  };
  return {
    ask() {
      if (frame === null) now();
      else again = true;
    },
    /** Do now what was asked for and is still waiting. */
    flush() {
      if (again) now();
    },
    cancel() {
      again = false;
      if (frame !== null) cancelAnimationFrame(frame);
      frame = null;
    },
  };
}
