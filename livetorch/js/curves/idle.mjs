/** Work that waits until the page has nothing else to do, in slices that end before anybody notices. */

const SLICE = 6; // milliseconds, where the browser does not say how long it is idle
const PATIENCE = 250; // milliseconds after which a slice is due all the same: some pages are never called idle

/**
 * Calls `next` again and again while there is time, until it says that nothing is left; returns how to stop.
 * @param {() => boolean} next does one piece; false: that was the last
 */
export function whenIdle(next) {
  const ask = /** @type {any} */ (globalThis).requestIdleCallback; // Safari has none
  /** @type {any} */
  let handle = null;
  /** @param {IdleDeadline} [idle] */
  const slice = (idle) => {
    const end = performance.now() + SLICE;
    const hasTime = () => (idle && !idle.didTimeout ? idle.timeRemaining() > 2 : performance.now() < end);
    let going = true;
    do going = next();
    while (going && hasTime());
    handle = going ? wait() : null;
  };
  const wait = () => (ask ? ask(slice, { timeout: PATIENCE }) : setTimeout(slice, 60));
  handle = wait();
  return () => (ask ? globalThis.cancelIdleCallback(handle) : clearTimeout(handle));
}
