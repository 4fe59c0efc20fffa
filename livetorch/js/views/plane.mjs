/** Points and vectors in the plane, with equal units on both axes; those of a control can be dragged. */
import { frameView, listenTheme, make, makeStage, onPoint, onWidth, sameMarks, writeText } from "../shared/dom.mjs";
import { pictured } from "../shared/format.mjs";
import { moveHandles, pointText } from "./handles.mjs";
import { contentOf, planePicture, reachOf } from "./plane_picture.mjs";
import { rememberedBox } from "./plot.mjs";
import { calmDomain, nearestPoint } from "./scales.mjs";
import { isItem } from "./sources.mjs";

/** @import { Frame } from "./sources.mjs" */
/** @import { Context, Marks } from "./index.mjs" */
/** @import { Content, Group } from "./plane_picture.mjs" */

/** @typedef {{now: Content, drawn: ReturnType<typeof planePicture>, stage: HTMLElement}} Shown from the first frame on */

/**
 * @param {any} spec
 * @param {Context} context
 */
export function createPlane(spec, context) {
  const element = frameView("plane", spec.title);
  const { stage, paint } = makeStage();
  const readout = make("div", "lt-view-foot lt-readout");
  element.append(stage, readout);
  stage.setAttribute("role", "group");
  const moving = moveHandles(stage, context, (name) => drawn?.handles.find(({ control }) => control.name === name));
  const box = rememberedBox();
  /** @type {Content|null} */
  let now = null;
  /** @type {ReturnType<typeof planePicture>|null} */
  let drawn = null;
  /** @type {Marks} */
  let marks = {};
  /** @type {{x: number[], y: number[]}|null} */
  let domains = null;
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
    stage.setAttribute("aria-label", describe(now));
    drawMarks();
  }

  /** @param {Content} content */
  function describe(content) {
    const groups = content.groups.map((g) => g.points.map((p, i) => `${g.names[i]} at ${pointText(p)}`).join("; "));
    return `${spec.title ? `${spec.title}: ` : ""}points in the plane. ${groups.join("; ")}.`;
  }

  function drawMarks() {
    if (!now?.groups.length || !domains) return;
    drawn = planePicture(spec, now, { domains, width: sizing.width(), theme: context.theme(), marks, box });
    paint(drawn);
    writeText(readout, say(now));
  }

  /** @param {Content} content */
  function say({ groups, links }) {
    const parts = groups.flatMap((g) => {
      const i = marks[g.axis];
      return isItem(i) && g.points[i] ? [`${g.names[i]} (${g.points[i].map((v) => pictured(v)).join(", ")})`] : [];
    });
    const [from, to] = groups;
    const link = to && links.find((l) => l.q === marks[from.axis] && l.k === marks[to.axis]);
    return parts.join(", ") + (link ? `, weight ${pictured(link.weight)}` : "");
  }

  /** @param {Marks} next */
  function highlight(next) {
    marks = next ?? {};
    drawMarks();
  }

  const over = (/** @type {PointerEvent} */ event) => {
    if (!now || !drawn || /** @type {Element} */ (event.target).closest(".lt-handle")) return;
    const box = stage.getBoundingClientRect();
    const { x, y } = drawn.box;
    /** @type {Marks} */
    const next = {};
    for (const group of now.groups.filter((g) => !g.drag)) {
      next[group.axis] = nearestPoint(
        group.points.map((p) => [x(p[0]), y(p[1])]),
        event.clientX - box.left,
        event.clientY - box.top,
        14,
      );
    }
    const mine = Object.fromEntries(Object.keys(next).map((axis) => [axis, marks[axis] ?? null]));
    if (sameMarks(next, mine)) return;
    highlight({ ...marks, ...next });
    context.highlight(next);
  };
  onPoint(stage, over, () => {
    const none = Object.fromEntries(spec.groups.map((/** @type {Group} */ g) => [g.axis, null]));
    highlight({ ...marks, ...none });
    context.highlight(none);
  });
  const stopTheme = listenTheme(context, () => now && draw());
  const shown = () => ({ now, drawn, stage });
  return { element, update, highlight, shown, destroy: () => (sizing.stop(), stopTheme(), element.remove()) };
}
