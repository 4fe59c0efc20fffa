// What a model tells whoever shows it.

/**
 * @typedef {object} Hearer
 * @property {(names: string[]) => void} moved these settings are others now
 * @property {() => void} stale the frame is another now: draw it soon
 * @property {() => void} ran a run has come on or ended: draw it now
 * @property {(final: boolean) => void} changed as `moved`, for a kernel: not told of what it sent itself
 * @property {(text: string) => void} said worth an announcement
 * @property {(text: string) => void} failed what is wrong; "": nothing any more
 */

/** Who hears everything, and takes no notice of what `hearer` does not ask for. @param {Partial<Hearer>} hearer @returns {Hearer} */
export function heard(hearer) {
  const nothing = () => {};
  return { moved: nothing, stale: nothing, ran: nothing, changed: nothing, said: nothing, failed: nothing, ...hearer };
}
