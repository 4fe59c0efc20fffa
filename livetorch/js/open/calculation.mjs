/** The calculation that a line shows of a number. */
import * as e from "./expression.mjs";
import { atOf, explained } from "./rules.mjs";

/** @import { Maker, Rec } from "./trail.mjs" */

const LINE = 9; // numbers that a line may hold before it makes no more of them plain
const FORMS = new Set(["sum", "difference", "product", "quotient", "power", "negative", "root", "exp", "infix"]);

/**
 * The calculation of a number, with the ones that nothing names made plain in it as far as the line has room.
 * @template {{maker: Maker|null|undefined, i: number, name: string|null, kind: string}} Found
 * @param {Rec} book @param {(v: number, i: number) => Found} identify @param {Found} found
 */
export function calculation(book, identify, found) {
  const { values, trail } = book;
  /** @type {Map<string, e.Cell>} */
  const cells = new Map();
  const cellOf = (/** @type {number} */ v, /** @type {number} */ i) => {
    const { v: at, i: place } = trail.origin(v, i);
    const key = `${at}:${place}`;
    if (!cells.has(key)) cells.set(key, { form: "cell", args: [], v, i, at: [at, place], dtype: values[at].dtype });
    return /** @type {e.Cell} */ (cells.get(key));
  };
  const of = (/** @type {Found} */ { maker, i }) => explained(atOf(book, /** @type {Maker} */ (maker), i, cellOf)); // computed
  const top = of(found);
  let room = LINE - e.leavesOf(top).length;
  const waiting = [{ part: top, calm: false }];
  while (waiting.length && room >= 0) {
    const { part } = /** @type {{part: e.Expression, calm: boolean}} */ (waiting.shift());
    if (part.whole) continue;
    for (const cell of e.partsOf(part)) {
      if (cell.form !== "cell") waiting.push({ part: cell, calm: false });
      else if (!cell.inner) {
        const { v, i } = /** @type {e.Cell} */ (cell);
        const under = identify(v, i);
        if (under.name || under.kind !== "computed") continue;
        const before = new Set(cells.keys());
        const inner = of(under);
        const cost = e.leavesOf(inner).length - 1;
        if (FORMS.has(inner.form) && !inner.whole && cost <= room) {
          cell.inner = inner;
          room -= cost;
          waiting.push({ part: inner, calm: false });
        } else {
          for (const key of cells.keys()) if (!before.has(key)) cells.delete(key);
        }
      }
    }
  }
  return top;
}
