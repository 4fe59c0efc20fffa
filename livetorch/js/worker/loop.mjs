/**
 * What runs in the worker: one Program at a time, node by node, so that a newer request is heard in between.
 * In: {programs} once, an {entry} of the pool at a time, then {index, fed, ask}. Out: {ask, share} on the way, then
 * {ask, outputs} or {ask, error}; an output that is as in the last answer is null.
 */
import "../runtime/lanes.mjs";
import { load } from "../runtime/load.mjs";

const SLICE = 40; // milliseconds after which it says how far it is, and listens
const PATIENCE = 300; // a run that takes no longer is not left for a newer one: a hand that never rests would see nothing

/** @type {any} */
let spec;
/** @type {{index: number, program: any, all: Set<number>|null}} the others are let go of: each holds maps at full size; all: the values of a whole run */
let ready = { index: -1, program: null, all: null };
/** @type {any} */
let next = null;
let running = false;
let took = 0;

const turn = () => new Promise((done) => setTimeout(done));

/** Hand over the arrays of the outputs that are new to the page. @param {number} ask @param {Record<string, any>} outputs @param {Set<number>} fresh what was computed for them */
function tell(ask, outputs, fresh) {
  const all = (ready.all ??= fresh);
  for (const { name, value } of ready.program.outputs) if (all.has(value) && !fresh.has(value)) outputs[name] = null;
  postMessage({ ask, outputs }, { transfer: Object.values(outputs).flatMap((each) => each?.data.buffer ?? []) });
}

/** @param {any} request */
async function answer({ index, fed, ask }) {
  if (ready.index !== index) ready = { index, program: load(spec.programs[index], { pool: spec.pool }), all: null };
  const { program } = ready;
  const began = performance.now();
  let heard = began;
  /** @type {Set<number>} values that are computed in this run */
  const fresh = new Set();
  let done = 0;
  const walk = program.steps(Object.fromEntries(program.inputs.map((/** @type {{name: string}} */ { name }) => [name, fed[name]])));
  for (;;) {
    const step = walk.next();
    done += 1;
    if (step.done) {
      took = performance.now() - began;
      tell(ask, step.value, fresh);
      return;
    }
    for (let k = 0; k < step.value.outs; k += 1) fresh.add(step.value.first + k);
    if (performance.now() - heard < SLICE) continue;
    postMessage({ ask, share: done / program.nodes.length });
    await turn();
    heard = performance.now();
    if (next && took > PATIENCE) return;
  }
}

async function serve() {
  running = true;
  while (next) {
    const request = next;
    next = null;
    try {
      await answer(request);
    } catch (error) {
      ready.index = -1;
      postMessage({ ask: request.ask, error: String(error) });
    }
  }
  running = false;
}

globalThis.onmessage = ({ data }) => {
  if (data.programs) spec = { ...data, pool: [] };
  else if (data.entry) spec.pool.push(data.entry);
  else {
    next = data;
    if (!running) serve();
  }
};
