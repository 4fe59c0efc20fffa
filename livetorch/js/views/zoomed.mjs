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

/** The numbers of a window, panel by panel. @param {ArrayLike<number>} data @param {number} cols of the whole @param {Window} window */
function part(data, cols, window) {
  const kept = new Float64Array(window.rows * window.cols);
  for (let r = 0, to = 0; r < window.rows; r += 1) {
    for (let c = 0; c < window.cols; c += 1, to += 1) kept[to] = data[(window.row + r) * cols + window.col + c];
  }
  return kept;
}

/** A content, as far as a window shows it. @param {Content} content @param {Window} seen */
const partOf = (content, seen) => ({ ...content, rows: seen.rows, cols: seen.cols, data: part(content.data, content.cols, seen) });

/**
 * What builds heatmaps, for those that say `zoom` too.
 * @param {(spec: any, context: Context) => View} plain
 * @returns {(spec: any, context: Context) => View}
 */
export const zoomable = (plain) => (spec, context) => (spec.zoom ? create(plain, spec, context) : plain(spec, context));

/** @param {(spec: any, context: Context) => View} plain @param {any} spec @param {Context} context @returns {View} */
function create(plain, spec, context) {
  const window = createWindow({ rows: 1, cols: 1 });
  /** @type {{frame: Frame, content: Content, marks: Marks}|null} */
  let at = null;
  /** @type {Window} */
  let drawn = { row: 0, col: 0, rows: 1, cols: 1 };
  /** Marks as the heatmap counts them, or back. @param {Marks} marks @param {1|-1} sign */
  const moved = (marks, sign) => {
    const by = (/** @type {number|null|undefined} */ item, /** @type {number} */ first) => (item == null ? null : item + sign * first);
    const next = { ...marks };
    if (spec.rows_axis in marks) next[spec.rows_axis] = by(marks[spec.rows_axis], drawn.row);
    if (spec.cols_axis in marks) next[spec.cols_axis] = by(marks[spec.cols_axis], drawn.col);
    return next;
  };
  const inner = { ...spec, source: { output: "window" }, others: [], mask: spec.mask && { output: "hidden" }, rings: null, lay };
  const view = plain(inner, { ...context, highlight: (marks) => context.highlight(moved(marks, 1)) });
  const { stage } = view.shown();

  /** Where everything stands: around a panel that is as large as the whole map's. @type {typeof laidOut} */
  function lay(_, { rows, cols }, __, controls, width, given) {
    const { frame, content } = /** @type {NonNullable<typeof at>} */ (at);
    const whole = laidOut({ ...spec, others: [] }, content, frame, controls, width, given);
    const cell = { width: whole.panelWidth / cols, height: whole.panelHeight / rows };
    return {
      ...whole,
      cell,
      x: ticksOf(content.xLabels, content.cols, drawn.col, cols, cell.width, false),
      y: ticksOf(content.yLabels, content.rows, drawn.row, rows, cell.height, true),
    };
  }

  /** Draw the window anew; a cell that the arrow keys have led to keeps its place in the map. */
  function draw() {
    if (!at) return;
    const { frame, content, marks } = at;
    const { cursor } = view.shown();
    const before = drawn;
    drawn = window.now();
    cursor.row = between(0, cursor.row + before.row - drawn.row, drawn.rows - 1);
    cursor.col = between(0, cursor.col + before.col - drawn.col, drawn.cols - 1);
    const shape = [drawn.rows, drawn.cols];
    const hidden = Float64Array.from({ length: content.any ? content.rows * content.cols : 0 }, (_, i) => Number(!content.hidden(0, i)));
    Object.assign(inner, {
      xticks: { values: cut(content.xLabels, drawn.col, drawn.cols) },
      yticks: { values: cut(content.yLabels, drawn.row, drawn.rows) },
      vmin: content.limits[0],
      vmax: content.limits[1],
      own: content.own,
    });
    const outputs = {
      window: { shape, data: part(content.data, content.cols, drawn) },
      ...(content.any ? { hidden: { shape, data: part(hidden, content.cols, drawn) } } : {}),
    };
    view.update({ ...frame, outputs: { ...frame.outputs, ...outputs } });
    view.highlight(moved(marks, -1));
    all.disabled = less.disabled = window.isWhole();
  }

  function tell() {
    draw();
    const { row, col, rows, cols } = drawn;
    const from = (/** @type {string} */ axis, /** @type {number} */ first, /** @type {number} */ count) =>
      `${itemName(axis, first)} to ${first + count}`;
    context.announce(`${from(spec.rows_axis, row, rows)}, ${from(spec.cols_axis, col, cols)}`);
  }

  /** A place of the page in shares of the window. @param {{clientX: number, clientY: number}} place */
  function shareOf({ clientX, clientY }) {
    const { layout } = view.shown();
    const box = stage.getBoundingClientRect();
    const [{ x, y }] = layout.origins;
    return [between(0, (clientX - box.left - x) / layout.panelWidth, 1), between(0, (clientY - box.top - y) / layout.panelHeight, 1)];
  }

  const middle = () => {
    const { cursor } = view.shown();
    const walked = stage.matches(":focus-visible"); // around the cell that the keys have led to
    return walked ? [(cursor.col + 0.5) / drawn.cols, (cursor.row + 0.5) / drawn.rows] : [0.5, 0.5];
  };
  /** @param {number} times */
  function zoomBy(times) {
    const [across, down] = middle();
    const { cursor } = view.shown();
    const cell = { row: cursor.row + drawn.row, col: cursor.col + drawn.col };
    window.zoom(times, across, down);
    if (stage.matches(":focus-visible")) window.show(cell);
    tell();
  }
  function showAll() {
    window.reset();
    tell();
  }

  const button = (/** @type {string} */ text, /** @type {string} */ words, /** @type {() => void} */ onclick) =>
    h("button", { type: "button", class: "lt-button", title: words, "aria-label": words, onclick }, text);
  const less = button("−", "Make the map smaller", () => zoomBy(1 / STEP));
  const all = button("Whole map", "Show the whole map", showAll);
  const buttons = h(
    "div",
    {},
    button("+", "Make the map larger", () => zoomBy(STEP)),
    less,
    all,
  );
  Object.assign(buttons.style, { display: "flex", gap: "6px", margin: "6px 0" });
  stage.after(buttons);
  stage.setAttribute("aria-description", "Plus and minus make it larger and smaller, 0 shows the whole map.");
  listen(stage, { window, view, draw, zoomBy, showAll, shareOf, drawn: () => drawn, whole: () => at?.content ?? null });

  return {
    ...view,
    update(frame) {
      const content = contentOf(spec, frame, context.controls);
      if (!content) return;
      at = { frame, content, marks: at?.marks ?? {} };
      window.of(content);
      draw();
    },
    highlight(marks) {
      if (at) at.marks = marks;
      view.highlight(moved(marks, -1));
    },
    shown: () => ({ ...view.shown(), from: drawn, cut: (/** @type {Content} */ content) => partOf(content, drawn) }),
  };
}

/**
 * Hands that choose the window. A page still scrolls: the wheel zooms with Ctrl, and pans where the map has the focus.
 * @param {HTMLElement} stage
 * @param {{window: ReturnType<typeof createWindow>, view: View, draw: () => void, zoomBy: (times: number) => void, showAll: () => void,
 *   shareOf: (place: {clientX: number, clientY: number}) => number[], drawn: () => Window, whole: () => Content|null}} map
 */
function listen(stage, { window, view, draw, zoomBy, showAll, shareOf, drawn, whole }) {
  stage.addEventListener(
    "wheel",
    (event) => {
      const pixels = event.deltaMode === 0 ? 1 : LINE;
      if (event.ctrlKey || event.metaKey) {
        const [across, down] = shareOf(event);
        window.zoom(Math.exp(-event.deltaY * pixels * QUICK), across, down);
      } else if (!stage.matches(":focus")) return;
      else {
        const { layout } = view.shown();
        const [x, y] = event.shiftKey ? [event.deltaX || event.deltaY, 0] : [event.deltaX, event.deltaY];
        if (!window.pan((x * pixels) / layout.panelWidth, (y * pixels) / layout.panelHeight)) return;
      }
      event.preventDefault();
      draw();
    },
    { passive: false },
  );

  /** @type {{far: number, at: number[]}|null} two fingers, as they were last */
  let fingers = null;
  /** @param {TouchEvent} event */
  function pinch(event) {
    if (event.touches.length !== 2) return void (fingers = null);
    event.preventDefault();
    const [one, other] = event.touches;
    const far = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    const at = shareOf({ clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 });
    if (fingers && far > 0) {
      window.pan(fingers.at[0] - at[0], fingers.at[1] - at[1]);
      window.zoom(far / fingers.far, at[0], at[1]);
      draw();
    }
    fingers = { far, at };
  }
  for (const kind of /** @type {const} */ (["touchstart", "touchmove", "touchend", "touchcancel"]))
    stage.addEventListener(kind, pinch, { passive: false });

  /** @type {Record<string, () => void>} */
  const keys = { "+": () => zoomBy(STEP), "=": () => zoomBy(STEP), "-": () => zoomBy(1 / STEP), 0: showAll };
  stage.addEventListener(
    "keydown",
    (event) => {
      const content = whole();
      if (!content || event.altKey || event.metaKey) return;
      if (!event.ctrlKey && Object.hasOwn(keys, event.key)) {
        event.preventDefault();
        keys[event.key]();
        return;
      }
      const { cursor } = view.shown();
      const { row, col } = drawn();
      const next = walk({ panel: 0, row: cursor.row + row, col: cursor.col + col }, event.key, { ctrl: event.ctrlKey, ...content });
      if (!next) return; // the heatmap itself walks there, once it is in the window
      window.show(next);
      draw();
    },
    { capture: true },
  );
}
