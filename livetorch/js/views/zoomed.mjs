// A large map in a window: wheel, two fingers, keys and buttons say which of its rows and columns the heatmap draws.

import { h } from "../shared/dom.mjs";
import { itemName } from "../shared/format.mjs";
import { contentOf, laidOut } from "./heatmap_picture.mjs";
import { axisLabels, walk } from "./layout.mjs";

/** @import { Context, Marks, View } from "./index.mjs" */
/** @import { Content } from "./heatmap_picture.mjs" */
/** @import { Frame } from "./sources.mjs" */

const LEAST = 4; // rows and columns that are left at the most
const STEP = 1.5; // of a key or a button
const QUICK = 0.002; // of a turned wheel, in each pixel
const LINE = 16; // pixels that a browser means by a line of a wheel

/** @typedef {{row: number, col: number, rows: number, cols: number}} Window its first row and column, and how many */

/** @param {number} low @param {number} value @param {number} high */
const between = (low, value, high) => Math.max(low, Math.min(value, high));

/**
 * Which part of a map is seen: all of it, until it is made larger.
 * @param {{rows: number, cols: number}} whole
 */
export function createWindow(whole) {
  let by = 1; // how much larger
  let [top, left] = [0, 0]; // shares of the map

  /** @returns {Window} */
  function now() {
    const size = (/** @type {number} */ count) => between(Math.min(LEAST, count), Math.round(count / by), count);
    const [rows, cols] = [size(whole.rows), size(whole.cols)];
    const first = (/** @type {number} */ share, /** @type {number} */ count, /** @type {number} */ kept) =>
      between(0, Math.round(share * count), count - kept);
    return { row: first(top, whole.rows, rows), col: first(left, whole.cols, cols), rows, cols };
  }
  const inside = (/** @type {number} */ share) => between(0, share, 1 - 1 / by);

  return {
    now,
    isWhole: () => by === 1,
    /** The map is another one now. @param {{rows: number, cols: number}} size */
    of(size) {
      if (size.rows !== whole.rows || size.cols !== whole.cols) [by, top, left] = [1, 0, 0];
      whole = size;
    },
    /** Make it larger around a place, given in shares of the window. @param {number} times @param {number} across @param {number} down */
    zoom(times, across, down) {
      const next = between(1, by * times, Math.max(1, Math.max(whole.rows, whole.cols) / LEAST));
      [top, left] = [top + down * (1 / by - 1 / next), left + across * (1 / by - 1 / next)];
      by = next;
      [top, left] = [inside(top), inside(left)];
    },
    /** Move it, in shares of the window; false: it is at its end. @param {number} across @param {number} down */
    pan(across, down) {
      const before = [top, left];
      [top, left] = [inside(top + down / by), inside(left + across / by)];
      return before[0] !== top || before[1] !== left;
    },
    /** Move it as little as shows a cell. @param {{row: number, col: number}} cell */
    show({ row, col }) {
      const seen = now();
      if (row < seen.row || row >= seen.row + seen.rows)
        top = between(0, row < seen.row ? row : row - seen.rows + 1, whole.rows) / whole.rows;
      if (col < seen.col || col >= seen.col + seen.cols)
        left = between(0, col < seen.col ? col : col - seen.cols + 1, whole.cols) / whole.cols;
    },
    reset: () => void ([by, top, left] = [1, 0, 0]),
  };
}

/** The names in a window, which know their places in the whole. @param {string[]|null} names @param {number} first @param {number} count */
function cut(names, first, count) {
  const texts = Array.from({ length: count }, (_, i) => (names ? names[first + i] : String(first + i + 1)));
  return Object.assign(texts, { from: first, toJSON: () => `${first} ${texts}` });
}

/** Names of an axis, thinned out as the whole of it would be, those of a window. @param {string[]|null} names @param {number} whole @param {number} first @param {number} count @param {number} space @param {boolean} upright */
function ticksOf(names, whole, first, count, space, upright) {
  const { texts, ticks, ...more } = axisLabels(names, whole, space, upright);
  const seen = ticks.filter((i) => i >= first && i < first + count).map((i) => i - first);
  return { ...more, texts: texts.slice(first, first + count), ticks: seen };
}

/** The numbers of a window. @param {(at: number) => number} number of the whole map @param {number} cols of it @param {Window} window */
function part(number, cols, window) {
  const kept = new Float64Array(window.rows * window.cols);
  for (let r = 0, to = 0; r < window.rows; r += 1) {
    for (let c = 0; c < window.cols; c += 1, to += 1) kept[to] = number((window.row + r) * cols + window.col + c);
  }
  return kept;
}

/** A content, as far as a window shows it. @param {Content} content @param {Window} seen */
const partOf = (content, seen) => ({
  ...content,
  rows: seen.rows,
  cols: seen.cols,
  data: part((i) => content.data[i], content.cols, seen),
});

/**
 * What builds heatmaps, for those that say `zoom` too.
 * @param {(spec: any, context: Context) => View} plain
 * @returns {(spec: any, context: Context) => View}
 */
export const zoomable = (plain) => (spec, context) => (spec.zoom ? create(plain, spec, context) : plain(spec, context));

/**
 * @typedef {object} Zoomed a heatmap and its window
 * @property {any} spec
 * @property {any} inner what the heatmap is told in place of it
 * @property {Context} context
 * @property {View} view the heatmap
 * @property {ReturnType<typeof createWindow>} window
 * @property {Window} drawn the window that the heatmap has drawn
 * @property {{frame: Frame, content: Content, marks: Marks}|null} at
 * @property {(isWhole: boolean) => void} told
 */

/** @param {(spec: any, context: Context) => View} plain @param {any} spec @param {Context} context @returns {View} */
function create(plain, spec, context) {
  const lay = /** @type {typeof laidOut} */ ((_, __, ___, controls, width, given) => layoutOf(map, controls, width, given));
  const inner = { ...spec, source: { output: "window" }, others: [], mask: spec.mask && { output: "hidden" }, rings: null, lay };
  const highlight = (/** @type {Marks} */ marks) => context.highlight(moved(map, marks, 1));
  const view = plain(inner, { ...context, highlight });
  const whole = { row: 0, col: 0, rows: 1, cols: 1 };
  /** @type {Zoomed} */
  const map = { spec, inner, context, view, window: createWindow(whole), drawn: whole, at: null, told: () => {} };
  const { stage } = view.shown();
  stage.setAttribute("aria-description", "Plus and minus make it larger and smaller, 0 shows the whole map.");
  stage.after(buttonsOf(map));
  listen(stage, map);
  return {
    ...view,
    update(frame) {
      const content = contentOf(spec, frame, context.controls);
      if (!content) return;
      map.at = { frame, content, marks: map.at?.marks ?? {} };
      map.window.of(content);
      draw(map);
    },
    highlight(marks) {
      if (map.at) map.at.marks = marks;
      view.highlight(moved(map, marks, -1));
    },
    shown: () => ({ ...view.shown(), from: map.drawn, cut: (/** @type {Content} */ content) => partOf(content, map.drawn) }),
  };
}

/** Marks of the heatmap as the whole map counts them, or back. @param {Zoomed} map @param {Marks} marks @param {1|-1} sign */
function moved({ spec, drawn }, marks, sign) {
  const by = (/** @type {number|null|undefined} */ item, /** @type {number} */ first) => (item == null ? null : item + sign * first);
  const next = { ...marks };
  if (spec.rows_axis in marks) next[spec.rows_axis] = by(marks[spec.rows_axis], drawn.row);
  if (spec.cols_axis in marks) next[spec.cols_axis] = by(marks[spec.cols_axis], drawn.col);
  return next;
}

/**
 * Where everything stands: around a panel that is as large as the whole map's.
 * @param {Zoomed} map @param {Record<string, any>} controls @param {number} width @param {{grown?: boolean, low?: number}} [given]
 * @returns {ReturnType<typeof laidOut>}
 */
function layoutOf({ spec, at, drawn: { row, col, rows, cols } }, controls, width, given) {
  const { frame, content } = /** @type {NonNullable<Zoomed["at"]>} */ (at);
  const whole = laidOut({ ...spec, others: [] }, content, frame, controls, width, given);
  const cell = { width: whole.panelWidth / cols, height: whole.panelHeight / rows };
  return {
    ...whole,
    cell,
    x: ticksOf(content.xLabels, content.cols, col, cols, cell.width, false),
    y: ticksOf(content.yLabels, content.rows, row, rows, cell.height, true),
  };
}

/** Draw the window anew; a cell that the arrow keys have led to keeps its place in the map. @param {Zoomed} map */
function draw(map) {
  const { view, inner, at, window, drawn: before } = map;
  if (!at) return;
  const { frame, content, marks } = at;
  const { cursor } = view.shown();
  const drawn = (map.drawn = window.now());
  cursor.row = between(0, cursor.row + before.row - drawn.row, drawn.rows - 1);
  cursor.col = between(0, cursor.col + before.col - drawn.col, drawn.cols - 1);
  const shape = [drawn.rows, drawn.cols];
  Object.assign(inner, {
    xticks: { values: cut(content.xLabels, drawn.col, drawn.cols) },
    yticks: { values: cut(content.yLabels, drawn.row, drawn.rows) },
    vmin: content.limits[0],
    vmax: content.limits[1],
    own: content.own,
  });
  const outputs = {
    window: { shape, data: part((i) => content.data[i], content.cols, drawn) },
    ...(content.any ? { hidden: { shape, data: part((i) => Number(!content.hidden(0, i)), content.cols, drawn) } } : {}),
  };
  view.update({ ...frame, outputs: { ...frame.outputs, ...outputs } });
  view.highlight(moved(map, marks, -1));
  map.told(window.isWhole());
}

/** Draw it, and say what is seen now. @param {Zoomed} map */
function tell(map) {
  draw(map);
  const { spec, context, drawn } = map;
  const from = (/** @type {string} */ axis, /** @type {number} */ first, /** @type {number} */ count) =>
    `${itemName(axis, first)} to ${first + count}`;
  context.announce(`${from(spec.rows_axis, drawn.row, drawn.rows)}, ${from(spec.cols_axis, drawn.col, drawn.cols)}`);
}

/** A place of the page in shares of the window. @param {Zoomed} map @param {{clientX: number, clientY: number}} place */
function shareOf({ view }, { clientX, clientY }) {
  const { layout, stage } = view.shown();
  const box = stage.getBoundingClientRect();
  const [{ x, y }] = layout.origins;
  return [between(0, (clientX - box.left - x) / layout.panelWidth, 1), between(0, (clientY - box.top - y) / layout.panelHeight, 1)];
}

/** Zoom around the cell that the keys have led to, which stays in the window, or around the middle. @param {Zoomed} map @param {number} times */
function zoomBy(map, times) {
  const { view, window, drawn } = map;
  const { cursor, stage } = view.shown();
  if (stage.matches(":focus-visible")) {
    window.zoom(times, (cursor.col + 0.5) / drawn.cols, (cursor.row + 0.5) / drawn.rows);
    window.show({ row: cursor.row + drawn.row, col: cursor.col + drawn.col });
  } else window.zoom(times, 0.5, 0.5);
  tell(map);
}

/** @param {Zoomed} map */
function showAll(map) {
  map.window.reset();
  tell(map);
}

/** @param {Zoomed} map */
function buttonsOf(map) {
  const button = (/** @type {string} */ text, /** @type {string} */ words, /** @type {() => void} */ onclick) =>
    h("button", { type: "button", class: "lt-button", title: words, "aria-label": words, onclick }, text);
  const more = button("+", "Make the map larger", () => zoomBy(map, STEP));
  const less = button("−", "Make the map smaller", () => zoomBy(map, 1 / STEP));
  const all = button("Whole map", "Show the whole map", () => showAll(map));
  map.told = (isWhole) => void (all.disabled = less.disabled = isWhole);
  const made = h("div", {}, more, less, all);
  Object.assign(made.style, { display: "flex", gap: "6px", margin: "6px 0" });
  return made;
}

/**
 * Hands that choose the window. A page still scrolls: the wheel zooms with Ctrl, and pans where the map has the focus.
 * @param {HTMLElement} stage @param {Zoomed} map
 */
function listen(stage, map) {
  listenWheel(stage, map);
  listenFingers(stage, map);
  listenKeys(stage, map);
}

/** @param {HTMLElement} stage @param {Zoomed} map */
function listenWheel(stage, map) {
  const { window, view } = map;
  /** @param {WheelEvent} event */
  function turn(event) {
    const pixels = event.deltaMode === 0 ? 1 : LINE;
    if (event.ctrlKey || event.metaKey) {
      const [across, down] = shareOf(map, event);
      window.zoom(Math.exp(-event.deltaY * pixels * QUICK), across, down);
    } else if (!stage.matches(":focus")) return;
    else {
      const { layout } = view.shown();
      const [x, y] = event.shiftKey ? [event.deltaX || event.deltaY, 0] : [event.deltaX, event.deltaY];
      if (!window.pan((x * pixels) / layout.panelWidth, (y * pixels) / layout.panelHeight)) return;
    }
    event.preventDefault();
    draw(map);
  }
  stage.addEventListener("wheel", turn, { passive: false });
}

/** @param {HTMLElement} stage @param {Zoomed} map */
function listenFingers(stage, map) {
  const { window } = map;
  /** @type {{far: number, at: number[]}|null} two fingers, as they were last */
  let fingers = null;
  /** @param {TouchEvent} event */
  function pinch(event) {
    if (event.touches.length !== 2) return void (fingers = null);
    event.preventDefault();
    const [one, other] = event.touches;
    const far = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    const middle = { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 };
    const at = shareOf(map, middle);
    if (fingers && far > 0) {
      window.pan(fingers.at[0] - at[0], fingers.at[1] - at[1]);
      window.zoom(far / fingers.far, at[0], at[1]);
      draw(map);
    }
    fingers = { far, at };
  }
  for (const kind of /** @type {const} */ (["touchstart", "touchmove", "touchend", "touchcancel"]))
    stage.addEventListener(kind, pinch, { passive: false });
}

/** @param {HTMLElement} stage @param {Zoomed} map */
function listenKeys(stage, map) {
  const nearer = () => zoomBy(map, STEP);
  /** @type {Record<string, () => void>} */
  const keys = { "+": nearer, "=": nearer, "-": () => zoomBy(map, 1 / STEP), 0: () => showAll(map) };
  /** @param {KeyboardEvent} event */
  function press(event) {
    if (!map.at || event.altKey || event.metaKey) return;
    if (!event.ctrlKey && Object.hasOwn(keys, event.key)) {
      event.preventDefault();
      keys[event.key]();
      return;
    }
    const { cursor } = map.view.shown();
    const cell = { panel: 0, row: cursor.row + map.drawn.row, col: cursor.col + map.drawn.col };
    const next = walk(cell, event.key, { ctrl: event.ctrlKey, ...map.at.content });
    if (!next) return; // the heatmap itself walks there, once it is in the window
    map.window.show(next);
    draw(map);
  }
  stage.addEventListener("keydown", press, { capture: true });
}
