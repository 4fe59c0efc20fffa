/**
 * What Python in the page reads: the page's torch, livetorch without its tracer for PyTorch, and more packages.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const LIVETORCH = dirname(HERE);
// Of the tracer the page has what makes errors short; its own trace.py comes from tracing/ here.
const LEFT_OUT = /^livetorch\/(page|js|example|tracing\/(?!__init__|short_errors|reader_))/;
// A PyTorch that a site brings itself has what the whole tracer needs.
const LEFT_OUT_BESIDE_PYTORCH = /^livetorch\/(page|js|example)/;

/**
 * Texts of a folder, path from `base` -> text.
 * @param {string} base @param {string} folder @param {RegExp} [leftOut] @returns {[string, string][]}
 */
function texts(base, folder, leftOut = /(^|\/)node_modules\//) {
  return readdirSync(join(base, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(py|json|txt|csv)$/.test(entry.name))
    .map((entry) => relative(base, join(entry.parentPath, entry.name)))
    .filter((path) => !leftOut.test(path))
    .map((path) => [path, readFileSync(join(base, path), "utf8")]);
}

/**
 * What widgets are drawn with in Jupyter: here the page draws them, and these files are empty.
 * @param {string} base @param {string} folder @returns {[string, string][]}
 */
function scripts(base, folder) {
  return readdirSync(join(base, folder), { recursive: true })
    .map((path) => join(folder, String(path)))
    .filter((path) => /\/built\/[^/]*(\/[^/]*)?\.(js|css)$/.test(path))
    .map((path) => [path, ""]);
}

/**
 * The files, path inside Python -> text.
 * @param {string[]} packages folders of further packages
 * @param {{torch?: string}} [options] torch: the address of a PyTorch that comes in place of the page's torch
 */
export function collect(packages, { torch = "" } = {}) {
  const own = torch
    ? texts(join(HERE, "standins"), ".", /^numpy\//)
    : [
        ...texts(HERE, "torch"),
        ...texts(join(HERE, "standins"), "."),
        ...texts(HERE, "tracing").map(([path, text]) => /** @type {[string, string]} */ ([`livetorch/${path}`, text])),
      ];
  const files = [
    ...texts(dirname(LIVETORCH), "livetorch", torch ? LEFT_OUT_BESIDE_PYTORCH : LEFT_OUT),
    ...own,
    ...texts(join(HERE, "running"), "."),
    ...scripts(dirname(LIVETORCH), "livetorch"),
    ...packages.flatMap((path) => {
      const [base, folder] = [dirname(path), relative(dirname(path), path)];
      return [...texts(base, folder), ...scripts(base, folder)];
    }),
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
