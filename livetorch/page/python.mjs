/**
 * Python in the page: Pyodide with the page's torch in it. The same for a worker, for Node and for tests.
 */
import * as bridge from "./bridge.mjs";

// What lessons import and the page does not have: it says so when it is used (standins/absent.py).
const ABSENT = ["matplotlib", "seaborn", "pandas", "scipy", "sklearn", "ipywidgets", "IPython", "torch", "safetensors"];

/**
 * Starts Python.
 * @param {(options?: object) => Promise<any>} loadPyodide
 * @param {Record<string, string>} files path inside Python -> text: the page's torch and the packages of the book
 * @param {object} [options] for Pyodide: where its files lie, where printed text goes
 */
export async function startPython(loadPyodide, files, options) {
  const python = await loadPyodide(options);
  python.registerJsModule("livetorch_bridge", bridge);
  for (const [path, text] of Object.entries(files)) {
    const full = `/page/${path}`;
    python.FS.mkdirTree(full.slice(0, full.lastIndexOf("/")));
    python.FS.writeFile(full, text);
  }
  python.runPython(`import sys; sys.path.insert(0, "/page")
import absent
absent.install(${JSON.stringify(ABSENT)})`);
  return python;
}
