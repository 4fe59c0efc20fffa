/** Tables as shapes: on the page they are HTML. */
import { textWidth } from "../shared/letters.mjs";
import { tablesOf } from "../views/table_content.mjs";

/** @typedef {import("../shared/scene.mjs").Shape} Shape */

const SIZE = 12.5; // of the letters
const LINE = 22;
const PAD = 18; // between two columns
const MOST_ROWS = 24;

/**
 * @param {any} spec
 * @param {{frame: any, controls: any}} scene
 * @param {number} width
 */
export function stillTable(spec, { frame, controls }, width) {
  let y = 0;
  /** @type {Shape[]} */
  const shapes = [];
  for (const table of tablesOf(spec, frame, controls)) {
    const drawn = oneTable(table, width);
    shapes.push(["g", { transform: `translate(0 ${y})` }, drawn.shapes]);
    y += drawn.height + 10;
  }
  return { width, height: y, shapes };
}

/**
 * One table, as far as it fits: columns and rows that do not are told by "…".
 * @param {ReturnType<typeof tablesOf>[number]} table
 * @param {number} width
 * @returns {{height: number, shapes: Shape[]}}
 */
function oneTable({ caption, cols, corner, rows, sums }, width) {
  const head = cols ? [...cols, ...(sums ? ["sum"] : [])] : null;
  const shown = rows.slice(0, MOST_ROWS);
  const first = Math.max(textWidth(corner, SIZE), ...shown.map(({ name }) => textWidth(name, SIZE))) + PAD / 2;
  /** @type {number[]} where each column ends */
  const ends = [];
  for (let c = 0; c < (shown[0]?.cells.length ?? 0); c += 1) {
    const widest = Math.max(textWidth(head?.[c] ?? "", SIZE), ...shown.map(({ cells }) => textWidth(cells[c] ?? "", SIZE)));
    const end = (ends.at(-1) ?? first) + widest + PAD;
    if (end > width && c > 0) break;
    ends.push(end);
  }
  const cut = ends.length < (shown[0]?.cells.length ?? 0);
  const right = ends.at(-1) ?? first;
  /** @type {Shape[]} */
  const shapes = [];
  let y = 0;
  const write = (/** @type {string} */ name, /** @type {string[]} */ words, /** @type {string} */ kind) => {
    shapes.push(["text", { class: kind ? "lt-table-head" : "lt-table-name", x: 0, y: y + 15 }, name]);
    ends.forEach((end, c) =>
      shapes.push(["text", { class: kind || "lt-table-number", x: end - PAD / 2, y: y + 15, "text-anchor": "end" }, words[c] ?? ""]),
    );
    if (cut) shapes.push(["text", { class: "lt-table-head", x: right, y: y + 15 }, "…"]);
    y += LINE;
    shapes.push(["path", { class: "lt-table-line", d: `M0 ${y - 0.5}H${Math.round(right)}` }]);
  };
  if (caption) {
    shapes.push(["text", { class: "lt-title-word", x: 0, y: y + 14 }, caption]);
    y += 20;
  }
  if (head) write(corner, head, "lt-table-head");
  for (const { name, cells } of shown) write(name, cells, "");
  if (shown.length < rows.length) {
    shapes.push(["text", { class: "lt-table-head", x: 0, y: y + 15 }, `… ${rows.length - shown.length} more rows`]);
    y += LINE;
  }
  return { height: y, shapes };
}
