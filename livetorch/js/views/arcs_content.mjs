/** What arcs show and say: pure functions of the frame. */

import { visibleToken } from "../shared/format.mjs";
import { cropped, labelsOf, resolve } from "./sources.mjs";

const MOST = 40; // tokens in a row; more are drawn as a heatmap
export const SAID = 0.045; // the least share that the sentence names
export const FAINT = 0.03; // weights below are not drawn at all

/**
 * The largest shares of one token, in words: "33 % a".
 * @param {number[]} weights
 * @param {string[]} names
 * @returns {{share: string, name: string}[]}
 */
export function largest(weights, names) {
  const order = weights
    .map((_, i) => i)
    .filter((i) => weights[i] >= SAID)
    .sort((a, b) => weights[b] - weights[a]);
  const chosen = order.length ? order : [weights.indexOf(Math.max(...weights))];
  const named = chosen.slice(0, 3);
  const twice = (/** @type {number} */ i) => named.some((j) => j !== i && names[j] === names[i]);
  return named.map((i) => ({
    share: `${Math.round(100 * weights[i])}\u00a0%`,
    name: twice(i) ? `${names[i]} (place ${i + 1})` : names[i], // which of the two
  }));
}

/**
 * A template's parts, each a text and what it stands for.
 * @param {string} template
 * @param {string} name of the token
 * @param {{share: string, name: string}[]} shares
 * @param {"query"|"key"} side of the token
 * @returns {Part[]}
 */
export function sentence(template, name, shares, side) {
  const other = side === "query" ? "key" : "query";
  return template
    .split(/(\{\w+\})/)
    .filter(Boolean)
    .flatMap((part) => {
      if (part === `{${side}}`) return [{ text: name, role: side }];
      if (!part.startsWith("{")) return [{ text: part, role: null }];
      return shares.flatMap(({ share, name: one }, i) => [
        { text: i ? (i === shares.length - 1 ? " and " : ", ") : "", role: null },
        { text: share, role: "weight" },
        { text: one && ` ${one}`, role: other },
      ]);
    })
    .filter(({ text }) => text);
}

/**
 * What is drawn of a frame: the tokens' texts and the weights between them.
 * @param {any} spec
 * @param {import("./sources.mjs").Frame} frame
 * @param {any} controls
 */
export function arcsOf(spec, frame, controls) {
  const whole = resolve(spec.source, frame);
  if (!whole) return null;
  const names = { xticks: spec.tokens, yticks: spec.query_tokens ?? spec.tokens };
  const { shape, data } = cropped(whole, names, frame, controls);
  const [rows, columns] = shape;
  const called = (/** @type {string[]|null} */ labels, /** @type {number} */ count) =>
    Array.from({ length: count }, (_, i) => visibleToken(labels ? (labels[i] ?? "·") : String(i + 1)));
  const keys = called(labelsOf(names.xticks, frame, controls), columns);
  const queries = called(labelsOf(names.yticks, frame, controls), rows);
  const weights = Array.from({ length: rows }, (_, r) => Array.from({ length: columns }, (_, c) => Number(data[r * columns + c])));
  const numbers = (/** @type {any} */ source, /** @type {number} */ count) =>
    Array.from({ length: count }, (_, i) => Number(source ? resolve(source, frame)?.data[i] : 0));
  const mask = spec.muting ? (resolve({ control: spec.muting.name }, frame)?.data ?? null) : null;
  const muted = keys.map((_, i) => mask !== null && !mask[i]);
  return {
    keys,
    queries,
    weights,
    mask: String(mask),
    muted,
    doubts: numbers(spec.doubting?.source, rows),
    many: Math.max(rows, columns) > MOST,
  };
}

/** @typedef {NonNullable<ReturnType<typeof arcsOf>>} Content */
/** @typedef {{side: "query"|"key", index: number}} Focus */
/** @typedef {{text: string, role: string|null}} Part */

/** The query that is shown while nothing is pointed at. @param {Pick<Content, "queries">} content @param {number} query @returns {Focus} */
export function chosenOf({ queries }, query) {
  return { side: "query", index: Math.min(Math.max(query < 0 ? query + queries.length : query, 0), queries.length - 1) };
}

/** The weights of one token. @param {Content} content @param {Focus} focus */
export const sharesOf = ({ weights }, { side, index }) => (side === "query" ? weights[index] : weights.map((row) => row[index]));

/** How tokens stand in a sentence: single characters in quotes, so that "2" is no number of the sentence's own. @param {string[]} names */
function caller(names) {
  const characters = names.every((name) => [...name].length === 1);
  return (/** @type {string} */ name) => (characters ? `“${name}”` : name);
}

/**
 * What is said of one token, in parts.
 * @param {any} spec
 * @param {Content} content
 * @param {Focus} focus
 */
export function sayArcs(spec, content, focus) {
  const before = [...sayMuted(spec, content), ...sayDoubts(spec, content)];
  if (focus.side === "key" && spec.muting && content.muted[focus.index]) return before;
  return [...before, ...sayShares(spec, content, focus, !before.length)];
}

/** What it writes where it may not look at all keys; neighbours are one word. @param {any} spec @param {Content} content @returns {Part[]} */
function sayMuted({ muting }, { keys, queries, muted }) {
  if (!muting) return [];
  const single = [...keys, ...queries].every((name) => [...name].length === 1);
  const runs = keys.map((key, i) => (muted[i] ? key : "\n")).join(single ? "" : " ");
  const names = runs.split(/\s*\n\s*/).filter(Boolean);
  if (!names.length) return [];
  const text = { keys: names.map((name) => `“${name}”`).join(", "), queries: queries.join(single ? "" : " ") };
  const said = muting.without.replace(/\{(\w+)\}/g, (/** @type {string} */ _, /** @type {"keys"|"queries"} */ gap) => text[gap]);
  return [{ text: `${said} `, role: "key" }];
}

/** What speaks against the queries. @param {any} spec @param {Content} content @returns {Part[]} */
function sayDoubts({ doubting }, { doubts }) {
  return (doubting?.reasons ?? []).flatMap((/** @type {string} */ reason, /** @type {number} */ bit) => {
    const count = doubts.filter((doubt) => doubt & (1 << bit)).length;
    const said = reason.replaceAll("{count}", String(count)).replaceAll("{all}", String(doubts.length));
    return count ? [{ text: `${said} `, role: "doubt" }] : [];
  });
}

/** What one token's weights are; where there is room, also their sum. @param {any} spec @param {Content} content @param {Focus} focus @param {boolean} counted */
function sayShares(spec, content, { side, index }, counted) {
  const [mine, others] = side === "query" ? [content.queries, content.keys] : [content.keys, content.queries];
  const shares = sharesOf(content, { side, index });
  const some = shares.some((share) => share !== 0);
  const called = caller([...mine, ...others]);
  const most = some ? largest(shares, others.map(called)) : [{ share: "nothing", name: "" }];
  const parts = sentence(spec.sentences[side === "query" ? 0 : 1], called(mine[index]), most, side);
  if (side === "key" || !some || !counted || shares.length < 2) return parts;
  const sum = Math.round(100 * shares.reduce((a, b) => a + b, 0));
  return [...parts, { text: ` The ${shares.length} shares add up to ${sum}\u00a0%.`, role: null }];
}
