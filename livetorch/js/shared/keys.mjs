// Whether a letter by itself does something in a figure that has the focus: a reader may switch that off.

const OFF = "attention-live single keys off";

export function areOff() {
  try {
    return localStorage.getItem(OFF) !== null;
  } catch {
    return false; // a browser may refuse
  }
}

/** @param {boolean} off */
export function turn(off) {
  try {
    if (off) localStorage.setItem(OFF, "1");
    else localStorage.removeItem(OFF);
  } catch {
    // then they stay on
  }
}
