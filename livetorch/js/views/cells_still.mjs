/** The cells of a heatmap as shapes of a picture: runs of one colour as one path, large matrices as pixels. */
import { colourStep, colourTable, gridColour, hatchColours, inkColour } from "../shared/colour.mjs";
import { cellNumbers } from "./cells.mjs";
import { palettePng } from "../shared/png.mjs";

/** @typedef {import("../shared/scene.mjs").Shape} Shape */

const LEVELS = 64; // steps of a colour scale in a picture: fewer than the eye tells apart, and short
const MOST_SHAPES = 700; // more cells than this are pixels

const tenth = (/** @type {number} */ x) => Math.round(10 * x) / 10;

/**
 * @param {any} what the content of a heatmap, with its layout, scale, theme and how numbers fit
 * @returns {Shape[]}
 */
export function stillCells({ data, rows, cols, panels, hidden, any, limits, leaks, layout, scale, theme, fit }) {
  const table = colourTable(scale, theme);
  const colours = Array.from({ length: LEVELS }, (_, level) => hex(table.rgb, Math.round((level * 255) / (LEVELS - 1))));
  const { cell, origins } = layout;
  return origins.flatMap((/** @type {{x: number, y: number}} */ { x, y }, /** @type {number} */ p) => {
    const start = p * rows * cols;
    const covered = (/** @type {number} */ i) => any && hidden(p, i);
    const levels = Array.from({ length: rows * cols }, (_, i) => Math.round((colourStep(data[start + i], limits) * (LEVELS - 1)) / 255));
    const blank = levels.map((level, i) => level < 0 || covered(i));
    const drawn =
      rows * cols * panels > MOST_SHAPES ? [pixels(levels, colours, rows, cols)] : coloured(levels, colours, rows, cols, layout.ground);
    const numbers = fit ? cellNumbers({ data, rows, cols, start, hidden: covered }, { limits, fit, leaks }) : [];
    /** @type {Shape[]} */
    const shapes = [
      ["g", { transform: `scale(${cell.width} ${cell.height})`, "shape-rendering": "crispEdges" }, drawn],
      ...(blank.includes(true) ? [hatching(blank, rows, cols, cell)] : []),
      ["path", { fill: "none", stroke: gridColour(theme), d: gridPath(rows, cols, cell) }],
      ...written(numbers, cell, { size: fit?.size, inks: table.ink, ink: inkColour(theme), plate: hatchColours(theme)[0] }),
    ];
    return /** @type {Shape[]} */ ([["g", { transform: `translate(${tenth(x)} ${tenth(y)})` }, shapes]]);
  });
}

/** @param {Uint8ClampedArray} rgb @param {number} step */
function hex(rgb, step) {
  return `#${Array.from(rgb.slice(3 * step, 3 * step + 3), (part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/**
 * Runs of chosen cells in each row, as [row, from, to].
 * @param {(i: number) => boolean} chosen @param {number} rows @param {number} cols
 */
function runsOf(chosen, rows, cols) {
  const runs = [];
  for (let r = 0; r < rows; r += 1) {
    for (let c = 0; c < cols; c += 1) {
      if (!chosen(r * cols + c)) continue;
      const from = c;
      while (c + 1 < cols && chosen(r * cols + c + 1)) c += 1;
      runs.push([r, from, c + 1]);
    }
  }
  return runs;
}

/**
 * Cells of unit size, one path a colour; those without a number (-1) are left to the hatching.
 * @param {number[]} levels @param {string[]} colours @param {number} rows @param {number} cols @param {string} [ground] is not drawn
 * @returns {Shape[]}
 */
export function coloured(levels, colours, rows, cols, ground = "#ffffff") {
  const used = [...new Set(levels)].filter((level) => level >= 0 && colours[level] !== ground).sort((a, b) => a - b);
  const path = (/** @type {number} */ level) =>
    runsOf((i) => levels[i] === level, rows, cols)
      .map(([r, from, to]) => `M${from} ${r}h${to - from}v1h${from - to}z`)
      .join("");
  return used.map((level) => ["path", { fill: colours[level], d: path(level) }]);
}

/** @param {number[]} levels @param {string[]} colours @param {number} rows @param {number} cols @returns {Shape} */
function pixels(levels, colours, rows, cols) {
  const href = palettePng(
    levels.map((level) => Math.max(0, level)),
    colours,
    rows,
    cols,
  );
  return ["image", { width: cols, height: rows, preserveAspectRatio: "none", "image-rendering": "pixelated", href }];
}

/** @param {boolean[]} blank @param {number} rows @param {number} cols @param {{width: number, height: number}} cell @returns {Shape} */
function hatching(blank, rows, cols, { width, height }) {
  const boxes = runsOf((i) => blank[i], rows, cols).map(([r, from, to]) => {
    const wide = tenth((to - from) * width);
    return `M${tenth(from * width)} ${tenth(r * height)}h${wide}v${tenth(height)}h${-wide}z`;
  });
  return ["path", { fill: "url(#no)", d: boxes.join("") }];
}

/** @param {number} rows @param {number} cols @param {{width: number, height: number}} cell */
function gridPath(rows, cols, { width, height }) {
  const [right, bottom] = [tenth(cols * width), tenth(rows * height)];
  const inner = width >= 9 && height >= 9;
  const across = inner ? Array.from({ length: cols - 1 }, (_, c) => `M${tenth((c + 1) * width)} 0v${bottom}`) : [];
  const along = inner ? Array.from({ length: rows - 1 }, (_, r) => `M0 ${tenth((r + 1) * height)}h${right}`) : [];
  return `M0 0h${right}v${bottom}h${-right}z${across.join("")}${along.join("")}`;
}

/**
 * @param {ReturnType<typeof cellNumbers>} numbers
 * @param {{width: number, height: number}} cell
 * @param {{size?: number, inks: string[], ink: string, plate: string}} how
 * @returns {Shape[]}
 */
function written(numbers, { width, height }, { size, inks, ink, plate }) {
  const text = (/** @type {any} */ { r, c, text: words }) => [
    "text",
    { x: tenth((c + 0.5) * width), y: tenth((r + 0.5) * height + 0.5), dy: "0.35em" },
    words,
  ];
  const inksUsed = [...new Set(numbers.map(({ step }) => (step < 0 ? "" : inks[step])))];
  const groups = inksUsed.map((own) => {
    const those = numbers.filter(({ step }) => (step < 0 ? "" : inks[step]) === own);
    const onHatch = own ? {} : { stroke: plate, "stroke-width": 5, "paint-order": "stroke" };
    return /** @type {any} */ (["g", { class: "lt-cell-numbers", "font-size": size, fill: own || ink, ...onHatch }, those.map(text)]);
  });
  return groups;
}
