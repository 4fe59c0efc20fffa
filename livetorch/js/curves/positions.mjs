/** The places along a slider's track that its curve is computed at. */
import { kindOf } from "../controls/index.mjs";
import { logStops } from "../controls/slider.mjs";

const MOST = 49;

/**
 * @param {any} control a slider
 * @returns {{share: number, value: number}[]} share: of the track's length, from 0 to 1
 */
export function positionsOf(control) {
  const log = control.scale === "log";
  const stops = log ? logStops(control) : null;
  const last = stops ? stops.length - 1 : Math.floor((control.max - control.min) / control.step + 1e-9);
  const count = Math.min(MOST, last + 1);
  return Array.from({ length: count }, (_, i) => {
    const n = Math.round((i * last) / (count - 1));
    const value = kindOf(control).valid(control, stops ? stops[n] : control.min + n * control.step);
    return { share: stops ? n / last : (value - control.min) / (control.max - control.min), value };
  });
}
