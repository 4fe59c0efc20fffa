import { formatNumber, minus } from "../shared/format.mjs";
import { h, writeText } from "../shared/dom.mjs";
import { alike, clamp, describedBy, isNumber, parsed, short, tensor } from "./base.mjs";
import { createSegments, fewOptions } from "./segments.mjs";

const POSITIONS = 200; // of a logarithmic slider
const FEW = 5; // whole numbers that are buttons beside each other

/** One number between two ends. @type {import("./base.mjs").Kind} */
export const slider = {
  ...alike,
  valid(control, value) {
    if (!isNumber(value)) return undefined;
    const inside = clamp(value, control.min, control.max);
    if (control.dtype === "int64" || control.variant) {
      const steps = Math.min(Math.round((inside - control.min) / control.step), lastStep(control));
      return Number((control.min + steps * control.step).toFixed(10));
    }
    return Number(inside.toPrecision(12)); // 1.0000000000000002 is what a slider's arithmetic gives
  },
  inputs: (control, value) => ({ [control.name]: tensor([], control.dtype, [value]) }),
  option: (control, value) => Math.round((value - control.min) / control.step),
  fromOutput: (_, output) => output.data[0],
  toLink: (_, value) => short(value),
  fromLink: (control, text) => slider.valid(control, parsed(text)),
  element: createSlider,
};

/**
 * How many steps fit between the ends: from 1 to 8 by 4 there is one, and the slider stops at 5.
 * @param {any} control
 */
function lastStep({ min, max, step }) {
  return Math.floor((max - min) / step + 1e-9);
}

/**
 * The numbers that a logarithmic slider stops at; whole ones come once each, so that no press of a key is idle. A text
 * speaks of 100 and 10,000, so the stop next to a number of one digit and zeros (and to the one it starts from) is it.
 * @param {any} control
 * @returns {number[]}
 */
export function logStops({ min, max, dtype, value: start }) {
  const ratio = Math.log(max / min);
  const whole = dtype === "int64";
  const at = (/** @type {number} */ i) => {
    const value = i === POSITIONS ? max : min * Math.exp((ratio * i) / POSITIONS);
    return whole ? Math.round(value) : Number(value.toPrecision(3));
  };
  const stops = [...new Set(Array.from({ length: POSITIONS + 1 }, (_, i) => at(i)))];
  const decades = Array.from({ length: Math.ceil(Math.log10(max / min)) + 1 }, (_, i) => Math.floor(Math.log10(min)) + i);
  const round = decades.flatMap((power) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => Number(`${digit}e${power}`)));
  for (const wanted of [...round, start]) {
    const i = wanted > min && wanted < max ? nearest(stops, wanted) : 0;
    if (i > 0 && i < stops.length - 1 && (!whole || Number.isInteger(wanted))) stops[i] = wanted;
  }
  return stops;
}

/** The stop that is nearest to a number, counted in steps of the same ratio. @param {number[]} stops @param {number} value */
function nearest(stops, value) {
  const far = (/** @type {number} */ stop) => Math.abs(Math.log(stop / Math.max(value, 1e-300)));
  return stops.reduce((best, stop, i) => (far(stop) < far(stops[best]) ? i : best), 0);
}

/**
 * Whole numbers of which there are few, as buttons; their widget speaks of settings, not of places.
 * @param {any} control
 * @param {import("./base.mjs").Context} context
 */
function createFew(control, { id, set }) {
  const count = lastStep(control) + 1;
  const values = Array.from({ length: count }, (_, i) => control.min + i * control.step);
  const { element, update } = createSegments(
    control,
    values.map((value) => formatNumber(value, control.format)),
    { id, set: (i, more) => set(values[i], more) },
  );
  return { element, update: (/** @type {number} */ value) => update(values.indexOf(value)) };
}

/**
 * A button that draws a new number by chance, for the seeds of dice.
 * @param {any} control
 * @param {import("./base.mjs").Context} context
 */
function createRoll(control, { id, set }) {
  const roll = () => set(control.min + Math.floor(Math.random() * (control.max - control.min + 1)), { final: true });
  const button = h(
    "button",
    { type: "button", id, class: "lt-button", onclick: roll, "aria-describedby": describedBy(control, id) },
    control.label,
  );
  return { element: h("div", { class: "lt-control lt-roll" }, button), update() {} };
}

/**
 * A native range input with its label and value.
 * @param {any} control
 * @param {import("./base.mjs").Context} context
 */
function createSlider(control, { id, set }) {
  if (control.roll) return createRoll(control, { id, set });
  const few = (control.max - control.min) / control.step < FEW && control.dtype === "int64" && control.scale !== "log";
  if (few && fewOptions(Array(FEW).fill(formatNumber(control.max, control.format)))) return createFew(control, { id, set });
  const log = control.scale === "log";
  const stops = log ? logStops(control) : [];
  const position = (/** @type {number} */ value) => (log ? nearest(stops, value) : value);
  const valueAt = (/** @type {number} */ at) => (log ? stops[at] : at);
  const last = log ? stops.length - 1 : control.max;
  const track = createTrack(control, id);
  const input = h("input", {
    id,
    type: "range",
    min: log ? 0 : control.min,
    max: last,
    step: log ? 1 : control.step,
    class: "lt-range",
    "aria-describedby": [describedBy(control, id), track?.said.id].filter(Boolean).join(" ") || null,
    oninput: () => touch.refused() || set(read(), { final: false }),
    onchange: () => touch.refused() || set(read(), { final: true }),
  });
  let present = control.value;
  const touch = thumbOnly(input, {
    put(value) {
      input.value = value;
      set(read(), { final: true });
    },
    saved: () => present,
    restore: (before) => set(before, { final: true }),
  });
  const output = h("output", { class: "lt-value", for: id });
  const read = () => clamp(valueAt(Number(input.value)), control.min, control.max);
  const element = h(
    "div",
    { class: "lt-control lt-slider" },
    h("label", { for: id, class: "lt-label" }, control.label),
    track?.name,
    output,
    track?.slot,
    input,
    track?.said,
  );
  if (track) element.classList.add("lt-curved");
  const shares = track ? [input, track.slot] : [input]; // not all that stands in the element: it would inherit it
  return {
    element,
    track,
    /** @param {number} value */
    update(value) {
      present = value;
      const text = minus(formatNumber(value, control.format));
      writeText(output, text);
      input.setAttribute("aria-valuetext", text);
      const at = position(value);
      if (Number(input.value) !== at) input.value = String(at);
      const low = log ? 0 : control.min;
      const share = (Number(input.value) - low) / (last - low);
      for (const each of shares) each.style.setProperty("--lt-share", `${100 * share}%`);
    },
  };
}

const REACH = 26; // pixels from the middle of the thumb that still hold it
const STILL = 8; // a finger that moves less than this taps

/**
 * A slider under a finger: only its thumb moves it. A swipe that starts elsewhere on it, or that becomes a scroll of the page,
 * changes nothing; a tap sets the value at that place.
 * @param {HTMLInputElement} input
 * @param {{put: (value: string) => void, saved: () => any, restore: (saved: any) => void}} how put: another position, as if
 *   a hand had set it; saved: the present setting, which `restore` brings back
 */
export function thumbOnly(input, { put, saved, restore }) {
  /** @type {{value: string, setting: any, x: number, y: number, held: boolean, still: boolean}|null} */
  let touch = null;
  const ends = () => [Number(input.min), Number(input.max)];
  const share = () => (Number(input.value) - ends()[0]) / (ends()[1] - ends()[0]);

  /** @param {Touch} finger */
  function start({ clientX: x, clientY: y }) {
    const { left, width } = input.getBoundingClientRect();
    touch = { value: input.value, setting: saved(), x, y, held: Math.abs(left + share() * width - x) <= REACH, still: true };
  }
  /** @param {TouchEvent} event */
  function end({ changedTouches: [finger] }) {
    const ended = touch;
    const { left, width } = input.getBoundingClientRect();
    const [min, max] = ends();
    const there = min + Math.min(1, Math.max(0, (finger.clientX - left) / width)) * (max - min);
    // the browser's own end of the press comes first
    setTimeout(() => {
      touch = null;
      if (ended?.still && !ended.held) put(String(there));
    });
  }
  /** The page scrolls under the finger: nothing of the press was meant, and nothing that follows is. */
  function cancel() {
    if (!touch) return;
    const { setting } = touch;
    Object.assign(touch, { held: false, still: false });
    input.value = touch.value;
    if (setting !== saved()) restore(setting);
  }
  input.addEventListener(
    "touchstart",
    ({ touches, targetTouches }) => {
      if (!touch) start(targetTouches[0]);
      if (touches[1]) cancel(); // wherever the other finger is
    },
    { passive: true },
  );
  input.addEventListener(
    "touchmove",
    ({ touches: [{ clientX, clientY }, second] }) => {
      if (second) cancel();
      else if (touch && Math.hypot(clientX - touch.x, clientY - touch.y) > STILL) touch.still = false;
    },
    { passive: true },
  );
  input.addEventListener("touchend", end, { passive: true });
  input.addEventListener("pointercancel", cancel);
  input.addEventListener(
    "touchcancel",
    () => {
      cancel();
      touch = null;
    },
    { passive: true },
  );
  return {
    /** Whether what the browser has just set is not meant; then it is as before again. */
    refused() {
      if (!touch || touch.held) return false;
      input.value = touch.value;
      return true;
    },
  };
}

/**
 * The room for a curve on the track of a slider, which a part of the script fills; null where none is wanted, or the reader
 * saves data.
 * @param {any} control
 * @param {string} id
 */
export function createTrack(control, id) {
  if (!control.curve || /** @type {any} */ (globalThis.navigator)?.connection?.saveData) return null;
  return {
    control,
    name: h("span", { class: "lt-track-name", "aria-hidden": "true" }, control.curve.label),
    slot: h("div", { class: "lt-track lt-stale", "aria-hidden": "true" }),
    said: h("span", { class: "lt-spoken", id: `${id}-curve` }),
  };
}
