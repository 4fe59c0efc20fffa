/** Operators that make tensors from nothing, and conversions of type. */
import { isFloat } from "./dtype.mjs";
import { filled } from "./broadcast.mjs";
import { cast } from "./tensor.mjs";

/** @import { DType } from "./dtype.mjs" */
/** @import { Kernel, Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

/** Options that say where torch keeps a tensor; a Program may carry them, the runtime does not look. */
export const PLACE = "layout=null device=null pin_memory=null";
export const OPTIONS = `dtype=null ${PLACE}`;

/** The dtype of a tensor made from one plain number. @param {Tensor} number */
const typeOfNumber = ({ dtype }) => dtype;

/** @param {number[]} size @param {Tensor} value @param {DType|null} dtype */
const full = (size, value, dtype) => filled(size, dtype ?? typeOfNumber(value), value.data[0]);
/** @param {Tensor} self @param {Tensor} value @param {DType|null} dtype */
const fullLike = (self, value, dtype) => filled(self.shape, dtype ?? self.dtype, value.data[0]);
/** @param {number} value @returns {Kernel} */
const constant = (value) => (size, dtype) => filled(size, dtype ?? "float32", value);
/** @param {number} value @returns {Kernel} */
const constantLike = (value) => (self, dtype) => filled(self.shape, dtype ?? self.dtype, value);
/** @param {number} value @returns {Kernel} */
const newConstant = (value) => (self, size, dtype) => filled(size, dtype ?? self.dtype, value);

/** @type {Tensor} */
const ZERO = { shape: [], dtype: "int64", data: Float64Array.of(0) };
/** @type {Tensor} */
const ONE = { shape: [], dtype: "int64", data: Float64Array.of(1) };

/** @param {Tensor} start @param {Tensor} end @param {Tensor} step @param {DType|null} dtype */
function arange(start, end, step, dtype) {
  const numbers = [start, end, step];
  const type = dtype ?? (numbers.some((number) => isFloat(number.dtype)) ? "float32" : "int64");
  /** @type {(number: Tensor) => number} */
  const read = isFloat(type) ? (number) => number.data[0] : (number) => Math.trunc(number.data[0]);
  const [first, last, by] = numbers.map(read);
  const length = Math.max(0, Math.ceil((last - first) / by));
  const values = Float64Array.from({ length }, (_, i) => first + i * by);
  return cast({ shape: [length], dtype: "float64", data: values }, type);
}

/** @param {Tensor} self @param {DType|null} dtype */
const toCopy = (self, dtype) => (dtype === null ? self : cast(self, dtype));

/** @type {Table} */
export const creation = {
  "full.default": [`size fill_value:S ${OPTIONS}`, full],
  "full_like.default": [`self:T fill_value:S ${OPTIONS} memory_format=null`, fullLike],
  "fill.Scalar": ["self:T value:S", (self, value) => fullLike(self, value, null)],
  "fill.Tensor": ["self:T value:T", (self, value) => fullLike(self, value, null)],
  "scalar_tensor.default": [`s:S ${OPTIONS}`, (value, dtype) => filled([], dtype ?? "float32", value.data[0])],
  "zeros.default": [`size ${OPTIONS}`, constant(0)],
  "ones.default": [`size ${OPTIONS}`, constant(1)],
  "empty.memory_format": [`size ${OPTIONS} memory_format=null`, constant(0)],
  "empty_strided.default": [`size stride ${OPTIONS}`, (size, _, dtype) => constant(0)(size, dtype)],
  "empty_permuted.default": [`size physical_layout ${OPTIONS}`, (size, _, dtype) => constant(0)(size, dtype)],
  "zeros_like.default": [`self:T ${OPTIONS} memory_format=null`, constantLike(0)],
  "ones_like.default": [`self:T ${OPTIONS} memory_format=null`, constantLike(1)],
  "empty_like.default": [`self:T ${OPTIONS} memory_format=null`, constantLike(0)],
  "new_zeros.default": [`self:T size ${OPTIONS}`, newConstant(0)],
  "new_ones.default": [`self:T size ${OPTIONS}`, newConstant(1)],
  "new_empty.default": [`self:T size ${OPTIONS}`, newConstant(0)],
  "new_empty_strided.default": [`self:T size stride ${OPTIONS}`, (self, size, _, dtype) => newConstant(0)(self, size, dtype)],
  "new_full.default": [
    `self:T size fill_value:S ${OPTIONS}`,
    (self, size, value, dtype) => filled(size, dtype ?? self.dtype, value.data[0]),
  ],
  "arange.default": [`end:S ${OPTIONS}`, (end, dtype) => arange(ZERO, end, ONE, dtype)],
  "arange.start": [`start:S end:S ${OPTIONS}`, (start, end, dtype) => arange(start, end, ONE, dtype)],
  "arange.start_step": [`start:S end:S step:S=1 ${OPTIONS}`, arange],
  "_to_copy.default": [`self:T ${OPTIONS} non_blocking=false memory_format=null`, toCopy],
  "to.dtype": ["self:T dtype non_blocking=false copy=false memory_format=null", toCopy],
};
