// Where a number that is stored with a figure comes from: the statement of the page's own code that gave it its name.

import { STORED } from "../open/ending.mjs";

const LINES = 4; // of a statement that are shown
const EMPTY = /=\s*(\{\}|\[\]|(dict|list|defaultdict|Counter)\(\w*\))\s*(#.*)?$/;
const CHAIN = 3; // statements that are shown, each of which gives what the next is made of

/** The text with letters that a pattern would read taken as they are. @param {string} text */
const plain = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The last statement of a text that binds a name, by =, by an import or as an item of a dict. @param {string} code @param {string} name */
export function bindingIn(code, name) {
  const [root] = name.match(/^[~-]?([A-Za-z_]\w*)(?=$|[.[])/)?.slice(1) ?? [];
  const word = root && plain(root);
  const binds =
    word && `^[ \\t]*(?:(?:[\\w.]+[ \\t]*,[ \\t]*)*${word}(?:[ \\t]*,[ \\t]*[\\w.]+)*[ \\t]*=(?!=)|(?:from|import)\\b.*\\b${word}\\b)`;
  const item = `["']${plain(name)}["']\\s*:\\s*[^\\s"']`; // not one that gives it a label
  const lines = code.split("\n");
  const last = (/** @type {string} */ pattern) => lines.findLastIndex((line) => new RegExp(pattern).test(line));
  const bound = binds ? last(binds) : -1;
  const isEmpty = EMPTY.test(lines[bound] ?? ""); // then the line says nothing that fills it
  const at = isEmpty ? last(`^[ \\t]*${word}(\\[.*\\][ \\t]*=(?!=)|\\.(append|extend|update|setdefault)\\()`) : bound;
  const found = at >= 0 || isEmpty ? at : last(item);
  if (found < 0) return null;
  let end = found;
  const open = () => {
    const text = lines.slice(found, end + 1).join("\n");
    return (text.match(/[([{]/g)?.length ?? 0) > (text.match(/[)\]}]/g)?.length ?? 0);
  };
  while (at >= 0 && open() && end + 1 < lines.length && end - found < LINES) end += 1;
  const text = lines.slice(found, end + 1).map((line) => line.trimEnd());
  const indent = Math.min(...text.filter(Boolean).map((line) => line.length - line.trimStart().length));
  return text.map((line) => line.slice(indent)).join("\n");
}

/** The same in the page: in the code that stands with the figure, or else in the nearest before it. @param {Element} figure @param {string} name */
function bindingOf(figure, name) {
  const own = figure.closest(".figure-block") ?? figure.closest(".cell");
  const before = (/** @type {Element} */ one) => !own?.contains(one) && one.compareDocumentPosition(figure) & 4; // it follows
  const codeIn = (/** @type {ParentNode|null} */ part) => Array.from(part?.querySelectorAll(".cell_input pre") ?? []);
  for (const cell of [...codeIn(own), ...codeIn(document).filter(before).reverse()]) {
    const found = bindingIn(cell.textContent ?? "", name);
    if (found) return found;
  }
  return null;
}

const COMMON = new Set(
  "torch math random dict list range len zip enumerate Choice Slider for in if else lambda True False None".split(" "),
);

/** The statement that gave a name, after those that gave it what it is made of: "reading = shown[0]" after "shown = load()". @param {Element} figure @param {string} name */
export function statementsOf(figure, name) {
  /** @type {string[]} */
  const found = [];
  for (let next = name; next && found.length < CHAIN; ) {
    const statement = bindingOf(figure, next);
    if (!statement || found.includes(statement)) break;
    found.unshift(statement);
    const right = /^(from|import)\b/.test(statement) ? "" : statement.slice(statement.search(/[=:]/) + 1).replace(/(["']).*?\1/g, "");
    const words = (right.match(/(?<![\w.])[A-Za-z_]\w*\b(?!\s*=(?!=))/g) ?? []).filter((word) => !COMMON.has(word) && word !== next);
    next = words.find((word) => bindingOf(figure, word)) ?? "";
  }
  return found;
}

/** What the statements say of a number that is stored. @param {string[]} statements the one that gave it its name last */
function wordsOf(statements) {
  const last = statements.at(-1) ?? "";
  const from = statements.map((one) => one.match(/^from (\S+) import/)?.[1]).find((module) => module && !/^(torch|math)\b/.test(module));
  if (/\brand(n|int|perm|om)?\w*\(|multinomial\(|\.(normal|uniform)_\(/.test(last)) return "drawn at random by the page's code, once";
  const given = last.slice(last.search(/[=:]/) + 1).trim();
  if (/^(torch\.)?tensor\(\s*[[\d-]/.test(given) || /^[[(]*[-\d][-\d\s.,()[\]_e]*(#.*)?$/.test(given)) return "written in the page's code";
  return from ? `read once from ${from}` : "computed once by the page's code: the same at every setting";
}

/** An ending's words, made as exact as the page's code allows. @param {string} text @param {string[]} statements at least one */
export const exactly = (text, statements) => text.replace(STORED, wordsOf(statements));
