// A question for a number: a text field that reads what people write.

import { h } from "../../../../livetorch/js/shared/dom.mjs";
import { marked } from "./marked.mjs";

const EXAMPLES = "Write a number such as 0.25, 0,25, 1/4 or 25%.";

/**
 * The numbers that a text may mean: a comma is a decimal point, or parts thousands.
 * @param {string} text
 * @returns {number[]}
 */
export function readings(text) {
  const tidy = text.replace(/[\s'’_]/g, "").replaceAll("−", "-");
  const [, part, percent] = /^(.*?)(%?)$/.exec(tidy) ?? [];
  const share = percent ? 100 : 1;
  const sides = part.split("/").map(decimals);
  if (sides.length === 1) return sides[0].map((x) => x / share);
  if (sides.length > 2) return [];
  return sides[0].flatMap((a) => sides[1].map((b) => a / b / share)).filter(Number.isFinite);
}

/** @param {string} text @returns {number[]} */
function decimals(text) {
  const spellings = [text.replace(",", ".")];
  if (/^[-+]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(text)) spellings.push(text.replaceAll(",", ""));
  if (/^[-+]?\d{1,3}(\.\d{3})+(,\d*)?$/.test(text)) spellings.push(text.replaceAll(".", "").replace(",", "."));
  return spellings.filter((each) => /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(each)).map(Number);
}

/**
 * The reply to a number.
 * @param {any} spec
 * @param {string} text
 */
export function judgeNumber(spec, text) {
  const numbers = readings(text);
  if (!numbers.length) return { right: false, lead: "", text: EXAMPLES };
  const near =
    (/** @type {number} */ x, reach = 1) =>
    (/** @type {number} */ y) =>
      Math.abs(x - y) <= spec.tolerance * reach + 1e-9 * Math.abs(x);
  if (numbers.some(near(spec.answer))) return { right: true, lead: `Right: ${spec.shown}.`, text: spec.explain };
  const mistake = spec.mistakes.find((/** @type {any} */ each) => numbers.some(near(each.value)));
  if (mistake) return { right: false, lead: "Not quite.", text: mistake.why };
  const [x] = numbers;
  if (near(-spec.answer)(x)) return { right: false, lead: "Not quite.", text: "The size is right, the sign is not." };
  if (near(spec.answer, 8)(x)) return { right: false, lead: "Nearly:", text: "close, but not within rounding. Try one more digit." };
  return { right: false, lead: x > spec.answer ? "Too large." : "Too small.", text: "Try again, or look at the answer." };
}

/**
 * @param {any} spec
 * @param {{id: string}} context
 */
export function createNumber(spec, { id }) {
  const input = h("input", {
    id,
    class: "lt-text",
    type: "text",
    inputmode: "text",
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": `${id}-how`,
  });
  return {
    element: h(
      "div",
      { class: "lt-number" },
      h("label", { for: id, class: "lt-ask" }, ...marked(spec.question)),
      input,
      h("span", { id: `${id}-how`, class: "lt-note" }, "A number; 0,25, 1/4 and 25% are read too."),
    ),
    get: () => input.value.trim() || null,
    /** @param {any} value */
    set(value) {
      input.value = value ?? "";
    },
    valid: (/** @type {any} */ value) => typeof value === "string" && readings(value).length > 0,
    judge: (/** @type {string} */ value) => judgeNumber(spec, value),
    answer: () => spec.shown,
    nothing: EXAMPLES,
  };
}
