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

/** Texts of a folder, path from `base` -> text. @param {string} base @param {string} folder @returns {[string, string][]} */
function texts(base, folder) {
  return readdirSync(join(base, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(py|json|txt|csv)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(base, path), readFileSync(path, "utf8")]);
}

/**
 * The files, path inside Python -> text.
 * @param {string[]} packages folders of further packages
 */
export function collect(packages) {
  const files = [
    ...texts(dirname(LIVETORCH), "livetorch").filter(([path]) => !LEFT_OUT.test(path)),
    ...texts(HERE, "torch"),
    ...texts(join(HERE, "standins"), "."),
    ...texts(HERE, "tracing").map(([path, text]) => [`livetorch/${path}`, text]),
    // a widget's script is its page's: here it is empty
    ...["livetorch.js", "livetorch.css"].map((name) => [`livetorch/js/dist/${name}`, ""]),
    ...packages.flatMap((path) => texts(dirname(path), relative(dirname(path), path))),
  ];
  return Object.fromEntries(files);
}
