/** A row of tokens, shaded by the weights of the query that is chosen by pointing, tapping or with the arrow keys. */
import { colourLimits, colourStep, colourTable } from "./colour.mjs";
import { cropped, labelsOf, resolve } from "./data.mjs";
import { frameView, listenTheme, make } from "./dom.mjs";
import { formatNumber, itemName, singular, visibleToken } from "./format.mjs";

/** @param {Element} box @returns {HTMLElement[]} */
function tokensIn(box) {
  return /** @type {HTMLElement[]} */ (Array.from(box.children));
}

/** Weights of the query that is shown; of rank 1, all of them. */
export function tokenRow({ shape, data }, query) {
  const count = shape.at(-1) ?? 1;
  const queries = shape.length > 1 ? shape[0] : 0;
  const row = queries ? Math.min(Math.max(query < 0 ? query + queries : query, 0), queries - 1) : 0;
  return { queries, row, weights: Array.from({ length: count }, (_, i) => Number(data[row * count + i])) };
}

/**
 * @param {any} spec
 * @param {any} context
 */
export function createTokens(spec, context) {
  const element = frameView("tokens", spec.title);
  const keys = make("div", "al-token-row");
  const queries = spec.query_tokens ? make("div", "al-token-row al-token-queries") : null;
  const hint = make("div", "al-view-foot");
  if (queries) element.append(queries);
  element.append(keys, hint);
  const chooser = queries ?? keys;
  let frame = null;
  let now = null;
  let marks = {};
  let chosen = spec.query;

  function update(next) {
    frame = next;
    const whole = resolve(spec.source, frame);
    if (!whole) return;
    const tensor = cropped(whole, { yticks: null, xticks: spec.tokens }, frame, context.controls);
    const names = labelsOf(spec.tokens, frame, context.controls);
    now = { ...tokenRow(tensor, chosen), names, queryNames: queries ? labelsOf(spec.query_tokens, frame, context.controls) : names };
    draw();
  }

  function draw() {
    const { weights, names, row, queryNames } = now;
    const limits = colourLimits(weights, { scale: "sequential", vmin: 0, vmax: spec.vmax });
    const table = colourTable("sequential", context.theme());
    fill(keys, weights.length, names, (item, i) => {
      const step = Math.max(0, colourStep(weights[i], limits));
      item.token.style.background = `rgb(${table.rgb.slice(3 * step, 3 * step + 3).join(" ")})`;
      item.token.style.color = table.ink[step];
      item.weight.textContent = formatNumber(weights[i]);
      item.node.classList.toggle("al-marked", marks[spec.axis] === i);
    });
    if (queries) fill(queries, now.queries, queryNames, () => {});
    if (now.queries) choosable(row);
    const whose = now.queries ? `Weights of ${itemName(spec.query_axis, row, queryNames)}` : "";
    const key = marks[spec.axis];
    const what = Number.isInteger(key) && key < weights.length ? `${itemName(spec.axis, key, names)}: ${formatNumber(weights[key])}` : "";
    hint.textContent = [whose, what].filter(Boolean).join(" · ");
  }

  function fill(box, count, names, style) {
    while (box.children.length > count) box.lastChild.remove();
    while (box.children.length < count) box.append(newToken(box === keys));
    for (let i = 0; i < count; i++) {
      const node = box.children[i];
      const text = names ? visibleToken(names[i] ?? "·") : String(i + 1);
      if (node.firstChild.textContent !== text) node.firstChild.textContent = text;
      style({ node, token: node.firstChild, weight: node.lastChild }, i);
    }
  }

  function newToken(weighted) {
    const node = make("div", "al-token");
    node.append(make("span", "al-token-text", ""));
    if (weighted) node.append(make("span", "al-token-weight", ""));
    return node;
  }

  /** The tokens that choose the query are a radio group: one tab stop, arrows move. */
  function choosable(row) {
    chooser.setAttribute("role", "radiogroup");
    chooser.setAttribute("aria-label", `Choose the ${singular(spec.query_axis)}`);
    tokensIn(chooser).forEach((node, i) => {
      node.setAttribute("role", "radio");
      node.setAttribute("aria-checked", String(i === row));
      node.setAttribute("aria-label", label(i));
      node.tabIndex = i === row ? 0 : -1;
      node.classList.toggle("al-chosen", i === row);
    });
  }

  function label(i) {
    const name = itemName(spec.query_axis, i, now.queryNames);
    return queries ? name : `${name}, weight ${formatNumber(now.weights[i] ?? NaN)}`;
  }

  function choose(i, tell) {
    if (!now.queries || i === now.row) return;
    chosen = i;
    update(frame);
    if (tell) context.highlight({ [spec.query_axis]: i });
  }

  function highlight(next) {
    marks = next ?? {};
    const query = marks[spec.query_axis];
    if (!now) return;
    if (Number.isInteger(query) && query < now.queries && query !== now.row) choose(query, false);
    else draw();
  }

  const indexOf = (event, box) => Array.from(box.children).indexOf(event.target.closest(".al-token"));
  chooser.addEventListener("click", (event) => {
    const i = indexOf(event, chooser);
    if (i >= 0) choose(i, true);
  });
  chooser.addEventListener("pointerover", (event) => {
    const i = indexOf(event, chooser);
    if (queries && i >= 0 && event.pointerType === "mouse") choose(i, true);
  });
  chooser.addEventListener("keydown", (event) => {
    if (!now?.queries) return;
    const last = now.queries - 1;
    const back = Math.max(0, now.row - 1);
    const on = Math.min(last, now.row + 1);
    const to = { ArrowLeft: back, ArrowUp: back, ArrowRight: on, ArrowDown: on, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(to, true);
    tokensIn(chooser)[to].focus();
    context.announce(`${itemName(spec.query_axis, to, now.queryNames)} attends most to ${strongest()}`);
  });
  const strongest = () => {
    const best = now.weights.indexOf(Math.max(...now.weights));
    return `${itemName(spec.axis, best, now.names)}: ${formatNumber(now.weights[best])}`;
  };
  keys.addEventListener("pointerover", (event) => {
    const i = indexOf(event, keys);
    if (i >= 0) context.highlight({ [spec.axis]: i });
  });
  keys.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && context.highlight({ [spec.axis]: null }));
  const stopTheme = listenTheme(context, () => now && draw());
  return { element, update, highlight, destroy: () => (stopTheme(), element.remove()) };
}
