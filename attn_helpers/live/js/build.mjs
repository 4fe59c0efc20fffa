// Writes dist/: the whole JavaScript and CSS of the live figures, as one classic script and one style sheet.

import { build } from "esbuild";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { minify } from "terser";

const here = fileURLToPath(new URL(".", import.meta.url));
const banner = "/*! Attention, Live: live figures. MIT. Contains d3-scale, d3-axis, d3-selection, d3-shape and their parts, (c) Mike Bostock, ISC. */";

// Methods of d3's selections that no view calls, and axes neither.
const methods = "selectChild selectChildren sort nodes size property html raise lower clone datum dispatch iterator";
const unusedMethods = {
  name: "unused-methods",
  setup(/** @type {import("esbuild").PluginBuild} */ { onLoad }) {
    const filter = new RegExp(`d3-selection/src/selection/(${methods.replaceAll(" ", "|")})\\.js$`);
    onLoad({ filter }, () => ({ contents: "export default undefined" }));
  },
};

/** @param {string} outdir */
export async function bundle(outdir) {
  const script = await build({
    absWorkingDir: here,
    entryPoints: ["attention-live.mjs"],
    write: false,
    bundle: true,
    format: "iife",
    target: ["es2022"],
    charset: "utf8",
    legalComments: "none",
    alias: {
      "d3-interpolate": "./interpolate.mjs",
      "d3-path": "./d3_parts.mjs",
      "d3-format": "./d3_parts.mjs",
      internmap: "./d3_parts.mjs",
    },
    plugins: [unusedMethods],
  });
  // esbuild joins the modules; terser makes the result 5 % smaller than esbuild's own minifying does.
  const { code } = await minify(script.outputFiles[0].text, {
    ecma: 2020,
    compress: { passes: 3, pure_getters: true, unsafe_arrows: true },
    mangle: true,
  });
  await build({
    absWorkingDir: here,
    entryPoints: { "attention-live": "css/index.css" },
    outdir,
    bundle: true,
    minify: true,
    target: ["chrome111", "firefox113", "safari16.4"],
    legalComments: "none",
  });
  writeFileSync(join(outdir, "attention-live.js"), `${banner}\n${code}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bundle(process.argv[2] ?? join(here, "dist"));
}
