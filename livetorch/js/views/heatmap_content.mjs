/** What a heatmap draws of a frame: panels, numbers, names, the ends of its colours. Pure functions. */
import { colourLimits, niceCeil } from "../shared/colour.mjs";
import { itemName } from "../shared/format.mjs";
import { heatmapLayout, numbersFit } from "./layout.mjs";
import { cropped, labelsOf, otherFrames, resolve } from "./sources.mjs";

const PHONE = 350; // pixels of a view on a phone

/** @import { Layout } from "./layout.mjs" */
/** @import { Frame } from "./sources.mjs" */

/** Shapes (queries, keys) and (heads, queries, keys) as panels, rows, cols. @param {number[]} shape */
export function panelShape(shape) {
  const [cols, rows, panels = 1] = [...shape].reverse();
  return { panels, rows, cols };
}

/** @typedef {{panels: number, rows: number, cols: number}} Panels */

/**
 * Which cells may not be attended to: (panel, i) -> boolean, from a mask of the same or one panel.
 * @param {{shape: number[], data: ArrayLike<number>} | null} mask @param {Pick<Panels, "panels"|"cols">} size
 * @returns {{hidden: (panel: number, i: number) => boolean, any: boolean}}
 */
export function hiddenCells(mask, { panels, cols }) {
  if (!mask) return { hidden: () => false, any: false };
  const of = panelShape(mask.shape);
  const shared = of.panels !== panels;
  const hidden = (/** @type {number} */ p, /** @type {number} */ i) => {
    const [r, c] = [Math.floor(i / cols), i % cols];
    if (r >= of.rows || c >= of.cols) return false;
    return !mask.data[(shared ? 0 : p * of.rows * of.cols) + r * of.cols + c];
  };
  let any = false;
  for (let i = 0; i < mask.data.length && !any; i++) any = !mask.data[i];
  return { hidden, any };
}

/**
 * The cells that get a ring, as [panel, row, col]; those of one matrix in every panel.
 * @param {{shape: number[], data: ArrayLike<number>} | null} marks
 * @param {Panels} size
 */
export function markedCells(marks, size) {
  if (!marks) return [];
  const unmarked = hiddenCells(marks, size).hidden;
  const all = Array.from({ length: size.panels * size.rows * size.cols }, (_, i) => [
    Math.floor(i / (size.rows * size.cols)),
    i % (size.rows * size.cols),
  ]);
  return all.filter(([p, i]) => !unmarked(p, i)).map(([p, i]) => [p, Math.floor(i / size.cols), i % size.cols]);
}

const FAINT = 0.25; // weights below this get a scale of their own, for else the map would be white

/**
 * The ends of the colour scale, and whether it is the map's own because all its weights are small.
 * @param {any} spec
 * @param {ArrayLike<number>} data
 * @param {(i: number) => boolean} kept
 */
function scaleOf(spec, data, kept) {
  const limits = colourLimits(data, spec, kept);
  if (spec.scale !== "sequential" || spec.vmin != null || spec.vmax != null) return { limits, own: false };
  let [low, high] = [0, 0];
  for (let i = 0; i < data.length; i += 1)
    if (data[i] === data[i] && kept(i)) [low, high] = [Math.min(low, data[i]), Math.max(high, data[i])];
  const own = low === 0 && high > 0 && high < FAINT;
  return { limits: own ? [0, niceCeil(high)] : limits, own };
}

/** What is drawn of a frame: numbers, sizes, names, the ends of the colour scale. @param {any} spec @param {Frame} frame @param {Record<string, any>} controls */
export function contentOf(spec, frame, controls) {
  const whole = resolve(spec.source, frame);
  if (!whole) return null;
  const tensor = cropped(whole, spec, frame, controls);
  const size = panelShape(tensor.shape);
  const hide = hiddenCells(resolve(spec.mask, frame), size);
  const count = size.rows * size.cols;
  const kept = (/** @type {number} */ i) => !hide.any || !hide.hidden(Math.floor(i / count), i % count);
  const title = (/** @type {number} */ p) => spec.titles?.[p] ?? (size.panels > 1 ? itemName(spec.panels_axis, p) : null);
  return {
    ...size,
    data: tensor.data,
    levels: /** @type {[number, string][]|null} */ (spec.levels ?? null), // words for numbers of which there are a few
    ...hide,
    leaks: spec.scale === "sequential" || spec.nonzero === true,
    ...scaleOf(spec, tensor.data, kept),
    marked: markedCells(resolve(spec.rings, frame), size),
    xLabels: labelsOf(spec.xticks, frame, controls),
    yLabels: labelsOf(spec.yticks, frame, controls),
    titles: Array.from({ length: size.panels }, (_, p) => title(p)),
  };
}

/** @typedef {NonNullable<ReturnType<typeof contentOf>>} Content */

/**
 * Where everything stands, and how much lower the drawing is than at the option at which it is highest.
 * @param {any} spec @param {Content} content @param {Frame} frame @param {Record<string, any>} controls @param {number} width
 * @param {boolean} [grown] whether cells may be large
 */
export function laidOut(spec, content, frame, controls, width, grown = false) {
  const others = otherFrames(spec, frame).map((other) => /** @type {Content} */ (contentOf(spec, other, controls)));
  const grid = [content, ...others].some(({ panels }) => panels > 1);
  const same = { width, xlabel: spec.xlabel, ylabel: spec.ylabel, span: spec.span, grid, grown };
  const layout = (/** @type {Content} */ one, more = {}) => heatmapLayout({ ...one, ...same, ...more });
  let own = layout(content);
  const high = Math.max(own.height, ...others.map((other) => layout(other).height));
  // where another option needs the room, a grid in more rows may be large enough for its numbers; on a phone it stays low
  for (let lines = 2; lines <= content.panels && width > PHONE && high > own.height && !fitOf(spec, content, own); lines++) {
    const most = Math.ceil(content.panels / lines);
    const lower = Math.max(0, Math.ceil((layout(content, { most }).height - high) / (lines * content.rows)));
    const next = layout(content, { most, lower });
    if (next.height <= high && fitOf(spec, content, next)) own = next;
  }
  return { ...own, spare: high - own.height };
}

/**
 * How numbers are written into the cells, or null where there is no room.
 * @param {any} spec @param {Pick<Content, "limits"|"levels">} content @param {Pick<Layout, "cell">} layout
 */
export function fitOf(spec, { limits, levels }, { cell }) {
  if (spec.annotate === false || levels) return null; // a swatch says what a colour is
  return numbersFit(cell, limits[0] < 0, Math.max(1, ...limits.map(Math.abs)));
}

/** What the legend says that hatching means, also where nothing is hatched now; "" without a mask. @param {any} spec */
export const hatchedWord = ({ mask, mask_word: word = "masked" }) => (mask ? word : "");
