import { h } from "../../../../livetorch/js/shared/dom.mjs";

/**
 * Text with what stands between backquotes as code; only ever set as text.
 * @param {string} text
 */
export const marked = (text) => text.split("`").map((part, i) => (i % 2 ? h("code", {}, part) : part));
