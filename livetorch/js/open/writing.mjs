/**
 * Expressions as pieces of one line, and those as text.
 *
 * @typedef {object} Piece
 * @property {string} text
 * @property {number} [from] of a number that can be opened: its place among those that the line reads
 * @property {number} [more] how many terms this stands for
 * @property {boolean} [raised] in an exponent
 */
import { minus, pictured } from "../shared/format.mjs";

/** @import { Cell, Expression } from "./expression.mjs" */

const MOST = 6; // terms that are written out
const KEPT = 4; // of more, these
const TINY = "0.00"; // an exponent that is not quite 0

/** What binds tighter has the higher level. @type {Record<string, number>} */
const LEVEL = {
  infix: 0,
  words: 0,
  fact: 0,
  sum: 1,
  difference: 1,
  product: 2,
  quotient: 1.9,
  softmax: 1.9,
  negative: 2,
  power: 3,
  exp: 3,
};
// In which a truth value counts as the number that it is.
const COUNTING = new Set(["sum", "difference", "product", "quotient", "negative", "power", "exp", "root"]);
/** @param {Expression} part @returns {number} */
const levelOf = ({ form, inner }) => (form === "cell" && inner ? levelOf(inner) : (LEVEL[form] ?? 4));

/**
 * Which of many terms are written, and how many are not.
 * @param {Expression[]} args
 * @param {(arg: Expression) => number} weight the heaviest are kept
 * @param {number} most so many of them
 */
function shortened(args, weight, most) {
  if (args.length <= MOST) return { shown: args, left: 0 };
  const weights = args.map((arg) => weight(arg));
  const order = args.map((_, k) => k).sort((a, b) => (weights[b] > weights[a] ? 1 : weights[b] < weights[a] ? -1 : a - b));
  const kept = new Set(order.slice(0, most));
  return { shown: args.filter((_, k) => kept.has(k)), left: args.length - most };
}

/** @param {Expression} part */
const isOne = ({ form, value }) => form === "literal" && value === 1;

/** The factors of a product that say something. @param {Expression[]} args */
const withoutOnes = (args) => (args.every(isOne) ? args.slice(0, 1) : args.filter((arg) => !isOne(arg)));

/**
 * @typedef {object} Context
 * @property {(part: Expression) => any} number what a part gives
 * @property {(cell: Cell) => string} label the name of a cell, or ""
 * @property {(cell: Cell) => number} place of a cell among those that the line reads
 */

/** @param {Expression} expression @param {Context} context @returns {Piece[]} */
export function write(expression, { number, label, place }) {
  const own = (/** @type {Expression} */ part) => Number(number(part.form === "count" ? part.args[0] : part));
  const size = (/** @type {Expression} */ part) => Math.abs(own(part));
  /** @param {string} text @returns {Piece[]} */
  const say = (text) => [{ text }];
  /** @param {Cell} cell @returns {Piece[]} */
  const open = (cell) => [{ text: written(number(cell), cell.dtype), from: place(cell) }];
  /** @param {Expression} part @returns {Expression} */
  const counted = (part) => {
    if (part.form !== "cell" || part.dtype !== "bool") return part;
    return part.inner ? { ...part, inner: { ...part.inner, args: part.inner.args.map(counted) } } : { form: "count", args: [part] };
  };
  const raised = (/** @type {Expression} */ part) => {
    const level = part.form === "cell" && !part.inner ? 0 : 4; // what stands alone is not written with a power of ten
    return text(part, level, true).map((piece) => ({
      ...piece,
      text: level ? piece.text : piece.text.replace(/.*e−.*/, TINY),
      raised: true,
    }));
  };
  const between = (/** @type {Piece[][]} */ lists, /** @type {string} */ sign) =>
    lists.flatMap((pieces, k) => (k ? [...say(sign), ...pieces] : pieces));
  /**
   * @param {Expression[]} args @param {(arg: Expression) => number} weight @param {string} join @param {number} level
   * @param {boolean} [first] @param {number} [most] how many of many
   */
  const some = (args, weight, join, level, first = true, most = KEPT) => {
    const { shown, left } = shortened(args, weight, most);
    const more = left ? [[{ text: `… ${left} more`, more: left }]] : [];
    return between([...shown.map((arg, k) => text(arg, level, first && k === 0)), ...more], join);
  };

  /**
   * @param {Expression} part
   * @param {number} level what stands around it binds so tightly
   * @param {boolean} first nothing stands before it
   * @returns {Piece[]}
   */
  function text(part, level, first) {
    const inner = part.form === "cell" ? part.inner : undefined;
    if (inner) return text(inner, level, first);
    if (part.form === "power" && isOne(part.args[1])) return text(part.args[0], level, first);
    if (part.form === "product" && withoutOnes(part.args).length === 1) return text(withoutOnes(part.args)[0], level, first);
    const body = bare(part, first);
    const single = part.form === "literal" || part.form === "cell";
    const signed = single && number(part) < 0 && (!first || level > 2) && !(level === 4 && first && part.form === "literal");
    return signed || levelOf(part) < level ? [...say("("), ...body, ...say(")")] : body;
  }

  /** @param {Expression} part @param {boolean} first @returns {Piece[]} */
  function bare(part, first) {
    const { form } = part;
    const args = COUNTING.has(form) ? part.args.map(counted) : part.args;
    const exp = (/** @type {Expression} */ arg) => [...say("e"), ...raised(arg)];
    switch (form) {
      case "cell":
        return open(/** @type {Cell} */ (part));
      case "count":
        return [{ text: String(Number(number(args[0]))), from: place(/** @type {Cell} */ (args[0])) }];
      case "literal":
        return say(writtenLiteral(/** @type {number} */ (part.value), part.dtype ?? "float64"));
      case "sum": {
        const few = args.length > MOST ? args.filter(own) : []; // of a list that zeros fill up
        const zeros = args.length - few.length;
        if (!few[0] || few[MOST] || zeros < 2) return some(args, size, " + ", 1, first);
        return [...some(few, size, " + ", 1, first), ...say(" and "), { text: `${zeros} zeros`, more: zeros }];
      }
      case "difference":
        return [...text(args[0], 1, first), ...say(" − "), ...text(args[1], 2, false)];
      case "product":
        return some(withoutOnes(args), size, "·", 2, first);
      case "quotient":
        return [...text(args[0], 1.9, first), ...say(" / "), ...text(args[1], 3, true)];
      case "softmax": {
        const top = Math.max(...args.map(own));
        // of many, a masked score that adds exactly 0 is none of those that are left out
        const adds = (/** @type {Expression} */ arg) => arg === args[part.text] || Math.fround(Math.exp(own(arg) - top)) > 0;
        const powers = (args.length > MOST ? args.filter(adds) : args).map((arg) => ({ form: "exp", args: [arg] }));
        return [...exp(args[part.text]), ...say(" / ("), ...some(powers, ({ args: [arg] }) => own(arg), " + ", 1), ...say(")")];
      }
      case "exp":
        return exp(args[0]);
      case "power":
        return [...text(args[0], 4, true), ...raised(args[1])];
      case "negative":
        return [...say("−"), ...text(args[0], 3, false)];
      case "root":
        return levelOf(args[0]) < 4 ? [...say("√("), ...text(args[0], 0, true), ...say(")")] : [...say("√"), ...text(args[0], 4, true)];
      case "infix":
        return [...text(args[0], 1, true), ...say(` ${part.text} `), ...text(args[1], 1, true)];
      case "call":
        return [...say(`${part.text}(`), ...some(args, part.weight ?? size, ", ", 0), ...say(")")];
      case "list":
        return [...say("("), ...some(args, part.weight ?? own, ", ", 0, true, part.weight && 2), ...say(")")];
      case "fact": {
        const [cell] = /** @type {Cell[]} */ (args);
        if (cell.inner) return [...text(cell, 0, true), ...say(` is ${written(number(cell), "bool")}`)];
        return [...say(`${label(cell) || "the condition"} is `), ...open(cell)];
      }
      default: // words
        return part.text.flatMap((/** @type {string} */ said, /** @type {number} */ k) => [
          ...say(said),
          ...(k < args.length ? text(args[k], 0, true) : []),
        ]);
    }
  }
  const pieces = joined(text(expression, 0, true));
  const isTiny = pieces.some((piece) => piece.raised && piece.text === TINY); // then all zeros of the line are written so
  return pieces.map((piece) => (isTiny && piece.raised && piece.text === "0" ? { ...piece, text: TINY } : piece));
}

/** What a number is called in a calculation of which it is a part. @type {Record<string, string>} */
const ROLES = { sum: "A term", product: "A factor", exp: "An exponent", softmax: "A score" };

/** What a cell is in a calculation: "A factor". @param {Expression} part @param {Expression} cell @returns {string|undefined} "" has no word, undefined: it is not in it */
export function roleIn(part, cell) {
  if (part.args.includes(cell)) return ROLES[part.form] ?? "";
  for (const arg of part.inner ? [part.inner] : part.args) {
    const found = roleIn(arg, cell);
    if (found !== undefined) return found;
  }
}

/** Neighbours that are plain text become one piece. @param {Piece[]} pieces */
function joined(pieces) {
  /** @type {Piece[]} */
  const out = [];
  for (const piece of pieces) {
    const last = out[out.length - 1];
    const plain = (/** @type {Piece} */ one) => one && one.from === undefined && one.more === undefined;
    if (plain(last) && plain(piece) && !last.raised === !piece.raised) last.text += piece.text;
    else if (piece.text) out.push({ ...piece });
  }
  return out;
}

/** One line of plain text. @param {Piece[]} pieces */
export const textOf = (pieces) =>
  pieces.map((piece, k) => (piece.raised && !pieces[k - 1]?.raised ? `^${piece.text}` : piece.text)).join("");

/**
 * @param {number|bigint} value
 * @param {string} [dtype]
 */
export function written(value, dtype = "float32") {
  if (dtype === "bool") return value ? "True" : "False";
  if (typeof value === "bigint" || /^u?int/.test(dtype)) return minus(String(value));
  if (Number.isInteger(value) && Math.abs(value) < 1e5) return minus(String(value + 0));
  const size = Math.abs(value);
  const short = pictured(value);
  if (Number.isInteger(value) && size < 1e15 && Number(short.replaceAll("−", "-")) !== value) return minus(String(value)); // 1048576 is not 1.0e6
  if (!(size > 0 && size < 0.0995)) return short;
  // Two digits that say something: 0.041, 0.00012.
  return size < 1e-4 ? minus(value.toExponential(1)) : pictured(value, 1 - Math.floor(Math.log10(size)));
}

/** A plain number of the function: 1.7320508075688772 is math.sqrt(3). @param {number} value @param {string} dtype */
export function writtenLiteral(value, dtype) {
  const square = value * value;
  const whole = Math.round(square);
  const root = value > 0 && !Number.isInteger(value) && whole < 4096 && Math.abs(square - whole) < 1e-12 * whole;
  if (root) return `√${whole}`;
  const short = written(value, dtype);
  const exact = dtype === "bool" || Number(short.replaceAll("−", "-")) === value || !Number.isFinite(value);
  return exact || Math.abs(value) < 1e-4 ? short : minus(String(Number(value.toPrecision(5)))); // what it is multiplied by must come out
}
