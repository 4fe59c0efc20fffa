// What the d3 modules need of other d3 modules here, short. The bundle holds this in their place: they would be a
// twelfth of it, for number formats, curves and map keys that no view uses.

/** Straight lines as the text of an SVG path: what d3-shape's line() writes to. */
export class Path {
  /** @param {number} digits decimals of a coordinate */
  constructor(digits) {
    this.text = "";
    this.write = (/** @type {string} */ letter, /** @type {number[]} */ ...at) => {
      this.text += letter + at.map((x) => Math.round(x * 10 ** digits) / 10 ** digits);
    };
  }

  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.write("M", x, y);
  }

  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.write("L", x, y);
  }

  closePath() {
    this.write("Z");
  }

  toString() {
    return this.text;
  }
}

/** Scales of bands have whole numbers as their keys, which a plain Map tells apart. */
export const InternMap = Map;
export const InternSet = Set;

// Ticks are written by tickText() of views/plot.mjs; scales name d3-format, and do not call it.
const unused = () => {
  throw new Error("the axes write their own ticks");
};
export {
  unused as format,
  unused as formatPrefix,
  unused as formatSpecifier,
  unused as precisionFixed,
  unused as precisionPrefix,
  unused as precisionRound,
};
