/**
 * What Python in the page reads: the facade as its torch, what runs cells, livetorch as far as it is imported, and the
 * book's packages.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = join(dirname(fileURLToPath(import.meta.url)), "..");
const ROOT = dirname(HERE);
const LARGE = 200_000; // bytes; such a text holds weights of a model that the page's Python does not run
const IMPORT = /^ *(?:from (livetorch[\w.]*) import (?:\(([^)]*)\)|([\w, ]*))|import (livetorch[\w.]*))/gm;

/** @typedef {[string, string]} Text path inside Python, text */

/**
 * Texts of a folder, path from `base` -> text.
 * @param {string} base @param {string} folder @returns {Text[]}
 */
function texts(base, folder) {
  return readdirSync(join(base, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(py|json|txt|csv)$/.test(entry.name) && !entry.parentPath.includes("node_modules"))
    .map((entry) => relative(base, join(entry.parentPath, entry.name)))
    .filter((path) => statSync(join(base, path)).size < LARGE)
    .map((path) => [path, readFileSync(join(base, path), "utf8")]);
}

/**
 * What widgets are drawn with in Jupyter: here the page draws them, and these files are empty.
 * @param {string} base @param {string} folder @returns {Text[]}
 */
function scripts(base, folder) {
  return readdirSync(join(base, folder), { recursive: true })
    .map((path) => join(folder, String(path)))
    .filter((path) => /\/built\/[^/]*(\/[^/]*)?\.(js|css)$/.test(path))
    .map((path) => [path, ""]);
}

/** The packages and modules that a text imports from livetorch. @param {string} text @returns {string[]} */
function imported(text) {
  return [...text.matchAll(IMPORT)].flatMap(([, from, folded, names = folded, whole]) =>
    from ? [from, ...names.split(",").map((name) => `${from}.${name.trim()}`)] : [whole],
  );
}

/**
 * Of livetorch what those texts import, and what that imports in turn: its recorder for PyTorch is named by no import, so
 * that it comes only where everything does.
 * @param {Text[]} readers @returns {Text[]}
 */
function reached(readers) {
  const all = new Map(texts(ROOT, "livetorch"));
  const found = new Map([...all].filter(([path]) => /^livetorch\/(built\/)?[^/]*\.json$/.test(path)));
  const waiting = ["livetorch", ...readers.flatMap(([, text]) => imported(text))];
  for (let name = waiting.pop(); name; name = waiting.pop()) {
    const parts = name.split(".");
    const ways = parts.flatMap((_, k) => {
      const path = parts.slice(0, k + 1).join("/");
      return [`${path}.py`, `${path}/__init__.py`];
    });
    for (const path of ways) {
      const text = all.get(path);
      if (text === undefined || found.has(path)) continue;
      found.set(path, text);
      waiting.push(...imported(text));
    }
  }
  return [...found];
}

/** The facade under the names that cells import: torch, and the small numpy that goes with it. @returns {Text[]} */
const facade = () =>
  texts(join(HERE, "facade"), ".").map(([path, text]) => [path.replace(/^(?!_numpy\/)/, "torch/").replace(/^_numpy\//, "numpy/"), text]);

/**
 * The files, path inside Python -> text.
 * @param {string[]} packages folders of further packages
 * @param {{torch?: string}} [options] torch: the address of a PyTorch that comes in place of the facade
 */
export function collect(packages, { torch = "" } = {}) {
  const own = texts(ROOT, "pagepython").filter(([path]) => /^pagepython\/(running\/\w+|__init__|recorder)\.py$/.test(path));
  const books = packages.flatMap((path) => texts(dirname(path), relative(dirname(path), path)));
  const everything = () => texts(ROOT, "livetorch").filter(([path]) => !/^livetorch\/(js|example)\//.test(path));
  const files = [
    ...(torch ? everything() : [...reached([...own, ...books]), ...facade()]),
    ...texts(join(HERE, "standins"), "."),
    ...own,
    ...scripts(ROOT, "livetorch"),
    ...books,
    ...packages.flatMap((path) => scripts(dirname(path), relative(dirname(path), path))),
  ];
  return Object.fromEntries(files);
}

/**
 * What packages read besides text (weights, tables), path inside Python -> path on disk.
 * @param {string[]} packages folders of packages
 * @returns {Record<string, string>}
 */
export function collectData(packages) {
  const found = packages.flatMap((path) =>
    readdirSync(path, { recursive: true })
      .map((name) => join(path, String(name)))
      .filter((name) => /\.(npz|gz)$/.test(name))
      .map((name) => [relative(dirname(path), name), name]),
  );
  return Object.fromEntries(found);
}
