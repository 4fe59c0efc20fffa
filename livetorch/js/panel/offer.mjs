// Numbers that are offered to be opened: "Where does 0.33 come from?", beside the one that a mouse rests on or a finger has tapped,
// once, until it is taken or sent away; and some to begin with.

import { h } from "../shared/dom.mjs";
import { placeIn } from "../open/trail.mjs";
import { written } from "../open/writing.mjs";
import { asked, hasAsked } from "../figure/hands.mjs";
import { viewOf } from "../views/index.mjs";
import { apart, isMeant, numbersIn, printedIn, rootAt } from "./marks.mjs";
import { asTensor } from "../views/sources.mjs";
import { outputsOf } from "./names.mjs";
import { cut, numberIn } from "./way_down.mjs";

/** @param {any} source @param {number[]} index @param {any} frame @returns {number|null} */
function numberOf(source, index, frame) {
  const tensor = "output" in source ? asTensor(frame.outputs[source.output]) : null;
  const own = tensor && cut(index, tensor.shape);
  return own ? numberIn(tensor, own) : null;
}

/**
 * Offer to explain the number at a place of a view, until a hand leaves the card's views or presses something else; what a
 * finger taps that is printed is opened at once.
 * @param {import("../shared/spec.d.ts").Spec} spec
 * @param {{card: HTMLElement, views: any[], at: number, pointed: any, frame: any, ask: () => void}} how
 */
export function offer(spec, { card, views, at, pointed, frame, ask }) {
  const view = spec.views[at];
  const root = rootAt(spec, views, at, pointed);
  if (!root || !("source" in root)) return;
  const value = numberOf(root.source, root.index, frame);
  const boxes = viewOf(view.kind, "boxesOf")(view, views[at].shown(), root.source, root.index);
  const element = views[at].element;
  if (value === null || !Number.isFinite(value) || !boxes.length || element.dataset.veiled) return;
  const printed = printedIn(numbersIn(element), boxes, value);
  if (pointed.finger && printed && isMeant(printed.box, boxes, pointed)) return ask();
  if (hasAsked() || !(pointed.finger || card.matches(":hover")) || card.querySelector(".lt-offer")) return;
  const home = element.getBoundingClientRect();
  const over = new AbortController();
  const away = () => (made.remove(), over.abort());
  const take = () => (asked(), away(), ask());
  const leave = () => (asked(), away());
  const made = h(
    "span",
    { class: "lt-offer" },
    h("button", { type: "button", class: "lt-button", onclick: take }, `Where does ${printed?.text ?? written(value)} come from?`),
    h("button", { type: "button", class: "lt-button", "aria-label": "Do not offer this again", onclick: leave }, "×"),
  );
  element.append(made);
  // below the number, or above its place where it would lie over what the view says of it
  const box = boxes.at(-1) ?? boxes[0];
  const { offsetWidth: width, offsetHeight: height } = made;
  const left = Math.max(home.left, Math.min(box.left, home.right - width));
  const below = { left, top: Math.max(box.top + box.height, printed?.box.bottom ?? 0) + 4, width, height };
  const said = [...element.querySelectorAll(".lt-arcs-said, .lt-readout")];
  const covers = said.some((one) => apart(one.getBoundingClientRect(), below) < 0);
  made.style.top = `${(covers ? box.top - height - 4 : below.top) - home.top}px`;
  made.style.left = `${left - home.left}px`;
  const here = (/** @type {Event} */ { target }, /** @type {Element[]} */ ...boxes) =>
    boxes.some((one) => one.contains(/** @type {Node} */ (target)));
  const { signal } = over;
  card.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && away(), { signal }); // a finger leaves before it has pressed
  card.addEventListener("pointermove", (event) => here(event, ...views.map((view) => view.element)) || away(), { signal });
  card.addEventListener("click", (event) => here(event, made) || away(), { signal });
}

/** Whether a veil hides numbers of a figure. @param {any[]} views */
export const areVeiled = (views) => views.some(({ element }) => element.dataset.veiled);

const STARTS = 3; // numbers that are offered to begin with

/**
 * Buttons for numbers that are in sight and computed: of tokens the shares of the one that is chosen, else the largest of
 * each output.
 * @param {any} spec @param {any[]} views @param {any} now
 * @param {{start: (root: any) => void, words: (item: any) => string, titled: (item: any) => string}} how
 */
export function startsOf(spec, views, now, { start, words, titled }) {
  const seen = views.flatMap((view, i) =>
    view.element.dataset.veiled ? [] : outputsOf(spec.views[i]).map((output) => ({ output, view })),
  );
  const named = Object.keys(now.outputs)
    .filter((name) => spec.labels?.[name] && !areVeiled(views))
    .map((output) => ({ output, view: null }));
  const roots = (seen.length ? seen : named).flatMap(({ output, view }) => {
    const { chosen, now: content } = view?.shown() ?? {};
    if (!content?.queries || !Number.isInteger(chosen) || content.many) return [{ output, index: largest(now.outputs[output]) }];
    const row = content.weights[chosen].map((/** @type {number} */ share, /** @type {number} */ k) => ({ share, k }));
    const most = row.sort((/** @type {any} */ a, /** @type {any} */ b) => b.share - a.share).slice(0, STARTS);
    return most.map((/** @type {any} */ { k }) => ({
      output,
      index: cut([...Array(9).fill(0), chosen, k], now.outputs[output].shape) ?? [],
    }));
  });
  /** @type {Map<string, {root: any, item: any}>} by what is printed: no number stands twice */
  const made = new Map();
  for (const { output, index } of roots) {
    const item = now.open(output, index);
    const said = item.kind === "computed" ? titled(item) : "";
    if (said && !made.has(said)) made.set(said, { root: { source: { output }, index }, item });
  }
  const worth = [...made].filter(([, { item }]) => item.from.length > 1 && Math.abs(item.value) > 0.005);
  return (worth.length ? worth : [...made]).slice(0, STARTS).map(([value, { root, item }]) => {
    const said = words(item);
    return h("button", { type: "button", class: "lt-button", onclick: () => start(root) }, h("b", {}, value), said && ` ${said}`);
  });
}

/** Where the largest number stands; of shares the largest below 1, which has more than one term. @param {{shape: number[], data: ArrayLike<number>}} tensor @returns {number[]} */
export function largest({ shape, data }) {
  const values = Array.from(data, Number);
  const parts = values.every((value) => value >= 0 && value <= 1) ? values.map((value) => (value < 0.995 ? value : 0)) : values;
  const sizes = parts.some((value) => value > 0.05) ? parts.map(Math.abs) : values.map(Math.abs);
  return placeIn(
    shape,
    sizes.reduce((best, value, i) => (value > sizes[best] ? i : best), 0),
  );
}
