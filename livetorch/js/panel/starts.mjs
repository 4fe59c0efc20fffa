// Numbers that may be opened: those to begin with. Fetched when a reader asks for one; what opens numbers lends it what both need.

import { h } from "../shared/dom.mjs";

/** @typedef {import("./marks.mjs").Shown} Shown */

const STARTS = 3; // numbers that are offered to begin with
const TRIED = 12; // of each output, the largest first

/**
 * The best number of what a view shows, and of each other kind of computation in it; of tokens two shares of the one that is chosen.
 * @param {Shown} shown @param {any} now @param {any} open @param {(item: any) => number} told how well it is named @returns {number[][]}
 */
function bestOf(shown, now, { cut, placeIn, shows }, told) {
  const { chosen, now: content } = shown.view.shown() ?? {};
  const tensor = now.outputs[shown.output];
  if (!content?.queries || !Number.isInteger(chosen) || content.many)
    return best(tensor, (index) => now.open(shown.output, index), { isShown: shows(shown), placeIn, told });
  const row = content.weights[chosen].map((/** @type {number} */ share, /** @type {number} */ k) => ({ share, k }));
  const most = row.sort((/** @type {any} */ a, /** @type {any} */ b) => b.share - a.share).slice(0, 2);
  return most.map((/** @type {any} */ { k }) => cut([...Array(9).fill(0), chosen, k], tensor.shape) ?? []);
}

/**
 * How a number is asked for, and buttons for those that are in sight and worth opening: a share first and then a result, what was
 * made of several numbers before what was not; only where no view shows any, a number of a plot.
 * @param {any} spec @param {any[]} views @param {any} now
 * @param {{start: (root: any) => void, words: (item: any) => string, titled: (item: any) => string}} how
 * @param {any} open what opens numbers
 */
export function startsOf(spec, views, now, { start, words, titled }, open) {
  /** @type {Map<string, Start[1]>} by what is printed: no number stands twice */
  const made = new Map();
  const asked = `${spec.title} ${spec.do}`;
  const told = (/** @type {any} */ item) => named(words(item), asked);
  for (const group of open.inSight(spec, views)) {
    for (const shown of made.size ? [] : group)
      for (const index of bestOf(shown, now, open, told)) {
        const item = now.open(shown.output, index);
        const said = item.kind === "computed" ? titled(item) : "";
        if (said && !(worth(made.get(said)?.item ?? NOTHING) >= worth(item)))
          made.set(said, { root: { source: { output: shown.output }, index }, item, isCourse: shown.own.kind === "history" });
      }
  }
  const buttons = inOrder([...made], now).map(([value, { root, item }]) => {
    const said = words(item);
    return h("button", { type: "button", class: "lt-button", onclick: () => start(root) }, h("b", {}, value), said && ` ${said}`);
  });
  return { said: hintOf(views, buttons.length > 0), buttons: buttons.length ? ["Or begin with ", ...buttons] : [] };
}

/** How a number is asked for, by the hands that there are; what a veil hides waits for the guess. @param {any[]} views @param {boolean} offers */
function hintOf(views, offers) {
  if (views.some(({ element }) => element.dataset.veiled)) return "What is in sight opens now, what is hidden after your guess.";
  const far = offers ? "" : " None leads further than one step.";
  if (globalThis.matchMedia?.("(pointer: coarse)").matches) return `Tap any number in this figure.${far}`;
  return `Click any number in this figure, or go to one with the arrow keys and press Enter.${far}`;
}

/** How well a number's name serves: better where the figure asks about its places, worse where one has a word and another none. @param {string} name @param {string} asked */
function named(name, asked) {
  const words = [...name.matchAll(/“(\w{3,})”/g)].map(([, word]) => word);
  return (
    (words.length > 1 && words.every((word) => asked.split(/\W/).includes(word)) ? 0.1 : 0) - (/“.* for \w+ \d+$/.test(name) ? 0.2 : 0)
  );
}

/** @typedef {[string, {root: any, item: any, isCourse: boolean}]} Start */

/** The first of each kind. @template T @param {T[]} all @param {(one: T) => string} kind */
const firsts = (all, kind) => all.filter((one, i) => all.findIndex((each) => kind(each) === kind(one)) === i);

/** The best share, the best result, then the others. @param {Start[]} made @param {any} now */
function inOrder(made, now) {
  const isShare = (/** @type {Start} */ [, { root }]) => root.index.length > 0 && areShares(now.outputs[root.source.output]);
  const levels = made.map(([, { item }]) => worth(item));
  const most = levels.reduce((x, y) => Math.max(x, y), 0);
  const least = (/** @type {number} */ level) => made.filter((_, i) => levels[i] >= level);
  const good = least(most > 1 ? Math.min(most, 2) : PLAIN);
  const kept = good.length > 1 ? good : least(Math.min(most, 1));
  const [shares, results] = [kept.filter(isShare), kept.filter((one) => !isShare(one))];
  const reads = (/** @type {Start} */ [, { item, isCourse }]) =>
    isCourse || // what is watched while a model learns
    item.from.some((/** @type {any} */ one) => one.shown.some((/** @type {any} */ { output }) => areShares(now.outputs[output])));
  results.sort((one, other) => Number(reads(other)) - Number(reads(one)));
  const sorted = [...shares.slice(0, 1), ...results.slice(0, 1), ...shares.slice(1), ...results.slice(1)];
  if (good.length === 1) sorted.sort((one, other) => Number(other === good[0]) - Number(one === good[0]));
  const others = firsts(sorted, ([, { root, item }]) => [root.source.output, item.op, ...root.index.slice(0, -1)].join()); // one of a row
  const leading = others.filter(([, { item }]) => worth(item) >= 1 || isDeep(item));
  return leading.sort(([, one], [, other]) => Number(isDeep(other.item)) - Number(isDeep(one.item))).slice(0, STARTS);
}

const DUST = 1e-6; // what is smaller is what rounding left
const EVEN = 1.25; // times the mean share: what is less than that stands out among none

const SATURATED = 0.995; // a share that is printed as 1

const LONG = 8; // terms

const PLAIN = 0.9; // what a number is worth that says nothing of how it was made

const NOTHING = { value: NaN };

/** Whether a number leads further than one step. @param {any} item */
const isDeep = ({ from }) => from.slice(0, TRIED).some((/** @type {any} */ one) => one.open().from.length > 0);

/** How much a number tells that is opened: 3 where it was made of several that differ, 1 where it is one of them. @param {any} item */
function worth({ dtype, value, from, text, op = "", index = [], pieces = [], terms = [] }) {
  if (from?.length && from.every((/** @type {any} */ one) => one.dtype === "bool" && one.open().kind === "constant")) return -1; // was stored
  if (dtype === "bool" || !Number.isFinite(value) || Math.abs(value) < 0.005) return -1;
  const numbers = from.map((/** @type {any} */ one) => one.value).filter(Number.isFinite);
  const several = new Set(numbers).size;
  if (/ because /.test(text) && from[0].value === value) return PLAIN; // one of two that were there
  if (!/softmax/.test(op) && terms.length > LONG && terms[0].share === 1) return 1; // of a long sum one counts: it was looked up
  if (/softmax/.test(op) && value * numbers.length < EVEN) return PLAIN; // nothing was learned yet
  const first = from[pieces.find((/** @type {any} */ piece) => piece.from >= 0)?.from]?.value;
  if (!/softmax/.test(op) && [0, ...numbers].some((one) => one !== first && Math.abs(one - first) < DUST)) return 1.5;
  if (!index.length) return Math.min(3, several + 1); // a result by itself
  if (/softmax/.test(op) && value > SATURATED) return several > 2 ? 2 : PLAIN; // one took all
  return several > 2 ? 3 : Math.abs(value - 1) < 0.005 ? 1 : several;
}

/** @param {{data: ArrayLike<any>}} tensor */
const areShares = ({ data }) => Array.from(data, Number).every((value) => value >= 0 && value <= 1.0001);

/**
 * Where a large number stands that tells how it was made, among those that are shown; of shares one below 1, and no corner of a map.
 * @param {{shape: number[], data: ArrayLike<number>}} tensor @param {(index: number[]) => any} open @param {{isShown: (index: number[]) => boolean, placeIn: any, told: (item: any) => number}} how
 * @returns {number[][]} and then those of other kinds
 */
function best({ shape, data }, open, { isShown, placeIn, told }) {
  const values = Array.from(data, Number);
  const most = areShares({ data }) ? SATURATED : Infinity;
  const size = (/** @type {number} */ i) => (values[i] < most ? Math.abs(values[i]) : values[i] / 1e3) || 0;
  /** @type {number[][]} */
  const tried = [];
  for (const i of [...values.keys()].sort((a, b) => size(b) - size(a) || 0)) {
    if (isShown(placeIn(shape, i))) tried.push(placeIn(shape, i));
    if (tried.length === TRIED) break;
  }
  const ends = (/** @type {number[]} */ index) => index.filter((n, axis) => shape[axis] > 2 && (n === 0 || n === shape[axis] - 1)).length;
  const items = tried.map((index) => {
    const item = open(index);
    return { index, item, level: worth(item) + told(item) - (most < 1 && ends(index) > 1 ? 0.5 : 0) };
  });
  items.sort((a, b) => b.level - a.level);
  return firsts(items, ({ item: { op, from } }) => `${op} ${from.length > 2}`).map(({ index }) => index);
}
