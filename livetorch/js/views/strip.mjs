/** Strip: shares of a whole as pieces of one strip from 0 to 1, below the columns that they come from; a die points to one. */
import { frameView, listenTheme, make, makeStage, onWidth, writeText } from "../shared/dom.mjs";
import { countOf, itemName, pictured } from "../shared/format.mjs";
import { isItem, labelsOf, resolve } from "./sources.mjs";
import { piecesOf, stripPicture } from "./strip_picture.mjs";
import { markItems } from "./walk.mjs";

/** @import { Frame, Scene } from "./sources.mjs" */
/** @import { Context, Marks } from "./index.mjs" */

const GONE = 1e-4; // a share that is none any more

/**
 * What is drawn of a frame: one row of shares, and what stands above it.
 * @param {any} spec
 * @param {Frame} frame
 * @param {Record<string, any>} controls
 * @param {number} [query] the row of a matrix; the first where there is no such row
 */
export function stripOf(spec, frame, controls, query = 0) {
  const tensor = resolve(spec.source, frame);
  if (!tensor) return null;
  const length = tensor.shape.at(-1) ?? 1;
  const many = tensor.shape.length > 1 && tensor.shape[0] > 1;
  const row = many && query >= 0 && query < tensor.shape[0] ? query : 0;
  const rowOf = (/** @type {any} */ source) => {
    const found = resolve(source, frame);
    return found ? Array.from({ length }, (_, i) => Number(found.data[row * length + i])) : null;
  };
  const pointer = resolve(spec.pointer, frame)?.data[0];
  return {
    row,
    many,
    values: /** @type {number[]} */ (rowOf(spec.source)),
    columns: rowOf(spec.columns),
    scores: rowOf(spec.scores),
    kept: rowOf(spec.mask)?.map(Boolean) ?? null,
    pointer: pointer === undefined ? null : Number(pointer),
    labels: labelsOf(spec.labels, frame, controls),
  };
}

/** As a picture. @param {any} spec @param {Scene} scene @param {number} width */
export function stillStrip(spec, { frame, controls, theme }, width) {
  const content = /** @type {Content} */ (stripOf(spec, frame, controls)); // a figure is drawn of outputs that its views have checked
  return stripPicture(spec, { ...content, width, theme });
}

/** @typedef {NonNullable<ReturnType<typeof stripOf>>} Content */

/**
 * @param {any} spec
 * @param {Context} context
 */
export function createStrip(spec, context) {
  const element = frameView("strip", spec.title);
  const { stage, paint } = makeStage();
  const readout = make("div", "lt-view-foot lt-readout");
  element.append(stage, readout);
  stage.tabIndex = 0;
  stage.setAttribute("role", "application");
  stage.setAttribute("aria-roledescription", "strip of shares");
  /** @type {Frame|null} */
  let frame = null;
  /** @type {Content|null} */
  let now = null;
  /** @type {ReturnType<typeof stripPicture>|null} */
  let drawn = null;
  /** @type {Marks} */
  let marks = {};
  let chosen = 0; // the query whose row is shown while none is marked
  /** @type {{i: number, start: number, end: number}[]} pieces that have just gone */
  let fallen = [];
  let falls = 0; // of the die
  const sizing = onWidth(element, () => frame && draw());

  /** @param {Frame} next */
  function update(next) {
    const before = now;
    frame = next;
    now = stripOf(spec, frame, context.controls, chosen);
    if (!now) return;
    fallen = before && before.row === now.row && before.values.length === now.values.length ? gone(before.values, now.values) : [];
    if (before && before.pointer !== now.pointer) falls += 1;
    stage.setAttribute(
      "aria-label",
      `${spec.title ?? "Strip"}: ${countOf(now.values.length, spec.axis)} share a length of 1. Arrow keys left and right walk the pieces, Enter tells how a number was made.`,
    );
    draw();
  }

  function draw() {
    if (!now) return;
    const i = marks[spec.axis] ?? null;
    drawn = stripPicture(spec, { ...now, width: sizing.width(), theme: context.theme(), marked: i, fallen, falls });
    paint(drawn);
    const query = now.many ? itemName(spec.query_axis, now.row) : "";
    const piece = i === null || i >= now.values.length ? "" : say(now, i);
    const die =
      now.pointer === null || piece || drawn.hit < 0
        ? ""
        : `${pictured(now.pointer)} falls on ${itemName(spec.axis, drawn.hit, now.labels)}`;
    writeText(readout, [query, piece, die].filter(Boolean).join(", "));
  }

  /** @param {Content} content @param {number} i */
  const say = ({ values, labels }, i) => `${itemName(spec.axis, i, labels)}: ${pictured(values[i])}`;

  /** @param {Marks} next */
  function highlight(next) {
    marks = next ?? {};
    if (!frame) return;
    const query = marks[spec.query_axis];
    if (now?.many && isItem(query) && query !== chosen) {
      chosen = query;
      now = stripOf(spec, frame, context.controls, chosen);
      fallen = [];
    }
    draw();
  }

  /** @param {number|null} i */
  function mark(i) {
    if ((marks[spec.axis] ?? null) === i) return;
    highlight({ ...marks, [spec.axis]: i });
    context.highlight({ [spec.axis]: i });
  }

  markItems(stage, {
    at: (x, y) => (drawn && drawn.at(x, y) >= 0 ? drawn.at(x, y) : null),
    marked: () => marks[spec.axis] ?? null,
    count: () => now?.values.length ?? 0,
    mark,
    tell: (i) => now && context.announce(say(now, i)),
  });
  const stopTheme = listenTheme(context, draw);
  const shown = () => ({ now, drawn, stage, marked: marks[spec.axis] ?? null });
  return { element, update, highlight, shown, destroy: () => (sizing.stop(), stopTheme(), element.remove()) };
}

/** The pieces that had a share and have none. @param {number[]} before @param {number[]} values */
function gone(before, values) {
  return piecesOf(before).flatMap((piece, i) => (before[i] > GONE && !(values[i] > GONE) ? [{ i, ...piece }] : []));
}
