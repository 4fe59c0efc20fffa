// Where a number that is stored with a figure comes from: the statement of the page's own code that gave it its name.

import { h } from "../shared/dom.mjs";
import { STORED } from "../open/ending.mjs";

const LINES = 4; // of a statement that are shown
const EMPTY = /=\s*(\{\}|\[\]|(dict|list|defaultdict|Counter)\(\w*\))\s*(#.*)?$/;
const CHAIN = 3; // statements that are shown, each of which gives what the next is made of
const QUOTED = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#.*/g;

/** @typedef {{lines: string[], bare: string[], open: number[]}} Code lines as they are and without texts and comments, and how many
 *   brackets are open before each */

/** @param {string} text @returns {Code} */
function codeOf(text) {
  const bare = text.replace(QUOTED, (part) => part.replace(/[^\n]/g, " ")).split("\n");
  const open = [0];
  for (const line of bare) open.push(open[open.length - 1] + (line.match(/[([{]/g)?.length ?? 0) - (line.match(/[)\]}]/g)?.length ?? 0));
  return { lines: text.split("\n"), bare, open };
}

/** The text with letters that a pattern would read taken as they are. @param {string} text */
const plain = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The last statement of a text that binds a name, by =, by an import or as an item of a dict. @param {Code} code @param {string} name */
function bindingIn({ lines, bare, open }, name) {
  const [root] = name.match(/^[~-]?([A-Za-z_]\w*)(?=$|[.[])/)?.slice(1) ?? [];
  const word = root && plain(root);
  const binds =
    word && `^[ \\t]*(?:(?:[\\w.]+[ \\t]*,[ \\t]*)*${word}(?:[ \\t]*,[ \\t]*[\\w.]+)*[ \\t]*=(?!=)|(?:from|import)\\b.*\\b${word}\\b)`;
  /** Where a statement begins: not within a call, whose arguments have names too. @param {string} pattern */
  const last = (pattern) => {
    const reads = new RegExp(pattern);
    return bare.findLastIndex((line, i) => !open[i] && reads.test(line));
  };
  const bound = binds ? last(binds) : -1;
  const isEmpty = EMPTY.test(lines[bound] ?? ""); // then the line says nothing that fills it
  const at = isEmpty ? last(`^[ \\t]*${word}(\\[.*\\][ \\t]*=(?!=)|\\.(append|extend|update|setdefault)\\()`) : bound;
  const item = new RegExp(`["']${plain(name)}["']\\s*:\\s*[^\\s"']`); // not one that gives it a label
  const found = at >= 0 || isEmpty ? at : lines.findLastIndex((line) => item.test(line));
  if (found < 0) return null;
  let end = found;
  while (at >= 0 && open[end + 1] > 0 && end + 1 < lines.length && end - found < LINES) end += 1;
  const text = lines.slice(found, end + 1).map((line) => line.trimEnd());
  const indent = Math.min(...text.filter(Boolean).map((line) => line.length - line.trimStart().length));
  return text.map((line) => line.slice(indent)).join("\n");
}

const COMMON = new Set(
  "torch math random dict list range len zip enumerate Choice Slider for in if else lambda True False None".split(" "),
);

/**
 * The statement that gave a name, after those that gave it what it is made of: "reading = shown[0]" after "shown = load()".
 * @param {string[]} texts the page's code, the nearest to the figure first @returns {(name: string) => string[]}
 */
export function readCode(texts) {
  const codes = texts.map(codeOf);
  /** @type {Map<string, string|null>} */
  const bindings = new Map();
  const bindingOf = (/** @type {string} */ name) => {
    if (!bindings.has(name))
      bindings.set(
        name,
        codes.reduce((found, code) => found ?? bindingIn(code, name), /** @type {any} */ (null)),
      );
    return bindings.get(name) ?? null;
  };
  return (name) => {
    /** @type {string[]} */
    const found = [];
    for (let next = name; next && found.length < CHAIN; ) {
      const statement = bindingOf(next);
      if (!statement || found.includes(statement)) break;
      found.unshift(statement);
      const right = /^(from|import)\b/.test(statement) ? "" : statement.slice(statement.search(/[=:]/) + 1).replace(QUOTED, "");
      const words = (right.match(/(?<![\w.])[A-Za-z_]\w*\b(?!\s*=(?!=))/g) ?? []).filter((word) => !COMMON.has(word) && word !== next);
      next = words.find((word) => bindingOf(word)) ?? "";
    }
    return found;
  };
}

/** What the statements say of a number that is stored. @param {string[]} statements the one that gave it its name last */
function wordsOf(statements) {
  const last = statements.at(-1) ?? "";
  const from = statements.map((one) => one.match(/^from (\S+) import/)?.[1]).find((module) => module && !/^(torch|math)\b/.test(module));
  const isRead = /\b(load|read)\w*\(/.test(last);
  if (/\brand(n|int|perm|om)?\w*\(|multinomial\(|\.(normal|uniform)_\(/.test(last)) return "drawn at random by the page's code, once";
  const given = last.slice(last.search(/[=:]/) + 1).trim();
  if (
    (/^(torch\.)?tensor\(\s*[[\d-]/.test(given) && !/ for .* in |\w\.\w+\(/.test(given.slice(6))) ||
    /^[[(\s]*[-\d][-\d\s.,()[\]_e]*(#.*)?$/.test(given)
  )
    return "written in the page's code";
  if (from && isRead) return "prepared for this page, and read once by its code";
  if (/^attn_helpers\b/.test(from ?? "")) return "computed once by the page's code, with attn_helpers";
  return "computed once by the page's code: the same at every setting";
}

const SAME = /: the same at every setting/;

/**
 * An ending's words, made as exact as the page's code allows; what a choice among stored tables shows is stored for that choice.
 * @param {string} text @param {string[]} statements at least one @param {any[]} [items] the way to it @param {any} [spec] @param {any} [frame]
 */
export function exactly(text, statements, items = [], spec = null, frame = null) {
  const said = text.replace(STORED, wordsOf(statements));
  const choices = items.length === 1 ? spec.controls.filter((/** @type {any} */ { variant }) => variant) : [];
  const words = choices.map((/** @type {any} */ { name, label, options }) => {
    const set = frame.state[name];
    return `“${options?.[set] ?? set}”, your choice “${label}”`;
  });
  return words.length ? said.replace(SAME, ` for ${words.join(" and ")}`) : said;
}

/** The statements that gave a name; of a long chain the last one, which is then in sight without a press. @param {string[]} statements */
function shownOf(statements) {
  const lines = (/** @type {string} */ text) => text.split("\n").length;
  const [all, last = ""] = [statements.join("\n"), statements.at(-1)];
  return lines(all) > 2 && lines(last) < 3 ? last : all;
}

/** @typedef {{exactly: (text: string, items?: any[], spec?: any, frame?: any) => string, shown: (called: any) => HTMLElement}} Stated an ending's words, and the statements */

/** What the page's code says of what has a name. @param {string[]} texts @returns {(name: string) => Stated|null} null: nothing */
export function statedIn(texts) {
  const read = readCode(texts);
  return (name) => {
    const statements = read(name);
    const shown = (/** @type {any} */ called) => {
      const text = shownOf(statements);
      const [part, head] = text.split("\n").length > 2 ? ["details", "summary"] : ["div", "span"]; // it would cover the figure
      const said = h(head, { class: "lt-python-name" }, "Python, in this page's code: ", called);
      return h(part, { class: "lt-python" }, said, h("code", {}, text));
    };
    return statements.length ? { exactly: (text, ...at) => exactly(text, statements, ...at), shown } : null;
  };
}
