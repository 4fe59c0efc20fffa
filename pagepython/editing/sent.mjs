// What a link would change, said before anything of it is taken: of each cell the book's lines and the link's.

import { h } from "../../livetorch/js/shared/dom.mjs";
import { unpack } from "./share.mjs";

const MOST = 200; // lines that are shown of a cell
const WORK = 1e6; // pairs of lines that are compared: beyond, all that differs is one piece

/**
 * What became of the lines of a text: those that are gone, and those that came.
 * @param {string} book @param {string} sent @returns {{kind: "del"|"ins", line: number, text: string}[]} line: its number in its own text
 */
export function changesOf(book, sent) {
  const [old, now] = [book.split("\n"), sent.split("\n")];
  let [head, tail] = [0, 0];
  while (head < Math.min(old.length, now.length) && old[head] === now[head]) head += 1;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const [rows, columns] = [old.length - tail - head, now.length - tail - head];
  /** @type {Uint16Array[]} how many lines stay, from here on */
  const stay = [];
  if (rows * columns <= WORK) {
    stay[rows] = new Uint16Array(columns + 1);
    for (let i = rows - 1; i >= 0; i -= 1) {
      stay[i] = new Uint16Array(columns + 1);
      for (let j = columns - 1; j >= 0; j -= 1)
        stay[i][j] = old[head + i] === now[head + j] ? stay[i + 1][j + 1] + 1 : Math.max(stay[i + 1][j], stay[i][j + 1]);
    }
  }
  /** @type {ReturnType<typeof changesOf>} */
  const found = [];
  for (let [i, j] = [0, 0]; i < rows || j < columns; ) {
    if (stay.length && i < rows && j < columns && old[head + i] === now[head + j]) [i, j] = [i + 1, j + 1];
    else if (i < rows && (j === columns || !stay.length || stay[i + 1][j] >= stay[i][j + 1])) {
      found.push({ kind: "del", line: head + i + 1, text: old[head + i] });
      i += 1;
    } else {
      found.push({ kind: "ins", line: head + j + 1, text: now[head + j] });
      j += 1;
    }
  }
  return found;
}

/** Under `.edit-note`, which the page lays at its foot. */
const SHEET = `.edit-note { max-height: 50vh; overflow: auto; }
.edit-note p { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem 0.6rem; }
.edit-note pre { flex: 1 1 20rem; max-height: 9rem; margin: 0; padding: 0; border: 0; overflow: auto; background: none; color: var(--pst-color-text-muted); font-size: 0.8rem; line-height: 1.4; white-space: pre-wrap; }
.edit-note :is(del, ins) { display: block; padding-left: 2ch; text-indent: -2ch; text-decoration: none; }
.edit-note ins { color: var(--pst-color-text-base); background: var(--pst-color-surface); }`;

/** What a link would change, each cell in a box. @param {string} base folder of the scripts @param {string} name of the lesson */
async function changes(base, name) {
  const [sent, answer] = await Promise.all([unpack(location.hash), fetch(`${base}lessons/${name}.json`, { cache: "no-cache" })]);
  /** @type {import("./notebook.mjs").Lesson} */
  const { cells } = await answer.json();
  const code = cells.map((cell, place) => ({ ...cell, place })).filter((cell) => cell.cell_type === "code");
  return code.flatMap(({ id, source, place }, at) => {
    if (!sent || !Object.hasOwn(sent, id) || !document.getElementById(`in-${place}`)) return [];
    const found = changesOf(source, sent[id].text);
    const row = (/** @type {(typeof found)[0]} */ { kind, text }) => h(kind, {}, `${kind === "del" ? "\u2212" : "+"} ${text}`);
    const more = found.length > MOST ? [`\u2026 and ${found.length - MOST} more lines`] : [];
    const told = `cell ${at + 1}, \u2212 the book\u2019s, + the link\u2019s`;
    return [h("pre", { role: "group", "aria-label": told, tabindex: "0" }, `${told}\n`, ...found.slice(0, MOST).map(row), ...more)];
  });
}

/**
 * @param {string} base folder of the scripts
 * @param {string} name of the lesson
 * @param {Element} note at the foot of the page
 * @param {(...words: (string|Element)[]) => void} say puts words into it
 * @param {Element} open what opens the editors
 */
export async function tell(base, name, note, say, open) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(SHEET);
  document.adoptedStyleSheets.push(sheet);
  const cells = location.hash.match(/(?<=\.)\d+/g);
  const not = h("button", { type: "button", class: "edit-switch", onclick: () => note.remove() }, "Not now");
  say(`This link brings changed code${cells ? ` in cell ${cells.join(", ")}` : ""}, which runs in this page. `, open, " ", not);
  note.prepend(...(await changes(base, name)));
}
