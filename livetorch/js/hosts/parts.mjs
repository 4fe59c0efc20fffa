// Parts of this script that only some figures need: which ones, and how they come.

import { numbersIn } from "../figure/far.mjs";
import { addOperators, findOperator } from "../runtime/registry.mjs";
import { addViews, partOfView } from "../views/index.mjs";
import { loadFile, provide } from "./files.mjs";

/** @typedef {{views?: Record<string, any>, operators?: import("../runtime/registry.mjs").Table[]}} Part */

const script = /** @type {HTMLScriptElement|null} */ (globalThis.document?.currentScript);
const home = script?.src.replace(/[?#].*/, "").replace(/[^/]*$/, "") ?? "";
// The build knows the parts' files: name -> file with the digest of what it holds. Modules by themselves have none, and
// a script that stands in its page has none beside it: what the page does not bring is not asked for.
/** @type {Record<string, string>} */
const files = (script?.src !== "" && /** @type {any} */ (globalThis).LIVETORCH_PARTS) || {};

const here = new Set();

/** What the parts hold that a figure asks for later. @type {Record<string, any>} */
const held = {};

/** Called by a part's file. @param {string} name @param {Part} part */
export function adopt(name, { views = {}, operators = [], ...more }) {
  if (here.has(name)) return;
  here.add(name);
  held[name] = more;
  provide(`livetorch-${name}`, true);
  addViews(views);
  addOperators(operators);
}

export const MANY = 2048; // numbers of a Program from which quicker loops are worth fetching

/** @typedef {{shape?: number[], pool?: number}} Sized */
/** @typedef {{nodes: {op: string}[], inputs?: Sized[], constants?: Sized[]}} Sizes of a Program, what is looked at here */

/** @param {Sizes} program @param {Sized[]} pool */
const isLarge = ({ inputs = [], constants = [] }, pool) =>
  numbersIn([...inputs, ...constants].map((each) => pool[each.pool ?? -1] ?? each)) >= MANY;

/**
 * The parts that a figure needs and that are not here.
 * @param {{views: {kind: string, zoom?: boolean}[], programs: Sizes[], pool?: Sized[], controls?: {unit?: string}[]}} spec
 * @returns {string[]}
 */
export function missingParts({ views, programs, pool = [], controls = [] }) {
  const wanted = new Set(views.flatMap(({ kind, zoom }) => (zoom ? "zoom" : (partOfView(kind) ?? []))));
  if (programs.some(({ nodes }) => nodes.some(({ op }) => !findOperator(op)))) wanted.add("operators");
  if (programs.some((program) => isLarge(program, pool))) wanted.add("lanes");
  if (controls.some(({ unit }) => unit === "library")) wanted.add("tokenizer");
  return [...wanted].filter((name) => !here.has(name) && name in files);
}

/** @param {string[]} names @returns {Promise<any>} */
export function loadParts(names) {
  return Promise.all(names.map((name) => loadFile(home + files[name])));
}

/**
 * What a part holds that is fetched when it is first wanted: "open" what opens numbers, "curves" what draws on the tracks
 * of sliders, "compare" what sets a frame beside a former one, "reads" what a cell of a flow was made of.
 * @param {string} name
 * @returns {Promise<any>}
 */
export async function partOf(name) {
  if (!held[name] && name in files) await loadParts([name]);
  if (!held[name]) throw new Error(`this page has no file livetorch-${name}.js`);
  return held[name];
}
