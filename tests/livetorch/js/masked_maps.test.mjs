// Masked cells are hatched and carry no number in every map of every figure that the notebooks store.
import assert from "node:assert/strict";
import { test } from "node:test";

import "../../../livetorch/js/runtime/load.mjs";
import { maskFaults, settingsOf } from "../masked_maps.mjs";
import { figures } from "../stored_book.mjs";

/** Every fault of a figure, at its own settings and at each choice, tick and example. @param {any} spec */
function looked(spec) {
  const all = settingsOf(spec).map((settings) => maskFaults(spec, settings));
  return { masked: all.reduce((sum, one) => sum + one.masked, 0), faults: [...new Set(all.flatMap(({ faults }) => faults))] };
}

const withMask = figures.map((figure) => ({ ...figure, ...looked(figure.spec) })).filter(({ masked }) => masked > 0);

test("figures with a mask are found by what their Programs do", () => {
  const names = withMask.map(({ spec }) => spec.name);
  assert.ok(names.length >= 12, `only ${names.join(", ")}`);
  for (const name of ["by-length", "bench", "properties", "learn", "by-hand-next", "two-hops"]) assert.ok(names.includes(name), name);
});

for (const { file, spec, faults } of withMask) {
  test(`${file}, ${spec.name}: what is masked is hatched and has no number`, () => assert.deepEqual(faults, []));
}

test("a map that does not know its mask is found, be it a heatmap or a flow", () => {
  const blind = (/** @type {any} */ spec) => {
    const forgets = (/** @type {any} */ view) => ({ ...view, mask: null, parts: view.parts?.map((/** @type {any} */ part) => ({ ...part, mask: null })) });
    return { ...spec, views: spec.views.map(forgets) };
  };
  for (const { file, spec } of withMask) {
    const { faults } = looked(blind(spec));
    assert.ok(faults.length > 0, `${file}, ${spec.name} would pass without its masks`);
  }
  const flow = withMask.find(({ spec }) => spec.name === "two-hops");
  assert.match(looked(blind(flow?.spec)).faults.join(), /carry a number, such as 0/);
});
