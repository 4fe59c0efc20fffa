// All terms of a long sum, the largest share first, as bars.

import { h } from "../shared/dom.mjs";

const MOST = 200; // bars
const FEW = 3; // zeros that stand each by itself

/** @typedef {{text: string, value: number, share: number, from: number[]}} Term */

/** The terms as the engine gives them, or each number by itself. @param {any} item @returns {Term[]} */
export function termsOf({ from, terms }) {
  if (terms.length) return terms;
  const sizes = from.map((/** @type {any} */ one) => Math.abs(one.value));
  const total = sizes.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0);
  /** @type {Term[]} */
  const all = from.map((/** @type {any} */ { label, value }, /** @type {number} */ i) => ({
    text: label,
    value,
    share: total > 0 ? sizes[i] / total : 0,
    from: [i],
  }));
  return all.sort((a, b) => b.share - a.share);
}

/** The terms row by row: of many zeros the first stands for all. @param {Term[]} terms */
function rowsOf(terms) {
  /** @type {Term[][]} */
  const alike = [];
  for (const term of terms) {
    if (term.value === 0 && alike.at(-1)?.[0].value === 0) alike.at(-1)?.push(term);
    else alike.push([term]);
  }
  return alike.flatMap((some) => (some.length > FEW ? [some] : some.map((term) => [term])));
}

/**
 * @param {any} item
 * @param {(i: number) => void} open
 * @param {(one: any) => string} nameOf what a number is called
 * @param {(value: number) => string} written
 */
export function termList(item, open, nameOf, written) {
  const all = rowsOf(termsOf(item));
  const rows = all.slice(0, MOST).map(([{ value, from, share }, ...others]) => {
    const [more, each] = others.length ? [` and ${others.length} more`, " each"] : ["", ""];
    const names = from.map((i) =>
      h(
        "button",
        { type: "button", class: "lt-term", "data-from": i, onclick: () => open(i) },
        nameOf(item.from[i]) || written(Number(item.from[i].value)),
      ),
    );
    const bar = h("span", { class: value < 0 ? "lt-part lt-negative" : "lt-part", "aria-hidden": "true" });
    bar.style.width = `${100 * share}%`;
    const row = h(
      "li",
      {},
      h("span", { class: "lt-part-name" }),
      h("span", { class: "lt-part-track" }, bar),
      h("span", { class: "lt-part-number" }, written(value)),
      h("span", { class: "lt-part-share" }, share > 0 && share < 0.005 ? "< 1 %" : `${Math.round(100 * share)} %${each}`),
    );
    row.firstChild.append(...names.flatMap((name, i) => (i ? [" · ", name] : [name])), more);
    return row;
  });
  if (all.length > MOST) rows.push(h("li", {}, `${all.slice(MOST).flat().length} more`));
  const what = /softmax/.test(item.op ?? "") ? ["e", h("sup", {}, "score")] : ["number"];
  const head = [
    ["lt-part-number", ...what],
    ["lt-part-share", "share"],
  ].map(([css, ...said]) => h("span", { class: css }, ...said));
  rows.unshift(h("li", {}, h("span"), h("span"), ...head));
  return h("ol", { class: "lt-terms", "aria-label": "All terms, the largest first" }, ...rows);
}

/** The list of terms comes into sight; gives what of it takes the focus. @param {HTMLElement} made */
export function firstTerm(made) {
  made.querySelector(".lt-terms")?.scrollIntoView?.({ block: "nearest", behavior: "instant" });
  return made.querySelector(".lt-terms button") ?? made;
}
