/**
 * What runs in the worker: one Program at a time, node by node, so that a newer request is heard in between.
 * In: {pool, programs} once, then {index, fed, ask}. Out: {ask, share} on the way, then {ask, outputs} or {ask, error}.
 */
import "../runtime/lanes.mjs";
import { load } from "../runtime/load.mjs";

const SLICE = 40; // milliseconds after which it says how far it is, and listens
const PATIENCE = 300; // a run that takes no longer is not left for a newer one: a hand that never rests would see nothing

/** @type {any} */
let spec;
/** @type {{index: number, program: any}} the others are let go of: each holds maps at full size */
let ready = { index: -1, program: null };
/** @type {any} */
let next = null;
let running = false;
let took = 0;

const turn = () => new Promise((done) => setTimeout(done));

/** @param {any} request */
async function answer({ index, fed, ask }) {
  if (ready.index !== index) ready = { index, program: load(spec.programs[index], { pool: spec.pool }) };
  const { program } = ready;
  const began = performance.now();
  let heard = began;
  let done = 0;
  const walk = program.steps(Object.fromEntries(program.inputs.map((/** @type {{name: string}} */ { name }) => [name, fed[name]])));
  for (;;) {
    const step = walk.next();
    done += 1;
    if (step.done) {
      took = performance.now() - began;
      postMessage({ ask, outputs: step.value });
      return;
    }
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
  if (data.programs) spec = data;
  else {
    next = data;
    if (!running) serve();
  }
};
