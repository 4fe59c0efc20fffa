/** Which of equal numbers `topk` and `kthvalue` take: in the page those that torch takes; it selects as C++ does. */
import { reducedShape } from "../../livetorch/js/runtime/reduce.mjs";
import { axisFromEnd, axisOf, axisToEnd, tensor } from "../../livetorch/js/runtime/tensor.mjs";

/** @import { Numbers } from "../../livetorch/js/runtime/dtype.mjs" */
/** @import { Kernel } from "../../livetorch/js/runtime/registry.mjs" */
/** @import { Tensor } from "../../livetorch/js/runtime/tensor.mjs" */

/** @typedef {(i: number, j: number) => boolean} Before whether one place stands before another */

/** The k first places of a row in their order, as std::nth_element and std::sort leave them. @param {number} n @param {number} k @param {Before} before */
function firstPlaces(n, k, before) {
  const places = Array.from({ length: n }, (_, i) => i);
  if (k === 0) return [];
  if (k * 64 <= n) {
    partialSort(places, 0, k, n, before);
    return places.slice(0, k);
  }
  nth(places, k - 1, before);
  const first = places.slice(0, k - 1);
  introSort(first, 0, k - 1, 2 * Math.floor(Math.log2(k - 1 || 1)), before);
  return [...insertionSort(first, 0, k - 1, before), places[k - 1]];
}

/** @param {number[]} a @param {number} i @param {number} j */
function swap(a, i, j) {
  [a[i], a[j]] = [a[j], a[i]];
}

/** @param {number[]} a @param {number} first @param {number} last @param {Before} before */
function insertionSort(a, first, last, before) {
  for (let i = first + 1; i < last; i += 1) {
    const value = a[i];
    let j = i;
    for (; j > first && before(value, a[j - 1]); j -= 1) a[j] = a[j - 1];
    a[j] = value;
  }
  return a;
}

/** Parts a row about the median of three; gives where the second part begins. @param {number[]} a @param {number} first @param {number} last @param {Before} before */
function parted(a, first, last, before) {
  const [x, y, z] = [first + 1, first + ((last - first) >> 1), last - 1];
  const ordered = before(a[x], a[y]);
  const [low, high] = ordered ? [x, y] : [y, x];
  if (before(a[high], a[z])) swap(a, first, high);
  else swap(a, first, before(a[low], a[z]) ? z : low);
  let [i, j] = [first + 1, last];
  for (;;) {
    while (before(a[i], a[first])) i += 1;
    do j -= 1;
    while (before(a[first], a[j]));
    if (i >= j) return i;
    swap(a, i, j);
    i += 1;
  }
}

/** @param {number[]} a @param {number} k @param {Before} before */
function nth(a, k, before) {
  let [first, last, depth] = [0, a.length, 2 * Math.floor(Math.log2(a.length))];
  for (; last - first > 3; depth -= 1) {
    if (depth === 0) {
      heapSelect(a, first, k + 1, last, before);
      swap(a, first, k);
      return;
    }
    const cut = parted(a, first, last, before);
    if (cut <= k) first = cut;
    else last = cut;
  }
  insertionSort(a, first, last, before);
}

/** @param {number[]} a @param {number} first @param {number} end @param {number} deepest @param {Before} before */
function introSort(a, first, end, deepest, before) {
  let [last, depth] = [end, deepest];
  for (; last - first > 16 && depth > 0; depth -= 1) {
    const cut = parted(a, first, last, before);
    introSort(a, cut, last, depth - 1, before);
    last = cut;
  }
  if (last - first > 16) partialSort(a, first, last, last, before);
}

/** @param {number[]} a @param {number} first @param {number} middle @param {number} last @param {Before} before */
function partialSort(a, first, middle, last, before) {
  heapSelect(a, first, middle, last, before);
  for (let end = middle - 1; end > first; end -= 1) {
    const value = a[end];
    a[end] = a[first];
    sift(a, first, 0, end - first, value, before);
  }
}

/** @param {number[]} a @param {number} first @param {number} hole @param {number} length @param {number} value @param {Before} before */
function sift(a, first, hole, length, value, before) {
  let at = hole;
  while (2 * at + 2 < length) {
    const child = 2 * at + 2 - Number(before(a[first + 2 * at + 2], a[first + 2 * at + 1]));
    a[first + at] = a[first + child];
    at = child;
  }
  if (2 * at + 2 === length) {
    a[first + at] = a[first + 2 * at + 1];
    at = 2 * at + 1;
  }
  for (let above = (at - 1) >> 1; at > hole && before(a[first + above], value); above = (at - 1) >> 1) {
    a[first + at] = a[first + above];
    at = above;
  }
  a[first + at] = value;
}

/** Brings the first places of a row into a heap, as std::partial_sort begins. @param {number[]} a @param {number} first @param {number} middle @param {number} last @param {Before} before */
function heapSelect(a, first, middle, last, before) {
  const length = middle - first;
  for (let top = (length - 2) >> 1; top >= 0; top -= 1) sift(a, first, top, length, a[first + top], before);
  for (let i = middle; i < last; i += 1) {
    if (!before(a[i], a[first])) continue;
    const value = a[i];
    a[i] = a[first];
    sift(a, first, 0, length, value, before);
  }
}

/** The place of the k-th of a row (from 0) as torch's kthvalue finds it. @param {number} n @param {number} k @param {Before} after */
function quickSelect(n, k, after) {
  const a = Array.from({ length: n }, (_, i) => i);
  let [left, right] = [0, n - 1];
  while (right > left + 1) {
    swap(a, (left + right) >> 1, left + 1);
    if (after(a[left + 1], a[right])) swap(a, left + 1, right);
    if (after(a[left], a[right])) swap(a, left, right);
    if (after(a[left + 1], a[left])) swap(a, left + 1, left);
    let [i, j] = [left + 1, right];
    for (;;) {
      do i += 1;
      while (after(a[left], a[i]));
      do j -= 1;
      while (after(a[j], a[left]));
      if (j < i) break;
      swap(a, i, j);
    }
    swap(a, left, j);
    if (j <= k) left = i;
    if (j >= k) right = j - 1;
  }
  if (right === left + 1 && after(a[left], a[right])) swap(a, left, right);
  return a[k];
}

/** Whether one number of a row stands above another, NaN above all. @param {Numbers} data @param {number} start */
const above = (data, start) => (/** @type {number} */ i, /** @type {number} */ j) =>
  data[start + i] > data[start + j] || (Number.isNaN(data[start + i]) && !Number.isNaN(data[start + j]));

/**
 * Values and places of each row that are chosen.
 * @param {Tensor} self @param {number} dim @param {number} count how many of a row
 * @param {(length: number, above: (i: number, j: number) => boolean) => ArrayLike<number>} choose
 */
function chosen(self, dim, count, choose) {
  const axis = axisOf(dim, self.shape.length);
  const lined = axisToEnd(self, axis);
  const length = self.shape.length === 0 ? 1 : self.shape[axis];
  const shape = self.shape.length === 0 ? [] : [...lined.shape.slice(0, -1), count];
  const [values, places] = [tensor(shape, self.dtype), tensor(shape, "int64")];
  for (let row = 0; row * count < values.data.length; row += 1) {
    const order = choose(length, above(lined.data, row * length));
    for (let i = 0; i < count; i += 1) {
      values.data[row * count + i] = lined.data[row * length + order[i]];
      places.data[row * count + i] = order[i];
    }
  }
  return [axisFromEnd(values, axis), axisFromEnd(places, axis)];
}

/** @param {Tensor} self @param {number} k @param {number} dim @param {boolean} largest */
function topk(self, k, dim, largest) {
  const count = self.shape.length === 0 ? 1 : k;
  return chosen(self, dim, count, (length, over) => firstPlaces(length, count, largest ? over : (i, j) => over(j, i)));
}

/**
 * The k-th smallest value; the median is the lower one of the middle two.
 * @param {Tensor} self @param {number} k @param {number} dim @param {boolean} keepdim
 */
function kthvalue(self, k, dim, keepdim) {
  const axis = axisOf(dim, self.shape.length);
  const shape = self.shape.length === 0 ? [] : reducedShape(self.shape, [axis], keepdim);
  return chosen(self, dim, 1, (length, over) => [quickSelect(length, k - 1, over)]).map((part) => tensor(shape, part.dtype, part.data));
}

/** Kernels that stand before the runtime's, in which equal numbers keep their order. @type {Record<string, Kernel>} */
export const likeTorch = { "topk.default": topk, "kthvalue.default": kthvalue };
