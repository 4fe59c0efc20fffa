/** Flow: the matrices of one calculation; a cell that is pointed at shows the cells that made it, and the sum between them. */
import { h, make, onPoint } from "../shared/dom.mjs";
import { countOf } from "../shared/format.mjs";
import { flowOf } from "./flow_content.mjs";
import { cellBox, flowCellAt, flowLayout, walkFlow } from "./flow_layout.mjs";
import { flowPicture } from "./flow_picture.mjs";
import { createWalk } from "./flow_walk.mjs";
import { openPicture, titled } from "./frame.mjs";
import { boxOn, padded, sameSource, within } from "./places.mjs";
import { ALL, size } from "./size.mjs";

/** @import { Scene } from "./sources.mjs" */
/** @import { Context, Marks } from "./index.mjs" */
/** @import { Kind } from "./kind.mjs" */
/** @typedef {import("./flow_content.mjs").Cell} Cell */
/** @typedef {import("./flow_content.mjs").Matrix} Matrix */

export const part = "flow";
export const tells = false; // it has its own way of that
export const ghost = null;
export const level = () => /** @type {const} */ ("");
export const sizeOf = () => size(ALL, ALL);

export const HINT = globalThis.matchMedia?.("(pointer: coarse)").matches
  ? "Tap a number: the numbers that made it light up, and its sum opens."
  : "Point at a number: the numbers that made it light up. Click it: its sum opens.";
const STEP = "Step through";

/** As a picture. @param {any} spec @param {Scene} scene @param {number} width */
export function still(spec, { frame, controls, theme }, width) {
  const matrices = /** @type {Matrix[]} */ (flowOf(spec, frame, controls));
  return { ...flowPicture(matrices, flowLayout(matrices, spec, width), { theme }), under: 70 };
}

/** @param {Cell|null} a @param {Cell|null} b */
const same = (a, b) => a === b || (a !== null && b !== null && a.part === b.part && a.row === b.row && a.col === b.col);

// ---- in the page

/**
 * @typedef {object} State
 * @property {Matrix[]|null} now what is drawn
 * @property {import("./flow_layout.mjs").Layout|null} layout
 * @property {Marks} marks
 * @property {Cell|null} pointed
 * @property {Cell|null} walked what the walk has come to
 * @property {Cell} cursor of the arrow keys
 * @property {boolean} focused
 */

/** @typedef {{part: number, field: HTMLElement}} Held the fields of a matrix that the reader sets */
const MOST_HELD = 8; // columns of such a matrix

/** The number fields that stand in a matrix, because its control is theirs. @param {any} spec @param {Record<string, {element: HTMLElement}>} widgets by name */
function heldIn(spec, widgets) {
  if (globalThis.matchMedia?.("(pointer: coarse)").matches) return []; // a finger's fields are larger than cells
  return spec.parts.flatMap((/** @type {any} */ { source }, /** @type {number} */ part) => {
    const field = widgets[source.control]?.element;
    return field?.matches(".lt-matrix") && field.querySelectorAll("thead th").length <= MOST_HELD ? [{ part, field }] : [];
  });
}

/** @param {Held[]} held @param {import("./flow_layout.mjs").Layout} layout */
function placeFields(held, { places }) {
  for (const { part, field } of held) {
    const { x, y, cell } = places[part];
    field.style.cssText = `left: ${x}px; top: ${y}px; --w: ${cell.width}px; --h: ${cell.height}px`;
  }
}

/** @param {Matrix[]} matrices */
const sizesOf = (matrices) =>
  matrices.map(({ label, rows, cols, axes: [down, across] }) => `${label}, ${countOf(rows, down)} by ${countOf(cols, across)}`).join("; ");

const START = { part: 0, row: 0, col: 0 };

/** @param {State} at */
const currentOf = ({ pointed, focused, cursor, walked }) => pointed ?? (focused ? cursor : walked);

/** Whether there is such a cell. @param {State} at @param {Cell|null} cell */
const isThere = ({ now }, cell) =>
  Boolean(cell && now && cell.part < now.length && cell.row < now[cell.part].rows && cell.col < now[cell.part].cols);

/** @param {any} spec @param {Context} context */
export function create(spec, context) {
  const button = h("button", { type: "button", class: "lt-button lt-flow-button", onclick: () => stepper.press() }, STEP);
  const back = h("button", { type: "button", class: "lt-button", hidden: true, onclick: () => stepper.walk.back() }, "Back");
  const said = make("p", "lt-flow-said", HINT);
  const foot = h("div", { class: "lt-flow-foot" }, button, back, said);
  const { element, stage, paint, width, name, destroy } = openPicture(spec, context, { draw, called: "calculation", below: [foot] });
  /** @type {State} */
  const at = { now: null, layout: null, marks: {}, pointed: null, walked: null, cursor: START, focused: false };
  let drawnKey = "";
  /** @type {Held[]} */
  let held = [];
  const teller = createTeller(spec, context, said, (speak) => tell(speak, true));
  const stepper = createStepper(spec, context, { at, button, back, teller, mark, tell });

  function update(/** @type {import("./sources.mjs").Frame} */ frame) {
    const matrices = flowOf(spec, frame, context.controls);
    if (!matrices) return;
    at.now = matrices;
    teller.forget();
    if (!isThere(at, at.cursor)) at.cursor = START;
    if (!isThere(at, at.pointed)) at.pointed = null;
    if (!isThere(at, at.walked)) at.walked = null;
    name(`${titled(spec)}${sizesOf(matrices)}. Arrow keys walk the numbers and on to the next matrix, Enter tells more.`);
    tell(false, true);
  }

  function draw() {
    if (!at.now) return;
    const key = JSON.stringify([width(), at.now.map(({ label, rowNames, colNames }) => [label, rowNames, colNames])]);
    if (key !== drawnKey || !at.layout) {
      at.layout = flowLayout(at.now, spec, width());
      placeFields(held, at.layout);
    }
    drawnKey = key;
    const cell = currentOf(at);
    const lit = cell && isThere(at, cell) ? { cell, reads: teller.readsOf(cell) } : null;
    paint(flowPicture(at.now, at.layout, { theme: context.theme(), moving: true, empty: stepper.walk.empty, marks: at.marks, lit }));
  }

  /** Say how the present cell was made. @param {boolean} speak @param {boolean} [anew] the numbers are others now */
  function tell(speak, anew = false) {
    teller.tell(currentOf(at), speak, anew);
    draw();
  }

  /** @param {Cell|null} cell */
  function mark(cell) {
    const all = spec.parts.flatMap((/** @type {any} */ one) => one.axes.map((/** @type {string} */ axis) => [axis, null]));
    const { axes: [down = "", across = ""] = [] } = (cell && at.now?.[cell.part]) || {};
    const next = { ...Object.fromEntries(all), ...(cell && at.now ? { [down]: cell.row, [across]: cell.col } : {}) };
    at.marks = { ...at.marks, ...next };
    context.highlight(next);
  }

  const cellOf = (/** @type {number} */ x, /** @type {number} */ y) => (at.now && at.layout ? flowCellAt(at.layout, at.now, x, y) : null);
  listenHands(element, stage, spec, { at, walk: stepper.walk, cellOf, mark, tell });

  function highlight(/** @type {Marks} */ next) {
    at.marks = next ?? {};
    draw();
  }

  const boxOf = (/** @type {Cell} */ cell) => (at.layout && isThere(at, cell) ? cellBox(at.layout, cell) : null);
  const hold = (/** @type {Record<string, {element: HTMLElement}>} */ widgets) => {
    held = heldIn(spec, widgets);
    return held.map(({ field }) => (stage.append(field), field));
  };
  const shown = () => ({ stage, cellOf, boxOf, cursor: at.cursor });
  const rest = () => void (stepper.walk.walking() && stepper.walk.end());
  return { element, update, highlight, shown, hold, rest, destroy: () => (stepper.walk.stop(), destroy()) };
}

/**
 * The line that says how a cell was made; what reads numbers is fetched when it is first asked for.
 * @param {any} spec @param {Context} context
 * @param {HTMLElement} said
 * @param {(speak: boolean) => void} came the reader has come: tell the present cell again
 */
function createTeller(spec, context, said, came) {
  /** @type {Cell|null} */
  let told = null; // the cell that the line is about
  /** @type {Cell[]} */
  let reads = [];
  /** @type {any} */
  let reader = null;

  async function fetchReader() {
    try {
      reader ??= await context.reader(spec);
    } catch (error) {
      said.textContent = `How numbers are made could not be loaded: ${error instanceof Error ? error.message : error}`;
    }
    return reader;
  }

  /** @param {Cell} cell */
  function read(cell) {
    told = cell;
    const found = reader.read(cell);
    reads = found.reads;
    said.replaceChildren(...found.line);
    said.dataset.words = found.words;
  }

  return {
    fetchReader,
    forget: () => reader?.forget(),
    readsOf: (/** @type {Cell} */ cell) => (same(cell, told) ? reads : []),
    /** @param {Cell|null} cell @param {boolean} speak @param {boolean} anew the numbers are others now */
    tell(cell, speak, anew) {
      const fresh = anew || !same(cell, told);
      if (fresh) reads = [];
      if (!cell) {
        told = null;
        if (said.textContent !== HINT) said.replaceChildren(HINT);
      } else if (reader) {
        if (fresh) read(cell);
        if (speak) context.announce(said.dataset.words ?? "");
      } else {
        fetchReader().then(() => reader && came(speak));
      }
    },
  };
}

/**
 * The button that fills the matrices again, one after the other.
 * @param {any} spec @param {Context} context
 * @param {{at: State, button: HTMLElement, back: HTMLElement, teller: ReturnType<typeof createTeller>, mark: (cell: Cell|null) => void, tell: (speak: boolean) => void}} how
 */
function createStepper(spec, context, { at, button, back, teller, mark, tell }) {
  const walk = createWalk({ matrices: () => at.now ?? [], show, reducedMotion: context.reducedMotion });

  async function press() {
    if (!walk.walking()) {
      const found = await teller.fetchReader();
      if (!found || !at.now) return;
      const made = found.made(at.now);
      if (!made.length) return;
      walk.begin(made);
    }
    at.pointed = null;
    if (walk.next() === null && !walk.filling()) walk.end();
    else walk.press();
  }

  /** @param {Cell|null} cell @param {boolean} complete */
  function show(cell, complete) {
    at.walked = cell;
    if (cell && complete) context.announce(`Step ${walk.place().at} of ${walk.place().of}.`);
    mark(cell);
    tell(complete);
    if (!walk.walking() && document.activeElement === back) button.focus(); // it goes away
    back.hidden = !walk.walking();
    button.textContent = wordOf(walk.next());
  }

  /** @param {number|null} next the matrix that is filled next */
  function wordOf(next) {
    if (!walk.walking()) return STEP;
    if (walk.filling()) return "Fill at once";
    return next === null ? "End" : `Next: ${spec.parts[next].label}`;
  }
  return { walk, press };
}

/**
 * @param {HTMLElement} element
 * @param {HTMLElement} stage
 * @param {any} spec
 * @param {{at: State, walk: ReturnType<typeof createWalk>, cellOf: (x: number, y: number) => Cell|null, mark: (cell: Cell|null) => void,
 *   tell: (speak: boolean) => void}} how
 */
function listenHands(element, stage, spec, { at, walk, cellOf, mark, tell }) {
  const isEmpty = (/** @type {Cell} */ { part: p, row, col }) => walk.empty(p, row * /** @type {Matrix[]} */ (at.now)[p].cols + col);
  const cellUnder = (/** @type {MouseEvent} */ event) => {
    const box = stage.getBoundingClientRect();
    return cellOf(event.clientX - box.left, event.clientY - box.top);
  };
  /** @param {Cell|null} cell */
  function point(cell) {
    if (same(cell, at.pointed) || (cell && isEmpty(cell))) return;
    at.pointed = cell;
    if (cell) at.cursor = cell;
    mark(cell);
    tell(false);
  }
  onPoint(
    stage,
    (event) => point(cellUnder(event)),
    () => point(null),
  );
  stage.addEventListener("focus", () => {
    at.focused = stage.matches(":focus-visible");
    if (!at.focused || !at.now) return;
    mark(at.cursor);
    tell(true);
  });
  stage.addEventListener("blur", () => {
    Object.assign(at, { focused: false, pointed: null });
    mark(at.walked);
    tell(false);
  });
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && walk.walking()) return walk.end();
    if (!at.now || event.target !== stage || event.ctrlKey || event.altKey || event.metaKey) return undefined;
    const next = walkFlow(at.cursor, event, at.now, spec.stages);
    if (!next) return undefined;
    event.preventDefault();
    Object.assign(at, { focused: true, pointed: null });
    if (!isEmpty(next)) at.cursor = next;
    mark(at.cursor);
    return tell(true);
  });
}

// ---- its numbers

/** @type {Kind["numberAt"]} */
export function numberAt({ parts }, { stage, cellOf, cursor }, pointed) {
  const [x, y] = pointed ? within(stage, pointed) : [];
  const cell = pointed ? cellOf(x, y) : cursor;
  return cell && { source: parts[cell.part].source, index: [cell.row, cell.col] };
}

/** @type {Kind["boxesOf"]} */
export function boxesOf({ parts }, { stage, boxOf }, source, index) {
  const [row, col] = padded(index, 2);
  return parts.flatMap((/** @type {any} */ one, /** @type {number} */ p) => {
    const box = sameSource(one.source, source) ? boxOf({ part: p, row, col }) : null;
    return box ? [boxOn(stage, box.x, box.y, box.width, box.height)] : [];
  });
}

/** @type {Kind["axes"]} */
export function axes(spec, source) {
  const { axes: own, rows, cols } = spec.parts.find((/** @type {any} */ one) => sameSource(one.source, source));
  return [
    [own[0], rows],
    [own[1], cols],
  ];
}
