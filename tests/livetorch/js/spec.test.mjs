// The type of a figure's JSON holds for every figure that the book stores: no field is missing, none is unknown.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The figures of a notebook, as JSON. @param {string} file */
function figuresOf(file) {
  const { cells } = JSON.parse(readFileSync(join(root, "notebooks", file), "utf8"));
  const html = cells.flatMap((cell) => cell.outputs ?? []).map((output) => [output.data?.["text/html"] ?? []].flat().join(""));
  const found = html.flatMap((text) => [...text.matchAll(/<script type="application\/json">(.*?)<\/script>/gs)]);
  return found.map((match) => JSON.parse(match[1])).filter((spec) => spec.format === "livetorch/figure");
}

/** What the compiler says to figures that claim to be a Spec. @param {any[]} figures */
function complaints(figures) {
  mkdirSync(join(root, "_build"), { recursive: true });
  const folder = mkdtempSync(join(root, "_build/spec-"));
  try {
    const type = relative(folder, join(root, "livetorch/js/shared/spec.d.ts"));
    writeFileSync(join(folder, "figures.ts"), `import type { Spec } from "${type}";\nexport const figures: Spec[] = ${JSON.stringify(figures)};\n`);
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--types", "", join(folder, "figures.ts")];
    return spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...options], { encoding: "utf8" }).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const short = (figure) => ({ ...figure, programs: figure.programs.map((program) => ({ ...program, nodes: program.nodes.slice(0, 2), constants: program.constants.slice(0, 2) })) });
const figures = readdirSync(join(root, "notebooks")).filter((name) => name.endsWith(".ipynb")).flatMap(figuresOf).map(short);

test("every stored figure is a Spec", () => {
  assert.ok(figures.length > 50);
  assert.equal(complaints(figures), "");
});

test("a field that is missing, unknown or of another kind is found", () => {
  const [figure] = figures;
  const { caption, ...less } = figure;
  for (const wrong of [less, { ...figure, pace: 1 }, { ...figure, views: [{ ...figure.views[0], title: 1 }] }]) assert.match(complaints([wrong]), /error TS/);
});
