/** A row of tokens, shaded by the weights of the query that is chosen by pointing, tapping or with the arrow keys. */
import { colourLimits, colourStep, colourTable } from "../shared/colour.mjs";
import { frameView, listenTheme, make, onPoint, writeText } from "../shared/dom.mjs";
import { itemName, pictured, sayLeftOut, singular, textWidth, visibleToken } from "../shared/format.mjs";
import { largest, padded, sameSource } from "./places.mjs";
import { ALL, size } from "./size.mjs";
import { cropped, isItem, labelsOf, resolve } from "./sources.mjs";

/** @import { Frame, Scene, Tensor } from "./sources.mjs" */
/** @import { Context, Marks } from "./index.mjs" */
/** @import { Kind } from "./kind.mjs" */
/** @typedef {import("../shared/scene.mjs").Shape} Shape */

export const part = "tokens";
export const tells = true;
export const ghost = null;
export const level = () => /** @type {const} */ ("");
export const sizeOf = () => size(ALL, ALL); // a row of its own

/** Weights of the query that is shown; of rank 1, all of them. @param {Tensor} tensor @param {number} query */
export function tokenRow({ shape, data }, query) {
  const count = shape.at(-1) ?? 1;
  const queries = shape.length > 1 ? shape[0] : 0;
  const row = queries ? Math.min(Math.max(query < 0 ? query + queries : query, 0), queries - 1) : 0;
  return { queries, row, weights: Array.from({ length: count }, (_, i) => Number(data[row * count + i])) };
}

/**
 * What is drawn of a frame when the row of one query is shown.
 * @param {any} spec
 * @param {Frame} frame
 * @param {Record<string, any>} controls
 * @param {number} query
 * @param {"light"|"dark"} theme
 */
export function tokensOf(spec, frame, controls, query, theme) {
  const whole = resolve(spec.source, frame);
  if (!whole) return null;
  const tensor = cropped(whole, { yticks: null, xticks: spec.tokens }, frame, controls);
  const names = labelsOf(spec.tokens, frame, controls);
  const { queries: count, row, weights } = tokenRow(tensor, query);
  const queryNames = spec.query_tokens ? labelsOf(spec.query_tokens, frame, controls) : names;
  const limits = colourLimits(weights, { scale: "sequential", vmin: 0, vmax: spec.vmax });
  const table = colourTable("sequential", theme);
  const word = (/** @type {string[]|null} */ list, /** @type {number} */ i) => (list ? visibleToken(list[i] ?? "·") : String(i + 1));
  const keys = weights.map((weight, i) => {
    const step = Math.max(0, colourStep(weight, limits));
    if (!Number.isFinite(weight)) return { text: word(names, i), fill: "transparent", ink: "currentColor", weight };
    return { text: word(names, i), fill: `rgb(${table.rgb.slice(3 * step, 3 * step + 3).join(" ")})`, ink: table.ink[step], weight };
  });
  const queries = Array.from({ length: count }, (_, i) => ({ text: word(queryNames, i) }));
  return { keys, queries, row, asked: count > 0, names, queryNames };
}

/** @typedef {NonNullable<ReturnType<typeof tokensOf>>} Content */

/** What is said under the tokens. @param {any} spec @param {Content} content @param {number|null} key the marked one */
export function sayShown(spec, { keys, row, asked, names, queryNames }, key) {
  const whose = asked ? `Weights of ${itemName(spec.query_axis, row, queryNames)}` : "";
  const what = key !== null && key < keys.length ? `${itemName(spec.axis, key, names)}: ${pictured(keys[key].weight)}` : "";
  const missing = keys.filter(({ weight }) => !Number.isFinite(weight)).length;
  return [whose, what, missing ? sayLeftOut(missing) : ""].filter(Boolean).join(" · ");
}

// ---- as a picture

const TALL = 27; // pixels of one token

/** As shapes: on the page they are HTML. @param {any} spec @param {Scene} scene @param {number} width */
export function still(spec, { frame, controls, theme }, width) {
  const content = /** @type {any} */ (tokensOf(spec, frame, controls, spec.query, theme));
  const { keys, queries, row, asked } = content;
  const above = spec.query_tokens ? boxes(queries, asked ? row : null, 0, width) : { height: 0, shapes: [] };
  const below = boxes(keys, asked && !spec.query_tokens ? row : null, above.height ? above.height + 8 : 0, width);
  const height = below.height + (above.height ? above.height + 8 : 0);
  return { width, height, shapes: [...above.shapes, ...below.shapes], foot: sayShown(spec, content, null), under: 26 };
}

/**
 * Tokens in rows that fit, each with its weight under it.
 * @param {{text: string, fill?: string, ink?: string, weight?: number}[]} tokens
 * @param {number|null} chosen
 * @param {number} top
 * @param {number} width
 * @returns {{height: number, shapes: Shape[]}}
 */
function boxes(tokens, chosen, top, width) {
  const weighted = tokens.some(({ weight }) => weight !== undefined);
  const step = TALL + (weighted ? 16 : 0) + 6;
  let [x, y] = [0, top];
  /** @type {Shape[]} */
  const shapes = [];
  tokens.forEach(({ text, fill, ink, weight }, i) => {
    const wide = Math.round(Math.max(30, textWidth(text, 14) + 14));
    if (x > 0 && x + wide > width) [x, y] = [0, y + step];
    const edge = i === chosen ? "lt-token-box lt-token-chosen" : "lt-token-box";
    shapes.push(["rect", { class: edge, x: x + 0.5, y: y + 0.5, width: wide - 1, height: TALL - 1, rx: 5, fill: fill ?? "none" }]);
    shapes.push(["g", { class: "lt-token-word", fill: ink ?? null }, [["text", { x: x + wide / 2, y: y + 18.5 }, text]]]);
    if (weight !== undefined) shapes.push(["text", { class: "lt-token-share", x: x + wide / 2, y: y + TALL + 13 }, pictured(weight)]);
    x += wide + 4;
  });
  return { height: y - top + step - 6, shapes };
}

// ---- in the page

/** @typedef {{now: Content, keys: HTMLElement, chooser: HTMLElement}} Shown from the first frame on */

/** @param {any} spec @param {Context} context */
export function create(spec, context) {
  const element = frameView("tokens", spec.title);
  const keys = make("div", "lt-token-row");
  const queries = spec.query_tokens ? make("div", "lt-token-row lt-token-queries") : null;
  const hint = make("div", "lt-view-foot");
  if (queries) element.append(queries);
  element.append(keys, hint);
  const chooser = queries ?? keys;
  /** @type {Frame|null} */
  let frame = null;
  /** @type {Content|null} */
  let now = null;
  /** @type {Marks} */
  let marks = {};
  let chosen = spec.query;

  /** @param {Frame} next */
  function update(next) {
    frame = next;
    now = tokensOf(spec, frame, context.controls, chosen, context.theme()) ?? now;
    if (now) draw(now);
  }

  /** @param {Content} content */
  function draw(content) {
    const key = marks[spec.axis];
    fill(keys, content.keys, true);
    tokensIn(keys).forEach((node, i) => shade(node, content.keys[i], key === i));
    if (queries) fill(queries, content.queries, false);
    if (content.asked) choosable(spec, content, chooser);
    writeText(hint, sayShown(spec, content, isItem(key) ? key : null));
  }

  /** @param {number} i @param {boolean} tell */
  function choose(i, tell) {
    if (!frame || !now?.asked || i === now.row) return;
    chosen = i;
    update(frame);
    if (tell) context.highlight({ [spec.query_axis]: i });
  }

  /** @param {Marks} next */
  function highlight(next) {
    marks = next ?? {};
    const query = marks[spec.query_axis];
    if (!now) return;
    if (isItem(query) && query < now.queries.length && query !== now.row) choose(query, false);
    else draw(now);
  }

  listenChooser(chooser, queries !== null, {
    content: () => now,
    choose: (i) => choose(i, true),
    tell: (content, i) =>
      context.announce(`${itemName(spec.query_axis, i, content.queryNames)} attends most to ${strongest(spec, content)}`),
  });
  const point = (/** @type {PointerEvent} */ { clientX, clientY }) => {
    const target = document.elementFromPoint(clientX, clientY); // a finger's events stay with the token it came down on
    const i = target ? indexOf({ target }, keys) : -1;
    if (i >= 0 && i !== marks[spec.axis]) context.highlight({ [spec.axis]: i });
  };
  onPoint(keys, point, () => context.highlight({ [spec.axis]: null }));
  const stopTheme = listenTheme(context, () => frame && update(frame));
  const shown = () => ({ now, keys, chooser });
  return { element, update, highlight, shown, destroy: () => (stopTheme(), element.remove()) };
}

/** @param {Element} box @returns {HTMLElement[]} */
const tokensIn = (box) => /** @type {HTMLElement[]} */ (Array.from(box.children));

/** @param {{target: EventTarget|null}} event @param {HTMLElement} box */
const indexOf = (event, box) => Array.from(box.children).indexOf(/** @type {any} */ (event.target).closest(".lt-token"));

/** As many tokens as there are texts. @param {HTMLElement} box @param {{text: string}[]} tokens @param {boolean} weighted */
function fill(box, tokens, weighted) {
  while (box.children.length > tokens.length) box.lastElementChild?.remove();
  while (box.children.length < tokens.length) box.append(newToken(weighted));
  tokensIn(box).forEach((node, i) => writeText(node.children[0], tokens[i].text));
}

/** @param {boolean} weighted */
function newToken(weighted) {
  const node = make("div", "lt-token");
  node.append(make("span", "lt-token-text", ""));
  if (weighted) node.append(make("span", "lt-token-weight", ""));
  return node;
}

/** @param {HTMLElement} node @param {Content["keys"][number]} key @param {boolean} marked */
function shade(node, { fill: ground, ink, weight }, marked) {
  const [word, number] = tokensIn(node);
  if (word.style.background !== ground) word.style.background = ground;
  word.style.color = ink;
  writeText(number, pictured(weight));
  node.classList.toggle("lt-marked", marked);
}

/** The tokens that choose the query are a radio group: one tab stop, arrows move. @param {any} spec @param {Content} content @param {HTMLElement} chooser */
function choosable(spec, content, chooser) {
  chooser.setAttribute("role", "radiogroup");
  chooser.setAttribute("aria-label", `Choose the ${singular(spec.query_axis)}`);
  tokensIn(chooser).forEach((node, i) => {
    const name = itemName(spec.query_axis, i, content.queryNames);
    const chosen = i === content.row;
    node.setAttribute("role", "radio");
    node.setAttribute("aria-checked", String(chosen));
    node.setAttribute("aria-label", spec.query_tokens ? name : `${name}, weight ${pictured(content.keys[i]?.weight ?? NaN)}`);
    node.tabIndex = chosen ? 0 : -1;
    node.classList.toggle("lt-chosen", chosen);
  });
}

/** @param {any} spec @param {Content} content */
function strongest(spec, { keys, names }) {
  const weights = keys.map(({ weight }) => weight);
  const best = weights.indexOf(Math.max(...weights));
  return `${itemName(spec.axis, best, names)}: ${pictured(weights[best])}`;
}

/**
 * Hands that choose a query: a press, a mouse over a row of queries, arrow keys.
 * @param {HTMLElement} chooser @param {boolean} apart whether it is no row of keys
 * @param {{content: () => Content|null, choose: (i: number) => void, tell: (content: Content, i: number) => void}} how
 */
function listenChooser(chooser, apart, { content, choose, tell }) {
  chooser.addEventListener("click", (/** @type {any} */ event) => {
    const i = event.target.closest(".lt-token-weight") ? -1 : indexOf(event, chooser); // a weight is opened, its token chosen
    if (i >= 0) choose(i);
  });
  chooser.addEventListener("pointerover", (event) => {
    const i = indexOf(event, chooser);
    if (apart && i >= 0 && event.pointerType === "mouse") choose(i);
  });
  chooser.addEventListener("keydown", (event) => {
    const now = content();
    if (!now?.asked) return;
    const last = now.queries.length - 1;
    const back = Math.max(0, now.row - 1);
    const on = Math.min(last, now.row + 1);
    const to = { ArrowLeft: back, ArrowUp: back, ArrowRight: on, ArrowDown: on, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(to);
    tokensIn(chooser)[to].focus();
    tell(/** @type {Content} */ (content()), to);
  });
}

// ---- its numbers

/** @type {Kind["numberAt"]} */
export function numberAt({ source }, { now, keys, chooser }, pointed) {
  const node = pointed ? pointed.target.closest(".lt-token") : document.activeElement;
  const i = Array.from(keys.children).indexOf(node);
  const weights = /** @type {Content} */ (now).keys.map(({ weight }) => weight);
  if (i < 0) return pointed ? null : { source, index: [now.row, largest(weights)] };
  const chooses = pointed && now.asked && keys === chooser && !pointed.target.closest(".lt-token-weight");
  return chooses && !pointed.meant ? null : { source, index: [now.row, i] };
}

/** @type {Kind["boxesOf"]} */
export function boxesOf(spec, { now, keys }, source, index) {
  const [row, i] = padded(index, 2);
  const node = sameSource(spec.source, source) && (!now.asked || row === now.row) ? keys.children[i] : null;
  return node ? [node.getBoundingClientRect()] : [];
}

/** @type {Kind["axes"]} */
export const axes = (spec) => [
  [spec.query_axis, spec.query_tokens ?? null],
  [spec.axis, spec.tokens],
];
