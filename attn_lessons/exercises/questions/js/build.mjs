// Writes the committed bundle of the questions, with what writes the engine's.

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { joined, root, save, small, writeSheet } from "../../../../livetorch/js/build/build.mjs";

const folder = "attn_lessons/exercises/questions/js";

/** @param {string} outdir */
async function writeQuestions(outdir) {
  const { text } = await joined(`import "${join(root, folder, "questions.mjs")}";`);
  save(outdir, "questions.js", `/*! The questions of Attention, Live. MIT. */\n${await small(text)}\n`);
  await writeSheet(outdir, "questions", `${folder}/questions.css`);
}

/** Where each bundle is kept: folder and what writes it there. */
export const bundles = [{ dist: `${folder}/dist`, write: writeQuestions }];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { dist, write } of bundles) await write(join(root, dist));
}
