// A kind of view says everything about itself, and one that does not is named.
import assert from "node:assert/strict";
import { test } from "node:test";

import * as all from "../../../livetorch/js/views/all.mjs";
import { checkControls } from "../../../livetorch/js/controls/check.mjs";
import { kinds } from "../../../livetorch/js/controls/index.mjs";
import { addViews, hasGhost, partOfView, viewOf } from "../../../livetorch/js/views/index.mjs";
import { allChecked, HALVES } from "../../../livetorch/js/views/kind.mjs";

const fields = /** @type {const} */ (["part", ...Object.values(HALVES).flat()]);

test("every kind is complete, and its fields are the halves of it", () => {
  assert.deepEqual(Object.keys(allChecked(all)), Object.keys(all));
  for (const kind of Object.values(all)) for (const field of fields) assert.notEqual(kind[field], undefined);
});

test("a kind that lacks a field, or has another thing there, is named with its file", () => {
  for (const field of fields) {
    const { [field]: _, ...rest } = { ...all.bars };
    assert.throws(() => allChecked({ dots: rest }), new RegExp(`The view dots is incomplete: views/dots\\.mjs must export ${field} as a \\w+, and it does not export it`));
  }
  assert.throws(() => allChecked({ dots: { ...all.bars, still: null } }), /must export still as a function, and it is null/);
  assert.throws(() => allChecked({ dots: { ...all.bars, tells: "yes" } }), /must export tells as a boolean, and it is string/);
});

test("a kind that is not here, and a half that has not come, are named", () => {
  assert.throws(() => viewOf("dots", "create"), /no view of kind dots\. It has none/);
  assert.throws(() => viewOf("constructor", "create"), /no view of kind constructor/);
  const { create, sizeOf, level, tells } = all.bars;
  addViews({ bars: { create, sizeOf, level, tells } });
  assert.throws(() => viewOf("dots", "create"), /It has bars/);
  assert.throws(() => viewOf("bars", "numberAt"), /The view bars has no numberAt here/);
  addViews({ bars: { numberAt: all.bars.numberAt } });
  assert.equal(viewOf("bars", "numberAt"), all.bars.numberAt);
  assert.equal(viewOf("bars", "create"), create);
  assert.equal(partOfView("bars"), null);
});

test("a figure can be compared where something of a state stays in a view, which may come later", () => {
  addViews({ bars: { tells: true }, strip: { tells: true, ghost: null } });
  assert.deepEqual([{ kind: "bars" }, { kind: "strip" }].map(hasGhost), [true, false]);
});

test("a kind of control that lacks something is named with what it lacks", () => {
  checkControls(kinds);
  const { inputs, toLink, ...knob } = kinds.slider;
  assert.throws(() => checkControls({ knob }), /The control knob is incomplete: in js\/controls\/ it must have inputs, toLink as a function/);
});
