/** The still picture of a figure: its views as the page draws them at the default setting, as one SVG document. */
import { kindOf } from "../controls/index.mjs";
import { levelOf } from "../views/level.mjs";
import { GAP as BESIDE, BELOW as GAP, MANY, WIDE, rowsFor } from "../figure/rows.mjs";
import { hatchColours, rampStops } from "../shared/colour.mjs";
import { LOW } from "../views/layout.mjs";
import { OWN } from "../views/heatmap_picture.mjs";
import { viewOf } from "../views/index.mjs";
import { textWidth } from "../shared/format.mjs";
import { styleOf } from "./style.mjs";
import { svgText } from "./text.mjs";

/** @import { Drawn } from "../views/kind.mjs" */
/** @typedef {import("../shared/scene.mjs").Shape} Shape */

const PAD = 14;
const UNDER = 21.5; // pixels of the line below a view that says what is pointed at
const THEME = "light";

/**
 * @param {{views: any[], rows?: number[][]|null, controls: any[], outputs: Record<string, any>}} what
 * @param {number} [room] pixels for its views beside each other; where it is given, the picture is as large as what is drawn, and
 *   keeps no room for what a hand may call up
 * @returns {string} the SVG document
 */
export function picture({ views, rows = null, controls, outputs }, room) {
  const state = Object.fromEntries(controls.map((control) => [control.name, kindOf(control).initial(control)]));
  const named = Object.fromEntries(controls.map((control) => [control.name, control]));
  const scene = { frame: { outputs, state, history: null }, controls: named, theme: THEME };
  const { shapes, height, used } = placed(views, rows, scene, room ?? WIDE, room !== undefined);
  const [width, full] = [(room ? used : WIDE) + 2 * PAD, Math.ceil(height + 2 * PAD)];
  const all = /** @type {Shape[]} */ ([
    ["rect", { width, height: full, rx: 6, fill: "#fff" }],
    ["g", { transform: `translate(${PAD} ${PAD})` }, shapes],
  ]);
  const body = svgText(all);
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${full}" width="${width}" height="${full}" class="lt-svg" font-family="system-ui,sans-serif" font-size="12">`;
  return `${open}<style>${styleOf(body)}</style>${definitions(body)}${body}</svg>`;
}

/** Views in rows, as on the page. @param {any[]} views @param {number[][]|null} wanted @param {any} scene @param {number} room @param {boolean} bare */
function placed(views, wanted, scene, room, bare) {
  const rows = rowsFor(
    views.map((view) => viewOf(view.kind, "sizeOf")(view, scene.frame, scene.controls)),
    room,
    wanted,
  );
  let [y, used] = [0, 0];
  /** @type {Shape[]} */
  const shapes = [];
  for (const { views: those, widths } of rows) {
    const draw = (/** @type {any} */ seen) =>
      those.map((i, at) => viewOf(views[i].kind, "still")(views[i], { ...seen, low: rows.length >= MANY ? LOW : 0 }, widths[at]));
    const least = levelOf(draw(scene).map((one, at) => ({ spec: views[those[at]], height: one.own ?? one.height })));
    const drawn = draw({ ...scene, least }).map((one, at) => framed(views[those[at]], one, widths[at], bare));
    let x = 0;
    drawn.forEach((one, at) => {
      shapes.push(["g", { transform: `translate(${x} ${Math.round(y)})` }, one.shapes]);
      used = Math.max(used, x + widths[at], x + textWidth(views[those[at]].title ?? "", 14)); // a title alone may reach further
      x += widths[at] + BESIDE;
    });
    y += Math.max(...drawn.map(({ height }) => height)) + GAP;
  }
  return { shapes, height: y - GAP, used: Math.ceil(used) };
}

/** A view with its title above and its line below. @param {any} spec @param {Drawn} drawn @param {number} room @param {boolean} bare */
function framed(spec, { height, spare = 0, shapes, head, foot, scale, under = UNDER, lines: held = 1 }, room, bare) {
  /** @type {Shape[]} */
  const all = [];
  let y = 0;
  if (spec.title) {
    all.push(["text", { class: "lt-title-word", x: 0, y: 13 }, spec.title]);
    y += 22;
  }
  if (head) {
    if (head.shapes.length) all.push(["g", { transform: `translate(0 ${y})` }, head.shapes]);
    y += head.height + 2;
  }
  all.push(["g", { transform: `translate(0 ${y})` }, shapes]);
  y += height;
  const lines = inLines(foot ?? "", room);
  lines.forEach((line, i) => all.push(["text", { class: "lt-word", x: 0, y: y + 17 + i * LINE }, line]));
  if (scale) all.push(...scaleShapes(scale, y + 4, room));
  if (bare) return { height: y + LINE * (scale ? scaleLines(scale, room).length + 0.4 : lines.length), shapes: all };
  const below = scale ? 41 + LINE * (scaleLines(scale, room).length - 1) : under;
  return { height: y + spare + below + LINE * Math.max(0, lines.length - held), shapes: all };
}

const LINE = 17.5; // pixels of one line of words

/** Words in lines that fit. @param {string} words @param {number} room */
function inLines(words, room) {
  /** @type {string[]} */
  const lines = [];
  for (const word of words ? words.split(" ") : []) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && 0.92 * textWidth(longer, 13) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** @typedef {{width: number, shapes: (x: number, y: number) => Shape[]}} Part */

/** The parts of a colour scale (its name, the ramp, what hatching means) in lines that fit. @param {NonNullable<Drawn["scale"]>} scale @param {number} room @returns {Part[][]} */
function scaleLines({ name, low, high, masked, measure, own, levels }, room) {
  const wide = (/** @type {string} */ text) => 0.93 * textWidth(text, 13); // as browsers set it
  const word = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ words) =>
    /** @type {Shape} */ (["text", { class: "lt-foot-word", x, y: y + 15 }, words]);
  const ramp = wide(low) + 6;
  const swatch = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ fill) =>
    /** @type {Shape} */ (["rect", { class: "lt-ramp-box", x, y: y + 5, width: 14, height: 12, fill }]);
  const ranged = [
    ...(measure ? [{ width: wide(measure), shapes: (/** @type {number} */ x, /** @type {number} */ y) => [word(x, y, measure)] }] : []),
    {
      width: ramp + 104 + wide(high),
      shapes: (/** @type {number} */ x, /** @type {number} */ y) => [
        word(x, y, low),
        /** @type {Shape} */ ([
          "rect",
          { class: "lt-ramp-box", x: x + ramp, y: y + 6, width: 96, height: 10, rx: 2, fill: `url(#${name})` },
        ]),
        word(x + ramp + 104, y, high),
      ],
    },
  ];
  const named = (levels ?? []).map(({ words, colour }) => ({
    width: 28 + wide(words),
    shapes: (/** @type {number} */ x, /** @type {number} */ y) => [swatch(x + 8, y, colour), word(x + 28, y, words)],
  }));
  const parts = [
    ...(levels ? named : ranged),
    ...(own ? [{ width: wide(OWN), shapes: (/** @type {number} */ x, /** @type {number} */ y) => [word(x, y, OWN)] }] : []),
    ...(masked
      ? [
          {
            width: 28 + wide(masked),
            shapes: (/** @type {number} */ x, /** @type {number} */ y) => [swatch(x + 8, y, "url(#no)"), word(x + 28, y, masked)],
          },
        ]
      : []),
  ];
  /** @type {Part[][]} */
  const lines = [];
  let used = 0;
  for (const part of parts) {
    if (lines.length && used + 6 + part.width <= room) lines.at(-1)?.push(part);
    else lines.push([part]);
    used = part.width + (lines.at(-1)?.length === 1 ? 0 : used + 6);
  }
  return lines;
}

/** @param {NonNullable<Drawn["scale"]>} scale @param {number} y @param {number} room @returns {Shape[]} */
function scaleShapes(scale, y, room) {
  return scaleLines(scale, room).flatMap((line, i) => {
    let x = 0;
    return line.flatMap(({ width, shapes }) => {
      x += width + 6;
      return shapes(x - width - 6, y + i * LINE);
    });
  });
}

/** Gradients and hatching, as far as they are used. @param {string} body */
function definitions(body) {
  /** @type {Shape[]} */
  const kept = [];
  for (const name of /** @type {const} */ (["sequential", "diverging"])) {
    if (!body.includes(`url(#${name})`)) continue;
    const stops = rampStops(name, THEME);
    kept.push([
      "linearGradient",
      { id: name },
      stops.map((colour, i) => ["stop", { offset: Number((i / (stops.length - 1)).toFixed(3)), "stop-color": colour }]),
    ]);
  }
  if (body.includes("url(#no)")) {
    const [ground, line] = hatchColours(THEME);
    kept.push([
      "pattern",
      { id: "no", width: 6, height: 6, patternUnits: "userSpaceOnUse" },
      [
        ["rect", { width: 6, height: 6, fill: ground }],
        ["path", { d: "M-7 7L1 -1M-1 7L7 -1M5 7L13 -1", stroke: line, "stroke-width": 1.1 }],
      ],
    ]);
  }
  return kept.length ? svgText([["defs", {}, kept]]) : "";
}
