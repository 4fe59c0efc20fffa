/**
 * Python in the page: Pyodide with the facade in it, which is called torch there. The same for a worker, for Node and for tests.
 */
import * as bridge from "./bridge.mjs";

const dirname = (/** @type {string} */ path) => path.slice(0, path.lastIndexOf("/"));
const basename = (/** @type {string} */ path) => path.slice(path.lastIndexOf("/") + 1);
// What lessons import and the page does not have: it says so when it is used (standins/absent.py).
const ABSENT = ["matplotlib", "seaborn", "pandas", "scipy", "sklearn", "ipywidgets", "safetensors"];

/**
 * Starts Python.
 * @param {(options?: object) => Promise<any>} loadPyodide
 * @param {Record<string, string|Uint8Array>|Promise<Record<string, Uint8Array>>} files path inside Python -> content, such as what `collect` gives
 * @param {Record<string, any>} [options] for Pyodide: where its files lie, where printed text goes; `torch`, the address of a
 *   wheel, takes the place of the page's torch; `data`, path inside Python -> bytes, or an address to fetch when it is read
 */
export async function startPython(loadPyodide, files, { torch = "", data = {}, ...options } = {}) {
  const python = await loadPyodide(options);
  python.registerJsModule("page_bridge", bridge);
  for (const [path, text] of Object.entries(await files)) {
    const full = `/page/${path}`;
    python.FS.mkdirTree(full.slice(0, full.lastIndexOf("/")));
    python.FS.writeFile(full, text);
  }
  for (const [path, given] of Object.entries(data)) {
    const [folder, name] = [`/page/${dirname(path)}`, basename(path)];
    python.FS.mkdirTree(folder);
    if (typeof given === "string") python.FS.createLazyFile(folder, name, given, true, false);
    else python.FS.writeFile(`${folder}/${name}`, given);
  }
  if (torch) await loadWheel(python, torch);
  python.runPython(`import sys; sys.path.insert(0, "/page")
import absent
absent.install(${JSON.stringify(torch ? ABSENT : [...ABSENT, "torch"])})`);
  return python;
}

/** Calls what a book wants before the first cell. @param {any} python @param {string} start such as "my_package.page:start" */
export function begin(python, start) {
  const [module, name] = start.split(":");
  python.pyimport(module)[name]();
}

/** Pyodide itself only writes down that a package did not come. @param {any} python @param {string} url */
async function loadWheel(python, url) {
  /** @type {string[]} */
  const faults = [];
  const loaded = await python.loadPackage(url, {
    errorCallback: (/** @type {string} */ text) => faults.push(text),
    messageCallback: () => {},
  });
  if (!loaded.length) throw new Error(`the torch of this site could not be loaded from ${url}. ${faults.join(" ")}`.trim());
}
