/** Going through a flow once: each press fills the next matrix, cell after cell; a press while it fills ends that. */

const PACE = 550; // milliseconds for a cell
const LONGEST = 6000; // for a matrix

/**
 * @param {object} parts
 * @param {() => {rows: number, cols: number}[]} parts.matrices
 * @param {(cell: import("./flow_content.mjs").Cell|null, speak: boolean) => void} parts.show a cell that has been filled; null: the walk has not begun
 * @param {() => boolean} parts.reducedMotion
 */
export function createWalk({ matrices, show, reducedMotion }) {
  /** @type {number[]} the matrices that are filled, in order; [] where nobody walks */
  let order = [];
  let at = -1;
  let count = 0; // cells of the present one that are there
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  const sizeOf = (/** @type {number} */ part) => matrices()[part].rows * matrices()[part].cols;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };

  /** @param {number} to so many cells of the present matrix */
  function fill(to) {
    const size = sizeOf(order[at]);
    const { cols } = matrices()[order[at]];
    count = Math.min(to, size);
    timer = count < size ? setTimeout(() => fill(count + 1), Math.min(PACE, LONGEST / size)) : undefined;
    show({ part: order[at], row: Math.floor((count - 1) / cols), col: (count - 1) % cols }, count === size);
  }

  return {
    /** Whether cells are still to come. */
    walking: () => order.length > 0,
    /** The matrix that the next press fills; null: the walk is over. */
    next: () => (order.length && at + 1 < order.length ? order[at + 1] : null),
    filling: () => timer !== undefined,
    place: () => ({ at: at + 1, of: order.length }),
    /** @param {number} part @param {number} i */
    empty: (part, i) => order.indexOf(part) > at || (order[at] === part && i >= count),
    /** @param {number[]} parts the matrices that are computed from others */
    begin(parts) {
      order = parts;
      at = -1;
    },
    press() {
      const filling = timer !== undefined;
      stop();
      if (filling) return fill(Infinity);
      if (at + 1 >= order.length) return undefined;
      at += 1;
      return fill(reducedMotion() ? Infinity : 1);
    },
    /** The matrix that was filled last is empty again; before the first one, everything is there. */
    back() {
      stop();
      if (at < 1) return this.end();
      at -= 1;
      return fill(Infinity);
    },
    /** Everything is there again. */
    end() {
      stop();
      order = [];
      at = -1;
      show(null, false);
    },
    stop,
  };
}
