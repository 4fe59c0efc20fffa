// The way from a number that a view shows down to what it was made of: found anew whenever the figure computes.

import { openOne, openSeveral } from "./leaves.mjs";

/** @typedef {import("../views/places.mjs").One | import("../views/places.mjs").Several} Root */

/** @param {any} one @param {any} other */
const alike = (one, other) => one.name === other.name && String(one.index) === String(other.index);

/** @param {any} item @param {(one: any) => boolean} is */
const inLoop = ({ from, turn }, is) => (turn ? from.findIndex((/** @type {any} */ one) => one.turn?.of === turn.of && is(one)) : -1);

/** Which of the numbers that a line reads was made in an earlier round of its loop. @param {any} item */
export const earlier = (item) => inLoop(item, ({ turn }) => turn.at < item.turn.at);

/** That, or what it was in this round. @param {any} item */
const before = (item) =>
  earlier(item) >= 0 ? earlier(item) : inLoop(item, ({ turn, index }) => turn.at === item.turn.at && String(index) === String(item.index));

/** @param {Root} root @param {any} frame */
const openRoot = (root, frame) => ("all" in root ? openSeveral(root, frame) : openOne(root, frame));

/** @param {Root} root */
export function createWayDown(root) {
  /** @type {{at: number, name: string, index: number[]}[]} what was opened below the root, one of another */
  let steps = [];
  /** @type {any[]} */
  let items = [];

  return {
    items: () => items,
    /**
     * Go the same way in another frame, as far as it leads.
     * @param {any} frame
     * @returns {boolean} whether the number at its start is still there
     */
    follow(frame) {
      const found = openRoot(root, frame);
      if (!found) return false;
      items = [found];
      for (const [i, step] of steps.entries()) {
        const { from } = items[i];
        const same = from[step.at] && alike(from[step.at], step) ? from[step.at] : from.find((/** @type {any} */ one) => alike(one, step));
        const next = same?.open();
        if (!next) {
          steps = steps.slice(0, i);
          break;
        }
        items.push(next);
      }
      return true;
    },
    /** Open a number that the last line reads. @param {number} at */
    down(at) {
      const one = items[items.length - 1].from[at];
      const next = one?.open();
      if (!next) return false;
      steps = [...steps, { at, name: one.name, index: one.index }];
      items = [...items, next];
      return true;
    },
    /** Of a number that a loop made round after round, go down to the first of them. */
    first() {
      for (let at = before(items.at(-1)); at >= 0 && this.down(at); at = before(items.at(-1)));
    },
    /** Go back to the n-th crumb. @param {number} n */
    back(n) {
      steps = steps.slice(0, n);
      items = items.slice(0, n + 1);
    },
  };
}
