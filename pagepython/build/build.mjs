/**
 * Writes what a site needs for Python in its pages: `node pagepython/build/build.mjs FOLDER OPTIONS`.
 *
 * OPTIONS is JSON: `packages` (folders of Python packages that cells may import), `start` (what is called before the first
 * cell, "module:function"), `torch` (the address of a PyTorch wheel for Pyodide, in place of the facade). Without the
 * modules that ../package.json names it writes nothing and leaves with 3.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { collect, collectData } from "./collect.mjs";
import { buildEditor } from "./editor.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const NOTICE = `Python in the pages of this site: Pyodide (MPL-2.0, https://github.com/pyodide/pyodide) with CPython
(PSF-2.0, https://www.python.org), with its first modules compiled and without those that no page can use. The editor is CodeMirror (MIT, https://codemirror.net).
`;
// what needs a terminal, another process, a server, a database or another system, codes that files of a page do not have, and
// what Python reads only where it has no module in C
const LEFT_OUT =
  /^(multiprocessing|wsgiref|xmlrpc|imaplib|poplib|smtplib|ftplib|mailbox|ensurepip|turtle|venv|socketserver|sqlite3|ssl|wave|pstats|profile|cProfile|xml\/dom|xml\/etree|plistlib|doctest|pdb|bdb|trace|pickletools|modulefinder|compileall|http\/(server|cookiejar)|logging\/config|asyncio\/(windows_\w+|proactor_events)|concurrent\/futures\/process|_pyio|_pydatetime|_(android|aix|apple|osx|ios)_support)(\/|\.)|^_pyrepl\/(?!(__init__|pager)\.)|^encodings\/(?!(__init__|aliases|ascii|base64_codec|charmap|cp1252|cp437|hex_codec|idna|iso8859_15?|latin_1|punycode|raw_unicode_escape|rot_13|unicode_escape|utf_\w+)\.)/;
const digest = (/** @type {string|Buffer} */ data) => createHash("sha256").update(data).digest("hex").slice(0, 10);

/** Where Pyodide lies, or nothing. @returns {string|null} */
function pyodideFolder() {
  try {
    return dirname(createRequire(import.meta.url).resolve("pyodide/package.json"));
  } catch {
    return null;
  }
}

/**
 * Writes a file, and says where a page finds it and how many bytes come over the line.
 * @param {string} out @param {string} name @param {Buffer} data @param {number} [size] where a host compresses it
 */
function put(out, name, data, size = data.length) {
  writeFileSync(join(out, name), data);
  return { url: `${name}?v=${digest(data)}`, size };
}

/** Writes what is fetched only when a cell reads it. @param {string} out @param {string} path @param {string} file */
function putData(out, path, file) {
  const bytes = readFileSync(file);
  mkdirSync(join(out, "data", dirname(path)), { recursive: true });
  return put(out, `data/${path}`, bytes).url;
}

/**
 * Makes something once: it takes long, and stays the same while what it is made of does.
 * @param {string} name @param {Buffer|string} data what it is made of @param {string} keep @param {() => Buffer|Promise<Buffer>} make
 */
async function madeOnce(name, data, keep, make) {
  const how = readFileSync(join(HERE, "bytecode.mjs"), "utf8");
  const mark = join(keep, `${name}.${digest(data)}${digest(`${LEFT_OUT}${how}`)}`);
  if (existsSync(mark)) return readFileSync(mark);
  const made = await make();
  mkdirSync(keep, { recursive: true });
  writeFileSync(mark, made);
  return made;
}

/**
 * @param {string} out
 * @param {{packages?: string[], start?: string, torch?: string, keep?: string}} options keep: a folder for what need not be
 *   made again
 */
export async function buildPage(out, { packages = [], start = "", torch = "", keep = out } = {}) {
  const pyodide = pyodideFolder();
  const esbuild = pyodide && (await import("esbuild").catch(() => null));
  const zip = esbuild && (await import("fflate").catch(() => null));
  if (!pyodide || !zip) return false;
  mkdirSync(out, { recursive: true });
  const read = (/** @type {string} */ name) => readFileSync(join(pyodide, name));
  const { info } = JSON.parse(read("pyodide-lock.json").toString());
  const script = read("pyodide.asm.mjs");
  const [wasm, stdlib, texts] = [read("pyodide.asm.wasm"), read("python_stdlib.zip"), collect(packages, { torch })];
  const { compiled, compiler, library, packed } = await import("./bytecode.mjs");
  /** @type {Promise<import("./bytecode.mjs").Compile>|undefined} */
  let compiling;
  const made = (/** @type {string} */ name, /** @type {(compile: import("./bytecode.mjs").Compile) => Uint8Array} */ make) =>
    madeOnce(name, JSON.stringify([digest(stdlib), packages, start, torch, texts]), keep, async () =>
      Buffer.from(make(await (compiling ??= compiler(texts, { start, torch })))),
    );
  const parts = {
    // named .js: not every host knows what .mjs is
    script: put(out, "pyodide.asm.js", script, gzipSync(script).length),
    wasm: put(out, "pyodide.asm.bin", await madeOnce("wasm", wasm, keep, () => gzipSync(wasm, { level: 9 }))),
    library: put(
      out,
      "python_stdlib.zip",
      await made("library", (compile) => {
        const kept = Object.entries(zip.unzipSync(stdlib)).filter(([path]) => !LEFT_OUT.test(path));
        return zip.zipSync(library(kept, compile), { level: 9, mtime: "1980-01-01" });
      }),
    ),
    contents: put(
      out,
      "contents.bin",
      await made("contents", (compile) =>
        gzipSync(
          packed(
            compiled(
              texts,
              packages.map((path) => basename(path)),
              compile,
            ),
          ),
          { level: 9 },
        ),
      ),
    ),
  };
  const total = Object.values(parts).reduce((sum, { size }) => sum + size, 0);
  const data = Object.fromEntries(Object.entries(collectData(packages)).map(([path, file]) => [path, putData(out, path, file)]));
  const page = { info, total, start, torch, parts, data };
  const shared = { bundle: true, minify: true, format: "esm", target: ["es2022"], charset: "utf8", write: false };
  const built = await esbuild.build({
    .../** @type {any} */ (shared),
    entryPoints: [join(HERE, "../worker/worker.mjs")],
    external: ["node:*", "ws"],
    banner: { js: `globalThis.PAGE_PYTHON=${JSON.stringify(page)};` },
  });
  const worker = put(out, "worker.js", Buffer.from(built.outputFiles[0].contents));
  writeFileSync(join(out, "NOTICE.txt"), NOTICE);
  await buildEditor(out, { esbuild, define: { "globalThis.PAGE_WORKER": JSON.stringify(worker.url) } });
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [out, options = "{}"] = process.argv.slice(2);
  if (!(await buildPage(out, JSON.parse(options)))) process.exit(3);
}
