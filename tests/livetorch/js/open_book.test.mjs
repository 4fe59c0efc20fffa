// Every figure that the notebooks store: some of its numbers opened down to their ends, and a rule for each operator.
// tests/browser/test_open_random.py opens more of them, at random settings, in Chromium.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { openFigure } from "../../../livetorch/js/open/figure.mjs";
import { hasRule, written } from "../../../livetorch/js/open/open.mjs";
import "../../../livetorch/js/runtime/load.mjs";
import { walked } from "../opened.mjs";

const folder = fileURLToPath(new URL("../../../notebooks/", import.meta.url));
const COUNT = 20; // numbers of each figure
const FIGURE = /<figure class="livetorch".*?<script type="application\/json">(.*?)<\/script>/gs;

/** What a file beside a notebook hands to a page. @param {string} url */
const constants = (url) => JSON.parse(readFileSync(folder + url, "utf8").replace(/^[^,]*,/, "").replace(/\);\n$/, ""));

/** A figure's JSON with the constants that lie beside the notebook. @param {string} html @param {string} json */
function whole(html, json) {
  const urls = html.match(/^[^>]* data-pool="([^"]*)"/)?.[1].split(" ");
  return urls ? { ...JSON.parse(json), pool: urls.flatMap(constants) } : JSON.parse(json);
}

/** The figures of a notebook, as their cells store them. @param {string} file */
function figuresOf(file) {
  const { cells } = JSON.parse(readFileSync(folder + file, "utf8"));
  const pages = cells.flatMap((/** @type {any} */ { outputs = [] }) => outputs.map((/** @type {any} */ { data }) => [data?.["text/html"] ?? ""].flat().join("")));
  return pages.flatMap((/** @type {string} */ page) => [...page.matchAll(FIGURE)].map(([html, json]) => whole(html, json)));
}

const figures = readdirSync(folder).filter((name) => name.endsWith(".ipynb")).flatMap((file) => figuresOf(file).map((spec) => ({ file, spec })));

test("the notebooks hold figures", () => {
  assert.ok(figures.length >= 30, `${figures.length} figures were found`);
});

test("every operator that a figure uses has a rule", () => {
  const used = new Set(figures.flatMap(({ spec }) => spec.programs.flatMap((/** @type {any} */ { nodes }) => nodes.map((/** @type {any} */ { op }) => op))));
  assert.ok(used.size >= 70);
  assert.deepEqual([...used].filter((op) => !hasRule(op)), []);
  assert.equal(hasRule("aten.linalg_inv_ex.default"), false);
});

for (const { file, spec } of figures) {
  test(`${file}, ${spec.name}: numbers lead down to what the reader set or what is stored`, () => {
    const { faults, steps, operators, unknown } = walked(openFigure(spec), written, { count: COUNT });
    assert.deepEqual([...faults, ...unknown], []);
    assert.ok(steps >= COUNT);
    for (const op of operators) assert.ok(op === "" || hasRule(op), op);
  });
}
