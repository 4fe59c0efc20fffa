/** A row of tokens as shapes: on the page they are HTML. */
import { pictured } from "../shared/format.mjs";
import { textWidth } from "../shared/letters.mjs";
import { sayShown, tokensOf } from "../views/tokens.mjs";

/** @typedef {import("../shared/scene.mjs").Shape} Shape */

const TALL = 27; // pixels of one token

/**
 * @param {any} spec
 * @param {{frame: any, controls: any, theme: "light"|"dark"}} scene
 * @param {number} width
 */
export function stillTokens(spec, { frame, controls, theme }, width) {
  const content = /** @type {any} */ (tokensOf(spec, frame, controls, spec.query, theme));
  const { keys, queries, row, asked } = content;
  const above = spec.query_tokens ? boxes(queries, asked ? row : null, 0, width) : { height: 0, shapes: [] };
  const below = boxes(keys, asked && !spec.query_tokens ? row : null, above.height ? above.height + 8 : 0, width);
  const height = below.height + (above.height ? above.height + 8 : 0);
  return { width, height, shapes: [...above.shapes, ...below.shapes], foot: sayShown(spec, content, null) };
}

/**
 * Tokens in rows that fit, each with its weight under it.
 * @param {{text: string, fill?: string, ink?: string, weight?: number}[]} tokens
 * @param {number|null} chosen
 * @param {number} top
 * @param {number} width
 * @returns {{height: number, shapes: Shape[]}}
 */
function boxes(tokens, chosen, top, width) {
  const weighted = tokens.some(({ weight }) => weight !== undefined);
  const step = TALL + (weighted ? 16 : 0) + 6;
  let [x, y] = [0, top];
  /** @type {Shape[]} */
  const shapes = [];
  tokens.forEach(({ text, fill, ink, weight }, i) => {
    const wide = Math.round(Math.max(30, textWidth(text, 14) + 14));
    if (x > 0 && x + wide > width) [x, y] = [0, y + step];
    const edge = i === chosen ? "lt-token-box lt-token-chosen" : "lt-token-box";
    shapes.push(["rect", { class: edge, x: x + 0.5, y: y + 0.5, width: wide - 1, height: TALL - 1, rx: 5, fill: fill ?? "none" }]);
    shapes.push(["g", { class: "lt-token-word", fill: ink ?? null }, [["text", { x: x + wide / 2, y: y + 18.5 }, text]]]);
    if (weight !== undefined) shapes.push(["text", { class: "lt-token-share", x: x + wide / 2, y: y + TALL + 13 }, pictured(weight)]);
    x += wide + 4;
  });
  return { height: y - top + step - 6, shapes };
}
