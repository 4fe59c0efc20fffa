/**
 * A still picture in pixels, for where a browser does not draw it: messages that show a link take no SVG. It knows what the
 * pictures of `picture.mjs` are made of, and no more.
 */
import { deflateSync } from "node:zlib";
import { crc32 } from "../shared/png.mjs";
import { lettersOf } from "./letters.mjs";
import { selectorsOf } from "./style.mjs";

/** @typedef {[x: number, y: number]} Point */
/** @typedef {[a: number, b: number, c: number, d: number, e: number, f: number]} Matrix */
/** @typedef {{tag: string, given: Record<string, string>, inside: (Node|string)[]}} Node */

const FINE = 3; // lines and columns of samples in a pixel
const BENDS = 10; // lines of a curve
const NAMED = /** @type {Record<string, string>} */ ({ white: "#ffffff", black: "#000000" });
const INHERITED = ["fill", "stroke", "fill-opacity", "stroke-opacity", "stroke-width", "stroke-dasharray", "text-anchor", "font-size"];

/**
 * @param {string} svg
 * @param {{width: number, height: number, margin: number, font: Buffer|null}} how font null: words are left out
 * @returns {Buffer} a PNG
 */
export function pixels(svg, { width, height, margin, font }) {
  const root = parsed(svg);
  const [, , own, tall] = root.given.viewBox.split(" ").map(Number);
  const scale = Math.min((width - 2 * margin) / own, (height - 2 * margin) / tall);
  const sheet = canvas(width, height);
  /** @type {Matrix} */
  const place = [scale, 0, 0, scale, (width - own * scale) / 2, (height - tall * scale) / 2].map((one) => one * FINE);
  const about = { sheet, rules: rulesOf(root), letters: font && lettersOf(font), paints: paintsOf(root) };
  draw(root, place, { fill: "#000", "font-size": "12" }, [], about);
  return png(sheet.pixels(), width, height);
}

/** @param {string} text @returns {Node} */
function parsed(text) {
  /** @type {Node[]} */
  const open = [{ tag: "", given: {}, inside: [] }];
  const plain = (/** @type {string} */ some) =>
    some.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  for (const [, end, tag, attributes, closed, words] of text.matchAll(/<(\/?)([\w]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>|([^<]+)/g)) {
    const parent = /** @type {Node} */ (open.at(-1));
    if (words !== undefined) parent.inside.push(plain(words));
    else if (end) open.pop();
    else {
      const given = Object.fromEntries([...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name, value]) => [name, plain(value)]));
      const node = { tag, given, inside: [] };
      parent.inside.push(node);
      if (!closed) open.push(node);
    }
  }
  return /** @type {Node} */ (open[0].inside[0]);
}

/** @param {Node} node @param {string} tag @returns {Node[]} */
const all = (node, tag) =>
  node.inside.flatMap((one) => (typeof one === "string" ? [] : [...(one.tag === tag ? [one] : []), ...all(one, tag)]));

/** The rules of its sheet: the parts of a selector, and what it says. @param {Node} root */
function rulesOf(root) {
  const sheet = all(root, "style")
    .map(({ inside }) => inside.join(""))
    .join("");
  return [...sheet.matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(([, selectors, body]) => {
    const said = Object.fromEntries(body.split(";").map((one) => one.split(":")));
    return selectorsOf(selectors).map((selector) => ({ parts: selector.split(/\s*>\s*|\s+/).map((part) => part.split(".")), said }));
  });
}

/** @typedef {string[]} Name a tag and classes */
const fits = (/** @type {string[]} */ [tag, ...classes], /** @type {Name} */ name) =>
  (!tag || tag === name[0]) && classes.every((one) => name.includes(one, 1));

/** @param {string[][]} parts @param {Name[]} names from the root to the element */
function matches(parts, names) {
  if (!fits(/** @type {string[]} */ (parts.at(-1)), /** @type {Name} */ (names.at(-1)))) return false;
  let left = parts.length - 2;
  for (let i = names.length - 2; i >= 0 && left >= 0; i -= 1) if (fits(parts[left], names[i])) left -= 1;
  return left < 0;
}

/** Gradients and patterns by their names: colours from left to right. @param {Node} root */
function paintsOf(root) {
  const ramps = all(root, "linearGradient").map(({ given, inside }) => [
    given.id,
    inside.map((one) => /** @type {Node} */ (one).given["stop-color"]),
  ]);
  const grounds = all(root, "pattern").map(({ given, inside }) => [given.id, [/** @type {Node} */ (inside[0]).given.fill]]);
  return /** @type {Record<string, string[]>} */ (Object.fromEntries([...ramps, ...grounds]));
}

/** @param {Matrix} m @param {string} text @returns {Matrix} */
function moved(m, text = "") {
  for (const [, kind, numbers] of text.matchAll(/(\w+)\(([^)]*)\)/g)) {
    const n = numbers.split(/[\s,]+/).map(Number);
    const [cos, sin] = [Math.cos((n[0] * Math.PI) / 180), Math.sin((n[0] * Math.PI) / 180)];
    const about = /** @type {Point} */ ([n[1] ?? 0, n[2] ?? 0]);
    if (kind === "translate") m = times(m, [1, 0, 0, 1, n[0], n[1] ?? 0]);
    else if (kind === "scale") m = times(m, [n[0], 0, 0, n[1] ?? n[0], 0, 0]);
    else if (kind === "rotate")
      m = times(times(times(m, [1, 0, 0, 1, ...about]), [cos, sin, -sin, cos, 0, 0]), [1, 0, 0, 1, -about[0], -about[1]]);
  }
  return m;
}

/** @param {Matrix} m @param {Matrix} n @returns {Matrix} */
const times = ([a, b, c, d, e, f], [g, h, i, j, k, l]) => [
  a * g + c * h,
  b * g + d * h,
  a * i + c * j,
  b * i + d * j,
  a * k + c * l + e,
  b * k + d * l + f,
];

/** @param {Node} node @param {Matrix} above @param {Record<string, string>} inherited @param {Name[]} names @param {any} about */
function draw({ tag, given, inside }, above, inherited, names, about) {
  if (["style", "defs"].includes(tag)) return;
  const here = [...names, [tag, ...(given.class ?? "").split(" ")]];
  const style = { ...given };
  for (const { parts, said } of about.rules) if (matches(parts, here)) Object.assign(style, said);
  for (const rule of (given.style ?? "").split(";")) style[rule.split(":")[0].trim()] = rule.split(":")[1]?.trim();
  const own = { ...inherited };
  for (const name of INHERITED) if (style[name] && style[name] !== "inherit") own[name] = style[name];
  own.opacity = String(Number(inherited.opacity ?? 1) * Number(style.opacity ?? 1));
  const m = moved(above, given.transform);
  const shape = shapes[tag]?.(given);
  if (shape) colour(shape, m, own, about);
  if (tag === "text") return write(given, words(inside), m, own, about);
  for (const one of inside) if (typeof one !== "string") draw(one, m, own, here, about);
}

/** @param {(Node|string)[]} inside @returns {string} */
const words = (inside) => inside.map((one) => (typeof one === "string" ? one : words(one.inside))).join("");

const number = (/** @type {string|undefined} */ text) => Number.parseFloat(text ?? "0") || 0;
/** @type {Record<string, (given: Record<string, string>) => {line: Point[], closed: boolean}[]>} */
const shapes = {
  rect: ({ x, y, width, height }) => {
    const [l, t, r, b] = [number(x), number(y), number(x) + number(width), number(y) + number(height)];
    return [
      {
        closed: true,
        line: [
          [l, t],
          [r, t],
          [r, b],
          [l, b],
        ],
      },
    ];
  },
  circle: ({ cx, cy, r }) => {
    const at = (/** @type {number} */ i) =>
      /** @type {Point} */ ([number(cx) + number(r) * Math.cos(i), number(cy) + number(r) * Math.sin(i)]);
    return [{ closed: true, line: Array.from({ length: 32 }, (_, i) => at((i * Math.PI) / 16)) }];
  },
  line: ({ x1, y1, x2, y2 }) => [
    {
      closed: false,
      line: [
        [number(x1), number(y1)],
        [number(x2), number(y2)],
      ],
    },
  ],
  path: ({ d }) => lines(d ?? ""),
};

/** A path as lines. @param {string} d */
function lines(d) {
  /** @type {{line: Point[], closed: boolean}[]} */
  const made = [];
  let [x, y] = [0, 0];
  const to = (/** @type {number} */ a, /** @type {number} */ b) => made.at(-1)?.line.push([(x = a), (y = b)]);
  for (const [, command, rest] of d.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const n = (rest.match(/-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?/g) ?? []).map(Number);
    const kind = command.toUpperCase();
    const near = kind !== command; // from the present place
    const size = { M: 2, L: 2, H: 1, V: 1, C: 6, Q: 4, A: 7 }[kind] ?? 0;
    if (kind === "Z") {
      const last = made.at(-1);
      if (!last) continue;
      last.closed = true;
      [x, y] = last.line[0];
      continue;
    }
    if (!size) throw new Error(`a picture's path has the command ${command}, which pixels.mjs does not know`);
    for (let i = 0; i + size <= n.length; i += size) {
      const [ox, oy] = near ? [x, y] : [0, 0];
      const p = n.slice(i, i + size);
      if (kind === "M" && i === 0) {
        made.push({ line: [], closed: false });
        to(ox + p[0], oy + p[1]);
      } else if (kind === "H") to(ox + p[0], y);
      else if (kind === "V") to(x, oy + p[0]);
      else if (kind === "C")
        bend(
          [
            [x, y],
            [ox + p[0], oy + p[1]],
            [ox + p[2], oy + p[3]],
            [ox + p[4], oy + p[5]],
          ],
          to,
        );
      else if (kind === "Q")
        bend(
          [
            [x, y],
            [ox + p[0], oy + p[1]],
            [ox + p[2], oy + p[3]],
          ],
          to,
        );
      else to(ox + /** @type {number} */ (p.at(-2)), oy + /** @type {number} */ (p.at(-1)));
    }
  }
  return made;
}

/** A Bézier curve, by halving the lines between its points. @param {Point[]} points @param {(x: number, y: number) => void} to */
function bend(points, to) {
  for (let part = 1; part <= BENDS; part += 1) {
    const t = part / BENDS;
    let row = points;
    while (row.length > 1) row = row.slice(1).map(([x, y], i) => [row[i][0] + t * (x - row[i][0]), row[i][1] + t * (y - row[i][1])]);
    to(row[0][0], row[0][1]);
  }
}

/** @param {{line: Point[], closed: boolean}[]} shape @param {Matrix} m @param {Record<string, string>} style @param {any} about */
function colour(shape, m, style, { sheet, paints }) {
  const put = (/** @type {Point} */ [x, y]) => /** @type {Point} */ ([m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]]);
  const placed = shape.map(({ line, closed }) => ({ line: line.map(put), closed }));
  const share = Number(style.opacity);
  sheet.fill(
    placed.map(({ line }) => line),
    painted(style.fill, paints),
    share * Number(style["fill-opacity"] ?? 1),
  );
  const wide = number(style["stroke-width"] ?? "1") * Math.sqrt(Math.abs(m[0] * m[3] - m[1] * m[2]));
  const dash = (style["stroke-dasharray"] ?? "")
    .split(/[\s,]+/)
    .map((one) => number(one) * Math.hypot(m[0], m[1]))
    .filter(Boolean);
  const ink = painted(style.stroke ?? "none", paints);
  if (ink)
    sheet.fill(
      placed.flatMap(({ line, closed }) => pen(dashed(closed ? [...line, line[0]] : line, dash), wide)),
      ink,
      share * Number(style["stroke-opacity"] ?? 1),
    );
}

/** @param {Point[]} line @param {number[]} dash lengths of ink and gap @returns {Point[][]} */
function dashed(line, dash) {
  if (dash.length < 2) return [line];
  /** @type {Point[][]} */
  const parts = [[line[0]]];
  let [left, on] = [dash[0], true];
  for (let i = 1; i < line.length; i += 1) {
    let [from, to] = [line[i - 1], line[i]];
    for (let long = Math.hypot(to[0] - from[0], to[1] - from[1]); long > 0; ) {
      const step = Math.min(left, long);
      from = [from[0] + ((to[0] - from[0]) * step) / long, from[1] + ((to[1] - from[1]) * step) / long];
      [long, left] = [long - step, left - step];
      if (on) parts.at(-1)?.push(from);
      if (left > 1e-9) continue;
      on = !on;
      left = dash[on ? 0 : 1];
      if (on) parts.push([from]);
    }
  }
  return parts;
}

/** What a pen covers: a box along each piece, and a corner where two meet. @param {Point[][]} lines @param {number} wide @returns {Point[][]} */
function pen(lines, wide) {
  const half = Math.max(wide, FINE * 0.7) / 2;
  return lines.flatMap((line) =>
    line.slice(1).flatMap(([bx, by], i) => {
      const [ax, ay] = line[i];
      const long = Math.hypot(bx - ax, by - ay);
      if (!long) return [];
      const [nx, ny] = [(half * (by - ay)) / long, (half * (ax - bx)) / long];
      const box = /** @type {Point[]} */ ([
        [ax + nx, ay + ny],
        [ax - nx, ay - ny],
        [bx - nx, by - ny],
        [bx + nx, by + ny],
      ]);
      const knob = /** @type {Point[]} */ (
        Array.from({ length: 8 }, (_, k) => [bx + half * Math.cos((k * Math.PI) / 4), by - half * Math.sin((k * Math.PI) / 4)])
      );
      return i < line.length - 2 ? [box, knob] : [box];
    }),
  );
}

/** @param {Record<string, string>} given @param {string} said @param {Matrix} m @param {Record<string, string>} style @param {any} about */
function write(given, said, m, style, { sheet, letters, paints }) {
  const size = number(style["font-size"]);
  if (!letters || !said) return;
  const { width, outlines } = letters(said, size);
  const em = (/** @type {string|undefined} */ text) => number(text) * (text?.endsWith("em") ? size : 1);
  const left = number(given.x) + em(given.dx) - width * ({ middle: 0.5, end: 1 }[style["text-anchor"]] ?? 0);
  const foot = number(given.y) + em(given.dy);
  const put = (/** @type {Point} */ [x, y]) =>
    /** @type {Point} */ ([m[0] * (x + left) + m[2] * (y + foot) + m[4], m[1] * (x + left) + m[3] * (y + foot) + m[5]]);
  const ink = painted(style.fill, paints);
  if (ink)
    sheet.fill(
      outlines.map((/** @type {Point[]} */ one) => one.map(put)),
      ink,
      Number(style.opacity) * Number(style["fill-opacity"] ?? 1),
    );
}

/** Red, green and blue of a colour; of several, from left to right. @param {string} text @param {Record<string, string[]>} paints @returns {number[][]|null} */
function painted(text, paints) {
  const name = text.match(/^url\(#(.*)\)$/)?.[1];
  if (name) return paints[name]?.map((one) => /** @type {number[][]} */ (painted(one, {}))[0]) ?? null;
  if (text === "none" || text === "transparent") return null;
  const hex = NAMED[text] ?? text;
  const full = hex.length === 4 ? hex.replace(/[0-9a-f]/gi, "$&$&") : hex;
  const found = full
    .match(/^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i)
    ?.slice(1)
    .map((one) => parseInt(one, 16));
  const rgb =
    found ??
    text
      .match(/^rgb\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)/)
      ?.slice(1)
      .map(Number);
  if (!rgb) throw new Error(`a picture has the colour ${text}, which pixels.mjs does not know`);
  return [rgb];
}

/** A white sheet of samples, on which outlines are filled. @param {number} width @param {number} height */
function canvas(width, height) {
  const [wide, high] = [width * FINE, height * FINE];
  const samples = new Uint8Array(3 * wide * high).fill(255);
  return {
    /** Where the outlines go round a sample once or more, it is covered. @param {Point[][]} outlines @param {number[][]|null} ink @param {number} share */
    fill(outlines, ink, share) {
      if (!ink || share <= 0) return;
      /** @type {[x: number, turn: number][][]} */
      const rows = [];
      let [least, most] = [Infinity, -Infinity];
      for (const line of outlines) {
        line.forEach(([ax, ay], i) => {
          const [bx, by] = line[(i + 1) % line.length];
          [least, most] = [Math.min(least, ax), Math.max(most, ax)];
          const [up, low] = [Math.min(ay, by), Math.max(ay, by)];
          for (let row = Math.max(0, Math.ceil(up - 0.5)); row + 0.5 < low && row < high; row += 1) {
            rows[row] ??= [];
            rows[row].push([ax + ((bx - ax) * (row + 0.5 - ay)) / (by - ay), ay < by ? 1 : -1]);
          }
        });
      }
      rows.forEach((crossings, row) => {
        crossings.sort(([a], [b]) => a - b);
        let turns = 0;
        crossings.forEach(([x, turn], i) => {
          turns += turn;
          if (!turns || i + 1 === crossings.length) return;
          const [from, to] = [Math.max(0, Math.round(x)), Math.min(wide, Math.round(crossings[i + 1][0]))];
          for (let at = from; at < to; at += 1) {
            const part = Math.floor((ink.length * (at - least)) / (most - least || 1));
            const colour = ink[Math.max(0, Math.min(ink.length - 1, part))];
            const place = 3 * (row * wide + at);
            for (let k = 0; k < 3; k += 1) samples[place + k] += share * (colour[k] - samples[place + k]);
          }
        });
      });
    },
    /** The mean of each pixel's samples. */
    pixels() {
      const made = new Uint8Array(3 * width * height);
      for (let y = 0; y < height; y += 1)
        for (let x = 0; x < width; x += 1)
          for (let k = 0; k < 3; k += 1) {
            let sum = 0;
            for (let v = 0; v < FINE; v += 1)
              for (let u = 0; u < FINE; u += 1) sum += samples[3 * ((y * FINE + v) * wide + x * FINE + u) + k];
            made[3 * (y * width + x) + k] = Math.round(sum / (FINE * FINE));
          }
      return made;
    },
  };
}

/** @param {Uint8Array} rgb @param {number} width @param {number} height */
function png(rgb, width, height) {
  const lines = Buffer.alloc((3 * width + 1) * height);
  for (let y = 0; y < height; y += 1) lines.set(rgb.subarray(3 * width * y, 3 * width * (y + 1)), (3 * width + 1) * y + 1);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const chunk = (/** @type {string} */ name, /** @type {Buffer} */ body) => {
    const made = Buffer.alloc(body.length + 12);
    made.writeUInt32BE(body.length, 0);
    made.write(name, 4, "latin1");
    made.set(body, 8);
    made.writeUInt32BE(crc32(made.subarray(4, -4)), body.length + 8);
    return made;
  };
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(lines, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
