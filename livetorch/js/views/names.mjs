/** Where the names of points stand, so that none lies over another or over a point. Pure functions. */
import { textWidth } from "../shared/format.mjs";

/** @typedef {{x0: number, y0: number, x1: number, y1: number}} Box */
/** @typedef {{x: number, y: number, anchor: "start"|"end"|"middle"}} Place */

const REACH = 8; // pixels that a point takes to each side
const NEAR = 16; // a name closer than this to another point could be taken for that one's
const FAR = 60; // what a line further off costs, in pixels of overlap
const TALL = 12; // of a line of letters
const SAMPLE = 1 / 64; // of a line, where it is looked whether it runs under a name
const STRUCK = 9; // what each pixel of a line under a name costs
const MOST = 40; // and all of them: less than a line further off, or than a name over another
const STEPS = /** @type {const} */ ([
  [1, -1],
  [1, 1],
  [-1, -1],
  [-1, 1],
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
]);

/** How much of two boxes is the same. @param {Box} a @param {Box} b */
const shared = (a, b) =>
  Math.max(0, Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0)) * Math.max(0, Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0));

/** About how many pixels of a line lie in a box. @param {number[]} line @param {Box} box */
function within([x0, y0, x1, y1], box) {
  let inside = 0;
  for (let share = 0; share < 1; share += SAMPLE) {
    const [x, y] = [x0 + share * (x1 - x0), y0 + share * (y1 - y0)];
    if (x > box.x0 && x < box.x1 && y > box.y0 && y < box.y1) inside += SAMPLE;
  }
  return inside * Math.hypot(x1 - x0, y1 - y0);
}

/**
 * The place of each name: beside its point, on the side that is asked for if that is free.
 * @param {{x: number, y: number, text: string, side: readonly [number, number]}[]} points side: where the name would like to stand
 * @param {{left: number, width: number, bottom: number}} room right of the axis' numbers and above those of the other one
 * @param {number[][]} [lines] from where to where those run over which a name is hard to read
 * @returns {Place[]}
 */
export function placeNames(points, { left: start, width, bottom }, lines = []) {
  /** @type {Box[]} */
  const taken = points.map(({ x, y }) => ({ x0: x - REACH, x1: x + REACH, y0: y - REACH, y1: y + REACH }));
  return points.map(({ x, y, text, side }, own) => {
    const others = points.flatMap((one, i) =>
      i === own ? [] : [{ x0: one.x - NEAR, x1: one.x + NEAR, y0: one.y - NEAR, y1: one.y + NEAR }],
    );
    const wide = textWidth(text, 12.5);
    // some lines further off, where many points lie on each other
    const rings = [0, 1, 2, 3, 4, 5].flatMap((ring) => (ring ? STEPS : [side, ...STEPS]).map(([dx, dy]) => [dx, dy, ring]));
    const tries = rings.map(([dx, dy, ring]) => {
      const left = dx > 0 ? x + 10 : dx < 0 ? x - 10 - wide : x - wide / 2;
      const near = dy < 0 ? y - (dx ? 7 : 12) : dy > 0 ? y + (dx ? 16 : 22) : y + 4;
      const base = near + (dy < 0 ? -1 : 1) * ring * (TALL + 3);
      const box = { x0: left, x1: left + wide, y0: base - TALL, y1: base + 3 };
      const beyond = Math.max(0, start - box.x0, box.x1 - width, -box.y0, box.y1 - bottom);
      const anchor = /** @type {Place["anchor"]} */ (dx > 0 ? "start" : dx < 0 ? "end" : "middle");
      const at = { x: dx ? x + 10 * dx : x, y: base, anchor };
      return {
        at,
        box,
        cost:
          FAR * ring +
          TALL * beyond +
          Math.min(
            MOST,
            lines.reduce((sum, line) => sum + STRUCK * within(line, box), 0),
          ) +
          taken.reduce((sum, one) => sum + shared(box, one), 0) +
          others.reduce((sum, one) => sum + shared(box, one) / 4, 0),
      };
    });
    const best = tries.reduce((least, one) => (one.cost < least.cost ? one : least));
    taken.push(best.box);
    return best.at;
  });
}
