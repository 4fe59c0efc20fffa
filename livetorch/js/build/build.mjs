// Writes livetorch/built: in pages/ what a page loads, classic scripts and a sheet. The live figures are a core that every
// figure needs and parts that a page fetches when one of its figures does; a part takes the modules that it shares from
// the core. Beside pages/: the runtime's WebAssembly, the names of its operators, and what draws still pictures in Node.

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { minify } from "terser";
import wabt from "wabt";

import { checkControls } from "../controls/check.mjs";
import { kinds as controls } from "../controls/index.mjs";
import * as views from "../views/all.mjs";
import { allChecked, HALVES } from "../views/kind.mjs";
import { tokens } from "./tokens.mjs";
import { inlined } from "./wat.mjs";

export const root = fileURLToPath(new URL("../../../", import.meta.url));
const source = join(root, "livetorch/js");
const engine = "/*! livetorch: live figures. MIT. */";
const withD3 = "/*! livetorch: live figures. MIT. Contains parts of d3-array, (c) Mike Bostock, ISC. */";

const withTokenizers = "/*! livetorch: live figures. MIT. Contains @huggingface/tokenizers, (c) Hugging Face, Apache-2.0. */";

const shared = {
  absWorkingDir: root,
  write: /** @type {const} */ (false),
  bundle: true,
  format: /** @type {const} */ ("iife"),
  target: ["es2022"],
  charset: /** @type {const} */ ("utf8"),
  legalComments: /** @type {const} */ ("none"),
  metafile: true,
};

/**
 * The text of a script made of a module and all that it imports.
 * @param {string} contents of the module
 * @param {import("esbuild").BuildOptions} [more]
 */
export async function joined(contents, more = {}) {
  const made = await build({ ...shared, stdin: { contents, resolveDir: source }, ...more });
  const [{ inputs }] = Object.values(/** @type {any} */ (made.metafile).outputs);
  const used = Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0); // others were only looked at
  return { text: /** @type {any} */ (made.outputFiles)[0].text, inputs: used };
}

/** esbuild joins the modules; terser makes the result 5 % smaller than esbuild's own minifying does. @param {string} text @param {object} [more] */
export async function small(text, more = {}) {
  const options = { ...more, ecma: 2020, compress: { passes: 3, pure_getters: true, unsafe_arrows: true }, mangle: true };
  return (await minify(text, /** @type {any} */ (options))).code ?? "";
}

/**
 * What a part takes of the core's modules comes from the page: `LiveTorch.core` holds what some part asks for, and no more.
 * @param {Set<string>} core paths below the root
 * @returns {import("esbuild").Plugin}
 */
const fromTheCore = (core) => ({
  name: "from-the-core",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.mjs$/ }, ({ path, resolveDir }) => {
      const file = relative(root, join(resolveDir, path));
      return core.has(file) ? { path: file, namespace: "core", sideEffects: false } : undefined;
    });
    onLoad({ filter: /.*/, namespace: "core" }, async ({ path }) => {
      const names = Object.keys(await import(pathToFileURL(join(root, path)).href));
      return { contents: names.map((name) => `export const ${name} = /* @__PURE__ */ fromTheCore("${path}", "${name}");`).join("\n") };
    });
  },
});

const ASKED = /\/\* @__PURE__ \*\/ fromTheCore\("([^"]+)", "(\w+)"\)/g;

/**
 * The text that imports some fields of kinds of views and hands them over: of each file the build keeps only what they need.
 * @param {[name: string, fields: readonly string[]][]} kinds
 * @param {(table: string) => string} hand what is done with the table of kinds
 */
function halves(kinds, hand) {
  const imports = kinds.map(([name, fields]) => {
    const names = fields.map((field) => `${field} as ${name}_${field}`);
    return `import { ${names.join(", ")} } from "./views/${name}.mjs";`;
  });
  const rows = kinds.map(([name, fields]) => `${name}: { ${fields.map((field) => `${field}: ${name}_${field}`).join(", ")} }`);
  return `${imports.join("\n")}\n${hand(`{ ${rows.join(", ")} }`)}`;
}

const all = Object.entries(allChecked(views));
checkControls(controls);

/** Of all kinds one half, where they have it. @param {"open"|"compare"|"still"} half @returns {[string, readonly string[]][]} */
const everyHalf = (half) => all.filter(([, kind]) => half !== "compare" || kind.ghost).map(([name]) => [name, HALVES[half]]);

/** The kinds that come with a part ("": with the core), as a page needs them; also that they have no ghost. @param {string} part @returns {[string, string[]][]} */
const kindsOf = (part) =>
  all.filter(([, kind]) => kind.part === part).map(([name, kind]) => [name, [...HALVES.page, ...(kind.ghost === null ? ["ghost"] : [])]]);

/** What pages load. @param {string} outdir */
async function writePages(outdir) {
  const core = `import { addViews } from "./views/index.mjs";\nimport { start } from "./livetorch.mjs";\n${halves(kindsOf(""), (table) => `addViews(${table});`)}`;
  const { inputs } = await joined(core);
  const kinds = new Set(all.map(([name]) => `livetorch/js/views/${name}.mjs`)); // each script has its own half of them
  /** What parts ask for, by what it is called in the page: the import that brings it. @type {Map<string, string>} */
  const asked = new Map();
  const askFor = (/** @type {string} */ _, /** @type {string} */ path, /** @type {string} */ name) => {
    const called = `${basename(path, ".mjs")}_${name}`;
    const brought = `import { ${name} as ${called} } from "./${relative(source, join(root, path))}";`;
    if ((asked.get(called) ?? brought) !== brought) throw new Error(`two scripts of one name export ${name}: ${path} is one.`);
    asked.set(called, brought);
    return `LiveTorch.core.${called}`;
  };
  /** @type {Record<string, string>} */
  const files = {};
  const plugins = [fromTheCore(new Set(inputs.filter((path) => !kinds.has(path))))];
  const own = readdirSync(join(source, "parts")).map((file) => basename(file, ".mjs"));
  for (const name of [...new Set([...own, ...all.map(([, { part }]) => part)])].filter((each) => each !== "" && each !== "all").sort()) {
    const { text, inputs: used } = await joined(partText(name, own.includes(name)), { plugins });
    const code = `${used.some((path) => path.includes("@huggingface/")) ? withTokenizers : used.some((path) => path.includes("d3-")) ? withD3 : engine}\n${await small(text.replace(ASKED, askFor))}\n`;
    const version = createHash("sha256").update(code).digest("hex").slice(0, 8);
    files[name] = `livetorch-${name}.js?v=${version}`;
    save(outdir, `livetorch-${name}.js`, code);
  }
  const elsewhere = Object.fromEntries(all.filter(([, { part }]) => part).map(([name, { part }]) => [name, part]));
  // for whoever writes a page: the parts that a figure needs can come with the core
  const { rare } = await import("../runtime/rare.mjs");
  const { MANY: many } = await import("../hosts/parts.mjs");
  const needs = { files, views: elsewhere, operators: rare.flatMap((table) => Object.keys(table)), many };
  save(outdir, "parts.json", `${JSON.stringify(needs, null, 1)}\n`);
  const entry = `${core}\n${[...asked.values()].sort().join("\n")}\nLiveTorch.core = { ${[...asked.keys()].sort().join(", ")} };\nstart();`;
  const define = { "globalThis.LIVETORCH_PARTS": JSON.stringify(files), "globalThis.LIVETORCH_VIEWS": JSON.stringify(elsewhere) };
  const { text } = await joined(entry, { define });
  save(outdir, "livetorch.js", `${engine}\n${await small(text)}\n`);
  await writeSheet(outdir, "livetorch", join(source, "css/index.css"));
}

/** A part: what its file holds, the views that come with it, and its half of all views. @param {string} name @param {boolean} hasFile */
function partText(name, hasFile) {
  const file = hasFile ? `import * as part from "./parts/${name}.mjs";\n` : "";
  const kinds = name === "open" || name === "compare" ? everyHalf(name) : kindsOf(name);
  return file + halves(kinds, (table) => `LiveTorch.adopt("${name}", { ${hasFile ? "...part, " : ""}views: ${table} });`);
}

/** The runtime's WebAssembly, as text in a module, so that a page has it without asking. @param {string} outdir */
async function writeCode(outdir) {
  const name = "lanes";
  const text = readFileSync(join(source, `runtime/${name}.wat`), "utf8");
  const module = (await wabt()).parseWat(`${name}.wat`, inlined(text), { simd: true });
  const code = Buffer.from(module.toBinary({}).buffer).toString("base64");
  save(outdir, `${name}.mjs`, `/** ${name}.wat, compiled. */\nexport const code =\n  "${code}";\n`);
}

/** What runs Programs in a worker, the whole runtime with it, as text in a module. @param {string} outdir */
async function writeWorker(outdir) {
  const { text } = await joined('import "./worker/loop.mjs";');
  save(
    outdir,
    "worker.mjs",
    `/** worker/loop.mjs and all that it needs. */\nexport const code =\n  ${JSON.stringify(await small(text))};\n`,
  );
}

/** What draws still pictures in Node, by the rules of the page's own views. @param {string} outdir */
async function writeStill(outdir) {
  const sheet = ["views", "still"].map((name) => readFileSync(join(source, `css/${name}.css`), "utf8")).join("");
  const define = { "globalThis.LIVETORCH_SHEET": JSON.stringify(sheet) };
  const kinds = all.map(([name]) => /** @type {[string, string[]]} */ ([name, [...HALVES.still, "sizeOf", "level"]]));
  const half = halves(kinds, (table) => `addViews(${table});\nawait serve();`);
  const contents = `import { addViews } from "./views/index.mjs";\nimport { serve } from "./still.mjs";\n${half}`;
  const { text } = await joined(contents, { define, format: "esm", platform: "node", target: ["node20"] });
  save(outdir, "livetorch-still.mjs", `${withD3}\n${await small(text, { module: true })}\n`);
}

/** `tokens.css` is what colours.json says. @type {import("esbuild").Plugin} */
const colours = {
  name: "colours",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^tokens\.css$/ }, () => ({ path: join(source, "../colours.json"), namespace: "colours" }));
    onLoad({ filter: /.*/, namespace: "colours" }, ({ path }) => ({
      contents: tokens(JSON.parse(readFileSync(path, "utf8"))),
      loader: "css",
    }));
  },
};

/** @param {string} outdir @param {string} name @param {string} sheet */
export async function writeSheet(outdir, name, sheet) {
  const target = ["chrome111", "firefox113", "safari16.4"];
  const made = await build({
    absWorkingDir: root,
    entryPoints: [sheet],
    write: false,
    bundle: true,
    minify: true,
    target,
    legalComments: "none",
    plugins: [colours],
  });
  save(outdir, `${name}.css`, made.outputFiles[0].text);
}

/** @param {string} outdir @param {string} name @param {string} text */
export function save(outdir, name, text) {
  const path = join(outdir, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The names of the runtime's operators, for Python. Read last: the runtime imports its WebAssembly. @param {string} outdir */
async function writeOperators(outdir) {
  const { operators } = await import("../runtime/load.mjs");
  save(outdir, "operators.json", `${JSON.stringify(operators, null, 2)}\n`);
}

/** @param {string} outdir */
export async function writeEngine(outdir) {
  await writeCode(outdir);
  await writeWorker(outdir);
  await writePages(join(outdir, "pages"));
  await writeStill(outdir);
  await writeOperators(outdir);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeEngine(join(source, "../built"));
