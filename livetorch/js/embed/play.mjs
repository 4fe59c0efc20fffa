// A figure that plays by itself, in a frame on a card: it steps if it steps, else its first slider goes to and fro.

const ROUND = 4000; // milliseconds of a slider's way there and back
const PACE = 120; // milliseconds of a step

/** @param {any} element of the figure @returns {() => void} ends it */
export function play(element) {
  document.documentElement.dataset.plays = ""; // only its views are seen
  const { spec, ready, state, set, step } = element.livetorch;
  const slider = spec.controls.find((/** @type {any} */ one) => one.kind === "slider" && !spec.carry?.restart?.includes(one.name));
  const [least, most] = slider ? [slider.min, slider.max] : [0, 1];
  const from = slider && state()[slider.name];
  const begin = performance.now();
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  const next = () => {
    const share = (from - least) / (most - least);
    const now = ((performance.now() - begin) / ROUND) * 2 * Math.PI + Math.acos(1 - 2 * share);
    if (spec.carry) step(1);
    else if (slider) set(slider.name, least + ((1 - Math.cos(now)) / 2) * (most - least));
    else return;
    timer = setTimeout(next, spec.carry ? PACE : 16);
  };
  ready.then(next, () => {});
  return () => clearTimeout(timer);
}
