/**
 * Signatures of operators and how a node's arguments are matched to them.
 *
 * A signature is a short text such as `"self:T other:T alpha:S=1"`: names in torch's order, `:T` for a
 * tensor (or a plain number where torch takes one), `:S` for a number that takes part in type promotion,
 * `:L` for a list of tensors, nothing for plain values, and `=` before a JSON default.
 */
import { isDType } from "./dtype.mjs";
import { scalar } from "./tensor.mjs";

/** @typedef {{name: string, kind: string, required: boolean, initial: any}} Parameter */

/** @typedef {{v: number}} Ref a value by its number */

/** @param {string} text @returns {Parameter[]} */
export function parseSignature(text) {
  return text
    .split(" ")
    .filter(Boolean)
    .map((word) => {
      const [head, ...rest] = word.split("=");
      const [name, kind = ""] = head.split(":");
      const required = rest.length === 0;
      return { name, kind, required, initial: required ? undefined : JSON.parse(rest.join("=")) };
    });
}

/** @param {unknown} value @returns {value is Record<string, any>} */
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
/** @param {unknown} value @returns {value is Ref} */
export const isRef = (value) => isObject(value) && "v" in value;

/** An integer that a number of JSON cannot hold: `{"i": "6364136223846793005"}`. @param {Record<string, any>} value */
const largeInteger = ({ i }) => ({ ...scalar(Number(i), "int64"), exact: BigInt64Array.of(BigInt(i)) });

/**
 * A float that JSON could not tell from an integer or not write at all: `{"f": 2}`, `{"f": "-inf"}`.
 * @param {Record<string, any>} value
 */
function floatOf(value) {
  if (value.f === "inf") return Infinity;
  if (value.f === "-inf") return -Infinity;
  return value.f === "nan" ? NaN : Number(value.f);
}

/** @param {any} value as JSON has it @returns {any} */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  if ("f" in value) return floatOf(value);
  if ("i" in value) return Number(value.i); // the end of a slice: "as far as it goes"
  if ("dtype" in value) {
    if (!isDType(value.dtype)) throw new Error(`the runtime has no dtype ${value.dtype}.`);
    return value.dtype;
  }
  throw new Error(`cannot read the argument ${JSON.stringify(value)}.`);
}

/**
 * Turns an argument as written in a Program into a value, with the numbers of tensors kept as `{v}`.
 * @param {any} value as JSON has it @param {string} kind @returns {any}
 */
function prepare(value, kind) {
  if (isRef(value) || value === null || value === undefined) return value ?? null;
  if (kind === "L") return value.map((/** @type {any} */ entry) => prepare(entry, "T"));
  if (kind === "T" || kind === "S") {
    if (isObject(value) && "i" in value) return largeInteger(value);
    return isObject(value) && "f" in value ? scalar(floatOf(value), "float32") : scalar(plain(value));
  }
  return plain(value);
}

/**
 * Matches the arguments of a node to the parameters of its operator.
 * @param {Parameter[]} parameters
 * @param {any[]} [args] @param {Record<string, any>} [kwargs]
 * @returns {any[]} one entry per parameter; tensors are still `{v: number}`
 */
export function bindArguments(parameters, args = [], kwargs = {}) {
  if (args.length > parameters.length) {
    throw new Error(`takes at most ${parameters.length} arguments, got ${args.length}.`);
  }
  const names = parameters.map(({ name }) => name);
  const unknown = Object.keys(kwargs).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`has no argument "${unknown}"; it has ${names.join(", ")}.`);
  return parameters.map(({ name, kind, required, initial }, place) => {
    const given = place < args.length ? args[place] : kwargs[name];
    if (given === undefined && required) throw new Error(`needs the argument "${name}".`);
    return prepare(given === undefined ? initial : given, kind);
  });
}

/** The numbers of all values that bound arguments refer to. @param {any[]} bound @returns {number[]} */
export function referencesOf(bound) {
  return bound.flatMap((value) => (Array.isArray(value) ? referencesOf(value) : isRef(value) ? [value.v] : []));
}

/** Puts the values in for the references. @param {any[]} bound @param {unknown[]} values @returns {any[]} */
export function resolve(bound, values) {
  const out = bound.slice();
  for (let k = 0; k < out.length; k += 1) {
    const value = out[k];
    if (value === null || typeof value !== "object") continue;
    if (Array.isArray(value)) out[k] = resolve(value, values);
    else if ("v" in value) out[k] = values[value.v];
  }
  return out;
}
