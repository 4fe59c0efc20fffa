/** Flow: the matrices of one calculation; a cell that is pointed at shows the cells that made it, and the sum between them. */
import { frameView, h, listenTheme, make, makeStage, onPoint, onWidth } from "../shared/dom.mjs";
import { countOf } from "../shared/format.mjs";
import { flowOf } from "./flow_content.mjs";
import { cellBox, flowCellAt, flowLayout, walkFlow } from "./flow_layout.mjs";
import { flowPicture } from "./flow_picture.mjs";
import { createWalk } from "./flow_walk.mjs";

/** @typedef {import("./flow_content.mjs").Cell} Cell */

export const HINT = "Point at a number: the numbers that made it light up.";
const STEP = "Step through";

/** As a picture. @param {any} spec @param {{frame: any, controls: any, theme: "light"|"dark"}} scene @param {number} width */
export function stillFlow(spec, { frame, controls, theme }, width) {
  const matrices = /** @type {import("./flow_content.mjs").Matrix[]} */ (flowOf(spec, frame, controls));
  return flowPicture(matrices, flowLayout(matrices, spec, width), { theme });
}

/** @param {Cell|null} a @param {Cell|null} b */
const same = (a, b) => a === b || (a !== null && b !== null && a.part === b.part && a.row === b.row && a.col === b.col);

/**
 * @param {any} spec
 * @param {import("./index.mjs").Context} context
 */
export function createFlow(spec, context) {
  const element = frameView("flow", spec.title);
  const { stage, paint } = makeStage();
  const button = h("button", { type: "button", class: "lt-button lt-flow-button", onclick: press }, STEP);
  const said = make("p", "lt-flow-said", HINT);
  element.append(stage, h("div", { class: "lt-flow-foot" }, button, said));
  stage.tabIndex = 0;
  stage.setAttribute("role", "application");
  stage.setAttribute("aria-roledescription", "calculation");
  /** @type {import("./flow_content.mjs").Matrix[]|null} */
  let now = null;
  /** @type {import("./flow_layout.mjs").Layout|null} */
  let layout = null;
  let drawnKey = "";
  /** @type {import("./index.mjs").Marks} */
  let marks = {};
  /** @type {Cell|null} */
  let pointed = null;
  /** @type {Cell|null} what the walk has come to */
  let walked = null;
  /** @type {Cell} */
  let cursor = { part: 0, row: 0, col: 0 };
  let focused = false;
  let again = true; // whether a press means the cell that was shown before it
  /** @type {Cell|null} */
  let told = null; // the cell that the line is about
  /** @type {Cell[]} */
  let reads = [];
  /** @type {any} what reads numbers, once it has come */
  let reader = null;
  const sizing = onWidth(element, () => now && draw());
  const walk = createWalk({ matrices: () => now ?? [], show: shown, reducedMotion: context.reducedMotion });

  const current = () => pointed ?? (focused ? cursor : walked);
  const there = (/** @type {Cell|null} */ cell) =>
    Boolean(cell && now && cell.part < now.length && cell.row < now[cell.part].rows && cell.col < now[cell.part].cols);
  const emptyAt = (/** @type {Cell} */ { part, row, col }) => walk.empty(part, row * /** @type {any} */ (now)[part].cols + col);

  function update(/** @type {import("./sources.mjs").Frame} */ frame) {
    const matrices = flowOf(spec, frame, context.controls);
    if (!matrices) return;
    now = matrices;
    reader?.forget();
    if (!there(cursor)) cursor = { part: 0, row: 0, col: 0 };
    if (!there(pointed)) pointed = null;
    if (!there(walked)) walked = null;
    stage.setAttribute(
      "aria-label",
      `${spec.title ? `${spec.title}: ` : ""}${now.map(({ label, rows, cols, axes }) => `${label}, ${countOf(rows, axes[0])} by ${countOf(cols, axes[1])}`).join("; ")}. Arrow keys walk the numbers and on to the next matrix, Enter tells more.`,
    );
    tell(false, true);
  }

  function draw() {
    if (!now) return;
    const width = sizing.width();
    const key = JSON.stringify([width, now.map(({ label, rowNames, colNames }) => [label, rowNames, colNames])]);
    if (key !== drawnKey || !layout) layout = flowLayout(now, spec, width);
    drawnKey = key;
    const cell = current();
    paint(
      flowPicture(now, layout, {
        theme: context.theme(),
        moving: true,
        empty: walk.empty,
        marks,
        lit: cell && there(cell) ? { cell, reads: same(cell, told) ? reads : [] } : null,
      }),
    );
  }

  /** Say how the present cell was made; what says it is fetched at first. @param {boolean} speak @param {boolean} [anew] the numbers are others now */
  function tell(speak, anew = false) {
    const cell = current();
    if (anew || !same(cell, told)) reads = [];
    if (!cell) {
      told = null;
      if (said.textContent !== HINT) said.replaceChildren(HINT);
    } else if (reader) {
      if (anew || !same(cell, told)) {
        told = cell;
        const found = reader.read(cell);
        reads = found.reads;
        said.replaceChildren(...found.line);
        said.dataset.words = found.words;
      }
      if (speak) context.announce(said.dataset.words ?? "");
    } else {
      fetchReader().then(() => reader && tell(speak, true));
    }
    draw();
  }

  async function fetchReader() {
    try {
      reader ??= await context.reader(spec);
    } catch (error) {
      said.textContent = `How numbers are made could not be loaded: ${error instanceof Error ? error.message : error}`;
    }
    return reader;
  }

  /** @param {Cell|null} cell */
  function mark(cell) {
    const axes = spec.parts.flatMap((/** @type {any} */ part) => part.axes.map((/** @type {string} */ axis) => [axis, null]));
    const next = {
      ...Object.fromEntries(axes),
      ...(cell && now ? { [now[cell.part].axes[0]]: cell.row, [now[cell.part].axes[1]]: cell.col } : {}),
    };
    marks = { ...marks, ...next };
    context.highlight(next);
  }

  /** @param {Cell|null} cell */
  function point(cell) {
    if (same(cell, pointed) || (cell && emptyAt(cell))) return;
    pointed = cell;
    if (cell) cursor = cell;
    mark(cell);
    tell(false);
  }

  // ---- the walk

  async function press() {
    if (!walk.walking()) {
      const found = await fetchReader();
      if (!found || !now) return;
      const made = found.made(now);
      if (!made.length) return;
      walk.begin(made);
    }
    pointed = null;
    if (walk.next() === null && !walk.filling()) walk.end();
    else walk.press();
  }

  /** @param {Cell|null} cell @param {boolean} complete */
  function shown(cell, complete) {
    walked = cell;
    if (cell && complete) context.announce(`Step ${walk.place().at} of ${walk.place().of}.`);
    mark(cell);
    tell(complete);
    const next = walk.next();
    button.textContent = !walk.walking()
      ? STEP
      : walk.filling()
        ? "Fill at once"
        : next === null
          ? "End"
          : `Next: ${spec.parts[next].label}`;
  }

  // ---- hands

  const cellOf = (/** @type {number} */ x, /** @type {number} */ y) => (now && layout ? flowCellAt(layout, now, x, y) : null);
  const cellUnder = (/** @type {MouseEvent} */ event) => {
    const box = stage.getBoundingClientRect();
    return cellOf(event.clientX - box.left, event.clientY - box.top);
  };
  // a finger's first tap shows a cell, its second tells more; a mouse has shown it before it presses
  stage.addEventListener("pointerdown", (event) => (again = event.pointerType !== "touch" || same(cellUnder(event), pointed)), {
    capture: true,
  });
  onPoint(
    stage,
    (event) => point(cellUnder(event)),
    () => point(null),
  );
  stage.addEventListener("focus", () => {
    focused = stage.matches(":focus-visible");
    if (focused && now) {
      mark(cursor);
      tell(true);
    }
  });
  stage.addEventListener("blur", () => {
    focused = false;
    pointed = null;
    mark(walked);
    tell(false);
  });
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && walk.walking()) return walk.end();
    if (!now || event.target !== stage || event.ctrlKey || event.altKey || event.metaKey) return undefined;
    const next = walkFlow(cursor, event, now, spec.stages);
    if (!next) return undefined;
    event.preventDefault();
    pointed = null;
    focused = true;
    if (!emptyAt(next)) cursor = next;
    mark(cursor);
    return tell(true);
  });

  function highlight(/** @type {import("./index.mjs").Marks} */ next) {
    marks = next ?? {};
    draw();
  }

  const stopTheme = listenTheme(context, draw);
  const boxOf = (/** @type {Cell} */ cell) => (layout && there(cell) ? cellBox(layout, cell) : null);
  return {
    element,
    update,
    highlight,
    shown: () => ({ stage, cellOf, boxOf, cursor, again }),
    destroy: () => (sizing.stop(), stopTheme(), walk.stop(), element.remove()),
  };
}
