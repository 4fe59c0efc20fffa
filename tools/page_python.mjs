/**
 * Runs a script in the page's Python and prints what it prints.
 *
 *     node tools/page_python.mjs FILE.py [ARGUMENT ...]     (an argument that names a file: it can be read there)
 *
 * The page's Python is Pyodide with the facade (pagepython) and the packages that lessons import.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { loadPyodide } from "pyodide";
import { collect, collectData } from "../pagepython/build/collect.mjs";
import { begin, startPython } from "../pagepython/worker/python.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Python with the book's packages. @param {(line: string) => void} print */
export async function bookPython(print) {
  const packages = ["attn_helpers", "attn_lessons", "plain"].map((name) => join(ROOT, name));
  const data = Object.fromEntries(Object.entries(collectData(packages)).map(([path, file]) => [path, readFileSync(file)]));
  const python = await startPython(loadPyodide, collect(packages), { stdout: print, data });
  begin(python, "attn_lessons._page:start");
  return python;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [script, ...args] = process.argv.slice(2);
  if (!script) {
    console.error("Usage: node tools/page_python.mjs FILE.py [ARGUMENT ...]");
    process.exit(2);
  }
  const python = await bookPython((line) => console.log(line));
  for (const path of args.filter((arg) => existsSync(arg))) {
    python.FS.mkdirTree(dirname(path));
    python.FS.writeFile(path, readFileSync(path));
  }
  python.globals.set("_script", readFileSync(script, "utf8"));
  python.globals.set("_argv", python.toPy([script, ...args]));
  try {
    python.runPython("import sys; sys.argv = _argv; exec(compile(_script, sys.argv[0], 'exec'), {'__name__': '__main__'})");
  } catch (error) {
    console.error(String(/** @type {Error} */ (error).message));
    process.exit(1);
  }
}
