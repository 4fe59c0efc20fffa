// Joins the editors with CodeMirror into one script, its sheet in it, and what a link is read by before it, when the site is built. Nothing of it is committed.

import { fileURLToPath } from "node:url";
import { join } from "node:path";

const EDITING = fileURLToPath(new URL("../editing/", import.meta.url));

/**
 * @param {string} outdir the site's `_static/page`
 * @param {object} tools
 * @param {typeof import("esbuild")} tools.esbuild
 * @param {Record<string, string>} [tools.define] what client.mjs is told of the other files
 * @param {import("esbuild").Plugin[]} [tools.plugins] for tests
 */
export async function buildEditor(outdir, { esbuild, define = {}, plugins = [] }) {
  const shared = { bundle: true, minify: true, legalComments: /** @type {const} */ ("eof"), charset: /** @type {const} */ ("utf8") };
  const target = ["es2022", "chrome111", "firefox113", "safari16.4"];
  const sheet = await esbuild.build({ ...shared, entryPoints: [join(EDITING, "edit.css")], target, write: false });
  const script = { ...shared, format: /** @type {const} */ ("esm"), platform: /** @type {const} */ ("browser"), target };
  await esbuild.build({ ...script, entryPoints: [join(EDITING, "sent.mjs")], outfile: join(outdir, "sent.js") });
  await esbuild.build({
    ...script,
    entryPoints: [join(EDITING, "index.mjs")],
    outfile: join(outdir, "edit.js"),
    define: { ...define, "globalThis.EDITING_SHEET": JSON.stringify(sheet.outputFiles[0].text) },
    plugins,
  });
}
