/** The drawing of arcs: ribbons as wide as the weights, and the tokens of one row or two. */
import { colourTable, colourStep, roleColour } from "../shared/colour.mjs";
import { pictured } from "../shared/format.mjs";
import { colourOf } from "./heatmap_picture.mjs";
import { FAINT, SAID, sharesOf } from "./arcs_content.mjs";
import { arcsLayout, ribbon } from "./arcs_layout.mjs";

/** @typedef {import("../shared/scene.mjs").Shape} Shape */
/** @typedef {import("./arcs_content.mjs").Content} Content */
/** @typedef {import("./arcs_content.mjs").Focus} Focus */

/**
 * The drawing.
 * @param {any} spec
 * @param {Content} content
 * @param {{width: number, theme: "light"|"dark", focus: Focus, written?: number, low?: boolean}} how written: how many queries are there already
 */
export function arcsPicture(spec, content, { width, theme, focus, written = Infinity, low }) {
  const { keys, queries, weights, muted, doubts } = content;
  const layout = arcsLayout({ width, keys, queries, one: spec.rows === 1, low });
  const { side, index } = focus;
  const own = (/** @type {number} */ q, /** @type {number} */ k) => (side === "query" ? q : k) === index;
  const lines = weights
    .slice(0, written)
    .flatMap((row, q) => row.flatMap((w, k) => (w >= FAINT || (own(q, k) && w >= 0.005) ? [{ q, k, w, mine: own(q, k) }] : [])));
  lines.sort((a, b) => Number(a.mine) - Number(b.mine));
  const violet = roleColour("weight", theme);
  const shares = sharesOf(content, focus);
  /** @type {Shape[]} */
  const shapes = [
    [
      "g",
      { class: "lt-ribbons" },
      lines.map(
        ({ q, k, w, mine }) =>
          /** @type {Shape} */ ([
            "path",
            {
              class: mine ? "lt-ribbon lt-own" : "lt-ribbon",
              d: ribbon(layout, q, k),
              "stroke-width": Number((0.8 + 15 * w).toFixed(2)),
              stroke: violet,
              "stroke-opacity": (mine ? 0.4 + 0.45 * w : 0.06 + 0.1 * w).toFixed(2),
            },
          ]),
      ),
    ],
    ...layout.names.map(
      ({ x, y, anchor }, i) =>
        /** @type {Shape} */ (["text", { class: `lt-row-name lt-of-${i ? "key" : "query"}`, x, y, "text-anchor": anchor }, spec.names[i]]),
    ),
    ["g", {}, layout.one ? [] : tokenShapes("query", layout, focus, side === "key" ? shares : null, theme, { written, doubts })],
    ["g", {}, tokenShapes("key", layout, focus, side === "query" ? shares : null, theme, { muted })],
  ];
  return { width: layout.width, height: layout.height, shapes, layout, lines };
}

/**
 * The tokens of one row.
 * @param {"query"|"key"} kind
 * @param {import("./arcs_layout.mjs").Layout} layout
 * @param {Focus} focus
 * @param {number[]|null} shares of the tokens, where those of the other row are told
 * @param {"light"|"dark"} theme
 * @param {{written?: number, doubts?: number[], muted?: boolean[]}} state boxes from `written` on are empty
 * @returns {Shape[]}
 */
function tokenShapes(kind, layout, { side, index }, shares, theme, { written = Infinity, doubts = [], muted = [] }) {
  const table = colourTable("sequential", theme);
  const boxes = kind === "query" ? layout.queries : layout.keys;
  return boxes.flatMap((box, i) => {
    const mine = index === i && (side === kind || layout.one);
    const share = shares?.[i] ?? 0;
    const step = Math.max(0, colourStep(share, [0, 1]));
    const tint = share >= FAINT ? colourOf("sequential", theme, share, [0, 1]) : null;
    const fill = mine ? roleColour(layout.one ? "query" : kind, theme) : tint;
    const at = layout.upright ? { x: box.x + box.width + 17, y: box.y + 15 } : { x: box.x + box.width / 2, y: box.y + box.height + 15 };
    const number = kind === "key" && share >= SAID && (layout.upright || box.width >= 16);
    const { x, y, width, height } = box;
    const state = i < written && doubts[i] ? " lt-doubted" : muted[i] ? " lt-muted" : "";
    const word = /** @type {Shape} */ ([
      "text",
      { class: `lt-arc-text${mine ? " lt-own" : ""}${muted[i] ? " lt-muted" : ""}`, x: x + width / 2, y: y + height / 2, dy: "0.36em" },
      i < written ? fitted(box) + (doubts[i] ? "?" : "") : "",
    ]);
    return /** @type {Shape[]} */ ([
      [
        "rect",
        { class: fill ? `lt-arc-box${state}` : `lt-arc-box lt-plain${state}`, x, y, width, height, rx: Math.min(7, width / 4), fill },
      ],
      mine || !tint ? word : ["g", { class: "lt-arc-word", fill: table.ink[step] }, [word]],
      ...(number ? [["text", { class: "lt-arc-number", ...at }, width >= 28 ? pictured(share) : pictured(share).replace(/^0/, "")]] : []),
    ]);
  });
}

/** A token's text; cut where its box is too narrow. @param {import("./arcs_layout.mjs").Box} box */
const fitted = ({ text }) => (text.length > 14 ? `${text.slice(0, 13)}…` : text);
