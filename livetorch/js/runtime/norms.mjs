/** Norms of vectors, over axes or of everything. */
import { subtract } from "./binary.mjs";
import { floatType } from "./dtype.mjs";
import { reduce } from "./reduce.mjs";
import { axesOf, cast } from "./tensor.mjs";

/** @import { DType } from "./dtype.mjs" */
/** @import { Axes } from "./reduce.mjs" */
/** @import { Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

/**
 * Vector norms: 0 counts, the infinities take extremes, the others sum powers.
 * @param {Tensor} self @param {number} ord @param {Axes} dim @param {boolean} keepdim @param {DType|null} dtype
 */
function vectorNorm(self, ord, dim, keepdim, dtype) {
  const source = cast(self, dtype ?? floatType(self.dtype));
  const power = ord;
  const rounded = source.data instanceof Float32Array ? Math.fround : Number; // as torch does on the way: it may be beyond the type
  return reduce(source, axesOf(dim, self.shape.length), keepdim, source.dtype, (data, start, length) => {
    let total = power === -Infinity ? Infinity : 0;
    for (let i = start; i < start + length; i += 1) {
      const size = Math.abs(data[i]);
      if (Math.abs(power) === Infinity) {
        if (Number.isNaN(size)) return NaN;
        total = power > 0 ? Math.max(total, size) : Math.min(total, size);
      } else if (power === 0) total += size === 0 ? 0 : 1;
      else total += rounded(power === 2 ? size * size : size ** power);
    }
    if (power === 2) return Math.sqrt(rounded(total));
    return power === 0 || Math.abs(power) === Infinity ? total : rounded(total) ** (1 / power);
  });
}

/** @param {Tensor|null} value @param {number} initial */
const scalarOf = (value, initial) => (value === null ? initial : value.data[0]);
/** @param {Tensor} self @param {Tensor|null} p @param {Axes} dim @param {boolean} keepdim @param {DType|null} dtype */
const norm = (self, p, dim, keepdim, dtype) => vectorNorm(self, scalarOf(p, 2), dim, keepdim, dtype);

/** Norm of a difference. @param {Tensor} self @param {Tensor} other @param {Tensor} p */
function distance(self, other, p) {
  return norm(subtract(self, other), p, null, false, null);
}

/** @type {Table} */
export const norms = {
  "linalg_vector_norm.default": ["self:T ord:S=2 dim=null keepdim=false dtype=null", norm],
  "norm.Scalar": ["self:T p:S=2", (self, p) => norm(self, p, null, false, null)],
  "norm.ScalarOpt_dim": ["self:T p:S dim keepdim=false", norm],
  "dist.default": ["self:T other:T p:S=2", distance],
};
