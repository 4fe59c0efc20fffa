// What the places of an output are called where a view shows it: "query 1 (I), key 3 (study)"; and the figure's numbers, ready to
// be opened under these names.

import { begun, itemName, pictured, singular, told, visibleToken, within } from "../shared/format.mjs";
import { viewOf } from "../views/index.mjs";
import { sameSource } from "../views/places.mjs";
import { labelsOf, resolve } from "../views/sources.mjs";
import { shortLabel, wordsOf } from "../open/figure.mjs";
import { openProgram } from "../open/open.mjs";
import { kindOf } from "../controls/index.mjs";

/** The axes of what a view shows, the last one last, each with what names its items; the sentence below arcs counts places. @param {any} view @param {any} source @returns {any[][]} */
const axesOf = (view, source) =>
  viewOf(view.kind, "axes")(view, source).map((/** @type {any[]} */ axis) => (view.kind === "arcs" ? ["place", axis[1]] : axis));

/** What a view shows; of a strip, also the columns above it and their numbers. @param {any} view @returns {any[]} */
const sourcesOf = ({ kind, source, columns, scores, parts = [] }) => [
  source,
  ...(kind === "strip" ? [columns, scores] : parts.map((/** @type {any} */ part) => part.source)),
];

/** The curves and points of a plot, which have names but are not what one begins with. @param {any} view @returns {any[]} */
export const plottedOf = ({ kind, y = [], points, groups = [] }) =>
  kind === "lines" || kind === "plane" ? [...[...y, ...groups].map(({ source }) => source), points?.x, points?.y].filter(Boolean) : [];

/** The outputs that a view shows, one of several in its own right first. @param {any} view @returns {string[]} */
export const outputsOf = (view) => sourcesOf(view).flatMap((source) => (source && "output" in source ? [source.output] : []));

/** The last axes of an output or a control where a view shows it; those of one item in front need none. @param {import("../shared/spec.d.ts").Spec} spec @param {any} item @param {any} frame @param {number[]} [index] */
function shownAxes(spec, item, frame, index = item.index) {
  const { name, kind } = item;
  const isSet = kind === "control" && spec.controls.some((/** @type {any} */ one) => one.name === name);
  const source = isSet ? { control: name } : { output: name };
  const alone = (frame.outputs[name]?.shape ?? []).findIndex((/** @type {number} */ length) => length > 1);
  const needed = index.length - Math.max(0, Math.min(alone, index.length - 1));
  const shows = (/** @type {any} */ view) => [...sourcesOf(view), ...plottedOf(view)].some((one) => sameSource(one, source));
  const view = spec.views.find((/** @type {any} */ one) => shows(one) && axesOf(one, source).length >= needed);
  return view && index.length ? axesOf(view, source).slice(-index.length) : [];
}

/** “a” (key 4), or key 4; along a curve x = 0.5. @param {any[]} axis @param {number} i @param {any} frame @param {Record<string, any>} controls */
const nameOn = ([axis, labels, along], i, frame, controls) =>
  along
    ? `${axis} = ${pictured(Number(resolve(along, frame)?.data[i] ?? i + 1))}`
    : axis
      ? itemName(axis, i, labelsOf(labels || null, frame, controls))
      : "";

const COUNTED = [["number"], ["row", "column"]];
const IS_COUNTED = /^((number|row|column) \d+|place \d+(, \d+)+)$/; // by nothing but its number

/** The places of a number that no view shows, as the engine names them; what it only counts is counted from 1. @param {any} item @returns {string[]} */
function placesInside({ places = [] }) {
  const counted = places.every(Number.isInteger);
  const words = counted ? COUNTED[places.length - 1] : [];
  if (counted && places.length > 2) return [`place ${places.map((/** @type {number} */ part) => part + 1).join(", ")}`];
  return places.map((/** @type {string|number} */ part, /** @type {number} */ axis) =>
    typeof part === "number" ? `${words[axis] ?? "number"} ${part + 1}` : part,
  );
}

/** Of a line that ran several times, which time. @param {any} item */
const turnOf = ({ turn }) => (turn ? `, step ${turn.at} of ${turn.of}` : "");

/** A name of several words says by itself which one it is: no number beside it. @param {string} name */
const brief = (name) =>
  name
    .replace(/(“[^”]* [^”]*”) \([^()]* \d+\)/g, "$1")
    .replace(/: (?:row of (\w+)|(\w+) row) (\d+), (?:column of \w+|\w+ column) (\d+)$/, " of the $1$2 in row $3, column $4");

/** "Weight of “study” for “I” (query 1)", "MLP, number 2": a name of several letters that no other item has is not counted. @param {string} name @param {any[][]} axes @param {any} frame @param {Record<string, any>} controls */
function withoutCounts(name, axes, frame, controls) {
  const all = axes.map(([, labels]) => labelsOf(labels || null, frame, controls) ?? []);
  const isAlone = (/** @type {string} */ label) => all.every((names) => names.indexOf(label) === names.lastIndexOf(label));
  const said = name.replace(/“([^”]*[a-z]{2}[^”]*)” \(\w+ \d+\)/gi, (whole, label) => (isAlone(label) ? `“${label}”` : whole));
  return said.replace(/^(\w+ \d+) for “([^”]*)”$/, (_, own, label) => begun(`${label}, ${within(own)}`));
}

/**
 * "Weight of “a” (key 4) for “3” (query 7)", "Score S of key 2 for query 1", "Number 1 of output for query 2", or with a colon
 * "Weight, scaled: key 8"; no word twice: "Unit 2 for stage 1" is no unit of unit 2, and "Output of number 2" none for “output”.
 * @param {string} word @param {string[]} all its places @param {{isTable?: boolean, isBare?: boolean}} [more] bare: the word is a name of the code
 */
function inWords(word, all, { isTable = false, isBare = false } = {}) {
  const places = all.filter((place) => !`${word} `.startsWith(`${place.match(/^“(.*)” \(/s)?.[1]} `));
  const own = places.find((place) => place.replace(/^“.*” \(/s, "").startsWith(`${word} `));
  const [last = "", ...rest] = places.filter((place) => place !== own).reverse();
  const others = rest.reverse();
  if (own) return begun(own) + (last && ` for ${[...others, last].join(", ")}`);
  const counted = places.filter((place) => IS_COUNTED.test(place));
  if (counted.length && !isTable && !/[,.:=]/.test(word)) return numberOf(counted, word, places);
  const isOdd = /[,.:;=]|\bof$/.test(word) || places.some((place) => /^(\w+ )?(row|column|step) | of |=/.test(place));
  if (isTable || isOdd || !last) return begun(word) + (last && (word.includes(": ") ? ", " : ": ") + places.join(", "));
  const one = word.replace(isBare ? /^\w+$/ : /^\w+(?= \w$)/, singular); // a score of scores, the score S of Scores S
  if (/ /.test(word) && (!others.length || / of /.test(word))) return `${begun(one)} for ${places.join(", ")}`;
  return `${begun(one)} of ${last}${others.length ? ` for ${others.join(", ")}` : ""}`;
}

/** "Row 2, column 1 of W_q", "Number 1 of output for query 2". @param {string[]} counted @param {string} word @param {string[]} places */
function numberOf(counted, word, places) {
  const named = places.filter((place) => !counted.includes(place));
  const of = within(word.replace(/^number of /i, ""));
  const [row, column] = counted.map((place) => place.replace(/^\w+ /, "")); // two of which only one has a name are a table, too
  return `${begun(column ? `row ${row}, column ${column}` : counted[0])} of ${of}${named.length ? ` for ${named.join(", ")}` : ""}`;
}

/** Whether a view shows an output. @param {import("../shared/spec.d.ts").Spec} spec @param {string} output */
const isIn = ({ views }, output) => JSON.stringify(views).includes(`"output":${JSON.stringify(output)}`);

/** @param {import("../shared/spec.d.ts").Spec} spec @param {any} item @param {Record<string, any>} controls @returns {string} */
function calledIn(spec, { name, kind }, controls) {
  const set = name in controls ? shortLabel(controls[name].label) : undefined; // an output may be called as a control is
  const called = (kind === "control" && set) || (spec.labels?.[name] ?? set ?? name);
  const isIts = (/** @type {any} */ { kind, source }) => kind === "number" && source.output === name;
  return (called === name && spec.views.find(isIts)?.title) || called; // a unit is no name
}

/**
 * What a number is, in words; "" where it has no name.
 * @param {import("../shared/spec.d.ts").Spec} spec
 * @param {any} item
 * @param {any} frame
 * @param {Record<string, any>} controls
 * @returns {string}
 */
export function nameOf(spec, item, frame, controls) {
  if (!item.name) return "";
  // at the place where the figure shows it, be it in another order
  const isThere = (/** @type {any} */ one) => one.output === item.name && one.index.length === item.index.length;
  const { index } = (item.kind === "computed" && item.shown?.find(isThere)) || item;
  const { kind, unit } = index.length && item.kind === "control" ? (controls[item.name] ?? {}) : {};
  if (kind === "text")
    return begun(told(itemName(unit === "library" ? "token" : unit, index[0], labelsOf({ text: item.name }, frame, controls))));
  // a value of the code may be called as an output that was made of it, and have more axes
  const isOther = item.places?.length && index.length > frame.outputs[item.name]?.shape.length;
  const axes = isOther ? [] : shownAxes(spec, item, frame, index);
  const called = calledIn(spec, item, controls);
  /** @type {string[]} */
  const alone = []; // the only item of an axis is none of several: "position added: score"
  const places = axes.map((axis, i) => {
    const name = nameOn(axis, index.at(i - axes.length), frame, controls);
    const label = name.match(/^\w+ 1 \((..+)\)$/)?.[1];
    if (!label || frame.outputs[item.name]?.shape.at(i - axes.length) !== 1 || [called, name].some((said) => said.startsWith(label)))
      return name;
    alone.push(label);
    return "";
  });
  const word = [called, ...alone].join(": ");
  const inside = (places.length ? places.filter(Boolean) : placesInside(item)).map(told);
  const isTable = item.kind === "control" && item.name in controls;
  const isBare = spec.labels?.[item.name] === undefined;
  const isCode = !(item.name in controls) && isBare && !isIn(spec, item.name);
  if (isCode && (!/^[a-z]{4,}$/i.test(word) || inside.some((place) => IS_COUNTED.test(place)))) return ""; // x[1, 2] is the code's
  const said = brief(inWords(word, inside, { isTable, isBare }));
  return (/[:=]/.test(said) ? said : withoutCounts(said, axes, frame, controls)) + (places.length ? "" : turnOf(item));
}

/** What an operator makes, where nothing has a name for it. @type {Record<string, string>} */
const MADE = {
  mm: "sum of products",
  add: "sum",
  sum: "sum",
  sub: "difference",
  mul: "product",
  div: "quotient",
  mean: "mean",
  exp: "power of e",
  pow: "power",
  cos: "cosine",
  max: "largest number",
  argmax: "place of the largest",
  softmax: "share",
  log_softmax: "log probability",
  where: "chosen number",
  gather: "chosen number",
  clamp: "bounded number",
  abs: "size",
  linalg_vector_norm: "length",
  native_layer_norm: "levelled number",
};

/**
 * The name of the last of the numbers of a way: its own, or as the item of the softmax that reads it.
 * @param {import("../shared/spec.d.ts").Spec} spec @param {any[]} items @param {any} frame @param {Record<string, any>} controls
 */
function lastName(spec, items, frame, controls) {
  const [item, reader] = items.slice(-2).reverse();
  const own = nameOf(spec, item, frame, controls);
  const term = !own && reader && termNames(spec, reader, frame, controls)(item);
  return term ? brief(`Score before the softmax: ${term}`) : own;
}

/**
 * What stands above the last of the numbers of a way: its name, or what it is in one that has a name, or what made it on the way to
 * that. No two have one name.
 * @param {import("../shared/spec.d.ts").Spec} spec @param {any[]} items @param {any} frame @param {Record<string, any>} controls
 */
export function titleOf(spec, items, frame, controls) {
  const item = items.at(-1);
  const names = items.map((_, i) => lastName(spec, items.slice(0, i + 1), frame, controls));
  const own = names.pop();
  if (own && !names.includes(own)) return own;
  if (item.kind === "constant" && item.name && !own) {
    const inside = placesInside(item).map(told);
    if (inside.length && inside.every((place) => IS_COUNTED.test(place))) return inWords(item.name, inside);
    return [item.name, inside.join(", ")].filter(Boolean).join(": "); // as the code calls it
  }
  const role = names.at(-1) && item.role;
  const name = within(names.findLast(Boolean) ?? "").replace(/^the /, "");
  const word = begun(role || kindOfNumber({ ...item, name: own ? "" : item.name }));
  if (!name || `${name} before `.startsWith(`${within(word)} before `)) return word + turnOf(item);
  return role ? `${word} in the ${name}` : `${word}${/, step /.test(name) ? "" : turnOf(item)}, on the way to the ${name}`;
}

/** What a number is that has no name. @param {any} item */
function kindOfNumber({ kind, op, name, dtype, text = "" }) {
  if (kind === "constant") return `${/, learned /.test(text) ? "learned" : "fixed"} number`;
  if (dtype === "bool") return "truth value";
  if (name) return /^[a-z]{3,}s$/.test(name) ? singular(name) : name;
  const made = op?.split(".")[1]?.replace(/^(_|b|a|add)(?=mm$|max$|(log_)?softmax$)/, "");
  return made ? (MADE[made] ?? `result of ${made}`) : "";
}

/** The same in few words, without its place. @param {string} title */
export const shortTitle = (title) => title.split(/: |(?<!\d) of | (?:for|in the) |, on the way/)[0];

const LONG = 6; // terms, of which a line leaves out none

/**
 * What each term of a long sum is, "Each term: query times key"; "" where they are not alike, or nobody has named them.
 * @param {import("../shared/spec.d.ts").Spec} spec @param {any} item @param {any} frame @param {Record<string, any>} controls
 */
export function eachTerm(spec, { terms, from }, frame, controls) {
  if (terms.length <= LONG) return "";
  /** @param {any} one @returns {string} */
  const word = (one) => {
    const named = within(shortTitle(nameOf(spec, one, frame, controls))) || (/^\w+$/.test(one.name) && kindOfNumber({ name: one.name }));
    if (named) return named;
    const made = one.open();
    if (/\.mul\./.test(made.op)) return made.from.map(word).join(" times ");
    return `${kindOfNumber(made).split("result of ")[1] ?? "?"}(…)`;
  };
  const [first, last] = [terms[0], terms.at(-1)].map(({ from: all }) =>
    all.map((/** @type {number} */ i) => word(from[i])).join(" times "),
  );
  const sign = "·".repeat(terms[0].from.length - 1);
  const isAlike = first === last && terms.every((/** @type {any} */ { text }) => text.replace(/[()−\d.e]/g, "") === sign);
  return isAlike && !/\?|^(.*) times \1$/.test(first) ? `Each term: ${first}` : "";
}

/**
 * What a number is called that a softmax reads: as the item of the row that it becomes.
 * @param {import("../shared/spec.d.ts").Spec} spec
 * @param {any} item
 * @param {any} frame
 * @param {Record<string, any>} controls
 * @returns {(one: any) => string}
 */
export function termNames(spec, item, frame, controls) {
  const axes = /softmax/.test(item.op) ? shownAxes(spec, item, frame) : [];
  const axis = axes.at(-1);
  const at = item.index.at(-1);
  const own = item.from[item.pieces.find((/** @type {any} */ piece) => piece.from >= 0)?.from]?.index.at(-1);
  const [rows, wide] = frame.outputs[item.name]?.shape.slice(-2) ?? [];
  const first = item.from.length - rows * wide; // after what is not drawn, such as a class token: none or one
  const isMap = axes.length > 1 && rows > 1 && !(first >> 1); // a list that is drawn in two axes
  const named = (/** @type {number} */ i) => {
    const places = isMap ? [Math.floor(i / wide), i % wide] : [i];
    const one = (/** @type {any[]} */ each, /** @type {number} */ k) => told(nameOn(each, places[k], frame, controls));
    return i < 0 ? "" : axes.slice(-places.length).map(one).join(", ");
  };
  const words = axis?.[1]?.vocabulary; // of which the view shows some
  const isPicked = own !== at && words && named(at).startsWith(`“${words[own]}”`);
  return (one) => {
    const i = one.index.at(-1);
    if (!axis || i === undefined) return nameOf(spec, one, frame, controls);
    return brief(isMap ? named(i - first) : i === own ? named(at) : own === at ? named(i) : isPicked ? `“${words[i]}”` : "");
  };
}

/** Words, and no two alike: a number or a repeated token says too little. @param {string[]} labels */
const telling = (labels) => new Set(labels).size === labels.length && !labels.every((name) => /^-?[\d.]*$/.test(name));

/** @param {number} count @param {string} word */
const numbered = (count, word) => Array.from({ length: count }, (_, i) => `${word} ${i + 1}`);

/** The names of the rows and columns of a table, as it heads them. @param {any} control @returns {string[][]} */
function headsOf({ kind, shape, labels, columns, flat, axes = kind === "mask" ? ["query", "key"] : ["row", "column"] }) {
  const [row, column] = shape.map((/** @type {number} */ count, /** @type {number} */ i) => numbered(count, axes[i]));
  return [labels ?? row, columns ?? (kind === "points" ? ["x", "y"] : column)].slice(0, flat ? 1 : 2);
}

/**
 * The names of an output's items, and of a table's, for each of its axes, where a view gives them: "study", or "key 3", counted as the ticks are.
 * @param {import("../shared/spec.d.ts").Spec} spec
 * @param {any} frame
 * @param {Record<string, any>} controls
 * @returns {Record<string, (string[]|null)[]>}
 */
export function itemLabels(spec, frame, controls) {
  /** @type {Record<string, (string[]|null)[]>} */
  const found = {};
  for (const view of spec.views) {
    for (const source of [...sourcesOf(view), ...plottedOf(view)]) {
      const called = source && (source.output ?? source.control);
      const shape = frame.outputs[called]?.shape ?? controls[called]?.shape;
      if (!shape?.length) continue;
      const axes = axesOf(view, source).slice(-shape.length);
      const labels = axes.map(([, named]) => labelsOf(named || null, frame, controls));
      const counted = axes.every(([axis]) => axis); // or an index in numbers would stand beside a place in words
      const names = axes.map(([axis, , along], at) => {
        if (along) return Array.from(resolve(along, frame)?.data ?? [], (x) => pictured(Number(x)));
        if (labels[at] && telling(labels[at])) return labels[at].map(visibleToken);
        const word = axis.replace(/^(\w+)s of .*/, "$1"); // row 1, of the rows of a piece
        return counted ? Array.from({ length: shape[at] }, (_, i) => itemName(word, i, labels[at])) : null;
      });
      if (names.length === shape.length && !found[called]?.some(Boolean)) found[called] = names;
    }
  }
  for (const control of /** @type {any[]} */ (spec.controls))
    if (["matrix", "points", "mask"].includes(control.kind)) found[control.name] ??= headsOf(control);
  return found;
}

/**
 * The engine's record of a figure's Program at its present settings.
 * @param {import("../shared/spec.d.ts").Spec} spec
 * @param {{frame: () => any, program: () => {program: any, inputs: any}, controls: Record<string, any>}} figure
 */
export function createExplainer(spec, { frame, program, controls }) {
  /** Which control each input of the Program comes from. @param {any} state */
  function owners(state) {
    const moved = Object.values(controls).filter((control) => !control.variant);
    return Object.fromEntries(
      moved.flatMap((control) => Object.keys(kindOf(control).inputs(control, state[control.name])).map((name) => [name, control])),
    );
  }

  /** The outputs that views show. */
  const marked = Object.keys(frame().outputs).filter((name) => isIn(spec, name));

  /** A frame in which every number of an output opens. */
  return function explained() {
    const now = frame();
    const { program: loaded, inputs } = program();
    const from = owners(now.state);
    const each = (/** @type {(control: any, name: string) => string} */ of) =>
      Object.fromEntries(Object.entries(from).map(([name, control]) => [name, of(control, name)]));
    const words = each((control, name) => wordsOf(control, name, now.state[control.name])); // where a trail ends
    const called = each(({ label }) => singular(shortLabel(label).toLowerCase()));
    const labels = itemLabels(spec, now, controls);
    const { open } = openProgram(loaded, inputs, { controls: words, labels, called, marked });
    return { ...now, open, owners: from, labels, words: (/** @type {any} */ item) => nameOf(spec, item, now, controls) };
  };
}
