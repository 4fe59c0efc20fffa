// An error as a reader meets it: what kind, what it says, and where in which cell.

import { h } from "../../livetorch/js/shared/dom.mjs";

const ELSEWHERE = /; run this notebook in Jupyter\.?$/; // said with a link below

/** @typedef {{name: string, message: string, frames?: {cell: string, line: number, text?: string, column?: number}[], missing?: string, plain?: string}} Failure */

/**
 * @param {Failure} error
 * @param {object} options
 * @param {(cell: string, line: number) => void} options.go
 * @param {string} options.waysIn address of the page that says where else the lesson runs
 */
export function errorBox({ name, message, frames = [], missing, plain }, { go, waysIn }) {
  const box = h("div", { class: "output ed-error" });
  const said = h("p", { class: "ed-error-said" }, h("strong", {}, name), message ? ": " : "");
  const lines = message.split("\n");
  said.append(missing ? lines[0].replace(ELSEWHERE, ".") : lines[0]);
  box.append(said);
  if (lines.length > 1) box.append(h("pre", { tabindex: "0" }, lines.slice(1).join("\n")));
  if (plain) box.append(h("p", { class: "ed-error-plain" }, plain));
  if (frames.length) {
    const list = h("ol", { class: "ed-error-way" });
    for (const { cell, line, text } of frames) {
      const place = h("button", { type: "button", class: "ed-link", onclick: () => go(cell, line) }, `${cell}, line ${line}`);
      list.append(h("li", {}, place, text ? h("code", {}, text.trim()) : null));
    }
    box.append(list);
  }
  if (missing) {
    const link = h("a", { href: waysIn }, "ways in");
    box.append(h("p", {}, "Run this notebook in Jupyter: the page on ", link, " says how."));
  }
  return box;
}

/**
 * What a check of the book's own says that fails after an edit, else "": other numbers are no mistake of the reader's.
 * @param {Failure} error
 * @param {string} cell
 * @param {string} book the cell's text there
 */
export function bookCheck({ name, frames = [] }, cell, book) {
  const line = frames.findLast((frame) => frame.cell === cell)?.text?.trim();
  const fails = name === "AssertionError" && line && book.includes(line);
  return fails ? `The book\u2019s check in ${cell} no longer holds: that is expected when its numbers change.` : "";
}

/** The line in a cell where an error came to pass, the last of its frames there, and the column of a text that is no Python. @param {Failure} error @param {string} cell */
export const placeIn = ({ frames = [] }, cell) => frames.findLast((frame) => frame.cell === cell);

/** @param {Failure} error @param {string} cell */
export const lineIn = (error, cell) => placeIn(error, cell)?.line ?? null;
