/** Points that can be dragged by mouse and touch and moved with the arrow keys. */
import { asTensor, rowsOf } from "./sources.mjs";
import { pictured } from "../shared/format.mjs";
import { tidy } from "./scales.mjs";

/** @import { Context } from "./index.mjs" */
/** @typedef {import("../shared/scene.mjs").Shape} Shape */

/**
 * One point moved: a new list, the others as they were.
 * @param {number[][]} points @param {number} index @param {number[]} to @param {number[][]} domain
 */
export function movePoint(points, index, to, domain) {
  return points.map((point, i) => (i === index ? point.map((old, d) => (to[d] === undefined ? old : tidy(to[d], domain[d]))) : point));
}

/** What an arrow key adds, in steps of 1/100 of the range (1/20 with Shift). @param {string} key @param {boolean} shift @param {number[][]} domain */
export function keyStep(key, shift, domain) {
  /** @type {Record<string, number[]|undefined>} */
  const signs = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const sign = signs[key];
  if (!sign) return null;
  // on a line, up and down move along it too
  const along = domain.length === 1 ? [sign[0] + sign[1]] : sign;
  return along.map((s, d) => (s * (domain[d][1] - domain[d][0])) / (shift ? 20 : 100));
}

/** How a point is read out. @param {number[]} point */
export function pointText(point) {
  return point.map((value, d) => `${["x", "y"][d]} ${pictured(value)}`).join(", ");
}

/** The points of a control as rows, those on a line too. @param {any} value */
export function pointsIn(value) {
  const tensor = asTensor(value);
  if (!tensor) return [];
  const points = rowsOf(tensor);
  return tensor.shape.length === 1 ? points[0].map((x) => [x]) : points;
}

const FREE = [
  [-Infinity, Infinity],
  [-Infinity, Infinity],
];

/**
 * A point as what it is: a square of a key, a diamond of a value, else a circle.
 * @param {string} shape @param {number} size across a circle @param {number} x @param {number} y @param {Record<string, any>} how @returns {Shape}
 */
export function markShape(shape, size, x, y, how) {
  const wide = shape === "square" ? size - 1 : shape === "diamond" ? size - 2 : size;
  const turned = shape === "diamond" ? { transform: `rotate(45 ${x} ${y})` } : {};
  const rx = shape === "square" || shape === "diamond" ? 1.5 : size / 2;
  return ["rect", { ...how, ...turned, rx, width: wide, height: wide, x: x - wide / 2, y: y - wide / 2 }];
}

/**
 * What a control's points are drawn with, and where they are.
 * @typedef {{control: any, points: number[][], axis: string|null, at: (point: number[]) => number[], colour: string,
 *   names: (i: number) => string, shape: string, rise?: number, marked?: number|null}} Group
 */

/**
 * The handles of one points control. @param {Group} group @returns {Shape}
 */
export function handleShapes({ control, points, at, colour, names, shape, rise = 0, marked = null }) {
  const domain = control.domain ?? FREE;
  const bounds = Number.isFinite(domain[0][0]) ? { "aria-valuemin": domain[0][0], "aria-valuemax": domain[0][1] } : {};
  const one = (/** @type {number[]} */ point, /** @type {number} */ i) => {
    const [x, y] = at(point);
    const said = { "aria-label": names(i), "aria-valuetext": pointText(point), "aria-valuenow": point[0], ...bounds };
    return [
      "g",
      {
        class: i === marked ? "lt-handle lt-marked" : "lt-handle",
        transform: `translate(${x},${y})`,
        tabindex: 0,
        role: "slider",
        "aria-roledescription": "movable point",
        "data-control": control.name,
        "data-point": i,
        ...said,
      },
      [
        ...(shape === "line" ? [["line", { class: "lt-handle-line", y2: rise }]] : []),
        ["circle", { class: "lt-handle-touch", r: 17 }],
        ["circle", { class: "lt-handle-ring", r: 11 }],
        markShape(shape, 13, 0, 0, { class: "lt-handle-dot", fill: colour }),
      ],
    ];
  };
  return ["g", { class: `lt-handle-group lt-${shape}` }, /** @type {Shape[]} */ (points.map(one))];
}

/**
 * Let hands move the handles drawn on a stage.
 * @param {HTMLElement} stage
 * @param {Context} context
 * @param {(control: string) => (Group & {unplace: (x: number, y: number) => number[]})|undefined} groupOf as drawn last
 */
export function moveHandles(stage, context, groupOf) {
  /** @type {{handle: any, index: number, control: string}|null} */
  let held = null;
  /** @type {number[]} where the held point stood */
  let from = [];

  const found = (/** @type {any} */ event) => {
    const handle = event.target.closest?.(".lt-handle");
    return handle ? { handle, index: Number(handle.dataset.point), control: handle.dataset.control } : null;
  };
  /** What hands have set, which may be drawn a frame later. @type {Map<string, number[][]>} */
  const set = new Map();
  const pointsOf = (/** @type {string} */ name) => set.get(name) ?? groupOf(name)?.points ?? [];

  /** @param {string} name @param {number} index @param {number[]} to @param {boolean} final */
  function put(name, index, to, final) {
    const group = groupOf(name);
    if (!group) return;
    const points = movePoint(pointsOf(name), index, to, group.control.domain ?? FREE);
    set.set(name, points);
    context.set(name, points, { final });
  }
  const mark = (/** @type {string} */ name, /** @type {number|null} */ index) => {
    const axis = groupOf(name)?.axis;
    if (axis) context.highlight({ [axis]: index });
  };

  const take = (/** @type {PointerEvent} */ event) => {
    const one = found(event);
    if (!event.isPrimary) return undo(); // two fingers make the page larger
    if (!one || event.button > 0) return;
    held = one;
    from = pointsOf(one.control)[one.index];
    one.handle.setPointerCapture?.(event.pointerId);
    event.stopPropagation();
    mark(one.control, one.index);
  };
  const drag = (/** @type {PointerEvent} */ event) => {
    const group = held && groupOf(held.control);
    if (!held || !group) return;
    if (event.buttons === 0) return drop(); // let go where nobody could see it
    const box = stage.getBoundingClientRect();
    put(held.control, held.index, group.unplace(event.clientX - box.left, event.clientY - box.top), false);
  };
  const drop = () => {
    if (held) leave(pointsOf(held.control)[held.index]);
  };
  /** The page has taken the finger for itself: nothing of the drag was meant. */
  const undo = () => {
    if (held) leave(from);
  };
  const leave = (/** @type {number[]} */ at) => {
    const { control, index } = /** @type {NonNullable<typeof held>} */ (held);
    held = null;
    put(control, index, at, true);
  };
  // a finger on a point moves the point and not the page; elsewhere it scrolls
  stage.addEventListener("touchstart", (event) => found(event) && event.preventDefault(), { passive: false });
  stage.addEventListener("touchmove", ({ touches }) => touches[1] && undo(), { passive: true }); // the other finger may be anywhere
  stage.addEventListener("pointerdown", take);
  stage.addEventListener("pointermove", drag);
  stage.addEventListener("pointerup", drop);
  stage.addEventListener("pointercancel", undo);
  stage.addEventListener("lostpointercapture", ({ target }) => target === held?.handle && drop()); // the window was turned in the middle of a drag
  markHandles(stage, { found, held: () => held !== null, mark });
  stage.addEventListener("keydown", (event) => {
    const one = found(event);
    const group = one && groupOf(one.control);
    if (one && group) step(event, group, one, pointsOf(one.control)[one.index]);
  });

  /** @param {KeyboardEvent} event @param {Group} group @param {{control: string, index: number}} one @param {number[]} point */
  function step(event, group, { control, index }, point) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const by = keyStep(event.key, event.shiftKey, (group.control.domain ?? FREE).slice(0, point.length));
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    put(
      control,
      index,
      point.map((x, d) => x + by[d]),
      true,
    );
    context.announce(`${group.names(index)}: ${pointText(pointsOf(control)[index])}`);
  }
  return { held: () => held !== null, /** Drawn anew: what is drawn is what holds. */ drawn: () => set.clear() };
}

/**
 * Mark the item of a handle that is pointed at or has the focus.
 * @param {HTMLElement} stage
 * @param {{found: (event: any) => {handle: any, index: number, control: string}|null, held: () => boolean,
 *   mark: (control: string, index: number|null) => void}} how
 */
function markHandles(stage, { found, held, mark }) {
  stage.addEventListener("pointerover", (event) => {
    const one = held() ? null : found(event);
    if (one) mark(one.control, one.index);
  });
  stage.addEventListener("pointerout", (event) => {
    const one = held() || event.pointerType === "touch" ? null : found(event);
    if (one && !one.handle.contains(event.relatedTarget)) mark(one.control, null);
  });
  stage.addEventListener("focusin", (event) => {
    const one = found(event);
    if (one) mark(one.control, one.index);
  });
  stage.addEventListener("focusout", (event) => {
    const one = found(event);
    if (one) mark(one.control, null);
  });
}
