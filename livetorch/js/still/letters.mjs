/** Letters as outlines, from a TrueType font: what a picture's words are drawn with where there is no browser. */

/** @typedef {[x: number, y: number]} Point */

/**
 * @param {Buffer} file
 * @returns {(text: string, size: number) => {width: number, outlines: Point[][]}} outlines from the first letter's foot, y downwards
 */
export function lettersOf(file) {
  const table = Object.fromEntries(
    Array.from({ length: file.readUInt16BE(4) }, (_, i) => [
      file.toString("latin1", 12 + 16 * i, 16 + 16 * i),
      file.readUInt32BE(20 + 16 * i),
    ]),
  );
  const unit = file.readUInt16BE(table.head + 18);
  const long = file.readInt16BE(table.head + 50) === 1;
  const measured = file.readUInt16BE(table.hhea + 34);
  const offset = (/** @type {number} */ glyph) =>
    long ? file.readUInt32BE(table.loca + 4 * glyph) : 2 * file.readUInt16BE(table.loca + 2 * glyph);
  const glyphOf = mapOf(file, table.cmap);
  const widthOf = (/** @type {number} */ glyph) => file.readUInt16BE(table.hmtx + 4 * Math.min(glyph, measured - 1));

  /** @param {number} glyph @returns {Point[][]} in the font's units, y upwards */
  function outline(glyph) {
    const [from, to] = [offset(glyph), offset(glyph + 1)];
    if (from === to) return [];
    const at = table.glyf + from;
    const contours = file.readInt16BE(at);
    return contours < 0 ? composed(at + 10) : simple(at + 10, contours);
  }

  /** A letter of other letters: é is e and an accent. @param {number} at @returns {Point[][]} */
  function composed(at) {
    const [flags, glyph] = [file.readUInt16BE(at), file.readUInt16BE(at + 2)];
    const words = flags & 1;
    const [dx, dy] = words ? [file.readInt16BE(at + 4), file.readInt16BE(at + 6)] : [file.readInt8(at + 4), file.readInt8(at + 5)];
    const scale = flags & 8 ? 2 : flags & 64 ? 4 : flags & 128 ? 8 : 0;
    const here = outline(glyph).map((contour) => contour.map(([x, y]) => /** @type {Point} */ ([x + dx, y + dy])));
    return flags & 32 ? [...here, ...composed(at + (words ? 8 : 6) + scale)] : here;
  }

  /** @param {number} at @param {number} contours @returns {Point[][]} */
  function simple(at, contours) {
    const ends = Array.from({ length: contours }, (_, i) => file.readUInt16BE(at + 2 * i));
    const count = (ends.at(-1) ?? -1) + 1;
    let place = at + 2 * contours;
    place += 2 + file.readUInt16BE(place);
    /** @type {number[]} */
    const flags = [];
    while (flags.length < count) {
      const flag = file[place++];
      const times = flag & 8 ? file[place++] + 1 : 1;
      for (let i = 0; i < times; i += 1) flags.push(flag);
    }
    const axis = (/** @type {number} */ short, /** @type {number} */ same) => {
      let value = 0;
      return flags.map((flag) => {
        if (flag & short) value += flag & same ? file[place++] : -file[place++];
        else if (!(flag & same)) {
          value += file.readInt16BE(place);
          place += 2;
        }
        return value;
      });
    };
    const [xs, ys] = [axis(2, 16), axis(4, 32)];
    return ends.map((end, i) => {
      const first = i ? ends[i - 1] + 1 : 0;
      return flattened(Array.from({ length: end - first + 1 }, (_, j) => [xs[first + j], ys[first + j], flags[first + j] & 1]));
    });
  }

  return (text, size) => {
    const scale = size / unit;
    let x = 0;
    /** @type {Point[][]} */
    const outlines = [];
    for (const letter of text) {
      const glyph = glyphOf(letter.codePointAt(0) ?? 0);
      const left = x;
      for (const contour of glyph ? outline(glyph) : []) outlines.push(contour.map(([a, b]) => [left + a * scale, -b * scale]));
      x += glyph ? widthOf(glyph) * scale : size / 2;
    }
    return { width: x, outlines };
  };
}

/** From characters to glyphs, 0: none (a table of format 4). @param {Buffer} file @param {number} at */
function mapOf(file, at) {
  const tables = Array.from({ length: file.readUInt16BE(at + 2) }, (_, i) => at + file.readUInt32BE(at + 8 + 8 * i));
  const found = tables.find((one) => file.readUInt16BE(one) === 4);
  if (found === undefined) throw new Error("this font has no table of characters in format 4");
  const segments = file.readUInt16BE(found + 6) / 2;
  const read = (/** @type {number} */ part, /** @type {number} */ i) =>
    file.readUInt16BE(found + 14 + (part ? 2 : 0) + 2 * (part * segments + i));
  return (/** @type {number} */ code) => {
    for (let i = 0; i < segments; i += 1) {
      if (code > read(0, i)) continue;
      const start = read(1, i);
      if (code < start) return 0;
      const range = read(3, i);
      if (!range) return (code + read(2, i)) & 0xffff;
      const glyph = file.readUInt16BE(found + 16 + 2 * (3 * segments + i) + range + 2 * (code - start));
      return glyph && (glyph + read(2, i)) & 0xffff;
    }
    return 0;
  };
}

const CURVE = 4; // lines of a curve

/** A contour of points on and off the curve. @param {number[][]} points x, y, 1: on it @returns {Point[]} */
function flattened(points) {
  const middle = (/** @type {number[]} */ [ax, ay], /** @type {number[]} */ [bx, by]) => [(ax + bx) / 2, (ay + by) / 2, 1];
  const all = points.flatMap((point, i) => {
    const next = points[(i + 1) % points.length];
    return point[2] || next[2] ? [point] : [point, middle(point, next)];
  });
  const begin = all.findIndex((point) => point[2]);
  if (begin < 0) return [];
  const turned = [...all.slice(begin), ...all.slice(0, begin), all[begin]];
  /** @type {Point[]} */
  const line = [[turned[0][0], turned[0][1]]];
  for (let i = 1; i < turned.length; i += 1) {
    const [x, y, on] = turned[i];
    if (on) line.push([x, y]);
    else {
      const [from, to] = [turned[i - 1], turned[i + 1]];
      for (let part = 1; part <= CURVE; part += 1) {
        const [t, s] = [part / CURVE, 1 - part / CURVE];
        line.push([s * s * from[0] + 2 * s * t * x + t * t * to[0], s * s * from[1] + 2 * s * t * y + t * t * to[1]]);
      }
      i += 1;
    }
  }
  return line;
}
