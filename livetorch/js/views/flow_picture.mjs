/** A flow as shapes: matrices, arrows between them, and what is lit: a cell, the cells that made it, the ties between. */
import { cellColours, cellNumber, matrixPlaces } from "./flow_content.mjs";
import { cellBox } from "./flow_layout.mjs";

/** @typedef {import("../shared/scene.mjs").Shape} Shape */
/** @typedef {import("./flow_content.mjs").Matrix} Matrix */
/** @typedef {import("./flow_content.mjs").Cell} Cell */
/** @typedef {import("./flow_layout.mjs").Layout} Layout */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */

/**
 * @param {Matrix[]} matrices
 * @param {Layout} layout
 * @param {object} how
 * @param {"light"|"dark"} how.theme
 * @param {(part: number, i: number) => boolean} [how.empty] cells that are not filled yet
 * @param {{cell: Cell, reads: Cell[]}|null} [how.lit]
 * @param {Record<string, number|null>} [how.marks] marked items, by axis
 * @param {boolean} [how.moving] whether other numbers follow: then each cell keeps its own place for one
 */
export function flowPicture(matrices, layout, { theme, empty = () => false, lit = null, marks = {}, moving = false }) {
  /** @type {Shape[]} */
  const shapes = [
    ["g", { class: "lt-flow-lit" }, lit ? tieShapes(matrices, layout, lit) : []],
    ["g", { class: "lt-flow-arrows" }, layout.arrows.flatMap(arrowShapes)],
    ...matrices.map((matrix, p) =>
      matrixShapes(matrix, layout.places[p], { theme, marks, moving, empty: (/** @type {number} */ i) => empty(p, i) }),
    ),
    ["g", { class: "lt-flow-lit" }, lit ? litShapes(layout, lit) : []],
  ];
  return { width: layout.width, height: layout.height, shapes };
}

/** Words in which `W_q` has a small q below the line. @param {string} line @returns {string|Shape[]} */
function lowered(line) {
  if (!line.includes("_")) return line;
  const parts = line.split(/_(\w)/);
  return parts.map((part, i) => ["tspan", i % 2 ? { dy: 3, "font-size": "0.75em" } : { dy: i ? -3 : 0 }, part]);
}

/** @param {import("./flow_layout.mjs").Arrow} arrow @returns {Shape[]} */
function arrowShapes({ x, y, width, lines }) {
  const [from, to] = [x + 7, x + width - 5];
  const words = lines.map(
    (line, i) =>
      /** @type {Shape} */ (["text", { class: "lt-flow-step", x: (from + to) / 2, y: y - 8 - 15 * (lines.length - 1 - i) }, lowered(line)]),
  );
  return [...words, ["path", { class: "lt-flow-arrow", d: `M${from} ${y}H${to}m-5 -4l5 4l-5 4` }]];
}

/**
 * @param {Matrix} matrix
 * @param {import("./flow_layout.mjs").Place} place
 * @param {{theme: "light"|"dark", marks: Record<string, number|null>, moving: boolean, empty: (i: number) => boolean}} how
 * @returns {Shape}
 */
function matrixShapes(matrix, place, { theme, marks, moving, empty }) {
  const { x, y, cell, rowNames, colNames, turn } = place;
  const [rowMark, colMark] = matrix.axes.map((axis) => marks[axis] ?? null);
  const name = (/** @type {boolean} */ marked) => (marked ? "lt-flow-name lt-marked" : "lt-flow-name");
  /** @type {Shape[]} */
  const words = [
    ["text", { class: `lt-flow-title${matrix.hue ? ` lt-of-${matrix.hue}` : ""}`, x: place.left, y: place.top + 13 }, place.title],
  ];
  colNames.forEach(
    (text, c) =>
      text &&
      words.push([
        "text",
        turn
          ? { class: name(c === colMark), transform: `translate(${x + (c + 0.5) * cell.width + 3},${y - 5}) rotate(${turn})` }
          : { class: name(c === colMark), x: x + (c + 0.5) * cell.width, y: y - 5, "text-anchor": "middle" },
        text,
      ]),
  );
  rowNames.forEach(
    (text, r) =>
      text &&
      words.push([
        "text",
        { class: name(r === rowMark), x: x - 5, y: y + (r + 0.5) * cell.height, dy: "0.35em", "text-anchor": "end" },
        text,
      ]),
  );
  /** @type {Shape[]} */
  const grounds = [];
  /** @type {Map<string, {ink: string, texts: Shape[]}>} numbers by their ink, or by their cell */
  const numbers = new Map();
  /** @type {string[]} */
  const hatches = [];
  const most = matrixPlaces(matrix, cell.width - 3);
  for (let i = 0; i < matrix.rows * matrix.cols; i += 1) {
    const box = {
      x: x + (i % matrix.cols) * cell.width,
      y: y + Math.floor(i / matrix.cols) * cell.height,
      width: cell.width,
      height: cell.height,
    };
    if (empty(i)) {
      grounds.push(["rect", { class: "lt-flow-cell lt-flow-empty", ...box }]);
      continue;
    }
    const { fill, opacity, ink } = cellColours(matrix, i, theme);
    grounds.push(["rect", { class: "lt-flow-cell", ...box, fill, "fill-opacity": opacity }]);
    if (matrix.masked(i)) hatches.push(hatch(box));
    const text = cell.height >= 20 ? cellNumber(matrix, i, cell.width - 3, most) : "";
    if (!text && !moving) continue;
    const group = moving ? String(i) : ink;
    if (!numbers.has(group)) numbers.set(group, { ink, texts: [] });
    numbers.get(group)?.texts.push(["text", { x: box.x + cell.width / 2, y: box.y + cell.height / 2, dy: "0.36em" }, text]);
  }
  const groups = [...numbers.values()].map(
    ({ ink, texts }) => /** @type {Shape} */ (["g", { class: "lt-flow-numbers", fill: ink }, texts]),
  );
  return ["g", {}, [...words, ["g", {}, grounds], ["path", { class: "lt-flow-hatch", d: hatches.join("") }], ["g", {}, groups]]];
}

/** Lines across a masked cell. @param {Box} box */
function hatch({ x, y, width, height }) {
  const [w, h] = [width - 2, height - 2];
  const at = (/** @type {number} */ dx, /** @type {number} */ dy) =>
    `${Number((x + 1 + dx).toFixed(1))} ${Number((y + 1 + dy).toFixed(1))}`;
  const lines = Array.from({ length: Math.ceil((w + h) / 6) - 1 }, (_, k) => 6 * (k + 1));
  return lines.map((d) => `M${at(Math.min(d, w), Math.max(0, d - w))}L${at(Math.max(0, d - h), Math.min(d, h))}`).join("");
}

/** @param {Box[]} boxes @returns {Box} */
function around(boxes) {
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}

/**
 * The ties, which go behind the matrices: none lies over a number.
 * @param {Matrix[]} matrices @param {Layout} layout @param {{cell: Cell, reads: Cell[]}} lit @returns {Shape[]}
 */
function tieShapes(matrices, layout, { cell, reads }) {
  const target = cellBox(layout, cell);
  const parts = [...new Set(reads.map(({ part }) => part))];
  const ties = parts.map((part) => tie(around(reads.filter((read) => read.part === part).map((read) => cellBox(layout, read))), target));
  const grounds = matrices.map(({ rows, cols }, p) => {
    const { x, y, cell: one } = layout.places[p];
    return /** @type {Shape} */ (["rect", { class: "lt-flow-ground", x, y, width: cols * one.width, height: rows * one.height }]);
  });
  return [...ties.map((d) => /** @type {Shape} */ (["path", { class: "lt-flow-tie", d }])), ...grounds];
}

/** @param {Layout} layout @param {{cell: Cell, reads: Cell[]}} lit @returns {Shape[]} */
function litShapes(layout, { cell, reads }) {
  const target = cellBox(layout, cell);
  const outlined = (/** @type {string} */ kind, /** @type {Box} */ box) =>
    ["lt-flow-halo", kind].map(
      (name) =>
        /** @type {Shape} */ (["rect", { class: name, x: box.x + 1, y: box.y + 1, width: box.width - 2, height: box.height - 2, rx: 3 }]),
    );
  return [...reads.flatMap((read) => outlined("lt-flow-read", cellBox(layout, read))), ...outlined("lt-flow-made", target)];
}

/** A curve from what was read to what was made of it: sideways, or down where one stands over the other. @param {Box} from @param {Box} to */
function tie(from, to) {
  const middle = (/** @type {Box} */ box) => [box.x + box.width / 2, box.y + box.height / 2];
  const [[ax, ay], [bx, by]] = [middle(from), middle(to)];
  const way = from.x + from.width <= to.x ? 1 : to.x + to.width <= from.x ? -1 : 0;
  if (!way) {
    const down = ay < by ? 1 : -1;
    const [y0, y1] = [ay + (down * from.height) / 2, by - (down * to.height) / 2];
    return `M${ax} ${y0}C${ax} ${(y0 + y1) / 2} ${bx} ${(y0 + y1) / 2} ${bx} ${y1}`;
  }
  const [x0, x1] = [ax + (way * from.width) / 2, bx - (way * to.width) / 2];
  return `M${x0} ${ay}C${(x0 + x1) / 2} ${ay} ${(x0 + x1) / 2} ${by} ${x1} ${by}`;
}
