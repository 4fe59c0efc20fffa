// Every figure that the notebooks store: some of its numbers opened down to their ends, and a rule for each operator.
// tests/browser/test_open_random.py opens more of them, at random settings, in Chromium.
import assert from "node:assert/strict";
import { test } from "node:test";

import { openFigure } from "../../../livetorch/js/open/figure.mjs";
import "../../../livetorch/js/open/load.mjs";
import { hasRule, written } from "../../../livetorch/js/open/open.mjs";
import "../../../livetorch/js/runtime/load.mjs";
import { walked } from "../opened.mjs";
import { figures } from "../stored_book.mjs";

const COUNT = 20; // numbers of each figure

test("the notebooks hold figures", () => {
  assert.ok(figures.length >= 30, `${figures.length} figures were found`);
});

test("every operator that a figure uses has a rule", () => {
  const used = new Set(figures.flatMap(({ spec }) => spec.programs.flatMap((/** @type {any} */ { nodes }) => nodes.map((/** @type {any} */ { op }) => op))));
  assert.ok(used.size >= 70);
  assert.deepEqual([...used].filter((op) => !hasRule(op)), []);
  assert.equal(hasRule("aten.no_such_operator.default"), false);
});

for (const { file, spec } of figures) {
  test(`${file}, ${spec.name}: numbers lead down to what the reader set or what is stored`, () => {
    const { faults, steps, operators, unknown } = walked(openFigure(spec), written, { count: COUNT });
    assert.deepEqual([...faults, ...unknown], []);
    assert.ok(steps >= COUNT);
    for (const op of operators) assert.ok(op === "" || hasRule(op), op);
  });
}
