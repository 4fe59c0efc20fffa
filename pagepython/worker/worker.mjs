/**
 * The worker that holds Python: it fetches what Python needs, starts it, and runs one cell after the other.
 *
 * It hears {start}, {run, source, cell}, {run, texts, patterns} and {reset}; it says {loaded, total, what}, {ready}, {failed}, {output, run},
 * {result, run} and {crash}.
 */
import { loadPyodide } from "pyodide";
import { openCells } from "./cells.mjs";
import { boundMemory } from "./memory.mjs";
import { fetchParts } from "./downloads.mjs";
import { begin, startPython } from "./python.mjs";

/** @typedef {import("./downloads.mjs").Part} Part */
/** @typedef {{info: object, total: number, start: string, torch: string, parts: Record<string, Part>, data: Record<string, string>}} Contents */

const scope = /** @type {any} */ (globalThis);
const say = (/** @type {object} */ message) => scope.postMessage(message);
const message = (/** @type {any} */ error) => String(error?.message ?? error);
/** @type {{run: Function, names: Function, reset: Function}|null} */
let cells = null;
let running = 0;

/** @param {Contents} contents */
async function open({ total, parts, data, start, torch, info }) {
  boundMemory();
  let loaded = 0;
  const told = (/** @type {number} */ more) => {
    loaded += more;
    say({ loaded, total, what: loaded < total ? "loading Python" : "starting Python" });
  };
  const { files, module, fetched } = await fetchParts(parts, scope.location.href, told);
  const real = scope.fetch;
  scope.fetch = (/** @type {any} */ url, /** @type {any} */ options) => fetched(String(url)) ?? real(url, options);
  const python = await startPython(loadPyodide, files, {
    indexURL: new URL(".", scope.location.href).href,
    stdLibURL: new URL("python_stdlib.zip", scope.location.href).href,
    lockFileContents: { info, packages: {} },
    packageBaseUrl: scope.location.href,
    createPyodideModule: module,
    stdout: (/** @type {string} */ text) => say({ run: running, output: { kind: "stream", text: `${text}\n` } }),
    stderr: (/** @type {string} */ text) => say({ run: running, output: { kind: "stream", text: `${text}\n` } }),
    // an address without a host is one of this site, whose root is two folders up
    torch: torch && new URL(torch, new URL("../../", scope.location.href)).href,
    data: Object.fromEntries(Object.entries(data).map(([path, url]) => [path, new URL(url, scope.location.href).href])),
  });
  scope.fetch = real;
  if (start) begin(python, start);
  cells = openCells(python, (output) => say({ run: running, output }));
}

scope.onmessage = async (/** @type {MessageEvent} */ { data }) => {
  if (data.start) {
    try {
      await open(scope.PAGE_PYTHON);
      say({ ready: true });
    } catch (error) {
      say({ failed: message(error) });
    }
    return;
  }
  running = data.run;
  try {
    if (data.reset) cells?.reset();
    const result = data.reset
      ? { ok: true }
      : data.texts
        ? { ok: true, names: cells?.names(data.texts, data.patterns) }
        : cells?.run(data.source, data.cell);
    say({ run: data.run, result });
  } catch (error) {
    // what a cell raises comes back as its result: here Python itself has ended
    say({ crash: message(error) });
  }
};
