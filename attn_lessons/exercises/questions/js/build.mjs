// Writes the questions' script and sheet into questions/built.

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { joined, save, small, writeSheet } from "../../../../livetorch/js/build/build.mjs";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** @param {string} outdir */
export async function writeQuestions(outdir) {
  const { text } = await joined(`import ${JSON.stringify(join(folder, "questions.mjs"))};`);
  save(outdir, "questions.js", `/*! The questions of Attention, Live. MIT. */\n${await small(text)}\n`);
  await writeSheet(outdir, "questions", join(folder, "questions.css"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeQuestions(join(folder, "../built"));
