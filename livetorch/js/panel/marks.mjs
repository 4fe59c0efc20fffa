// Where the numbers that a line reads stand in the figure's views, and where these print them: outlines that lie above them.

import { h } from "../shared/dom.mjs";
import { written } from "../open/writing.mjs";
import { viewOf } from "../views/index.mjs";
import { minus } from "../shared/format.mjs";
import { outputsOf, plottedOf } from "./names.mjs";

/** @import { Box } from "../views/places.mjs" */

const MOST = 400; // numbers of a line that are looked for
const FEW = 6; // conditions that are marked whether they hold or not
const MANY = 40; // numbers of a line that are marked where they are drawn themselves, and only there
const DEEP = 2; // steps from a number that no view draws to those that it was made of
const [WIDE, HIGH] = [150, 64]; // pixels: what is larger is no place of one number, which is outlined where it is printed

/** A number that is drawn, else what it was made of, if that was one or two. @param {any} one @param {number} deep @param {(one: any) => boolean} isDrawn @returns {any[]} */
function drawn(one, deep, isDrawn) {
  if (!deep || isDrawn(one)) return [one];
  const { from } = one.open();
  return from.length < 3 ? from.flatMap((/** @type {any} */ each) => drawn(each, deep - 1, isDrawn)) : [];
}

/** What a line reads that is to be seen; of many conditions those that hold. @param {any} item @param {(one: any) => boolean} isDrawn */
function readBy({ from, op = "" }, isDrawn) {
  const isCount = from.length > FEW && /\.sum/.test(op) && from.every((/** @type {any} */ { dtype }) => dtype === "bool");
  const all = from.slice(0, MOST).filter((/** @type {any} */ { value }) => value || !isCount);
  return all.flatMap((/** @type {any} */ one) => drawn(one, from.length > MANY ? 0 : DEEP, isDrawn));
}

/**
 * @param {import("../shared/spec.d.ts").Spec} spec
 * @param {any[]} views
 */
export function createMarks(spec, views) {
  const controls = new Set(spec.controls.map((/** @type {any} */ control) => control.name));
  // in the views themselves, which stand in other rows on a phone and may scroll by themselves
  const layers = views.map((view) => view.element.appendChild(h("div", { class: "lt-outlines", "aria-hidden": "true" })));

  /** What each view prints, read when it is first asked for after `look`. @type {ReturnType<typeof numbersIn>[]} */
  let read = [];
  const numbers = (/** @type {number} */ i) => (read[i] ??= numbersIn(views[i].element));
  /** @param {number} i which view @param {Box[]} boxes @param {number} value */
  const printedAt = (i, boxes, value) => (boxes.length ? printedIn(numbers(i), boxes, value) : null);

  /** Where a number stands: an output's, by all the names under which views show it; a control's, by its own. @param {any} one */
  function sourcesOf({ shown, through = [], name, index }) {
    const came = new Set(through.map((/** @type {any} */ place) => place.output));
    const elsewhere = shown.filter((/** @type {any} */ place) => !came.has(place.output));
    const places = [...through, ...elsewhere].map((/** @type {any} */ place) => ({ source: { output: place.output }, index: place.index }));
    return [...places, ...(controls.has(name) ? [{ source: { control: name }, index }] : [])];
  }

  /** @param {any} one @param {number} i which view @returns {import("../views/places.mjs").Box[]} */
  function boxesIn(one, i) {
    const boxesOf = viewOf(spec.views[i].kind, "boxesOf");
    return sourcesOf(one).flatMap(({ source, index }) => boxesOf(spec.views[i], views[i].shown(), source, index));
  }

  /** Where a number is seen: its place, unless that is large, and where it is printed beside it. @param {any} one @param {number} i which view */
  function seenIn(one, i) {
    const boxes = boxesIn(one, i);
    const printed = boxes.map((box) => printedAt(i, [box], one.value)?.box);
    const isBar = spec.views[i].kind === "bars"; // whose number stands above it
    const small = boxes.filter(({ width, height }, k) => !printed[k] || !(isBar || width > WIDE || height > HIGH));
    const texts = printed.filter((box, k) => box && printed.indexOf(box) === k && small.every((place) => apart(place, box) > -2));
    return [
      ...small,
      ...texts.map((/** @type {any} */ { x, y, width, height }) => ({ left: x - 3, top: y - 1, width: width + 6, height: height + 2 })),
    ];
  }

  /** @param {any} one @param {string} kind @param {number} i which view @returns {HTMLElement[]} */
  function outlines(one, kind, i) {
    const boxes = seenIn(one, i);
    const home = boxes.length && layers[i].getBoundingClientRect();
    return boxes.map(({ left, top, width, height }) => {
      const mark = h("div", { class: kind });
      const place = { left: left - home.left, top: top - home.top, width, height };
      for (const [side, value] of Object.entries(place)) mark.style[side] = `${value}px`;
      return mark;
    });
  }

  const isDrawn = (/** @type {any} */ one) => views.some((_, i) => boxesIn(one, i).length);

  return {
    /** The views may show others now. */
    look: () => void (read = []),
    /** A number as the figure prints it, else as the engine writes it. @param {any} item @returns {string} */
    printed(item) {
      const found = views.map((view, i) => (view.element.dataset.veiled ? null : printedAt(i, boxesIn(item, i), item.value)));
      return found.find(Boolean)?.text ?? written(item.value, item.dtype);
    },
    /** @param {any} item the open number @param {any} start the one that was asked for, whose outline stays */
    show(item, start = item) {
      const reads = readBy(item, isDrawn);
      layers.forEach((layer, i) => {
        const read = reads.flatMap((/** @type {any} */ one) => outlines(one, "lt-read", i));
        const began = start === item ? [] : outlines(start, "lt-opened lt-began", i);
        layer.replaceChildren(...began, ...read, ...outlines(item, "lt-opened", i));
      });
    },
    /** The outlines, that of the open number first, and then of the one that was asked for. @returns {Element[]} */
    all: () =>
      [".lt-opened:not(.lt-began)", ".lt-began", ".lt-read"].flatMap((kind) =>
        layers.flatMap((layer) => [...layer.querySelectorAll(kind)]),
      ),
    clear: () => layers.forEach((layer) => layer.replaceChildren()),
    remove: () => layers.forEach((layer) => layer.remove()),
  };
}

const NEAR = 26; // pixels from a number's own place to where it is printed: below a token, above a bar
const NUMBER = /^[−-]?\d*\.?\d+$/;

/** What in a view is no number of the figure: ticks, titles, legends, what is read out of it. */
const WORDS = ":is(.tick, .lt-axes) text, :is(.lt-legend, .lt-piece-name, .lt-view-title, .lt-view-foot, .lt-arcs-said, .lt-spoken)";

/**
 * The number that a hand means at a place of a view; none where there are words.
 * @param {import("../shared/spec.d.ts").Spec} spec @param {any[]} views @param {number} at which view @param {any} pointed
 */
export const rootAt = (spec, views, at, pointed) =>
  pointed?.target.closest(WORDS) ? null : viewOf(spec.views[at].kind, "numberAt")(spec.views[at], views[at].shown(), pointed);

/** The numbers that a view prints; where, is measured when it is asked for. @param {Element} view @returns {{text: string, box: DOMRect}[]} */
export const numbersIn = (view) =>
  Array.from(view.querySelectorAll("*")).flatMap((element) => {
    const text = element.childElementCount ? "" : (element.textContent ?? "").trim();
    /** @type {DOMRect|undefined} */
    let box;
    const measured = {
      text,
      get box() {
        return (box ??= element.getBoundingClientRect());
      },
    };
    return NUMBER.test(text) && !element.closest(WORDS) ? [measured] : [];
  });

/**
 * The text of a view that is this number, nearest in digits to it, and then to its place.
 * @param {{text: string, box: DOMRect}[]} numbers that the view prints @param {Box[]} boxes @param {number} value
 * @returns {{text: string, box: DOMRect}|null}
 */
export function printedIn(numbers, boxes, value) {
  const is = (/** @type {string} */ text) => {
    const [, decimals = ""] = text.split(".");
    const far = Math.abs(Number(text.replace("−", "-")) - value);
    return (decimals || Number.isInteger(value)) && far <= 0.5001 * 10 ** -decimals.length;
  };
  const far = (/** @type {DOMRect} */ box) => Math.min(...boxes.map((one) => apart(one, box)));
  const found = numbers.filter(({ text, box }) => is(text) && far(box) <= NEAR);
  const [best] = found.sort((a, b) => b.text.length - a.text.length || far(a.box) - far(b.box));
  return best ? { box: best.box, text: minus(best.text.replace(/^([−-]?)\./, "$10.")) } : null;
}

/** How far two boxes are from each other. @param {Box} one @param {Box} other */
export const apart = (one, other) =>
  Math.max(
    one.left - other.left - other.width,
    other.left - one.left - one.width,
    one.top - other.top - other.height,
    other.top - one.top - one.height,
  );

/** @typedef {{output: string, view: any, own: any}} Shown an output and the view that shows it, with what the figure's JSON says of the view */

/** What the views in sight show: results of each, and what is only plotted. @param {any} spec @param {any[]} views @returns {Shown[][]} */
export function inSight(spec, views) {
  const all = views.flatMap((view, i) => (view.element.dataset.veiled ? [] : [{ view, own: spec.views[i] }]));
  const by = (/** @type {(own: any) => string[]} */ read) =>
    all.flatMap(({ view, own }) => read(own).map((output) => ({ output, view, own })));
  const results = (/** @type {any} */ own) => {
    const outputs = own.kind === "history" ? own.series.map((/** @type {any} */ { output }) => output) : outputsOf(own);
    return own.kind === "flow" ? outputs.reverse() : outputs; // which ends with its result
  };
  const plotted = (/** @type {any} */ own) => {
    const outputs = plottedOf(own).flatMap(({ output }) => output ?? []);
    return own.points ? outputs.reverse() : outputs; // how high points stand comes before curves
  };
  return [by(results), by(plotted)];
}

/** Whether a view shows a number: no row of padding, no row that is not chosen. @param {Shown} shown @returns {(index: number[]) => boolean} */
export const shows = ({ output, view, own }) => {
  const [boxesOf, drawn] = [viewOf(own.kind, "boxesOf"), view.shown()];
  return (index) => boxesOf(own, drawn, { output }, index).length > 0;
};

/** Whether a view in sight shows a number; where a window shows a part of a map, all of the map counts. @param {any} spec @param {any[]} views @param {any} root */
export const isInSight = (spec, views, { source, index }) =>
  inSight(spec, views)
    .flat()
    .some((shown) => shown.output === source?.output && (shows(shown)(index) || Boolean(shown.view.shown().from)));
