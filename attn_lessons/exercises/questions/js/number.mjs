// A question for a number: a text field that reads what people write.

import { h } from "../../../../livetorch/js/shared/dom.mjs";
import { marked } from "./marked.mjs";

const HOW = "A number such as 0.25, 1/4 or 25%.";
const EXAMPLES = "Write a number such as 0.25, 0,25, 1/4, 1 1/4, 3*16 or 25%.";
const ONE = "Write one number: the one that you think most likely.";

const NUMBER_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

const PARTS = ["half", "third", "quarter", "fifth"];

/** Without the words around a number: "about 3", "p = 3" and "(3)" are 3, "three" is, "a half" is 1/2, "2 out of 3" is 2/3. @param {string} text */
const bareOf = (text) =>
  text
    .trim()
    .replace(/^(?:(?:about|around|roughly|nearly|almost|approx\w*\.?|circa|ca\.?|it is)\s+|[≈~]\s*|(?:[a-z]\w*\s*)?=\s*)+/i, "")
    .replace(/^\((.*)\)$|(?:\.{3}|…|!)$/, "$1")
    .replace(/^(?:–|minus\s)\s*/i, "-")
    .replace(/^[a-z]+(?![a-z])/i, (word) => {
      const at = NUMBER_WORDS.indexOf(word.toLowerCase());
      return at < 0 ? word : String(at);
    })
    .replace(
      /^(?:(\d+|an?)[\s-])?(half|third|quarter|fifth)s?$/i,
      (_, count, part) => `${parseInt(count, 10) || 1}/${PARTS.indexOf(part.toLowerCase()) + 2}`,
    )
    .replace(/^(\d+)\s+(?:out\s+)?of\s+(\d+)$/i, "$1/$2");

const DEGREES = /^(°\s*[CF]?|degrees?( celsius)?|celsius)$/i;

/**
 * The numbers that a text may mean: a comma is a decimal point, or parts thousands. A unit may follow that the
 * question speaks of; any other might be another size (512 MiB for 0.5 GiB), so it is not read.
 * @param {string} text
 * @param {string} [told] the words of the question and its explanation
 * @returns {number[]}
 */
export function readings(text, told = "") {
  const [, written, unit] = /^(.*?[\d.)])\s*(°\s*[a-z]?|[a-z]{2,}(?: [a-z]+)?)$/i.exec(bareOf(text)) ?? [null, bareOf(text), ""];
  const percent = /^per ?cent$/i.test(unit);
  if (unit && !percent && !DEGREES.test(unit) && !names(told, unit)) return [];
  const found = quotients(percent ? `${written}%` : written);
  const inPercent = /%$/.test(written) || percent;
  return inPercent && /percent|per cent/i.test(told) ? [...found, ...found.map((x) => x * 100)] : found;
}

/** Does a text speak of a unit, in the singular or the plural? @param {string} told @param {string} unit */
function names(told, unit) {
  const words = told.toLowerCase().match(/[a-z]+/g) ?? [];
  const one = (/** @type {string} */ word) => word.replace(/s$/, "");
  return unit
    .toLowerCase()
    .split(" ")
    .every((word) => words.some((each) => one(each) === one(word)));
}

/** @param {string} text @returns {number[]} */
function quotients(text) {
  const tidy = text
    .replace(/[¼-¾⅐-⅞]/g, (sign) => ` ${sign.normalize("NFKC").replace("⁄", "/")}`)
    .replaceAll("−", "-")
    .replaceAll("÷", "/")
    .replaceAll("**", "^")
    .replace(/\s*[×·⋅]\s*|(?<=\d)\s*x\s*(?=\d)/gi, "*")
    .trim();
  const [, part, percent] = /^(.*?)\s*(%?)$/.exec(tidy) ?? [];
  const share = percent ? 100 : 1;
  const [, sign, whole, above, below] = /^([-+]?)\s*(\d+)\s+(\d+)\s*\/\s*(\d+)$/.exec(part) ?? [];
  const mixed =
    Number(above) < Number(below) ? [(Number(`${sign}1`) * (Number(whole) * Number(below) + Number(above))) / Number(below) / share] : [];
  // A blank before a fraction parts thousands only where three digits follow it: 14 080/2, but 1 2/3.
  if (whole && above.length !== 3) return mixed;
  const sides = part
    .replace(/[\s'’_]/g, "")
    .split("/")
    .map((side) => side.split("*").map(powers).reduce(products));
  if (sides.length === 1) return sides[0].map((x) => x / share);
  if (sides.length > 2) return [];
  return [...mixed, ...sides[0].flatMap((a) => sides[1].map((b) => a / b / share)).filter(Number.isFinite)];
}

/** @param {number[]} left @param {number[]} right */
const products = (left, right) => left.flatMap((a) => right.map((b) => a * b));

/** @param {string} text @returns {number[]} */
function powers(text) {
  const [, base, exponent] = /^([\d.,]+)\^([-+]?\d{1,3})$/.exec(text) ?? [null, text, "1"];
  return decimals(base).map((x) => x ** Number(exponent));
}

/** @param {string} text @returns {number[]} */
function decimals(text) {
  const spellings = [text.replace(",", ".")];
  if (/^[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(text)) spellings.push(text.replaceAll(",", ""));
  if (/^[-+]?[1-9]\d{0,2}(\.\d{3})+(,\d*)?$/.test(text)) spellings.push(text.replaceAll(".", "").replace(",", "."));
  return spellings.filter((each) => /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(each)).map(Number);
}

/** @param {any} spec */
const told = (spec) => `${spec.question} ${spec.explain ?? ""}`;

/**
 * Is a text the answer, rounded to fewer digits than are asked for?
 * @param {any} spec
 * @param {string} text
 * @param {number} x
 */
function rounds(spec, text, x) {
  const plain = /^[-+−]?\d*(?:[.,](\d*))?\s*(%?)/.exec(bareOf(text));
  const places = (plain?.[1] ?? "").length + (plain?.[2] ? 2 : 0);
  return !/[/*^×·]/.test(text) && Math.abs(Number(spec.answer.toFixed(places)) - x) < 1e-9;
}

/**
 * How far off a typical wrong number may be written: like usual_tolerance in pieces.py, whatever the answer's is.
 * @param {number} value
 */
const roundingOf = (value) => (Number.isInteger(value) ? 0 : Math.max(Math.abs(value) * 0.005, Math.min(0.005, Math.abs(value) * 0.1)));

/**
 * The reply to a number.
 * @param {any} spec
 * @param {string} text
 */
export function judgeNumber(spec, text) {
  const numbers = readings(text, told(spec));
  if (!numbers.length) {
    if (/\d\s*(?:-|–|to|or|and)\s*\d/i.test(text)) return { right: false, lead: "", text: ONE };
    const bare = /^\s*[-+−]?[\d.,/]+\s*[a-z]+\s*$/i.test(text);
    return { right: false, lead: "", text: bare ? "Write the number without a unit, in what the question counts." : EXAMPLES };
  }
  const near =
    (/** @type {number} */ x, reach = 1) =>
    (/** @type {number} */ y) =>
      Math.abs(x - y) <= spec.tolerance * reach + 1e-9 * Math.abs(x);
  if (numbers.some(near(spec.answer))) return { right: true, lead: `Right: ${spec.shown}.`, text: spec.explain };
  const mistake = spec.mistakes
    .map((/** @type {any} */ each) => ({ ...each, off: Math.min(...numbers.map((y) => Math.abs(y - each.value))) }))
    .filter((/** @type {any} */ each) => each.off <= Math.max(spec.tolerance, roundingOf(each.value)) + 1e-9 * Math.abs(each.value))
    .sort((/** @type {any} */ a, /** @type {any} */ b) => a.off - b.off)[0];
  if (mistake) return { right: false, lead: "Not quite.", text: mistake.why };
  const [x] = numbers;
  if (near(-spec.answer)(x)) return { right: false, lead: "Not quite.", text: "The size is right, the sign is not." };
  if (Math.abs(spec.answer) < 1 && Math.abs(x) > 1 && near(spec.answer)(x / 100))
    return { right: false, lead: `Did you mean ${bareOf(text)}%?`, text: "Then write the sign too, or the number between 0 and 1." };
  if (near(spec.answer, 8)(x)) {
    const why = rounds(spec, text, x)
      ? "that is the answer rounded. Try one more digit."
      : "close, but not within rounding. Compute it once more.";
    return { right: false, lead: "Nearly:", text: why };
  }
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
      h("span", { id: `${id}-how`, class: "lt-note" }, HOW),
    ),
    get: () => input.value.trim() || null,
    /** @param {any} value */
    set(value) {
      input.value = value ?? "";
    },
    valid: (/** @type {any} */ value) => typeof value === "string" && readings(value, told(spec)).length > 0,
    judge: (/** @type {string} */ value) => judgeNumber(spec, value),
    answer: () => spec.shown,
    nothing: EXAMPLES,
  };
}
