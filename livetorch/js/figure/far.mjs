// Runs that would hold up the page go to a worker, which comes as a part of the script.

const LONG = 16; // milliseconds of a run that a frame waits for
const OFTEN = 3; // such runs in a row: the first ones make a Program ready
const MANY = 1e6; // numbers of a model for which nobody need find out

/** How many numbers some tensors hold. @param {{shape?: number[]}[]} [pool] */
export const numbersIn = (pool = []) => pool.reduce((sum, { shape = [] }) => sum + shape.reduce((a, b) => a * b, 1), 0);

/**
 * A run that calls for the worker once it is found to take long.
 * @param {any} spec @param {(settings: any) => any} run @param {() => void} call
 */
export function watched(spec, run, call) {
  let slow = 0;
  if (spec.first && numbersIn(spec.pool) > MANY) call();
  return (/** @type {any} */ settings) => {
    const from = performance.now();
    const outputs = run(settings);
    slow = performance.now() - from > LONG ? slow + 1 : 0;
    if (slow === OFTEN) call();
    return outputs;
  };
}
