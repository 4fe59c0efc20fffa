/**
 * Modules that Python reads while it starts, as it has them when it has read them: a page's Python starts without compiling.
 * The Pyodide that the pages get makes them, so that the two fit; which they are it says itself.
 */
import { loadPyodide } from "pyodide";
import { openCells } from "../worker/cells.mjs";
import { begin, startPython } from "../worker/python.mjs";

const LIBRARY = "/lib/python314.zip/";
// stored as unchecked: no page changes a module's text on disk; the library's go without their documentation
const COMPILE = `
import ast, importlib.util, json, sys
from importlib._bootstrap_external import _code_to_hash_pyc

used = json.dumps([file for module in sys.modules.values() if (file := getattr(module, "__file__", None))])

def made(text, path, bare):
    tree = ast.parse(text, path)
    for node in ast.walk(tree) if bare else ():
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(node, clean=False):
            node.body[0].value.value = " "
    return bytes(_code_to_hash_pyc(compile(tree, path, "exec", dont_inherit=True), importlib.util.source_hash(text.encode()), False))

used, made`;

/** @typedef {(text: string, path: string) => Uint8Array|null} Compile of a module that the start does not read, nothing; path: where Python finds it */

/**
 * A Python that has started as a page's does, and compiles.
 * @param {Record<string, string>} files @param {{start: string, torch: string}} how
 * @returns {Promise<Compile>}
 */
export async function compiler(files, { start, torch }) {
  const python = await startPython(loadPyodide, files, { env: { PYTHONNODEBUGRANGES: "1" } }); // no columns, which take room
  if (start && !torch) begin(python, start);
  openCells(python, () => {});
  const [list, made] = python.runPython(COMPILE);
  const used = new Set(JSON.parse(list));
  return (text, path) => {
    if (!used.has(path)) return null;
    const bare = path.startsWith(LIBRARY) && !path.includes("pyodide/");
    const proxy = made(text, path, bare);
    const bytes = proxy.toJs();
    proxy.destroy();
    return bytes;
  };
}

/** The library's files. @param {[string, Uint8Array][]} files @param {Compile} compile @returns {Record<string, Uint8Array>} */
export function library(files, compile) {
  const made = files.map(([path, bytes]) => {
    const code = compile(new TextDecoder().decode(bytes), LIBRARY + path);
    return code ? [`${path}c`, code] : [path, bytes];
  });
  return Object.fromEntries(made);
}

/**
 * Other files: what readers look into keeps its text beside the compiled module, elsewhere the text goes.
 * @param {Record<string, string>} files @param {string[]} kept folders whose texts are kept @param {Compile} compile
 * @returns {Record<string, string|Uint8Array>}
 */
export function compiled(files, kept, compile) {
  const made = Object.entries(files).flatMap(([path, text]) => {
    const code = compile(text, `/page/${path}`);
    if (!code) return [[path, text]];
    const beside = path.replace(/([^/]+)\.py$/, "__pycache__/$1.cpython-314.pyc");
    return kept.includes(path.split("/")[0])
      ? [
          [path, text],
          [beside, code],
        ]
      : [[`${path}c`, code]];
  });
  return Object.fromEntries(made);
}

/** Files in one: a line that says how long each is, then all of them. @param {Record<string, string|Uint8Array>} files */
export function packed(files) {
  const all = Object.entries(files).map(([path, data]) => /** @type {const} */ ([path, Buffer.from(/** @type {any} */ (data))]));
  const lengths = Object.fromEntries(all.map(([path, { length }]) => [path, length]));
  return Buffer.concat([Buffer.from(`${JSON.stringify(lengths)}\n`), ...all.map(([, data]) => data)]);
}
