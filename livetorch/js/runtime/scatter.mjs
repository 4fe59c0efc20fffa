/** Operators that write to places which tensors of indices name. */
import { broadcastShapes, filled } from "./broadcast.mjs";
import { isFloat } from "./dtype.mjs";
import { outside, visitIndexed } from "./indexing.mjs";
import { axisOf, cast, expanded, reshaped, stridesOf, tensor, writeStrided } from "./tensor.mjs";

/** @import { Numeric } from "./broadcast.mjs" */
/** @import { Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

/**
 * @param {Tensor} grad @param {Tensor} indices @param {number} rows @param {number} paddingIndex
 * @param {boolean} scaleByFrequency
 */
function embeddingBackward(grad, indices, rows, paddingIndex, scaleByFrequency) {
  const [width] = grad.shape.slice(-1);
  const out = new Float64Array(rows * width);
  const counts = new Map();
  for (const row of indices.data) counts.set(row, (counts.get(row) ?? 0) + 1);
  indices.data.forEach((row, k) => {
    if (row === paddingIndex) return;
    const scale = scaleByFrequency ? 1 / counts.get(row) : 1;
    for (let i = 0; i < width; i += 1) out[row * width + i] += scale * grad.data[k * width + i];
  });
  return cast(tensor([rows, width], "float64", out), grad.dtype);
}

/**
 * The places of an index within `src`, which may be larger than the index.
 * @param {Tensor} index @param {Tensor} src @returns {(i: number) => number}
 */
function sourcePlaces(index, src) {
  const rank = index.shape.length;
  if (src.data.length === index.data.length || rank === 0) return (i) => i;
  const own = stridesOf(index.shape);
  const strides = stridesOf(src.shape);
  return (i) => index.shape.reduce((place, length, k) => place + (Math.floor(i / own[k]) % length) * strides[k], 0);
}

/** @type {Record<string, Numeric>} */
const combineBy = {
  add: (x, y) => x + y,
  sum: (x, y) => x + y,
  multiply: (x, y) => x * y,
  prod: (x, y) => x * y,
  amax: (x, y) => (Number.isNaN(x) || Number.isNaN(y) ? NaN : Math.max(x, y)),
  amin: (x, y) => (Number.isNaN(x) || Number.isNaN(y) ? NaN : Math.min(x, y)),
};

/**
 * Writes or combines the elements of `src` at the places that `index` names.
 * @param {Tensor} self @param {number} dim @param {Tensor} index @param {Tensor} src @param {Numeric} [join]
 */
function scatter(self, dim, index, src, join) {
  const out = new Float64Array(self.data);
  const from = sourcePlaces(index, src);
  visitIndexed(self, dim, index, (i, place) => {
    const value = src.data[from(i)];
    out[place] = join ? join(out[place], value) : value;
  });
  return cast(tensor(self.shape, "float64", out), self.dtype);
}

/**
 * @param {Tensor} self @param {number} dim @param {Tensor} index @param {Tensor} src @param {string} reduce
 * @param {boolean} includeSelf
 */
function scatterReduce(self, dim, index, src, reduce, includeSelf) {
  const join = combineBy[reduce === "mean" ? "sum" : reduce];
  const out = new Float64Array(self.data);
  const counts = new Float64Array(out.length).fill(includeSelf ? 1 : 0);
  const from = sourcePlaces(index, src);
  visitIndexed(self, dim, index, (i, place) => {
    const value = src.data[from(i)];
    out[place] = counts[place] === 0 ? value : join(out[place], value);
    counts[place] += 1;
  });
  if (reduce === "mean") {
    for (let i = 0; i < out.length; i += 1) if (counts[i] > 1) out[i] /= counts[i];
    if (!isFloat(self.dtype)) for (let i = 0; i < out.length; i += 1) out[i] = Math.floor(out[i]);
  }
  return cast(tensor(self.shape, "float64", out), self.dtype);
}

/** @param {Tensor} index @param {Tensor} value @param {Tensor} self */
const constantLike = (index, value, self) => filled(index.shape, self.dtype, value.data[0]);

/**
 * `index_add` and `index_copy`: whole slices along one axis.
 * @param {Tensor} self @param {number} dim @param {Tensor} index @param {Tensor} source @param {Tensor|null} alpha
 * @param {Numeric} [join]
 */
function indexSlices(self, dim, index, source, alpha, join) {
  const axis = axisOf(dim, self.shape.length);
  const places = reshaped(
    index,
    self.shape.map((_, k) => (k === axis ? index.data.length : 1)),
  );
  const scale = alpha === null ? 1 : alpha.data[0];
  const values = { ...source, data: Float64Array.from(source.data, (x) => x * scale) };
  return scatter(self, dim, expanded(places, self.shape.length === 0 ? [] : source.shape), values, join);
}

/**
 * The elements of `source`, one after the other, in the places of a mask.
 * @param {Tensor} self @param {Tensor} mask @param {Tensor} source
 */
function maskedScatter(self, mask, source) {
  const shape = broadcastShapes(self.shape, mask.shape);
  const out = expanded(self, shape).data.slice();
  let next = 0;
  expanded(mask, shape).data.forEach((value, i) => {
    if (value && next >= source.data.length) throw new Error("Number of elements of source < number of ones in mask");
    if (value) out[i] = source.data[next++];
  });
  return tensor(shape, self.dtype, out);
}

/** 1 at each index, 0 elsewhere. @param {Tensor} self @param {number} classes */
function oneHot(self, classes) {
  let top = -1;
  for (const index of self.data) top = Math.max(top, index);
  const width = classes === -1 ? top + 1 : classes;
  const out = tensor([...self.shape, width], "int64");
  self.data.forEach((index, k) => {
    if (index < 0 || index >= width) throw outside(index, width);
    out.data[k * width + index] = 1;
  });
  return out;
}

const SCATTER = "self:T dim index:T";

/**
 * A vector on the diagonal of a new matrix.
 * @param {Tensor} self @param {number} offset @param {number} dim1 @param {number} dim2
 */
function diagEmbed(self, offset, dim1, dim2) {
  const rank = self.shape.length + 1;
  const [a, b] = [axisOf(dim1, rank), axisOf(dim2, rank)];
  const [length] = self.shape.slice(-1);
  const lead = self.shape.slice(0, -1);
  const side = length + Math.abs(offset);
  const shape = [];
  for (let axis = 0, k = 0; axis < rank; axis += 1) shape.push(axis === a || axis === b ? side : lead[k++]);
  const strides = stridesOf(shape);
  const kept = strides.filter((_, axis) => axis !== a && axis !== b);
  const start = offset >= 0 ? offset * strides[b] : -offset * strides[a];
  return writeStrided(tensor(shape, self.dtype), self, self.shape, [...kept, strides[a] + strides[b]], start);
}

/** @type {Table} */
export const scattering = {
  "diag_embed.default": ["self:T offset=0 dim1=-2 dim2=-1", diagEmbed],
  "embedding_dense_backward.default": ["grad_output:T indices:T num_weights padding_idx scale_grad_by_freq", embeddingBackward],
  "scatter.src": [`${SCATTER} src:T`, (self, dim, at, src) => scatter(self, dim, at, src)],
  "scatter.value": [`${SCATTER} value:S`, (self, dim, at, value) => scatter(self, dim, at, constantLike(at, value, self))],
  "scatter.reduce": [`${SCATTER} src:T reduce`, (self, dim, at, src, by) => scatter(self, dim, at, src, combineBy[by])],
  "scatter.value_reduce": [
    `${SCATTER} value:S reduce`,
    (self, dim, at, value, by) => scatter(self, dim, at, constantLike(at, value, self), combineBy[by]),
  ],
  "scatter_add.default": [`${SCATTER} src:T`, (self, dim, at, src) => scatter(self, dim, at, src, combineBy.sum)],
  "scatter_reduce.two": [`${SCATTER} src:T reduce include_self=true`, scatterReduce],
  "index_add.default": [
    `${SCATTER} source:T alpha:S=1`,
    (self, dim, at, source, alpha) => indexSlices(self, dim, at, source, alpha, combineBy.sum),
  ],
  "index_copy.default": [`${SCATTER} source:T`, (self, dim, at, source) => indexSlices(self, dim, at, source, null)],
  "masked_scatter.default": ["self:T mask:T source:T", maskedScatter],
  "one_hot.default": ["self:T num_classes=-1", oneHot],
};
