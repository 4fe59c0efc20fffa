// A figure of one slider and one choice, and the same as one that takes steps.

const scalar = (/** @type {string} */ name, dtype = "float32") => ({ name, shape: [], dtype });

/** width * factor, and what training would make of it. @param {number} factor */
const times = (factor) => ({
  format: "livetorch/program",
  version: 1,
  inputs: [scalar("width")],
  constants: [{ dtype: "float32", shape: [1, 2], data: "AACAPwAAAEA=" }], // [[1, 2]]
  nodes: [
    { op: "aten.mul.Tensor", args: [{ v: 1 }, { v: 0 }], kwargs: {}, outs: 1 },
    { op: "aten.mul.Scalar", args: [{ v: 2 }, { f: factor }], kwargs: {}, outs: 1 },
    { op: "aten.mul.Scalar", args: [{ v: 0 }, 0.5], kwargs: {}, outs: 1 },
  ],
  outputs: [{ name: "output", value: 3 }, { name: "next", value: 4 }],
});

export const width = { name: "width", label: "Width", kind: "slider", value: 0.5, min: 0, max: 2, step: 0.1, format: ".2f", dtype: "float32", scale: "linear", description: null };
export const kind = { name: "kind", label: "Kind", kind: "dropdown", value: 0, options: ["once", "ten times"], variant: true, description: null };

export const figure = (more = {}) => ({
  format: "livetorch/figure",
  version: 1,
  name: "demo",
  title: "Demo",
  caption: "A caption",
  controls: [width, kind],
  programs: [times(1), times(10)],
  pool: [],
  variants: { controls: ["kind"], keys: { 0: 0, 1: 1 } },
  views: [],
  carry: null,
  ...more,
});

export const carrying = figure({ carry: { names: { width: "next" }, steps: 8, pace: 1000 } });
