// What a cell of a flow was made of: the cells among its matrices, found by opening number after number, and the line.

import { h } from "../shared/dom.mjs";
import { itemName } from "../shared/format.mjs";
import { roleOf } from "../views/flow_content.mjs";
import { labelsOf } from "../views/sources.mjs";

/** @typedef {import("../views/flow_content.mjs").Cell} Cell */
/** @typedef {import("./line.mjs").Piece} Piece */

const MOST = 400; // numbers that are opened on the way from one matrix to another

/**
 * @param {import("../shared/spec.d.ts").Spec} spec the figure
 * @param {any} view the flow's own
 * @param {{frame: () => any, program: () => {program: any, inputs: any}, controls: Record<string, any>}} figure
 * @param {Record<string, (...given: any[]) => any>} part what opens numbers, which is a file of its own
 */
export function createReader(spec, view, figure, { calculationOf, createExplainer, openOne, written }) {
  const explained = createExplainer(spec, figure);
  /** @type {any} */
  let frame = null;
  /** @type {any[]} */
  const sources = view.parts.map((/** @type {any} */ part) => part.source);
  const opened = (/** @type {Cell} */ { part, row, col }) => openOne({ source: sources[part], index: [row, col] }, (frame ??= explained()));

  /** The cells at which the matrices show a number: of equal rows that were gathered, the one that was read. @param {any} one @returns {Cell[]} */
  function cellsOf({ name, index, kind, shown, through = [] }) {
    const cell = (/** @type {number} */ part, /** @type {number[]} */ place) => ({ part, row: place.at(-2) ?? 0, col: place.at(-1) ?? 0 });
    return sources.flatMap((source, part) => {
      if ("control" in source) return kind === "control" && source.control === name ? [cell(part, index)] : [];
      const here = (/** @type {any} */ place) => place.output === source.output;
      return (through.some(here) ? through : shown).filter(here).map((/** @type {any} */ place) => cell(part, place.index));
    });
  }

  /** Of the places of one number the last before a matrix, else any other. @param {Cell[]} cells @param {number} part */
  const nearest = (cells, part) => cells.filter((cell) => cell.part < part).at(-1) ?? cells.find((cell) => cell.part !== part);

  /** @param {any} item @param {number} part @returns {Cell[]} */
  function readsOf(item, part) {
    /** @type {Map<string, Cell>} */
    const found = new Map();
    const seen = new Set();
    const waiting = [...item.from];
    for (let left = MOST; waiting.length; ) {
      const one = waiting.shift();
      const cell = nearest(cellsOf(one), part);
      const key = one.name && `${one.name}[${one.index}]`;
      if (cell) found.set(`${cell.part}:${cell.row}:${cell.col}`, cell);
      else if (one.kind === "computed" && left > 0 && !(key && seen.has(key))) {
        left -= 1;
        seen.add(key);
        waiting.push(...one.open().from);
      }
    }
    return [...found.values()];
  }

  /** A number that an earlier matrix holds already. @param {any} item @param {number} part */
  const copied = (item, part) =>
    cellsOf(item)
      .filter((cell) => cell.part < part)
      .at(-1);

  /** @param {Cell} cell */
  function placeName({ part, row, col }) {
    const { axes, rows, cols } = view.parts[part];
    const named = (/** @type {any} */ labels) => labelsOf(labels, frame, figure.controls);
    const { shape } = frame.outputs[sources[part].output] ?? { shape: [0, 0] };
    return [...(shape.length > 1 ? [itemName(axes[0], row, named(rows))] : []), itemName(axes[1], col, named(cols))].join(", ");
  }

  return {
    /** The figure has computed anew. */
    forget: () => (frame = null),

    /** The matrices that are computed from others, in order. @param {{rows: number, cols: number}[]} matrices */
    made(matrices) {
      return matrices.flatMap(({ rows, cols }, part) => {
        const cells = Array.from({ length: rows * cols }, (_, i) => ({ part, row: Math.floor(i / cols), col: i % cols }));
        const reads = (/** @type {Cell} */ cell) => {
          const item = opened(cell);
          return item.kind === "computed" && (copied(item, part) || readsOf(item, part).length);
        };
        return cells.some(reads) ? [part] : [];
      });
    },

    /**
     * How a cell came to be: the cells that it was made of, and the line as elements and as words to be said.
     * @param {Cell} cell
     */
    read(cell) {
      const item = opened(cell);
      const copy = copied(item, cell.part);
      const reads = copy ? [copy] : readsOf(item, cell.part);
      /** @type {Piece[]} */
      const pieces = copy ? [{ text: `${view.parts[copy.part].label}, ${placeName(copy)}: ${written(item.value)}` }] : calculationOf(item);
      const hues = item.from.map((/** @type {any} */ one) => {
        const at = copy ? null : nearest(cellsOf(one), cell.part);
        return at ? roleOf(view.parts[at.part]) : null;
      });
      const place = `${view.parts[cell.part].label}, ${placeName(cell)}`;
      return { reads, line: lineOf(pieces, hues), words: `${place}: ${inWords(pieces)}` };
    },
  };
}

/** The line: numbers in the colours of what they are. @param {Piece[]} pieces @param {(string|null)[]} hues @returns {Node[]} */
function lineOf(pieces, hues) {
  return pieces.map(({ text, from, raised }) => {
    const hue = Number.isInteger(from) ? hues[/** @type {number} */ (from)] : null;
    const inside = hue ? h("span", { class: `lt-of-${hue}` }, text) : document.createTextNode(text);
    return raised ? h("sup", {}, inside) : inside;
  });
}

const SAID = {
  "·": " times ",
  "+": " plus ",
  "/": " divided by ",
  "√": " the root of ",
  "−": " minus ",
  "=": " equals ",
  "∞": " infinity ",
};

/** A line as it is read out. @param {Piece[]} pieces */
export function inWords(pieces) {
  const text = pieces.map((piece, i) => (piece.raised && !pieces[i - 1]?.raised ? ` to the power ${piece.text}` : piece.text)).join("");
  return text
    .replace(/[·+/√−=∞]/g, (sign) => SAID[/** @type {keyof typeof SAID} */ (sign)])
    .replace(/ {2,}/g, " ")
    .replace(/ ([,)])/g, "$1")
    .replace(/\( /g, "(")
    .trim();
}
