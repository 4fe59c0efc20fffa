/** A plot over two axes, some of whose points hands may move: curves, or points in the plane. */
import { sameMarks, writeText } from "../shared/dom.mjs";
import { makeReadout, openPicture } from "./frame.mjs";
import { moveHandles } from "./handles.mjs";
import { plotBox, rememberedBox } from "./plot.mjs";
import { calmDomain } from "./scales.mjs";

/** @import { Context, Marks } from "./index.mjs" */
/** @import { Frame } from "./sources.mjs" */
/** @typedef {{x: number[], y: number[]}} Domains how far each axis reaches */
/** @typedef {{domains: Domains, width: number, theme: "light"|"dark", marks: Marks, box: typeof plotBox}} How it is drawn */

/**
 * @template Content
 * @template {{shapes: any[], width: number, height: number, handles: any[], box: any}} Picture
 * @param {any} spec
 * @param {Context} context
 * @param {object} how
 * @param {Partial<Parameters<typeof openPicture>[2]>} how.view
 * @param {(spec: any, frame: Frame, controls: Record<string, any>) => Content} how.contentOf
 * @param {(spec: any, content: Content) => Domains} how.reachOf
 * @param {(now: Content, how: How) => Picture} how.pictureOf
 * @param {(now: Content, name: (text: string) => void) => void} how.came before it is drawn
 * @param {(now: Content, marks: Marks) => string} how.say what is marked
 */
export function openPlot(spec, context, { view: how, contentOf, reachOf, pictureOf, came, say }) {
  const readout = makeReadout();
  const view = openPicture(spec, context, { draw, below: [readout], ...how });
  const moving = moveHandles(view.stage, context, (name) => drawn?.handles.find(({ control }) => control.name === name));
  const box = rememberedBox();
  /** @type {Content|null} */
  let now = null;
  /** @type {Picture|null} */
  let drawn = null;
  /** @type {Marks} */
  let marks = {};
  /** @type {Domains|null} */
  let domains = null;

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
    came(now, view.name);
    redraw();
  }

  function redraw() {
    if (!now || !domains) return;
    drawn = pictureOf(now, { domains, width: view.width(), theme: context.theme(), marks, box });
    view.paint(drawn);
    writeText(readout, say(now, marks));
  }

  /** @param {Marks} next */
  function highlight(next) {
    marks = next ?? {};
    redraw();
  }

  /** Mark items here and everywhere. @param {Marks} next */
  function tell(next) {
    highlight({ ...marks, ...next });
    context.highlight(next);
  }

  /** The same where others are marked; says whether. @param {Marks} next */
  function mark(next) {
    const mine = Object.fromEntries(Object.keys(next).map((name) => [name, marks[name] ?? null]));
    if (sameMarks(next, mine)) return false;
    tell(next);
    return true;
  }
  const { element, stage, destroy } = view;
  const state = () => ({ now, drawn, marks });
  return { element, stage, update, highlight, destroy, redraw, tell, mark, state, held: moving.held };
}
