/** Whether two lists hold the same, numbers bit by bit. @param {ArrayLike<unknown>} one @param {ArrayLike<unknown>} other */
export function same(one, other) {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i += 1) if (!Object.is(one[i], other[i])) return false;
  return true;
}
