// Writes dist/: the whole JavaScript and CSS of the live figures, as one classic script and one style sheet.

import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const banner = "/*! Attention, Live: live figures. MIT. Contains d3-scale, d3-axis, d3-selection, d3-shape and their parts, (c) Mike Bostock, ISC. */";


/** @param {string} outdir */
export async function bundle(outdir) {
  await build({
    absWorkingDir: here,
    entryPoints: { "attention-live": "attention-live.mjs" },
    outdir,
    bundle: true,
    minify: true,
    format: "iife",
    target: ["es2022"],
    charset: "utf8",
    legalComments: "none",
    banner: { js: banner },
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
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bundle(process.argv[2] ?? `${here}dist`);
}
