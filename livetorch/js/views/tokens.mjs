/** A row of tokens, shaded by the weights of the query that is chosen by pointing, tapping or with the arrow keys. */
import { colourLimits, colourStep, colourTable } from "../shared/colour.mjs";
import { cropped, isItem, labelsOf, resolve } from "./sources.mjs";
import { frameView, listenTheme, onPoint, make, writeText } from "../shared/dom.mjs";
import { pictured, itemName, sayLeftOut, singular, visibleToken } from "../shared/format.mjs";

/** @import { Frame, Tensor } from "./sources.mjs" */
/** @import { Context, Marks } from "./index.mjs" */

/** @param {Element} box @returns {HTMLElement[]} */
function tokensIn(box) {
  return /** @type {HTMLElement[]} */ (Array.from(box.children));
}

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

/** @typedef {{now: Content, keys: HTMLElement, chooser: HTMLElement}} Shown from the first frame on */

/**
 * @param {any} spec
 * @param {Context} context
 */
export function createTokens(spec, context) {
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
    fill(keys, content.keys, (node, { fill: ground, ink, weight }, i) => {
      const [word, number] = tokensIn(node);
      if (word.style.background !== ground) word.style.background = ground;
      word.style.color = ink;
      writeText(number, pictured(weight));
      node.classList.toggle("lt-marked", marks[spec.axis] === i);
    });
    if (queries) fill(queries, content.queries, () => {});
    if (content.asked) choosable(content);
    const key = marks[spec.axis];
    writeText(hint, sayShown(spec, content, isItem(key) ? key : null));
  }

  /** @template {{text: string}} T @param {HTMLElement} box @param {T[]} tokens @param {(node: HTMLElement, token: T, i: number) => void} style */
  function fill(box, tokens, style) {
    while (box.children.length > tokens.length) box.lastElementChild?.remove();
    while (box.children.length < tokens.length) box.append(newToken(box === keys));
    tokensIn(box).forEach((node, i) => {
      writeText(node.children[0], tokens[i].text);
      style(node, tokens[i], i);
    });
  }

  /** @param {boolean} weighted */
  function newToken(weighted) {
    const node = make("div", "lt-token");
    node.append(make("span", "lt-token-text", ""));
    if (weighted) node.append(make("span", "lt-token-weight", ""));
    return node;
  }

  /** The tokens that choose the query are a radio group: one tab stop, arrows move. @param {Content} content */
  function choosable(content) {
    const { row } = content;
    chooser.setAttribute("role", "radiogroup");
    chooser.setAttribute("aria-label", `Choose the ${singular(spec.query_axis)}`);
    tokensIn(chooser).forEach((node, i) => {
      node.setAttribute("role", "radio");
      node.setAttribute("aria-checked", String(i === row));
      node.setAttribute("aria-label", label(content, i));
      node.tabIndex = i === row ? 0 : -1;
      node.classList.toggle("lt-chosen", i === row);
    });
  }

  /** @param {Content} content @param {number} i */
  function label(content, i) {
    const name = itemName(spec.query_axis, i, content.queryNames);
    return queries ? name : `${name}, weight ${pictured(content.keys[i]?.weight ?? NaN)}`;
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

  /** @param {{target: EventTarget|null}} event @param {HTMLElement} box */
  const indexOf = (event, box) => Array.from(box.children).indexOf(/** @type {any} */ (event.target).closest(".lt-token"));
  chooser.addEventListener("click", (/** @type {any} */ event) => {
    const i = event.target.closest(".lt-token-weight") ? -1 : indexOf(event, chooser); // a weight is opened, its token chosen
    if (i >= 0) choose(i, true);
  });
  chooser.addEventListener("pointerover", (event) => {
    const i = indexOf(event, chooser);
    if (queries && i >= 0 && event.pointerType === "mouse") choose(i, true);
  });
  chooser.addEventListener("keydown", (event) => {
    if (!now?.asked) return;
    const last = now.queries.length - 1;
    const back = Math.max(0, now.row - 1);
    const on = Math.min(last, now.row + 1);
    const to = { ArrowLeft: back, ArrowUp: back, ArrowRight: on, ArrowDown: on, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(to, true);
    tokensIn(chooser)[to].focus();
    context.announce(`${itemName(spec.query_axis, to, now.queryNames)} attends most to ${strongest(now)}`);
  });
  const strongest = (/** @type {Content} */ { keys, names }) => {
    const weights = keys.map(({ weight }) => weight);
    const best = weights.indexOf(Math.max(...weights));
    return `${itemName(spec.axis, best, names)}: ${pictured(weights[best])}`;
  };
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
