/** Arcs: tokens joined by ribbons as wide as the weights; one token's ribbons stand out, and a sentence says them. */
import { make, onPoint } from "../shared/dom.mjs";
import { arcsOf, chosenOf, sayArcs } from "./arcs_content.mjs";
import { boxAt, crosses, tokenAt } from "./arcs_layout.mjs";
import { arcsPicture } from "./arcs_picture.mjs";
import { openPicture, titled } from "./frame.mjs";
import { viewOf } from "./index.mjs";
import { boxOn, largest, padded, sameSource, within } from "./places.mjs";
import { ALL, size } from "./size.mjs";

/** @import { Scene } from "./sources.mjs" */
/** @import { Context, View } from "./index.mjs" */
/** @import { Kind } from "./kind.mjs" */
/** @typedef {import("./arcs_content.mjs").Content} Content */
/** @typedef {import("./arcs_content.mjs").Focus} Focus */

export const part = "arcs";
export const tells = true;
export const ghost = null;
export const level = () => /** @type {const} */ ("");
export const sizeOf = () => size(280, 400, ALL); // where rows have no room they are columns

const PASS = 2400; // milliseconds for writing all queries once
const RESTS = 250; // milliseconds for which a pointer that was on its way to the other row stays on a token until that is meant

/** The heatmap that stands for arcs of too many tokens. @param {any} spec */
export const asMap = ({ names, tokens, query_tokens, ...spec }) => ({
  ...spec,
  kind: "heatmap",
  xlabel: names[1],
  ylabel: names[0],
  xticks: tokens,
  yticks: query_tokens ?? tokens,
  titles: null,
  vmin: null,
  vmax: null,
  scale: "sequential",
  annotate: "auto",
  edit: null,
  mask: null,
  rows_axis: spec.query_axis,
  cols_axis: spec.axis,
  panels_axis: "heads",
  title: null,
});

/** As a picture, with its sentence. @param {any} spec @param {Scene} scene @param {number} width */
export function still(spec, scene, width) {
  const content = /** @type {Content} */ (arcsOf(spec, scene.frame, scene.controls));
  const [under, lines] = [49.5, 2]; // below it in the page, and how many lines of its sentence have room there
  if (content.many) return { ...viewOf("heatmap", "still")(asMap(spec), scene, width), under, lines };
  const focus = chosenOf(content, spec.query);
  const said = sayArcs(spec, content, focus);
  const foot = said.map((one) => one.text).join("");
  return { ...arcsPicture(spec, content, { width, theme: scene.theme, focus }), foot, under, lines };
}

// ---- in the page

/**
 * @typedef {object} Shown from the first frame on
 * @property {Content} now
 * @property {import("./arcs_layout.mjs").Layout} layout
 * @property {{q: number, k: number}[]} lines
 * @property {HTMLElement} stage
 * @property {any} map the heatmap in its place
 * @property {number} chosen
 * @property {Focus|null} focus
 */

/**
 * The token whose ribbons stand out: the one pointed at, else the chosen query.
 * @param {Content} content @param {Focus|null} pointed @param {number} chosen
 * @returns {Focus}
 */
function focusOf({ queries, keys }, pointed, chosen) {
  const there = pointed && pointed.index < (pointed.side === "query" ? queries : keys).length;
  return there ? pointed : chosenOf({ queries }, chosen);
}

/** @param {any} spec @param {Context} context */
export function create(spec, context) {
  const said = make("p", "lt-arcs-said");
  const { element, stage, paint, width, name, destroy } = openPicture(spec, context, { draw, called: "arcs", below: [said] });
  /** @type {View|null} */
  let map = null; // made when there are too many tokens
  /** @type {Content|null} */
  let now = null;
  /** @type {ReturnType<typeof arcsPicture>|null} */
  let drawn = null;
  /** What two presses have muted before the next frame. @type {boolean[]|null} */
  let pressed = null;
  const { focus, ...choice } = createChoice(spec, context, draw);
  const { write: show, rest } = choice;
  const play = spec.play ? player(element, { count: () => now?.queries.length ?? 0, show, rest }, context) : null;

  /** @param {import("./sources.mjs").Frame} frame */
  function update(frame) {
    const before = now;
    pressed = null;
    now = arcsOf(spec, frame, context.controls) ?? now;
    if (!now) return;
    // another text: what was muted of the one before is not meant; a link or a step back sets both
    if (before && String(before.keys) !== String(now.keys) && before.muted.includes(true) && before.mask === now.mask)
      queueMicrotask(() => mute(spec, context, () => false, "also"));
    stage.hidden = said.hidden = now.many;
    if (now.many && !map) element.append((map = viewOf("heatmap", "create")(asMap(spec), context)).element);
    if (map) map.element.hidden = !now.many;
    if (now.many) map?.update(frame);
    else draw();
  }

  function draw() {
    if (!now || now.many) return;
    const low = Number(element.dataset.low) > 0;
    drawn = arcsPicture(spec, now, { width: width(), theme: context.theme(), focus: focus(now), written: choice.written(), low });
    paint(drawn);
    const text = tell(said, sayArcs(spec, now, focus(now)));
    if (text)
      name(`${titled(spec)}${spec.names.join(" and ")}. ${text} Arrow keys choose another token, Enter tells how its weight was made.`);
  }

  listenHands(stage, spec, {
    seen: () => (now && drawn ? { now, layout: drawn.layout, focus: focus(now) } : null),
    point: (found, walked) => (play?.stop(), choice.point(found, walked)),
    announce: () => context.announce(said.textContent ?? ""),
    mute: spec.muting ? (key) => press((pressed ?? now?.muted ?? []).map((muted, i) => muted !== (i === key))) : null,
  });

  const press = (/** @type {boolean[]} */ muted) => {
    pressed = muted;
    mute(spec, context, (i) => muted[i]);
  };
  const highlight = (/** @type {any} */ marks) => (map?.highlight(marks), choice.highlight(marks));
  const chosenNow = () => (now && !now.many ? { chosen: choice.of(now), focus: focus(now) } : { chosen: 0, focus: null });
  const keyAt = (/** @type {number} */ x, /** @type {number} */ y) => drawn !== null && boxAt(drawn.layout, x, y)?.side === "key";
  const shown = () => ({ now, layout: drawn?.layout ?? null, lines: drawn?.lines ?? [], keyAt, stage, map, ...chosenNow() });
  return {
    element,
    update,
    highlight,
    shown,
    rest: () => (play?.stop(), rest()),
    destroy: () => (play?.stop(), map?.destroy(), destroy()),
  };
}

/**
 * Which query is chosen, which token is pointed at, and how many queries are written already.
 * @param {any} spec @param {Context} context @param {() => void} draw
 */
function createChoice(spec, context, draw) {
  let chosen = spec.query;
  let written = Infinity;
  /** @type {Focus|null} */
  let pointed = null; // a token under the pointer, or one that another view points at

  /** @param {number} i */
  function choose(i) {
    chosen = i;
    pointed = null;
    draw();
    context.highlight({ [spec.query_axis]: i, [spec.axis]: null });
  }

  return {
    focus: (/** @type {Content} */ content) => focusOf(content, pointed, chosen),
    of: (/** @type {Content} */ content) => chosenOf(content, chosen).index,
    written: () => written,
    write(/** @type {number} */ i) {
      written = i + 1;
      choose(i);
    },
    rest() {
      written = Infinity;
      choose(spec.query);
    },
    /** @param {Focus|null} found @param {boolean} [walked] with the arrow keys, where no number of the query's is aimed at */
    point(found, walked = false) {
      written = Infinity;
      if (found?.side === pointed?.side && found?.index === pointed?.index) return;
      if (found?.side === "query") {
        if (found.index !== chosen || pointed) choose(found.index);
        return;
      }
      pointed = found;
      draw();
      context.highlight({ [spec.axis]: found?.index ?? null, ...(walked ? { [spec.query_axis]: null } : {}) });
    },
    /** @param {any} marks */
    highlight(marks) {
      const [query, key] = [marks?.[spec.query_axis], marks?.[spec.axis]];
      if (Number.isInteger(query)) chosen = query;
      pointed = Number.isInteger(key) && !Number.isInteger(query) ? { side: "key", index: key } : null;
      draw();
    },
  };
}

/** Say of each key of the mask, counted from 0, whether it is muted. @param {any} spec @param {Context} context @param {(i: number) => boolean} isMuted @param {true|"also"} final */
function mute(spec, context, isMuted, final = true) {
  const [row] = context.controls[spec.muting.name].shape.slice(1);
  context.set(spec.muting.name, [Array.from({ length: row }, (_, i) => !isMuted(i))], { final });
}

/** Write the sentence, each part as what it stands for; its text, or "" where it is there. @param {HTMLElement} said @param {{text: string, role: string|null}[]} parts */
function tell(said, parts) {
  const text = parts.map((one) => one.text).join("");
  if (said.textContent === text) return "";
  said.replaceChildren(...parts.map((one) => make("span", one.role ? `lt-of-${one.role}` : "", one.text)));
  return text;
}

/**
 * A pointer over the tokens, and arrow keys along a row and across to the other.
 * @param {HTMLElement} stage
 * @param {any} spec
 * @param {object} how
 * @param {() => {now: Content, layout: import("./arcs_layout.mjs").Layout, focus: Focus}|null} how.seen
 * @param {(found: Focus|null, walked?: boolean) => void} how.point
 * @param {() => void} how.announce
 * @param {null|((key: number) => void)} how.mute
 */
function listenHands(stage, spec, { seen, point, announce, mute }) {
  /** Where the pointer was last on the query that stands out, and what it may be about to leave it for. */
  let left = /** @type {[number, number]|null} */ (null);
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  onPoint(
    stage,
    (event) => {
      clearTimeout(timer);
      const home = stage.getBoundingClientRect();
      const drawn = seen();
      if (!drawn) return;
      const place = /** @type {[number, number]} */ ([event.clientX - home.left, event.clientY - home.top]);
      const found = boxAt(drawn.layout, ...place);
      const { side, index } = drawn.focus;
      const other = found?.side === "query" && (side !== "query" || found.index !== index);
      const go = () => {
        left = found?.side === "query" ? place : left;
        point(found);
      };
      // a way from a token straight to the other row crosses its neighbours, which are not meant
      if (other && left && event.pointerType === "mouse" && crosses(drawn.layout, left, place)) timer = setTimeout(go, RESTS);
      else go();
    },
    () => {
      clearTimeout(timer);
      left = null;
      point(null);
    },
  );
  if (mute) listenMute(stage, seen, mute);
  stage.addEventListener("keydown", (event) => {
    const drawn = seen();
    if (!drawn) return;
    if (mute && event.key === " ") event.preventDefault();
    if (mute && event.key === " " && drawn.focus.side === "key") {
      mute(drawn.focus.index);
      return announce();
    }
    const [back, on, ...across] = drawn.layout.upright
      ? ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]
      : ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
    const { side, index } = drawn.focus;
    const lastOf = (/** @type {string} */ of) => (of === "query" ? drawn.now.queries : drawn.now.keys).length - 1;
    const to = { [back]: Math.max(0, index - 1), [on]: Math.min(lastOf(side), index + 1), Home: 0, End: lastOf(side) }[event.key];
    const other = across.includes(event.key) && spec.rows === 2;
    if (to === undefined && !other) return;
    event.preventDefault();
    const next = side === "query" ? "key" : "query";
    point(other ? { side: next, index: Math.min(index, lastOf(next)) } : { side, index: /** @type {number} */ (to) }, true);
    announce();
  });
}

/**
 * A press on a key mutes it. No click is waited for: what was pressed may be drawn anew under the hand. A hand that only asks
 * for a number is not heard of.
 * @param {HTMLElement} stage @param {() => {layout: import("./arcs_layout.mjs").Layout}|null} seen @param {(key: number) => void} mute
 */
function listenMute(stage, seen, mute) {
  const keyAt = (/** @type {PointerEvent} */ { clientX: x, clientY: y, button }) => {
    const layout = button > 0 ? null : seen()?.layout;
    const [left, top] = within(stage, { x, y });
    const found = layout ? boxAt(layout, left, top) : null;
    return found?.side === "key" ? found.index : null;
  };
  /** @type {number|null} */
  let pressed = null;
  stage.addEventListener("pointerdown", (event) => (pressed = event.isPrimary === false ? null : keyAt(event)));
  stage.addEventListener("pointercancel", () => (pressed = null)); // a finger that scrolls
  stage.addEventListener("pointerup", (event) => {
    if (pressed !== null && keyAt(event) === pressed) mute(pressed);
    pressed = null;
  });
}

/**
 * Writes the queries once, one after the other, when the view comes into sight, unless less motion is wanted, and goes back
 * to the first choice; a pointer that comes to the view finds it at rest.
 * @param {HTMLElement} element
 * @param {{count: () => number, show: (i: number) => void, rest: () => void}} queries
 * @param {{reducedMotion: () => boolean}} context
 */
function player(element, { count, show, rest }, { reducedMotion }) {
  /** @type {ReturnType<typeof setInterval>|undefined} */
  let timer;
  let i = 0;
  const hands = ["pointerdown", "keydown", "wheel"];
  const stop = () => {
    clearInterval(timer);
    seen?.disconnect();
    element.removeEventListener("pointerenter", end);
    for (const kind of hands) document.removeEventListener(kind, hand, true);
  };
  const end = () => {
    stop();
    if (i) rest();
  };
  // the wheel that has brought the view into sight turns on for a moment
  const hand = (/** @type {Event} */ { type }) => (type !== "wheel" || i > 1) && end();
  const start = () => {
    seen?.disconnect();
    // wherever they are: who writes into the field below is shown what was written, and who scrolls on is not called back
    for (const kind of hands) document.addEventListener(kind, hand, { capture: true, passive: true });
    element.addEventListener("pointerenter", end);
    timer = setInterval(() => (i < count() ? show(i++) : end()), PASS / Math.max(1, count()));
  };
  const seen =
    globalThis.IntersectionObserver && !reducedMotion()
      ? new IntersectionObserver((all) => all.some((one) => one.isIntersecting) && start(), { threshold: 0.6 })
      : null;
  seen?.observe(element);
  return { stop };
}

// ---- its numbers

/** @type {Kind["numberAt"]} */
export function numberAt(spec, shown, pointed) {
  const { now, layout, lines, keyAt, stage, map, chosen, focus } = shown;
  if (now.many) return viewOf("heatmap", "numberAt")(asMap(spec), map.shown(), pointed);
  const { source } = spec;
  const [x, y] = pointed ? within(stage, pointed) : [];
  if (spec.muting && pointed && !pointed.meant && keyAt(x, y)) return null; // a press mutes it
  const ribbon = pointed ? ribbonAt(stage, x, y) : -1;
  if (ribbon >= 0) return { source, index: [lines[ribbon].q, lines[ribbon].k] };
  const token = pointed ? tokenAt(layout, x, y) : focus;
  if (!token) return null;
  const { side, index } = token;
  if (side === "key" || layout.one) return { source, index: [chosen, index] };
  return { source, index: [index, largest(now.weights[index])] };
}

/** The ribbon of what stands out at a place, or -1: a faint one has no number that is printed. @param {HTMLElement} stage @param {number} x @param {number} y */
function ribbonAt(stage, x, y) {
  const paths = /** @type {SVGPathElement[]} */ (Array.from(stage.querySelectorAll(".lt-ribbons path")));
  return paths.findLastIndex((path) => path.matches(".lt-own") && path.isPointInStroke(new DOMPoint(x, y)));
}

/** @type {Kind["boxesOf"]} */
export function boxesOf(spec, { now, layout, stage, map }, source, index) {
  if (now?.many) return viewOf("heatmap", "boxesOf")(asMap(spec), map.shown(), source, index);
  if (!layout || !sameSource(spec.source, source)) return [];
  const [q, k] = padded(index, 2);
  const ends = [layout.queries[q], layout.keys[k]];
  return ends.every(Boolean) ? ends.map(({ x, y, width, height }) => boxOn(stage, x, y, width, height)) : []; // a weight has both
}

/** @type {Kind["axes"]} */
export const axes = (spec) => [
  [spec.query_axis, spec.query_tokens ?? spec.tokens],
  [spec.axis, spec.tokens],
];
