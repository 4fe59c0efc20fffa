/** What stands in square brackets: `x[i, :, j]`, `x[mask]`, and writing there. */
import { broadcastShapes } from "./broadcast.mjs";
import { indexSelect, outside } from "./indexing.mjs";
import { cast, expanded, permuted, reshaped, sizeOf, stridesOf, tensor } from "./tensor.mjs";

/** @import { Table } from "./registry.mjs" */
/** @import { Tensor } from "./tensor.mjs" */

/**
 * What `x[i, :, j]` stands for: the axes picked from brought to the front, and their broadcast indices.
 * @param {Tensor} self @param {(Tensor|null)[]} indices
 */
function layoutOf(self, indices) {
  const list = indices.flatMap((index) => (index?.dtype === "bool" ? fromMask(index) : [index]));
  const picked = list.flatMap((index, axis) => (index ? [axis] : []));
  const others = self.shape.map((_, axis) => axis).filter((axis) => !picked.includes(axis));
  const shape = broadcastShapes(...list.flatMap((index) => (index ? [index.shape] : [])));
  const places = new Float64Array(sizeOf(shape));
  list.forEach((index, axis) => {
    if (!index) return;
    const { data } = expanded(index, shape);
    const length = self.shape[axis];
    for (let i = 0; i < places.length; i += 1) {
      if (!(data[i] >= -length && data[i] < length)) throw outside(data[i], length);
      places[i] = places[i] * length + data[i] + (data[i] < 0 ? length : 0);
    }
  });
  const adjacent = picked.every((axis, k) => k === 0 || axis === picked[k - 1] + 1);
  return { picked, others, shape, places, adjacent, front: adjacent ? (picked[0] ?? 0) : 0 };
}

/** A bool mask as one tensor of places per axis it covers. @param {Tensor} mask */
function fromMask(mask) {
  /** @type {number[]} */
  const places = [];
  mask.data.forEach((value, i) => value && places.push(i));
  return stridesOf(mask.shape).map((stride, axis) => {
    const along = places.map((place) => Math.floor(place / stride) % mask.shape[axis]);
    return tensor([places.length], "int64", Float64Array.from(along));
  });
}

/**
 * Order of axes that takes the indexed result to where torch puts the indexed axes.
 * @param {number} indexed @param {number} rest @param {number} front
 */
function resultOrder(indexed, rest, front) {
  const axes = Array.from({ length: indexed + rest }, (_, k) => k);
  const moved = axes.slice(0, indexed);
  const left = axes.slice(indexed);
  return [...left.slice(0, front), ...moved, ...left.slice(front)];
}

/** @param {Tensor} self @param {(Tensor|null)[]} indices */
function index(self, indices) {
  const { picked, others, shape, places, adjacent, front } = layoutOf(self, indices);
  const where = tensor([places.length], "int64", places);
  if (adjacent && picked.length > 0) {
    const [before, after] = [self.shape.slice(0, front), self.shape.slice(front + picked.length)];
    const span = sizeOf(picked.map((axis) => self.shape[axis]));
    const out = indexSelect(reshaped(self, [sizeOf(before), span, sizeOf(after)]), 1, where);
    return reshaped(out, [...before, ...shape, ...after]);
  }
  const turned = permuted(self, [...picked, ...others]);
  const rest = others.map((axis) => self.shape[axis]);
  const rows = reshaped(turned, [sizeOf(picked.map((axis) => self.shape[axis])), sizeOf(rest)]);
  const out = indexSelect(rows, 0, where);
  return permuted(reshaped(out, [...shape, ...rest]), resultOrder(shape.length, rest.length, front));
}

/** @param {Tensor} self @param {(Tensor|null)[]} indices @param {Tensor} values @param {boolean} accumulate */
function indexPut(self, indices, values, accumulate) {
  const { picked, others, shape, places, front } = layoutOf(self, indices);
  const turned = permuted(self, [...picked, ...others]);
  const rest = others.map((axis) => self.shape[axis]);
  const order = resultOrder(shape.length, rest.length, front);
  const full = [...shape, ...rest];
  const wide = expanded(
    cast(values, self.dtype),
    order.map((axis) => full[axis]),
  );
  const back = order.map((_, axis) => order.indexOf(axis));
  const { data } = permuted(wide, back);
  const width = sizeOf(rest);
  const out = new Float64Array(turned.data);
  places.forEach((place, k) => {
    for (let i = 0; i < width; i += 1) {
      out[place * width + i] = (accumulate ? out[place * width + i] : -0) + data[k * width + i];
    }
  });
  const axes = [...picked, ...others];
  const result = cast(tensor(turned.shape, "float64", out), self.dtype);
  return permuted(
    result,
    axes.map((_, axis) => axes.indexOf(axis)),
  );
}

const PUT = "self:T indices:L values:T accumulate=false";

/** @type {Table} */
export const brackets = {
  "index.Tensor": ["self:T indices:L", index],
  "index_put.default": [PUT, indexPut],
};
