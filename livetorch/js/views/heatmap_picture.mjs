/** What a heatmap draws of a frame: panels, numbers, names, the ends of its colours; and what stands around and over its cells. */
import { colourLimits, colourStep, colourTable, hueClass, niceCeil } from "../shared/colour.mjs";
import { cellWord, itemName, pictured, textWidth } from "../shared/format.mjs";
import { heatmapLayout } from "./layout.mjs";
import { cropped, labelsOf, otherFrames, resolve } from "./sources.mjs";

/** @import { Theme } from "../shared/colour.mjs" */
/** @import { Shape } from "../shared/scene.mjs" */
/** @import { Layout } from "./layout.mjs" */
/** @import { Frame } from "./sources.mjs" */

const PHONE = 350; // pixels of a view on a phone

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
  if (spec.scale !== "sequential" || spec.vmin != null || spec.vmax != null) return { limits, own: Boolean(spec.own) };
  let [low, high] = [0, 0];
  for (let i = 0; i < data.length; i += 1) {
    if (data[i] < low && kept(i)) low = data[i];
    if (data[i] > high && kept(i)) high = data[i]; // of millions, few are asked for
  }
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
 * @param {{grown?: boolean, low?: number}} [given] by its row: whether cells may be large, and how high it may be
 */
export function laidOut(spec, content, frame, controls, width, given = {}) {
  const others = otherFrames(spec, frame).map((other) => /** @type {Content} */ (contentOf(spec, other, controls)));
  const grid = [content, ...others].some(({ panels }) => panels > 1);
  const same = { width, xlabel: spec.xlabel, ylabel: spec.ylabel, span: spec.span, grid, ...given };
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

/** How many decimals fit into a cell: 2, or null for none; with the size of the letters. @param {Layout["cell"]} cell @param {boolean} signed */
export function numbersFit({ width, height }, signed, big = 1) {
  const sample = `${signed ? "−" : ""}${"0".repeat(String(Math.floor(big)).length)}.00`;
  const size = [12, 11, 10].find((s) => textWidth(sample, s) + 6 <= width && s + 5 <= height);
  return size ? { decimals: 2, size } : null;
}

/** What the legend says that hatching means, also where nothing is hatched now; "" without a mask. @param {any} spec */
export const hatchedWord = ({ mask, mask_word: word = "masked" }) => (mask ? word : "");

/** What a cell holds, in words. @param {any} spec @param {Content} content @param {number} panel @param {number} i */
export const wordAt = (spec, { rows, cols, data, any, hidden, levels }, panel, i) =>
  cellWord(Number(data[panel * rows * cols + i]), any && hidden(panel, i) ? hatchedWord(spec) : "", levels);

// ---- around and over the cells

/**
 * Titles of panels, names of rows and columns (those of the marked ones stand out), names of the axes.
 * @param {Layout} layout
 * @param {any} spec
 * @param {number|null} row marked
 * @param {number|null} col marked
 * @returns {Shape[]}
 */
export function axesOf(layout, { xlabel, ylabel }, row, col) {
  const { origins, panelWidth, panelHeight, columns, titles } = layout;
  const pitch = columns > 1 ? origins[1].x - origins[0].x : Infinity;
  const tight = titles.some((title) => title && textWidth(title) + 6 > pitch); // their letters are bold
  /** @type {(Shape|false|""|null)[]} */
  const shapes = origins.flatMap(({ x, y, first, last }, p) => {
    const title = (tight && !first && titles[p]?.replace(/^.*\s/, "")) || titles[p]; // "head 1", "2", "3"
    return [
      title && ["text", { class: "lt-panel-title", x: x + panelWidth / 2, y: y - 7 }, title],
      last && bandAxis(layout.x, x, y + panelHeight, layout.cell.width, col, true),
      first && bandAxis(layout.y, x, y, layout.cell.height, row, false),
    ];
  });
  const middle = (origins[0].x + origins[columns - 1].x + panelWidth) / 2;
  const centre = (origins[0].y + origins[origins.length - 1].y + panelHeight) / 2;
  if (xlabel) shapes.push(["text", { class: `lt-axis-title${hueClass(xlabel)}`, x: middle, y: layout.height - 4 }, xlabel]);
  if (ylabel)
    shapes.push(["text", { class: `lt-axis-title${hueClass(ylabel)}`, transform: `translate(12,${centre}) rotate(-90)` }, ylabel]);
  return shapes.flatMap((shape) => (shape ? [shape] : []));
}

/**
 * What lies over the cells: lines between blocks, rings in marked cells.
 * @param {Layout} layout
 * @param {{block?: number[]}} spec
 * @param {{rows: number, cols: number, marked: number[][]}} content
 * @returns {Shape[]}
 */
export function overCells({ origins, cell, panelWidth, panelHeight }, { block = [0, 0] }, { rows, cols, marked }) {
  const [tall, wide] = block;
  const between = (/** @type {number} */ count, /** @type {number} */ size) =>
    size ? Array.from({ length: count / size - 1 }, (_, i) => (i + 1) * size) : [];
  /** @type {Shape[]} */
  const lines = origins.flatMap(
    ({ x, y }) =>
      /** @type {Shape[]} */ ([
        ...between(rows, tall).map((r) => [
          "line",
          { class: "lt-block", x1: x, x2: x + panelWidth, y1: y + r * cell.height, y2: y + r * cell.height },
        ]),
        ...between(cols, wide).map((c) => [
          "line",
          { class: "lt-block", x1: x + c * cell.width, x2: x + c * cell.width, y1: y, y2: y + panelHeight },
        ]),
      ]),
  );
  /** @type {Shape[]} */
  const rings = marked
    .filter(([p]) => p < origins.length)
    .flatMap(([p, r, c]) =>
      ["lt-ring-halo", "lt-ring"].map((kind) => [
        "rect",
        {
          class: kind,
          x: origins[p].x + c * cell.width + 2,
          y: origins[p].y + r * cell.height + 2,
          width: Math.max(1, cell.width - 4),
          height: Math.max(1, cell.height - 4),
          rx: 3,
        },
      ]),
    );
  return [...lines, ...rings];
}

/**
 * What is marked: a row, a column, the cell at which they meet in each panel, and the one that has the focus.
 * @param {Layout} layout @param {number|null} row @param {number|null} col
 * @param {import("./layout.mjs").Cell|null} cursor null: nothing has the focus
 * @returns {Shape[]}
 */
export function markShapes({ cell: { width: w, height: h }, origins, panelWidth, panelHeight }, row, col, cursor) {
  /** @type {(kind: string, x: number, y: number, width: number, height: number) => Shape} */
  const box = (kind, x, y, width, height) => ["rect", { class: kind, x, y, width, height }];
  const boxes = origins.flatMap(({ x, y }, p) => [
    row !== null && box("lt-row", x, y + row * h, panelWidth, h),
    col !== null && box("lt-col", x + col * w, y, w, panelHeight),
    row !== null && col !== null && !(cursor && p === cursor.panel) && box("lt-box", x + col * w, y + row * h, w, h),
  ]);
  if (cursor) {
    const { x, y } = origins[cursor.panel];
    boxes.push(...["lt-halo", "lt-focus"].map((kind) => box(kind, x + cursor.col * w, y + cursor.row * h, w, h)));
  }
  return boxes.filter((shape) => shape !== false);
}

/**
 * The names along one side of a panel, each at the middle of its cells.
 * @param {{ticks: number[], texts: string[], turn: number}} labels
 * @param {number} x @param {number} y
 * @param {number} step
 * @param {number|null} marked
 * @param {boolean} below whether the axis lies under the cells, else at their left
 * @returns {Shape}
 */
function bandAxis({ ticks, texts, turn }, x, y, step, marked, below) {
  const turned = { x: -6, y: 7.2, "text-anchor": "end", transform: `rotate(${turn})` };
  const straight = below ? { y: 6, dy: "0.71em", "text-anchor": "middle" } : { x: -6, dy: "0.32em", "text-anchor": "end" };
  const side = below ? "lt-axis lt-x" : "lt-axis lt-y";
  return [
    "g",
    { class: side },
    ticks.map((i) => {
      const [dx, dy] = below ? [(i + 0.5) * step, 0] : [0, (i + 0.5) * step];
      /** @type {Shape} */
      const line = ["line", below ? { y2: 3 } : { x2: -3 }];
      /** @type {Shape} */
      const words = ["text", turn ? turned : straight, texts[i]];
      return ["g", { class: i === marked ? "tick lt-marked" : "tick", transform: `translate(${x + dx},${y + dy})` }, [line, words]];
    }),
  ];
}

export const OWN = "(own scale)"; // said of a map whose weights are all small

/** The colour of a number on a scale. @param {import("../shared/colour.mjs").ScaleName} scale @param {Theme} theme @param {number} value @param {number[]} limits */
export function colourOf(scale, theme, value, limits) {
  const at = 3 * colourStep(value, limits);
  return `rgb(${colourTable(scale, theme)
    .rgb.slice(at, at + 3)
    .join(" ")})`;
}

/** An end of the colour scale. @param {number} v */
export const scaleEnd = (v) => pictured(v, Number.isInteger(v) ? 0 : 2);
