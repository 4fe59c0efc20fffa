/** Painting the cells of a heatmap on a canvas: one small image for each panel, enlarged without smoothing. */
import { colourStep, colourTable, gridColour, hatchColours, hexParts, inkColour } from "../shared/colour.mjs";
import { pictured } from "../shared/format.mjs";
import { same } from "../runtime/tensor.mjs";

/** @import { ScaleName, Theme } from "../shared/colour.mjs" */
/** @import { Layout } from "./layout.mjs" */

/** @typedef {Layout["origins"][number]} Origin the corner of a panel */
/** @typedef {{decimals: number, size: number}} Fit */

/**
 * The pixels of one panel: one for each cell, or of a panel of fewer pixels the cells that lie at their middles.
 * @param {{data: ArrayLike<number>, rows: number, cols: number}} what
 * @param {number} start where the panel begins in `data`
 * @param {{data: Uint8ClampedArray, width: number, height: number}} image written to
 * @param {{rgb: Uint8ClampedArray}} table
 * @param {number[]} limits
 * @param {number[]} blank red, green, blue of cells without a number
 */
export function panelPixels({ data, rows, cols }, start, { data: pixels, width, height }, { rgb }, limits, blank) {
  const [low, high] = limits;
  const scale = 255 / (high - low);
  pixels.fill(255);
  for (let i = 0, at = 0; at < pixels.length; i++, at += 4) {
    const row = Math.floor(((Math.floor(i / width) + 0.5) * rows) / height);
    const value = data[start + row * cols + Math.floor((((i % width) + 0.5) * cols) / width)];
    const step = value <= low ? 0 : value >= high ? 255 : ((value - low) * scale + 0.5) | 0;
    const [colours, from] = value === value ? [rgb, 3 * step] : [blank, 0];
    for (let k = 0; k < 3; k++) pixels[at + k] = colours[from + k];
  }
}

/**
 * The numbers that are written into the cells of one panel: in a map of weights, or of what is only looked at where it is not 0 (`leaks`), none that would read 0.00. A
 * masked cell shows its number only where it has weight all the same, or where it is no number.
 * @param {{data: ArrayLike<number>, rows: number, cols: number, start: number, hidden: (i: number) => boolean}} panel
 * @param {{limits: number[], fit: {decimals: number}, leaks: boolean}} how
 * @returns {{r: number, c: number, text: string, step: number}[]} step: of the colour scale; -1: on hatching
 */
export function cellNumbers({ data, rows, cols, start, hidden }, { limits, fit, leaks }) {
  const written = [];
  for (let i = 0; i < rows * cols; i += 1) {
    const value = data[start + i];
    const step = hidden(i) ? -1 : colourStep(value, limits);
    const text = pictured(value, fit.decimals);
    const nothing = Number(text) === 0;
    if (Number.isFinite(value) && (step < 0 ? !leaks || nothing : leaks && nothing)) continue;
    written.push({ r: Math.floor(i / cols), c: i % cols, text, step });
  }
  return written;
}

const GLIDE = 120; // milliseconds, as bars and strips take
const CALM = 200; // milliseconds without a new picture

/**
 * The surface of a canvas: always there, but for a browser that has run out of them.
 * @param {HTMLCanvasElement|OffscreenCanvas} canvas
 */
const surfaceOf = (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));

/** @typedef {{data: ArrayLike<number>, rows: number, cols: number, hidden: (panel: number, i: number) => boolean, anyHidden: boolean,
 *   layout: Layout, limits: number[], leaks: boolean, scale: ScaleName, theme: Theme, fit: Fit|null}} Picture */

/**
 * A painter for one canvas; it keeps what can be used again in the next frame. Before text is set on a canvas of the page,
 * a browser brings the styles of the whole page up to date: so all is drawn on a sheet that is no part of it, and the
 * canvas takes the finished picture over, without a copy.
 * @param {HTMLCanvasElement} canvas
 * @param {() => boolean} [glides] whether what was there may fade into what is new
 */
export function cellPainter(canvas, glides = () => false) {
  const shown = globalThis.OffscreenCanvas ? canvas.getContext("bitmaprenderer") : null;
  const sheet = shown && new OffscreenCanvas(1, 1);
  const drawn = sheet ?? canvas;
  const context = surfaceOf(drawn);
  const pixelsOf = smallImage();
  /** @type {ArrayLike<unknown>[]} what the picture on the canvas was made of */
  let before = [];
  let painted = 0; // when: in a run pictures follow each other too fast to fade

  /** The canvas's pixels for one of the page. @param {Layout} layout */
  function size(layout) {
    const ratio = globalThis.devicePixelRatio || 1;
    const [width, height] = [Math.round(layout.width * ratio), Math.round(layout.height * ratio)];
    if (drawn.width !== width || drawn.height !== height) {
      drawn.width = canvas.width = width;
      drawn.height = canvas.height = height;
      canvas.style.width = `${layout.width}px`;
      canvas.style.height = `${layout.height}px`;
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return ratio;
  }

  return {
    /** @param {Picture} what */
    paint(what) {
      const { data, rows, cols, hidden, anyHidden, layout, limits, leaks, scale, theme, fit } = what;
      const masks = Uint8Array.from({ length: anyHidden ? data.length : 0 }, (_, i) =>
        Number(hidden(Math.floor(i / (rows * cols)), i % (rows * cols))),
      );
      const now = [data, masks, [layout, globalThis.devicePixelRatio, scale, theme, ...limits, fit?.decimals, fit?.size]];
      if (now.every((part, k) => same(part, before[k] ?? []))) return; // many an event leaves this map as it is
      const calm = performance.now() - painted > CALM;
      if (calm && glides() && now[2][0] === before[2]?.[0] && now[2][3] === before[2][3]) fadeFrom(canvas);
      painted = performance.now();
      before = now;
      const ratio = size(layout);
      const table = colourTable(scale, theme);
      layout.origins.forEach((origin, p) => {
        const start = p * rows * cols;
        context.imageSmoothingEnabled = false;
        context.drawImage(pixelsOf(what, start, table, ratio), origin.x, origin.y, layout.panelWidth, layout.panelHeight);
        hatchCells(context, what, masks, start, origin);
        gridLines(context, what, origin);
        const panel = { data, rows, cols, start, hidden: (/** @type {number} */ i) => masks[start + i] === 1 };
        if (fit) numbers(context, getFont(canvas), panel, origin, layout, { table, limits, fit, theme, leaks });
      });
      if (sheet) shown.transferFromImageBitmap(sheet.transferToImageBitmap());
    },
  };
}

/** An image of one pixel a cell, or of a panel's own pixels where they are fewer. */
function smallImage() {
  const small = document.createElement("canvas");
  const context = surfaceOf(small);
  /** @param {Picture} what @param {number} start @param {{rgb: Uint8ClampedArray}} table @param {number} ratio */
  return (what, start, table, ratio) => {
    const { rows, cols, limits, theme, layout } = what;
    small.width = Math.min(cols, Math.ceil(layout.panelWidth * ratio));
    small.height = Math.min(rows, Math.ceil(layout.panelHeight * ratio));
    const image = context.createImageData(small.width, small.height);
    panelPixels(what, start, image, table, limits, hexParts(hatchColours(theme)[0]));
    context.putImageData(image, 0, 0);
    return small;
  };
}

/** @type {Partial<Record<Theme, CanvasPattern|string>>} */
const hatches = {};

/** The hatching of a theme. @param {Theme} theme */
function hatching(theme) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const ink = surfaceOf(tile);
  const [ground, line] = hatchColours(theme);
  ink.fillStyle = ground;
  ink.fillRect(0, 0, 6, 6);
  ink.strokeStyle = line;
  ink.lineWidth = 1.1;
  for (const shift of [-6, 0, 6]) {
    ink.beginPath();
    ink.moveTo(shift - 1, 7);
    ink.lineTo(shift + 7, -1);
    ink.stroke();
  }
  return ink.createPattern(tile, "repeat") ?? ground;
}

/** @param {CanvasRenderingContext2D} context @param {Picture} what @param {Uint8Array} masks @param {number} start @param {Origin} origin */
function hatchCells(context, { data, rows, cols, layout: { cell }, theme }, masks, start, origin) {
  const seen = masks.length || cell.width > 1; // of cells below a pixel the blank colour is all
  for (let i = 0; i < rows * cols && seen; i++) {
    if (data[start + i] === data[start + i] && !masks[start + i]) continue;
    context.fillStyle = hatches[theme] ??= hatching(theme);
    const [r, c] = [Math.floor(i / cols), i % cols];
    context.fillRect(origin.x + c * cell.width, origin.y + r * cell.height, cell.width, cell.height);
  }
}

/** @param {CanvasRenderingContext2D} context @param {Picture} what @param {Origin} origin */
function gridLines(context, { layout: { cell }, rows, cols, theme }, { x, y }) {
  const [right, bottom] = [x + cols * cell.width, y + rows * cell.height];
  context.strokeStyle = gridColour(theme);
  context.lineWidth = 1;
  context.beginPath();
  if (cell.width >= 9 && cell.height >= 9) {
    for (let c = 1; c < cols; c++) context.moveTo(x + c * cell.width, y), context.lineTo(x + c * cell.width, bottom);
    for (let r = 1; r < rows; r++) context.moveTo(x, y + r * cell.height), context.lineTo(right, y + r * cell.height);
  }
  context.stroke();
  context.strokeRect(x - 0.5, y - 0.5, right - x + 1, bottom - y + 1);
}

/**
 * @param {CanvasRenderingContext2D} context @param {string} font
 * @param {Parameters<typeof cellNumbers>[0]} panel @param {Origin} origin @param {Layout} layout
 * @param {{table: ReturnType<typeof colourTable>, limits: number[], fit: Fit, theme: Theme, leaks: boolean}} how
 */
function numbers(context, font, panel, { x, y }, { cell }, { table, limits, fit, theme, leaks }) {
  const [ground, ink] = [hatchColours(theme)[0], inkColour(theme)];
  context.strokeStyle = ground; // a plate under words on hatched cells
  context.lineWidth = 5;
  context.lineJoin = "round";
  context.font = `${fit.size}px ${font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const { r, c, text, step } of cellNumbers(panel, { limits, fit, leaks })) {
    const [tx, ty] = [x + (c + 0.5) * cell.width, y + (r + 0.5) * cell.height + 0.5];
    if (step < 0) context.strokeText(text, tx, ty, cell.width - 2);
    context.fillStyle = step < 0 ? ink : table.ink[step];
    context.fillText(text, tx, ty, cell.width - 2);
  }
}

/** Lay the picture of a canvas over it, and let it fade. @param {HTMLCanvasElement} canvas */
function fadeFrom(canvas) {
  const old = /** @type {HTMLCanvasElement} */ (canvas.cloneNode());
  old.className = "lt-old";
  surfaceOf(old).drawImage(canvas, 0, 0);
  canvas.after(old);
  const fade = old.animate({ opacity: [1, 0] }, { duration: GLIDE, easing: "ease-out", fill: "forwards" });
  fade.onfinish = fade.oncancel = () => old.remove();
}

let font = "";
/** @param {Element} element */
function getFont(element) {
  font ||= getComputedStyle(element).fontFamily || "sans-serif";
  return font;
}
