/**
 * A small curve on the track of a slider: what one number of the figure would be at each of its positions, with the other
 * controls as they are. It is computed while the page is idle, and not at all where a run of the figure takes long.
 */
import { createPrograms } from "../figure/programs.mjs";
import { formatNumber, minus } from "../shared/format.mjs";
import { makeSvg, writeText } from "../shared/dom.mjs";
import { whenIdle } from "./idle.mjs";
import { positionsOf } from "./positions.mjs";

const CALM = 180; // milliseconds without a change, after which a curve is computed anew
const HEAVY = 16; // milliseconds of a run that are too many
const TRIED = 8; // runs before that is judged, by the fastest: the first makes the Program ready, the next are cold

/** @typedef {{control: any, slot: HTMLElement, name: HTMLElement, said: HTMLElement}} Track slot: where the curve is drawn; said: in words */

/** One number of the outputs, as `curve` names it. @param {any} curve @param {Record<string, any>} outputs */
export const numberOf = ({ output, at }, outputs) => Number(outputs[output]?.data[at] ?? NaN);

/** The ends between which finite numbers lie. @param {number[]} numbers */
export function reachOf(numbers) {
  const finite = numbers.filter(Number.isFinite);
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  return finite.length ? { low, high } : null;
}

/**
 * The curve as a path in a square of 100; it breaks where there is no number.
 * @param {{share: number, y: number}[]} points
 * @param {{low: number, high: number}} reach
 */
export function pathOf(points, { low, high }) {
  let pen = "M";
  return points
    .map(({ share, y }) => {
      if (!Number.isFinite(y)) return (pen = "M") && "";
      const step = `${pen}${(100 * share).toFixed(2)},${heightOf(y, { low, high }).toFixed(2)}`;
      pen = "L";
      return step;
    })
    .join("");
}

/** @param {number} y @param {{low: number, high: number}} reach */
const heightOf = (y, { low, high }) =>
  high - low > 1e-7 * Math.max(Math.abs(low), Math.abs(high)) ? 100 * (1 - Math.min(1, Math.max(0, (y - low) / (high - low)))) : 50;

/** @param {number} x */
const short = (x) => minus(formatNumber(x, ".3g"));

/** One place of the curve. @param {any} control @returns {(place: {value: number, y: number}) => string} */
const atOf =
  (control) =>
  ({ value, y }) =>
    `${short(y)} at ${minus(formatNumber(value, control.format))}`;

/** What the curve shows, for those who do not see it. @param {any} control @param {{value: number, y: number}[]} points */
export function inWords(control, points) {
  const finite = points.filter(({ y }) => Number.isFinite(y));
  if (!finite.length) return "";
  const at = atOf(control);
  const least = finite.reduce((a, b) => (b.y < a.y ? b : a));
  const most = finite.reduce((a, b) => (b.y > a.y ? b : a));
  if (short(least.y) === short(most.y)) return `${control.curve.label} stays at ${short(least.y)}.`;
  return `Along the slider, ${control.curve.label} is least with ${at(least)}, and most with ${at(most)}.`;
}

/**
 * @param {import("../shared/spec.d.ts").Spec} spec the figure's JSON
 * @param {object} parts
 * @param {Track[]} parts.tracks
 * @param {() => boolean} parts.busy whether the figure has other work, such as a run of steps
 * @param {() => number} [parts.now]
 * @param {typeof whenIdle} [parts.idle]
 */
export function createCurves(spec, { tracks, busy, now = () => performance.now(), idle = whenIdle }) {
  const programs = createPrograms(spec); // its own: the figure's Programs keep what the hand has not moved
  const drawn = tracks.map(openTrack);
  /** @type {(() => void)|null} */
  let stop = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  let runs = 0;
  let least = Infinity;

  /** @param {any} frame */
  function update(frame) {
    if (!drawn.length) return;
    let changed = false;
    for (const track of drawn) {
      if (!sameOthers(track.others, frame.state, track.control.name)) {
        Object.assign(track, { others: frame.state, ys: [] });
        track.slot.classList.add("lt-stale");
        changed = true;
      }
      mark(track, frame);
    }
    if (!changed) return;
    stop?.();
    stop = null;
    clearTimeout(timer);
    timer = setTimeout(begin, CALM);
  }

  function begin() {
    if (busy()) timer = setTimeout(begin, CALM);
    else stop = idle(sample);
  }

  /** One more number of the first curve that is not whole. */
  function sample() {
    const track = drawn.find(({ ys, places }) => ys.length < places.length);
    if (!track) return false;
    const { control, places, ys, others } = track;
    const start = now();
    try {
      ys.push(numberOf(control.curve, programs.run({ ...others, [control.name]: places[ys.length].value })));
    } catch {
      ys.push(NaN); // what the figure says by itself when the hand comes here
    }
    runs += 1;
    least = Math.min(least, now() - start);
    if (runs >= TRIED && least > HEAVY) return giveUp();
    if (ys.length === places.length) draw(track);
    return true;
  }

  function giveUp() {
    for (const track of drawn.splice(0)) show(track, false);
    return false;
  }

  return {
    update,
    destroy() {
      clearTimeout(timer);
      stop?.();
    },
  };
}

/** @param {Track} track */
function openTrack({ control, slot, name, said }) {
  const svg = makeSvg();
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("preserveAspectRatio", "none");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.append(path);
  const dot = document.createElement("span");
  dot.className = "lt-track-dot";
  slot.replaceChildren(svg, dot);
  const track = {
    control,
    slot,
    name,
    said,
    path,
    dot,
    places: positionsOf(control),
    ys: /** @type {number[]} */ ([]),
    others: /** @type {any} */ (null),
  };
  const around = slot.parentElement; // the curve itself lets all through to the slider
  around?.addEventListener("pointermove", (event) => say(track, event));
  around?.addEventListener("pointerleave", () => say(track));
  return track;
}

/** The number of the curve at the place that is pointed at, in place of what the curve is of: no longer, so that nothing moves. @param {any} track @param {PointerEvent} [event] */
function say({ control, slot, name, places, ys }, event) {
  const box = slot.getBoundingClientRect();
  const share = event ? (event.clientX - box.left) / box.width : -1;
  const near = (/** @type {{share: number}} */ place) => Math.abs(place.share - share);
  const i = places.reduce(
    (/** @type {number} */ best, /** @type {any} */ place, /** @type {number} */ k) => (near(place) < near(places[best]) ? k : best),
    0,
  );
  const on = event && event.clientY > box.top && near(places[i]) < 0.05 && Number.isFinite(ys[i]);
  writeText(name, on ? atOf(control)({ value: places[i].value, y: ys[i] }) : control.curve.label);
}

/** Whether the other controls are as they were. @param {any} a @param {any} b @param {string} name */
function sameOthers(a, b, name) {
  return (
    a &&
    Object.keys(b).every((key) => key === name || a[key] === b[key] || (!b[key]?.data && JSON.stringify(a[key]) === JSON.stringify(b[key])))
  );
}

/** The room stays, or what stands below would jump. @param {ReturnType<typeof openTrack>} track @param {boolean} seen */
function show({ slot, name }, seen) {
  for (const { style } of [slot, name]) style.visibility = seen ? "" : "hidden";
}

/** @param {ReturnType<typeof openTrack>} track */
function draw(track) {
  const { control, slot, said, path, places, ys, others } = track;
  const reach = reachOf(ys);
  slot.classList.remove("lt-stale");
  show(track, Boolean(reach));
  if (!reach) return;
  path.setAttribute(
    "d",
    pathOf(
      places.map(({ share }, i) => ({ share, y: ys[i] })),
      reach,
    ),
  );
  said.textContent = inWords(
    control,
    places.map(({ value }, i) => ({ value, y: ys[i] })),
  );
  mark(track, { state: others, outputs: null });
}

/** The dot is where the figure is: at what its own run gave. @param {ReturnType<typeof openTrack>} track @param {any} frame */
function mark({ control, dot, ys, places }, { outputs }) {
  if (outputs) dot.dataset.y = String(numberOf(control.curve, outputs));
  const reach = ys.length === places.length ? reachOf(ys) : null;
  const y = Number(dot.dataset.y);
  dot.hidden = !reach || !Number.isFinite(y);
  if (reach) dot.style.top = `${heightOf(y, reach)}%`;
}
