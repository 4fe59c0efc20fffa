/** Where a view finds its numbers and names: pure functions of the frame. */

import { usedTokens } from "../shared/tokens.mjs";

/** @typedef {{shape: number[], data: ArrayLike<number>, dtype?: string}} Tensor */
/** @typedef {{outputs: Record<string, Tensor>, state: Record<string, any>, history: Record<string, Tensor>[] | null, at?: number}} Frame at: a past step */
/** @typedef {{frame: Frame, controls: Record<string, any>, theme: import("../shared/colour.mjs").Theme, least?: number, low?: boolean}} Scene what a picture
 *   is of; least: the height of what stands beside it; low: whether it stands among many rows */
/** @typedef {{output: string} | {control: string} | {values: any}} Source */

/**
 * The tensor that a source names.
 * @param {Source | null} source
 * @param {Frame} frame
 * @returns {Tensor | null}
 */
export function resolve(source, frame) {
  if (!source) return null;
  if ("output" in source) return frame.outputs[source.output] ?? null;
  return asTensor("control" in source ? frame.state[source.control] : source.values);
}

/**
 * A tensor from nested lists (or from a tensor).
 * @param {any} value
 * @returns {Tensor | null}
 */
export function asTensor(value) {
  if (value == null) return null;
  if (value.shape && value.data) return value;
  /** @type {number[]} */
  const shape = [];
  for (let part = value; Array.isArray(part); part = part[0]) shape.push(part.length);
  const flat = Array.isArray(value) ? value.flat(Infinity) : [value];
  return { shape, data: flat.map(Number), dtype: typeof flat[0] === "boolean" ? "bool" : "float32" };
}

/**
 * The frames of other options, as far as sizes follow from them: shapes, and the tokens that are named.
 * @param {any} spec of a view
 * @param {Frame} frame
 * @returns {Frame[]}
 */
export const otherFrames = ({ others = [] }, frame) =>
  others.map((/** @type {Record<string, {shape: number[], data?: number[]}>} */ one) => {
    const outputs = { ...frame.outputs };
    for (const name in one) outputs[name] = { data: [], ...one[name] };
    return { ...frame, outputs };
  });

/** Whether a mark names an item, and is not null. @param {unknown} mark @returns {mark is number} */
export const isItem = (mark) => Number.isInteger(mark);

/** An item that a mark names, where there is such a one, else null. @param {unknown|undefined} mark @param {number} count */
export const itemOf = (mark, count) => (isItem(mark) && mark >= 0 && mark < count ? mark : null);

/** Numbers from a tensor of one value for each item, or one row for each series. @param {Tensor} tensor */
export function rowsOf({ shape, data }) {
  const length = shape.at(-1) ?? 1;
  const count = data.length / (length || 1);
  return Array.from({ length: count }, (_, i) => Array.from({ length }, (_, j) => Number(data[i * length + j])));
}

/**
 * Labels that depend on an option, at the present one.
 * @typedef {{values?: string[], text?: string, ids?: string, vocabulary?: string[], crop?: boolean, by?: string, cases?: any[]}} Labels
 * @param {Labels | null} labels @param {Frame} frame @returns {Labels | null}
 */
function caseOf(labels, frame) {
  return labels?.by === undefined ? labels : caseOf(labels.cases?.[frame.state[labels.by]] ?? null, frame);
}

/**
 * The names of the items of an axis, or null where they are only numbered.
 * @param {Labels | null} given
 * @param {Frame} frame
 * @param {Record<string, any>} controls
 * @returns {string[] | null}
 */
export function labelsOf(given, frame, controls) {
  const labels = caseOf(given, frame);
  if (!labels) return null;
  if (labels.values) return labels.values;
  if (labels.text !== undefined) return usedTokens(controls[labels.text] ?? {}, String(frame.state[labels.text] ?? ""));
  const from = labels.ids ?? "";
  const ids = frame.outputs[from]?.data ?? asTensor(frame.state[from])?.data ?? [];
  return Array.from(ids, (id) => labels.vocabulary?.[Number(id)] ?? String(id));
}

/**
 * A row, a matrix, or one for each head, without the rows and columns beyond a typed text, where their names come from it.
 * @param {Tensor} tensor
 * @param {{yticks: any, xticks: any}} names
 * @param {Frame} frame
 * @param {Record<string, any>} controls
 */
export function cropped(tensor, names, frame, controls) {
  const [yticks, xticks] = [caseOf(names.yticks, frame), caseOf(names.xticks, frame)];
  const { shape, data } = tensor;
  const typed = (/** @type {any} */ labels, /** @type {number} */ most) =>
    labels?.crop ? Math.min(most, Math.max(1, labelsOf(labels, frame, controls)?.length ?? 1)) : most;
  const [cols, rows = 1] = [...shape].reverse();
  const [keptRows, keptCols] = [typed(yticks, rows), typed(xticks, cols)];
  if (keptRows * keptCols === rows * cols) return tensor;
  const kept = /** @type {any} */ (data).slice(0, (data.length / (rows * cols || 1)) * keptRows * keptCols); // in loops: a long text has millions
  for (let from = 0, to = 0; from < data.length; from += rows * cols) {
    for (let row = 0; row < keptRows; row += 1) {
      for (let col = 0; col < keptCols; col += 1, to += 1) kept[to] = data[from + row * cols + col];
    }
  }
  return { shape: [...shape.slice(0, -2), keptRows, keptCols].slice(-shape.length), data: kept };
}
