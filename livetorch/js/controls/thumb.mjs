// A slider under a finger: only its thumb moves it. A swipe that starts elsewhere on it, or that becomes a scroll of the
// page, changes nothing; a tap sets the value at that place.

const REACH = 26; // pixels from the middle of the thumb that still hold it
const STILL = 8; // a finger that moves less than this taps

/**
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
