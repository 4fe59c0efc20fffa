// Which figures fetch the rules of rare operators; here nothing has fetched them yet.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rare } from "../../../livetorch/js/open/rare.mjs";
import { hasRule } from "../../../livetorch/js/open/rules.mjs";

test("a figure with an operator of the part with rare rules fetches that part, also where the operator only moves numbers", () => {
  assert.ok("embedding" in rare);
  assert.deepEqual(
    Object.keys(rare).filter((name) => hasRule(`aten.${name}.default`)),
    [],
  );
});
