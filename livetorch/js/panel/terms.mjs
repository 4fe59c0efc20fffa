// All terms of a long sum, the largest share first, as bars.

import { h } from "../shared/dom.mjs";

const MOST = 200; // bars

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

/**
 * @param {any} item
 * @param {(i: number) => void} open
 * @param {(one: any) => string} nameOf what a number is called
 * @param {(value: number) => string} written
 */
export function termList(item, open, nameOf, written) {
  const shares = termsOf(item);
  const rows = shares.slice(0, MOST).map(({ value, from, share }) => {
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
      h("span", { class: "lt-part-share" }, share > 0 && share < 0.005 ? "< 1 %" : `${Math.round(100 * share)} %`),
    );
    row.firstChild.append(...names.flatMap((name, i) => (i ? [" · ", name] : [name])));
    return row;
  });
  if (shares.length > MOST) rows.push(h("li", {}, `${shares.length - MOST} more`));
  const what = /softmax/.test(item.op ?? "") ? ["e", h("sup", {}, "score")] : ["number"];
  const head = [
    ["lt-part-number", ...what],
    ["lt-part-share", "share"],
  ].map(([css, ...said]) => h("span", { class: css }, ...said));
  rows.unshift(h("li", {}, h("span"), h("span"), ...head));
  return h("ol", { class: "lt-terms", "aria-label": "All terms, the largest first" }, ...rows);
}
