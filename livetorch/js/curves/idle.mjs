/** Work that waits until the page has nothing else to do, in slices that end before anybody notices. */

const SLICE = 6; // milliseconds, where the browser does not say how long it is idle

/**
 * Calls `next` again and again while there is time, until it says that nothing is left; returns how to stop.
 * @param {() => boolean} next does one piece; false: that was the last
 */
export function whenIdle(next) {
  const ask = globalThis.requestIdleCallback;
  /** @type {any} */
  let handle = null;
  /** @param {() => boolean} hasTime */
  const slice = (hasTime) => {
    handle = null;
    let going = true;
    do going = next();
    while (going && hasTime());
    if (going) wait();
  };
  const wait = () => {
    if (ask) handle = ask((idle) => slice(() => idle.timeRemaining() > 2));
    else {
      handle = setTimeout(() => {
        const end = performance.now() + SLICE;
        slice(() => performance.now() < end);
      }, 60);
    }
  };
  wait();
  return () => (ask ? globalThis.cancelIdleCallback(handle) : clearTimeout(handle));
}
