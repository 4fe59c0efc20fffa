/** Opens random numbers down to the end of their trails and says what is wrong with any step. */

/** Numbers in [0, 1), the same for the same seed. @param {number} seed */
export function random(seed) {
  let state = seed + 1;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

const close = (x, y, size) => Object.is(x, y) || (Number.isNaN(x) && Number.isNaN(y)) || Math.abs(x - y) <= size;

// What a float of the dtype may be off by, in parts of what it was made of: from values that are rounded themselves.
const TOLERANCE = { float16: 2e-3, bfloat16: 2e-2 };

/**
 * What is wrong with one step: its value must follow from the numbers that it names, and its text hold them rounded.
 * @param {any} step @param {(value: number, dtype: string) => string} written
 */
function faultsOf(step, written) {
  const faults = [];
  const again = step.recompute();
  const finite = step.from.map(({ value }) => Math.abs(value)).filter(Number.isFinite);
  // 1e-5 of the value, or what the rounding of a float32 among what it was made of leaves where they cancel.
  const most = finite.reduce((x, y) => Math.max(x, y), 0);
  const tolerance = TOLERANCE[step.dtype] ?? 1e-5;
  if (!close(again, step.value, Math.max(tolerance * Math.abs(step.value), (tolerance / 10) * most))) {
    faults.push(`${step.value} is not ${again}, which it is made of`);
  }
  if (step.kind === "computed" ? step.from.length === 0 : step.from.length > 0) faults.push(`a ${step.kind} of ${step.from.length} numbers`);
  for (const [at, { text, from, raised }] of step.pieces.entries()) {
    if (from === undefined) continue;
    const part = step.from[from];
    const counts = part.dtype === "bool" && text === String(Number(part.value)); // a truth value in a sum
    const alone = raised && !step.pieces[at - 1]?.raised && !step.pieces[at + 1]?.raised;
    const dust = alone && text === "0.00" && Math.abs(part.value) < 1e-4;
    if (!counts && !dust && text !== written(part.value, part.dtype)) faults.push(`${text} stands for ${part.value}`);
  }
  if (/undefined|\[object|null/.test(step.text)) faults.push("what it says makes no sense");
  const share = step.terms.reduce((sum, term) => sum + term.share, 0);
  if (step.terms.length && !close(share, 1, 1e-6) && share !== 0 && !Number.isNaN(share)) faults.push(`shares of ${share} together`);
  return faults.map((fault) => `${step.op} ${fault}: ${step.text.slice(0, 300)}`);
}

/**
 * @param {any} explain what openProgram gives
 * @param {(value: number, dtype: string) => string} written
 * @param {{count: number, seed?: number}} options how many numbers, each down one way to its end
 * @returns {{faults: string[], steps: number, operators: Set<string>, unknown: string[]}} unknown: what no rule explains
 */
export function walked(explain, written, { count, seed = 0 }) {
  const next = random(seed);
  const one = (list) => list[Math.floor(next() * list.length)];
  const faults = [];
  const operators = new Set();
  const unknown = new Set();
  let steps = 0;
  const outputs = Object.entries(explain.outputs).filter(([, { data }]) => data.length > 0);
  for (let k = 0; outputs.length && k < count; k += 1) {
    const [name, { data, shape }] = one(outputs);
    const place = Math.floor(next() * data.length);
    let step = explain.open(name, shape.length === 1 ? [place] : place);
    for (let depth = 0; ; depth += 1) {
      steps += 1;
      operators.add(step.op);
      if (step.text.includes("computed by aten")) unknown.add(step.text.slice(0, 200));
      faults.push(...faultsOf(step, written));
      if (depth > 5000) faults.push(`no end: ${step.text}`);
      if (step.from.length === 0 || depth > 5000) break;
      const part = one(step.from);
      step = part.open();
      if (!Object.is(step.value, part.value)) faults.push(`${part.label} is ${part.value}, and opened ${step.value}`);
    }
  }
  return { faults: [...new Set(faults)], steps, operators, unknown: [...unknown] };
}
