/** A row of items of which one is marked, by a pointer or the arrow keys; of a matrix, the row of the query that is marked. */
import { writeText } from "../shared/dom.mjs";
import { itemName } from "../shared/format.mjs";
import { makeReadout, openPicture } from "./frame.mjs";
import { boxOn, padded, sameSource, within } from "./places.mjs";
import { isItem } from "./sources.mjs";
import { markItems } from "./walk.mjs";

/** @import { Context, Marks } from "./index.mjs" */
/** @import { Frame } from "./sources.mjs" */
/** @typedef {{shapes: any[], width: number, height: number, at: (x: number, y: number) => number}} Drawn at: which item stands at a place */
/** @typedef {{span: (i: number) => [number, number, number, number]}} Boxes of what is drawn: left, width, top and height of an item */
/** @typedef {{row: number, many: boolean, values: number[], labels: string[]|null}} Row */
/** @typedef {{now: any, drawn: any, stage: HTMLElement, marked: number|null}} Shown from the first frame on */

/**
 * @template {Row} Content
 * @template {Drawn} Picture
 * @param {any} spec
 * @param {Context} context
 * @param {object} how
 * @param {string} how.called what screen readers call it
 * @param {(frame: Frame, query: number) => Content|null} how.contentOf what is drawn of a frame when the row of one query is shown
 * @param {(now: Content, before: Content|null) => void} how.came before it is drawn for the first time
 * @param {(now: Content) => string} how.about what screen readers say of it
 * @param {(now: Content, how: {width: number, theme: "light"|"dark", marked: number|null}) => Picture} how.pictureOf
 * @param {(now: Content, i: number) => string} how.say of an item
 * @param {(query: string, item: string, now: Content, drawn: Picture) => string} how.foot
 */
export function createItems(spec, context, { called, contentOf, came, about, pictureOf, say, foot }) {
  const readout = makeReadout();
  const view = openPicture(spec, context, { draw, called, below: [readout] });
  /** @type {Frame|null} */
  let frame = null;
  /** @type {Content|null} */
  let now = null;
  /** @type {Picture|null} */
  let drawn = null;
  /** @type {Marks} */
  let marks = {};
  let chosen = 0; // the query whose row is shown while none is marked
  const marked = () => marks[spec.axis] ?? null;

  /** @param {Frame} next */
  function update(next) {
    const before = now;
    frame = next;
    now = contentOf(frame, chosen) ?? now;
    if (!now) return;
    came(now, before);
    view.name(about(now));
    draw();
  }

  function draw() {
    if (!now) return;
    const i = marked();
    drawn = pictureOf(now, { width: view.width(), theme: context.theme(), marked: i });
    view.paint(drawn);
    const item = i === null || i >= now.values.length ? "" : say(now, i);
    writeText(readout, foot(now.many ? itemName(spec.query_axis, now.row) : "", item, now, drawn));
  }

  /** @param {Marks} next */
  function highlight(next) {
    marks = next ?? {};
    const query = marks[spec.query_axis];
    if (!frame || !now?.many || !isItem(query) || query === chosen) return draw();
    chosen = query;
    return update(frame);
  }

  /** @param {number|null} i */
  function mark(i) {
    if (marked() === i) return;
    highlight({ ...marks, [spec.axis]: i });
    context.highlight({ [spec.axis]: i });
  }

  markItems(view.stage, {
    at(x, y) {
      const i = drawn?.at(x, y) ?? -1;
      return now && i >= 0 && i < now.values.length ? i : null;
    },
    marked,
    count: () => now?.values.length ?? 0,
    mark,
    tell: (i) => now && context.announce(say(now, i)),
  });
  const shown = () => ({ now, drawn, stage: view.stage, marked: marked() });
  return { element: view.element, update, highlight, shown, draw, drawn: () => drawn, destroy: view.destroy };
}

/** @type {import("./kind.mjs").Kind["numberAt"]} */
export function numberAt({ source }, { now, drawn, stage, marked }, pointed) {
  const [x, y] = pointed ? within(stage, pointed) : [];
  const i = pointed ? drawn.at(x, y) : (marked ?? 0);
  return i >= 0 && i < now.values.length ? { source, index: [now.row, i] } : null;
}

/** @type {import("./kind.mjs").Kind["boxesOf"]} */
export function boxesOf(spec, { now, drawn, stage }, source, index) {
  const [row, i] = padded(index, 2);
  if (!drawn || !sameSource(spec.source, source) || (now.many && row !== now.row)) return [];
  const [left, width, top, height] = /** @type {Boxes} */ (drawn).span(i);
  return [boxOn(stage, left, top, width, height)];
}

/** @type {import("./kind.mjs").Kind["axes"]} */
export const axes = (spec) => [
  [spec.query_axis, null],
  [spec.axis, spec.labels],
];
