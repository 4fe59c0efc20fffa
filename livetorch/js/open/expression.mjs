/**
 * A calculation as a tree: how one number is made of others. A form says how it is written (writing.mjs), `calc` what
 * it gives in float64; a cell is one number of one value.
 *
 * @typedef {object} Expression
 * @property {string} form
 * @property {Expression[]} args what is written
 * @property {Calc} [calc] from the numbers of `args`, or of `cells` where there are some
 * @property {Expression[]} [cells] what is read, where that is not what is written
 * @property {any} [text] what stands between the args
 * @property {number|bigint} [value] of a literal
 * @property {number} [v] of a cell: its value
 * @property {number} [i] of a cell: its place in the value, rows in order
 * @property {[number, number]} [at] of a cell: the value and the place where it was computed
 * @property {DType} [dtype] of a cell or a literal
 * @property {Expression} [inner] of a cell without a name: what it was made of
 * @property {boolean} [choice] it starts with the number that it gives
 * @property {Expression[]} [remarks] the settings that led to it
 * @property {Expression} [winner] the cell that a largest number is
 * @property {boolean} [whole] its cells are numbers by themselves, and no calculations
 * @property {boolean} [exact] its cells must be read as they are, beyond 2^53 too
 * @property {(cell: Expression) => number} [weight] which of many cells are worth writing
 *
 * @typedef {Expression & {v: number, i: number, at: [number, number], dtype: DType}} Cell
 * @typedef {(numbers: any[]) => any} Calc
 */

/** @import { DType } from "../runtime/dtype.mjs" */

/** @param {string} form @param {Expression[]} args @param {Calc} calc @param {Partial<Expression>} [more] @returns {Expression} */
export const make = (form, args, calc, more) => ({ form, args, calc, ...more });

/** @param {number[]} numbers */
const add = (numbers) => numbers.reduce((x, y) => x + y, 0);
/** @param {number[]} numbers */
const multiply = (numbers) => numbers.reduce((x, y) => x * y, 1);

/** @param {number} value @param {DType} [dtype] @returns {Expression} */
export const literal = (value, dtype = "float64") => ({ form: "literal", args: [], value, dtype });
/** @param {Expression[]} args */
export const sum = (args) => (args.length === 1 ? args[0] : make("sum", args, add));
/** @param {Expression[]} args */
export const product = (args) => (args.length === 1 ? args[0] : make("product", args, multiply));
/** @param {Expression} a @param {Expression} b */
export const difference = (a, b) => make("difference", [a, b], ([x, y]) => x - y);
/** @param {Expression} a @param {Expression} b */
export const quotient = (a, b) => make("quotient", [a, b], ([x, y]) => x / y);
/** @param {Expression} a @param {Expression} b */
export const power = (a, b) => make("power", [a, b], ([x, y]) => x ** y);
/** @param {Expression} a */
export const root = (a) => make("root", [a], ([x]) => Math.sqrt(x));
/** @param {Expression} a */
export const exponential = (a) => make("exp", [a], ([x]) => Math.exp(x));
/** @param {Expression} a */
export const negative = (a) => make("negative", [a], ([x]) => -x);
/** @param {Expression} a */
export const logarithm = (a) => make("call", [a], ([x]) => Math.log(x), { text: "log" });

/** "max(a, b)". @param {string} name @param {Expression[]} args @param {Calc} calc @param {Partial<Expression>} [more] */
export const call = (name, args, calc, more = {}) => make("call", args, calc, { text: name, ...more });
/** "a < b". @param {string} sign @param {Expression} a @param {Expression} b @param {Calc} calc */
export const infix = (sign, a, b, calc) => make("infix", [a, b], calc, { text: sign });
/**
 * Texts with the args between them, one text more than args.
 * @param {string[]} texts @param {Expression[]} args @param {Calc} calc @param {Partial<Expression>} [more]
 */
export const words = (texts, args, calc, more = {}) => make("words", args, calc, { text: texts, ...more });
/** "mask[0, 2] is False". @param {Expression} cell */
export const fact = (cell) => make("fact", [cell], ([x]) => x);
/** "(a, b, … 61 more)". @param {Expression[]} args */
export const list = (args) => make("list", args, () => NaN, { whole: true });

/**
 * The same written form, with a calculation of its own over what it reads.
 * @param {Expression} shown @param {Expression[]} cells @param {Calc} calc @param {Partial<Expression>} [more] @returns {Expression}
 */
export const computed = (shown, cells, calc, more = {}) => ({ ...shown, cells, calc, ...more });

/** What an expression depends on directly. @param {Expression} expression */
export const partsOf = (expression) => {
  if (expression.form === "cell") return expression.inner ? [expression.inner] : [];
  return expression.cells ? [...expression.args, ...expression.cells] : expression.args;
};

/** All cells without inner expression that are read, each once. @param {Expression} expression @returns {Cell[]} */
export function leavesOf(expression) {
  /** @type {Set<Cell>} */
  const found = new Set();
  const seen = new Set();
  const walk = (/** @type {Expression} */ part) => {
    if (seen.has(part)) return;
    seen.add(part);
    if (part.form === "cell" && !part.inner) found.add(/** @type {Cell} */ (part));
    partsOf(part).forEach(walk);
    part.remarks?.forEach(walk);
  };
  walk(expression);
  return [...found];
}

/**
 * What an expression gives.
 * @param {Expression} expression
 * @param {(cell: Cell) => any} numberOf
 * @param {(value: any, dtype: DType) => any} round what an inner result is held in
 * @returns {any} a number, a BigInt or a bool
 */
export function evaluate(expression, numberOf, round) {
  const { form, args, cells, calc, inner } = expression;
  if (form === "literal") return expression.value;
  if (form === "cell") {
    const cell = /** @type {Cell} */ (expression);
    return inner ? round(evaluate(inner, numberOf, round), cell.dtype) : numberOf(cell);
  }
  const numbers = (cells ?? args).map((part) => evaluate(part, numberOf, round));
  return /** @type {Calc} */ (calc)(expression.exact ? numbers : numbers.map(Number)); // only cells and literals have none
}
