// A question whose answer is drawn: the cells of a heatmap, clicked, walked with the arrow keys, or painted.

import { createToggles, withCell } from "../../../../livetorch/js/controls/toggles.mjs";
import { h } from "../../../../livetorch/js/shared/dom.mjs";
import { marked } from "./marked.mjs";

/** @param {string[]} rows @returns {boolean[][]} */
const matrix = (rows) => rows.map((row) => Array.from(row, (cell) => cell === "1"));

/** @param {boolean[][]} cells */
const written = (cells) => cells.map((row) => row.map(Number).join(""));

/**
 * A label; where another one is the same, with its number.
 * @param {string[]} labels
 * @param {number} i
 */
const told = (labels, i) => (labels.indexOf(labels[i]) === labels.lastIndexOf(labels[i]) ? labels[i] : `${labels[i]} (${i + 1})`);

/** @param {any} spec @param {number} r @param {number} c */
const place = ({ axes, rows, cols }, r, c) => `${named(axes[0], told(rows, r))}, ${named(axes[1], told(cols, c))}`;

/** A label after what it is, unless it says that itself ("head 2"). @param {string} axis @param {string} label */
const named = (axis, label) => (label.toLowerCase().startsWith(`${axis.toLowerCase()} `) ? label : `${axis} ${label}`);

/**
 * The reply to a drawing, and its wrong cells: "missing" or "extra" for each, else "". A first wrong try is told how many
 * cells are off, not which.
 * @param {any} spec
 * @param {string[]} drawn
 * @param {boolean} [first]
 */
export function judgeCells(spec, drawn, first = false) {
  const wrong = matrix(spec.answer).map((row, r) =>
    row.map((wanted, c) => (String(Number(wanted)) === drawn[r][c] ? "" : wanted ? "missing" : "extra")),
  );
  const places = wrong.flatMap((row, r) => row.map((kind, c) => (kind ? place(spec, r, c) : ""))).filter(Boolean);
  if (!places.length) return { right: true, lead: "Right.", text: spec.explain, wrong };
  const many = (/** @type {string} */ kind) => wrong.flat().filter((each) => each === kind).length;
  const mistake = spec.mistakes.find((/** @type {any} */ each) => String(each.cells) === String(drawn));
  const [dashed, crossed] = first ? ["", ""] : [" (dashed)", " (crossed)"];
  const counts = [`${many("missing")} missing${dashed}`, `${many("extra")} too many${crossed}`].filter((each) => !each.startsWith("0"));
  const next = first ? "Think again; the next check marks them." : `The first wrong cell: ${places[0]}.`;
  const shown = first ? wrong.map((row) => row.map(() => "")) : wrong;
  return { right: false, lead: "Not quite.", text: mistake ? mistake.why : `${counts.join(", ")}. ${next}`, wrong: shown };
}

/**
 * @param {any} spec
 * @param {{id: string}} context
 */
export function createCells(spec, { id }) {
  /** @type {boolean[][]} */
  const empty = spec.rows.map(() => spec.cols.map(() => false));
  let drawn = empty;
  let first = true;
  const toggles = createToggles({
    rows: spec.rows,
    columns: spec.cols,
    name: (r, c) => place(spec, r, c),
    put(r, c, on) {
      drawn = withCell(drawn, r, c, on);
      toggles.show(drawn);
      mark(r, c, "");
    },
  });

  /** @param {number} r @param {number} c @param {string} kind */
  function mark(r, c, kind) {
    toggles.buttons[r][c].dataset.wrong = kind;
    toggles.buttons[r][c].setAttribute("aria-label", place(spec, r, c) + (kind && `, ${kind}`));
  }

  return {
    element: h(
      "div",
      { role: "group", "aria-labelledby": `${id}-ask`, "aria-describedby": `${id}-how`, class: "lt-cells" },
      h("div", { id: `${id}-ask`, class: "lt-ask" }, ...marked(spec.question)),
      h(
        "div",
        { id: `${id}-how`, class: "lt-note" },
        `Rows: ${spec.axes[0]}, columns: ${spec.axes[1]}. Click, drag, or use the arrow keys and Space.`,
      ),
      h("div", { class: "lt-scroll" }, toggles.element),
    ),
    get: () => written(drawn),
    /** @param {any} value */
    set(value) {
      first ||= value === null;
      drawn = value === null ? empty : matrix(value);
      toggles.show(drawn);
      drawn.forEach((row, r) => row.forEach((_, c) => mark(r, c, "")));
    },
    valid: (/** @type {any} */ value) =>
      Array.isArray(value) && value.length === empty.length && value.every((row) => String(row).length === spec.cols.length),
    judge(/** @type {string[]} */ value) {
      const reply = judgeCells(spec, value, first);
      first = first && reply.right;
      reply.wrong.forEach((row, r) => row.forEach((kind, c) => mark(r, c, kind)));
      return reply;
    },
    answer: () => spec.answer,
    nothing: "",
  };
}
