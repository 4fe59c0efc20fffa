/**
 * Runs a script in the page's Python and prints what it prints.
 *
 *     node tools/page_python.mjs FILE.py [ARGUMENT ...]
 *
 * The page's Python is Pyodide with the page's torch (livetorch/page) and the packages that lessons import.
 */
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";
import { startPython } from "../livetorch/page/python.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const PARTS = [
  ["livetorch/page", "torch"],
  [".", "attn_helpers"],
  [".", "attn_lessons"],
  [".", "livetorch"],
];

/** The Python files of a package, path inside Python -> text. @param {string} base @param {string} name */
function packageFiles(base, name) {
  const home = join(ROOT, base);
  const found = readdirSync(join(home, name), { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile() && /\.(py|json|txt)$/.test(entry.name) && !/(\/page\/|\/js\/|\/example\/)/.test(`${entry.parentPath.slice(home.length + name.length)}/`))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(home, path), readFileSync(path, "utf8")]);
}

const [script, ...args] = process.argv.slice(2);
if (!script) {
  console.error("Usage: node tools/page_python.mjs FILE.py [ARGUMENT ...]");
  process.exit(2);
}
const files = Object.fromEntries(PARTS.flatMap(([base, name]) => packageFiles(base, name)));
const python = await startPython(loadPyodide, files, { stdout: (/** @type {string} */ line) => console.log(line) });
python.globals.set("_script", readFileSync(script, "utf8"));
python.globals.set("_argv", python.toPy([script, ...args]));
try {
  python.runPython("import sys; sys.argv = _argv; exec(compile(_script, sys.argv[0], 'exec'), {'__name__': '__main__'})");
} catch (error) {
  console.error(String(/** @type {Error} */ (error).message));
  process.exit(1);
}
