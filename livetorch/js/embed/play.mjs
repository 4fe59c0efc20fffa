// A figure that plays by itself, in a frame on a card: it steps if it steps, else its first slider goes to and fro, else its
// first choice goes round, its first mask is switched cell by cell, or the first number of a table comes and goes.

const ROUND = 4000; // milliseconds of a slider's way there and back
const PACE = 120; // milliseconds of a step
const TURN = 700; // milliseconds for which what is chosen stays, or one of few steps
const FEW = 12; // steps

/**
 * What a control is set to at a time, and how long that stays; null where it cannot play.
 * @param {any} control @param {any} from what it is set to at first
 * @returns {{wait: number, at: (time: number) => any}|null} time in milliseconds
 */
export function turns({ kind, min, max, options, examples }, from) {
  const round = (/** @type {any[]} */ all, /** @type {number} */ time) => all[Math.floor(time / TURN + 1e-6) % all.length];
  if (kind === "slider") {
    const start = Math.acos(1 - (2 * (from - min)) / (max - min));
    return { wait: 16, at: (time) => min + ((1 - Math.cos((time / ROUND) * 2 * Math.PI + start)) / 2) * (max - min) };
  }
  if (kind === "dropdown") return { wait: TURN, at: (time) => (from + Math.floor(time / TURN + 1e-6)) % options.length };
  if (kind === "text" && examples) return { wait: 2 * TURN, at: (time) => round(examples, time / 2) };
  const cells = kind === "mask" || kind === "matrix" ? from.flat().length : 0;
  /** The table with one cell changed. @param {number} which @param {(cell: any) => any} changed */
  const but = (which, changed) =>
    from.map((/** @type {any[]} */ row, /** @type {number} */ r) =>
      row.map((cell, c) => (r * row.length + c === which ? changed(cell) : cell)),
    );
  if (kind === "mask") return { wait: TURN, at: (time) => but(Math.floor(time / TURN + 1e-6) % cells, (kept) => !kept) };
  const swing = (/** @type {number} */ time) => Math.sin((time / ROUND) * 2 * Math.PI);
  if (kind === "matrix") return { wait: 16, at: (time) => but(0, (x) => x + swing(time) * Math.max(1, Math.abs(x))) };
  return null;
}

const KINDS = ["slider", "dropdown", "text", "mask", "matrix"]; // the first of these that a figure has

/** @param {any} element of the figure @returns {() => void} ends it */
export function play(element) {
  document.documentElement.dataset.plays = ""; // only its views are seen
  const { spec, ready, state, set, step, restart } = element.livetorch;
  const free = spec.controls.filter((/** @type {any} */ one) => !spec.carry?.restart?.includes(one.name));
  const order = KINDS.flatMap((kind) => free.filter((/** @type {any} */ one) => one.kind === kind));
  const [control, turn] = order.map((one) => [one, turns(one, state()[one.name])]).find(([, found]) => found) ?? [];
  const few = spec.carry?.steps <= FEW;
  const begin = performance.now();
  let made = 0;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  const next = () => {
    if (spec.carry) made++ < (few ? spec.carry.steps : Infinity) ? step(1) : restart((made = 0));
    else if (turn) set(control.name, turn.at(performance.now() - begin));
    else return;
    timer = setTimeout(next, spec.carry ? (few ? TURN : PACE) : turn.wait);
  };
  ready.then(next, () => {});
  return () => clearTimeout(timer);
}
