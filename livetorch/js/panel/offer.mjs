// "Where does 0.33 come from?": offered beside the number that a mouse rests on or a finger has tapped, once, until it is taken or sent away.

import { h } from "../shared/dom.mjs";
import { asked, hasAsked } from "../figure/hands.mjs";
import { viewOf } from "../views/index.mjs";
import { asTensor } from "../views/sources.mjs";

/**
 * Offer to explain the number at a place of a view, until a hand leaves the card's views or presses something else; what a
 * finger taps that is printed is opened at once.
 * @param {import("../shared/spec.d.ts").Spec} spec
 * @param {{card: HTMLElement, views: any[], at: number, pointed: any, frame: any, ask: () => void}} how
 * @param {any} open what opens numbers
 */
export function offer(spec, { card, views, at, pointed, frame, ask }, open) {
  const { numbersIn } = open;
  const found = askable(spec, { views, at, pointed, frame }, open);
  if (!found) return;
  if (found.isTapped) return ask();
  if (hasAsked() || !(pointed.finger || card.matches(":hover")) || card.querySelector(".lt-offer")) return;
  const { element } = views[at];
  const over = new AbortController();
  const away = () => (made.remove(), over.abort());
  const take = () => (asked(), away(), ask());
  const leave = () => (asked(), away());
  const made = h(
    "span",
    { class: "lt-offer" },
    h("button", { type: "button", class: "lt-button", onclick: take }, `Where does ${found.text} come from?`),
    h("button", { type: "button", class: "lt-button", "aria-label": "Do not offer this again", onclick: leave }, "×"),
  );
  element.append(made);
  const numbers = numbersIn(card).map((/** @type {Printed} */ one) => one.box);
  lay(made, element, card, { numbers, box: found.box, print: found.print });
  const here = (/** @type {Event} */ { target }, /** @type {Element[]} */ ...boxes) =>
    boxes.some((one) => one.contains(/** @type {Node} */ (target)));
  const { signal } = over;
  card.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && away(), { signal }); // a finger leaves before it has pressed
  card.addEventListener("pointermove", (event) => here(event, ...views.map((view) => view.element)) || away(), { signal });
  card.addEventListener("click", (event) => here(event, made) || away(), { signal });
}

const SOLID = "text, path, rect, td, .lt-token, .lt-arcs-said, .lt-readout, .lt-view-title, .lt-caption";
const FAR = 10; // square pixels that may be covered for one to be nearer

/**
 * Lay an offer near a number, where it covers no other number, and of what the view says and draws as little as it can.
 * @param {HTMLElement} made @param {Element} view @param {Element} card
 * @param {{numbers: DOMRect[], box: import("../views/places.mjs").Box, print?: DOMRect}} where all numbers stand, and this one; print: as printed
 */
function lay(made, view, card, { numbers, box, print }) {
  const home = view.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = made;
  const boxesOf = (/** @type {string} */ css) =>
    [...card.querySelectorAll(css)].filter((one) => !made.contains(one)).map((one) => one.getBoundingClientRect());
  const others = boxesOf(SOLID);
  const left = Math.max(home.left, Math.min(box.left, home.right - width));
  const top = Math.min(box.top, print?.top ?? Infinity) - height - 4;
  const below = Math.max(box.top + box.height, print?.bottom ?? 0) + 4;
  const places = [
    [left, below],
    [left, top],
    [box.left + box.width + 4, box.top],
    [box.left - width - 4, box.top],
    [left, home.bottom - height],
    [left, home.bottom],
    [left, home.top],
  ].filter(([x]) => x >= home.left && x + width <= home.right + 1);
  const covered = (/** @type {number[]} */ [x, y], /** @type {DOMRect[]} */ all) =>
    all.reduce((sum, one) => {
      const [across, down] = [
        Math.min(one.right, x + width) - Math.max(one.left, x),
        Math.min(one.bottom, y + height) - Math.max(one.top, y),
      ];
      return sum + Math.max(0, across) * Math.max(0, down);
    }, 0);
  const costs = places.map((at) => 1e3 * covered(at, numbers) + covered(at, others) + FAR * Math.abs(at[1] - box.top));
  const [x, y] = places[costs.indexOf(Math.min(...costs))] ?? [left, below];
  made.style.left = `${x - home.left}px`;
  made.style.top = `${y - home.top}px`;
}

/** @param {any} source @param {number[]} index @param {any} frame @param {any} open @returns {number|null} */
function numberOf(source, index, frame, { cut, numberIn }) {
  const tensor = "output" in source ? asTensor(frame.outputs[source.output]) : null;
  const own = tensor && cut(index, tensor.shape);
  return own ? numberIn(tensor, own) : null;
}

/** @typedef {{box: DOMRect, text: string}} Printed */

/**
 * The number at a place of a view that a hand may ask for: as it is printed, where it stands, and whether a finger has tapped it itself.
 * @param {import("../shared/spec.d.ts").Spec} spec
 * @param {{views: any[], at: number, pointed: any, frame: any}} how
 * @param {any} open what opens numbers
 * @returns {{text: string, box: import("../views/places.mjs").Box, print: DOMRect|undefined, isTapped: boolean}|null}
 */
function askable(spec, { views, at, pointed, frame }, open) {
  const { apart, numbersIn, printedIn, rootAt, written } = open;
  const view = spec.views[at];
  const root = rootAt(spec, views, at, pointed);
  if (!root || !("source" in root)) return null;
  const value = numberOf(root.source, root.index, frame, open);
  const boxes = viewOf(view.kind, "boxesOf")(view, views[at].shown(), root.source, root.index);
  const { element } = views[at];
  if (value === null || !Number.isFinite(value) || !boxes.length || element.dataset.veiled) return null;
  const printed = printedIn(numbersIn(element), boxes, value);
  const isTapped = Boolean(pointed.finger && printed && isMeant(printed.box, boxes, pointed, apart));
  return { text: printed?.text ?? written(value), box: boxes.at(-1) ?? boxes[0], print: printed?.box, isTapped };
}

/** @import { Box } from "../views/places.mjs" */

/** Whether a finger has meant the number that is printed, or the cell that it fills. @param {Box} printed @param {Box[]} boxes @param {{x: number, y: number}} at @param {any} apart */
function isMeant(printed, boxes, { x, y }, apart) {
  const point = { left: x, top: y, width: 0, height: 0 };
  const middle = { ...point, left: printed.left + printed.width / 2, top: printed.top + printed.height / 2 };
  return apart(printed, point) <= 8 || boxes.some((box) => apart(box, point) <= 0 && apart(box, middle) < 0);
}
