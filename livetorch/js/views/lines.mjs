/** Curves and scattered points over one x axis; points that belong to a control can be dragged. */
import { createLevel } from "./level.mjs";
import { frameView, listenTheme, make, makeStage, onPoint, onWidth, sameMarks, writeText } from "../shared/dom.mjs";
import { pictured, itemName } from "../shared/format.mjs";
import { moveHandles } from "./handles.mjs";
import { showLegend } from "./legend.mjs";
import { contentOf, entriesOf, linesPicture, reachOf } from "./lines_picture.mjs";
import { rememberedBox } from "./plot.mjs";
import { calmDomain, nearest, nearestPoint } from "./scales.mjs";
import { isItem } from "./sources.mjs";
import { steppedTo } from "./walk.mjs";

/** @import { Frame } from "./sources.mjs" */
/** @import { Context, Marks } from "./index.mjs" */
/** @import { Content } from "./lines_picture.mjs" */

/** @typedef {{now: Content, drawn: ReturnType<typeof linesPicture>, stage: HTMLElement, at: number|null}} Shown from the first frame on */

/** @param {any} spec @param {Context} context */
export function createLines(spec, context) {
  const element = frameView("lines", spec.title);
  const { stage, paint } = makeStage();
  const legend = make("div", "lt-legend");
  const readout = make("div", "lt-view-foot lt-readout");
  element.append(legend, stage, readout);
  stage.setAttribute("role", "application");
  stage.setAttribute("aria-roledescription", "chart");
  stage.tabIndex = 0;
  const moving = moveHandles(stage, context, (name) => drawn?.handles.find(({ control }) => control.name === name));
  const box = rememberedBox();

  /** @type {Content|null} */
  let now = null;
  /** @type {ReturnType<typeof linesPicture>|null} */
  let drawn = null;
  /** @type {Marks} */
  let marks = {};
  /** @type {{x: number[], y: number[]}|null} */
  let domains = null;
  let named = "";
  /** @type {number|null} */
  let at = null;
  const level = createLevel(
    () => drawn?.own ?? 0,
    () => drawMarks(),
  );
  const sizing = onWidth(element, () => now && draw());

  /** @param {Frame} frame */
  function update(frame) {
    now = contentOf(spec, frame, context.controls);
    moving.drawn();
    draw();
  }

  function draw() {
    if (!now) return;
    const wanted = reachOf(spec, now);
    domains = { x: calmDomain(domains?.x ?? null, wanted.x), y: calmDomain(domains?.y ?? null, wanted.y) };
    const key = now.curves.map((c) => c.label).join("\n") + context.theme();
    if (named !== key) {
      named = key;
      showLegend(legend, entriesOf(spec, now, context.theme()));
      const what = now.curves.map((c) => c.label).join(", ");
      const kind = now.curves.length === 1 ? "curve" : "curves";
      stage.setAttribute(
        "aria-label",
        `${spec.title ? `${spec.title}: ` : ""}${kind} of ${what || "nothing"}${spec.xlabel ? ` over ${spec.xlabel}` : ""}. Arrow keys left and right walk along the curve, Enter tells how a number was made.`,
      );
    }
    drawMarks();
  }

  /** The index on the curves that is marked: by the linked axis, or where the reader stands. */
  function position() {
    const linked = spec.axis ? marks[spec.axis] : null;
    const i = isItem(linked) ? linked : at;
    return i !== null && i >= 0 && i < (now?.curves[0]?.xs.length ?? 0) ? i : null;
  }

  function drawMarks() {
    if (!now || !domains) return;
    const i = position();
    const point = spec.points?.axis ? marks[spec.points.axis] : null;
    drawn = linesPicture(spec, now, {
      domains,
      width: sizing.width(),
      theme: context.theme(),
      at: i,
      point,
      marks,
      least: level.least,
      box,
    });
    paint(drawn);
    writeText(readout, i !== null ? say(now, i) : "");
  }

  /** @param {Content} content @param {number} i */
  function say({ curves }, i) {
    const x = `${spec.axis && !spec.xlabel ? itemName(spec.axis, i) : spec.xlabel || "x"} ${pictured(curves[0].xs[i])}`;
    return `${x}: ${curves.map((c) => `${c.label} ${pictured(c.ys[i])}`).join(", ")}`;
  }

  /** @param {Marks} next */
  function mark(next) {
    if (sameMarks(next, Object.fromEntries(Object.keys(next).map((name) => [name, marks[name] ?? null])))) return drawMarks();
    marks = { ...marks, ...next };
    drawMarks();
    context.highlight(next);
  }

  /** @param {number|null} i @param {number|null} [point] */
  function stand(i, point = null) {
    at = i;
    /** @type {Marks} */
    const next = {};
    if (spec.points?.axis) next[spec.points.axis] = point;
    if (spec.axis) next[spec.axis] = i;
    mark(next);
  }

  const over = (/** @type {PointerEvent} */ event) => {
    if (!now?.curves.length || !drawn || moving.held()) return;
    const box = stage.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const { x: across, y: up, left, right } = drawn.box;
    const near = nearestPoint(
      now.points.map(([x, y]) => [across(x), up(y)]),
      px,
      py,
      14,
    );
    stand(px < left - 5 || px > right + 5 ? null : nearest(now.curves[0].xs, across.invert(px)), near);
  };
  onPoint(stage, over, () => stand(null));
  stage.addEventListener("blur", () => stand(null));
  stage.addEventListener("keydown", (event) => {
    const count = now?.curves[0]?.xs.length ?? 0;
    if (event.target !== stage || !now || !count) return;
    const to = steppedTo(event.key, position() ?? -1, count);
    if (to === undefined) return;
    event.preventDefault();
    stand(to);
    context.announce(say(now, to));
  });
  const stopTheme = listenTheme(context, () => now && draw());
  const highlight = (/** @type {Marks} */ next) => {
    marks = next ?? {};
    drawMarks();
  };
  const shown = () => ({ now, drawn, stage, at: now ? position() : null });
  return { element, update, highlight, shown, level, destroy: () => (sizing.stop(), stopTheme(), element.remove()) };
}
