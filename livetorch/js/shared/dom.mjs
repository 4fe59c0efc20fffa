// The few helpers that everything on the page is built with, and its theme. Text is only ever set as text.

import { painter } from "./scene.mjs";

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

/**
 * Write a text where it differs. The node of the text stays the same one: a page's rules with `:has` are looked at again
 * for whatever comes into a figure or leaves it, not for what changes there.
 * @param {Element} element that holds nothing else @param {string} text
 */
export function writeText(element, text) {
  const only = element.firstChild;
  if (!only) element.append(text);
  else if (/** @type {Text} */ (only).data !== text) /** @type {Text} */ (only).data = text;
}

/** A new SVG element that scripts draw into; screen readers are told by the element around it. */
export function makeSvg() {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "lt-svg");
  return svg;
}

/** A stage that a view draws shapes into. Screen readers are told of it, and of what in it has a role. */
export function makeStage() {
  const stage = make("div", "lt-stage");
  const svg = makeSvg();
  svg.removeAttribute("aria-hidden");
  stage.append(svg);
  const shapes = painter(svg);
  let size = "";
  return {
    stage,
    /** @param {{width: number, height: number, shapes: import("./scene.mjs").Shape[]}} picture */
    paint(picture) {
      const { width, height } = picture;
      if (size !== `${width}/${height}`) {
        svg.setAttribute("width", String(width));
        svg.setAttribute("height", String(height));
        size = `${width}/${height}`;
      }
      shapes(picture.shapes);
    },
  };
}

/** The frame of a view: its title and a place to draw. @param {string} kind @param {string} [title] */
export function frameView(kind, title) {
  const element = make("div", `lt-view lt-view-${kind}`);
  if (title) element.append(make("div", "lt-view-title", title));
  return element;
}

/** Who asks first reads the widths of all, before a drawing makes the page lay out anew. @type {Set<() => void>} */
const widths = new Set();
const LEAST = 120; // pixels: what opens or closes is for a moment narrower than any drawing

/**
 * Calls `draw` whenever the element gets another width, which `width` tells.
 * @param {Element} element
 * @param {() => void} draw
 */
export function onWidth(element, draw) {
  let width = 0;
  const now = () => Math.floor(element.clientWidth);
  const read = () => (width ||= now());
  widths.add(read);
  const observer = new ResizeObserver(() => {
    if (now() === width || !now()) return;
    width = now();
    draw();
  });
  observer.observe(element);
  return {
    /** @returns {number} */
    width() {
      if (!width) for (const each of widths) each();
      return width ? Math.max(LEAST, width) : 360;
    },
    stop: () => (observer.disconnect(), widths.delete(read)),
  };
}

/**
 * Listen to theme changes where the figure tells them; returns what ends it.
 * @param {{onTheme?: (told: () => void) => unknown}} context @param {() => void} redraw
 * @returns {() => void}
 */
export function listenTheme(context, redraw) {
  const stop = context.onTheme?.(redraw);
  return typeof stop === "function" ? /** @type {() => void} */ (stop) : () => {};
}

const SIDEWAYS = 8; // pixels from which a finger that moves sideways points, and does not scroll

/**
 * Whether a finger has moved sideways from where it came down, and not up or down the page.
 * @param {{clientX: number, clientY: number}} from @param {{clientX: number, clientY: number}} to
 */
export function sideways(from, to) {
  const [across, along] = [Math.abs(to.clientX - from.clientX), Math.abs(to.clientY - from.clientY)];
  return across > SIDEWAYS && across > along;
}

/**
 * Tell where a pointer is over an element: a hovering mouse, a tapping finger, one that moves sideways; `out` when a mouse
 * leaves. What a lifted finger pointed at stays until something else is touched, and a finger that scrolls points at nothing.
 * @param {HTMLElement} element
 * @param {(event: PointerEvent) => void} over
 * @param {() => void} out
 */
export function onPoint(element, over, out) {
  /** @type {PointerEvent|null} how a finger came down, until it has moved sideways */
  let start = null;
  element.style.touchAction = "pan-y pinch-zoom";
  element.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch") start = event;
    else over(event);
  });
  element.addEventListener("pointermove", (event) => {
    if (start && sideways(start, event)) start = null;
    if (!start) over(event);
  });
  element.addEventListener("pointerup", (event) => {
    if (start) over(event);
    start = null;
  });
  element.addEventListener("pointercancel", () => (start = null));
  element.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && out());
}

/**
 * Whether two sets of marks are alike, so that a hover does not tell the same thing twice.
 * @param {Record<string, unknown>} a @param {Record<string, unknown>} b
 */
export function sameMarks(a, b) {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => (a[name] ?? null) === (b[name] ?? null));
}

// ---- light or dark, as the page around the figure has it: the book's theme, JupyterLab, VS Code, Colab, or the system

const DARK = "(prefers-color-scheme: dark)";

let printing = false; // paper is light

/** @returns {"light"|"dark"} */
export function currentTheme() {
  if (printing) return "light";
  const { documentElement: html, body } = document;
  const named = html.dataset.theme ?? html.getAttribute("theme");
  if (named === "dark" || named === "light") return named;
  const lab = body?.dataset.jpThemeLight;
  if (lab !== undefined) return lab === "false" ? "dark" : "light";
  if (body?.classList.contains("vscode-dark") || body?.classList.contains("vscode-high-contrast")) return "dark";
  if (body?.classList.contains("vscode-light")) return "light";
  return globalThis.matchMedia?.(DARK).matches ? "dark" : "light";
}

/**
 * Call back when the theme changes; returns how to stop.
 * @param {(theme: "light"|"dark") => void} callback
 */
export function watchTheme(callback) {
  let last = currentTheme();
  const look = () => {
    const theme = currentTheme();
    if (theme === last) return;
    last = theme;
    callback(theme);
  };
  const observer = new MutationObserver(look);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "theme"] });
  if (document.body) observer.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "class"] });
  const query = globalThis.matchMedia?.(DARK);
  query?.addEventListener?.("change", look);
  const paper = (/** @type {Event} */ event) => {
    printing = event.type === "beforeprint";
    look();
  };
  globalThis.addEventListener("beforeprint", paper);
  globalThis.addEventListener("afterprint", paper);
  return () => {
    observer.disconnect();
    globalThis.removeEventListener("beforeprint", paper);
    globalThis.removeEventListener("afterprint", paper);
    query?.removeEventListener?.("change", look);
  };
}

/** @returns {boolean} */
export function reducedMotion() {
  return globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
}
