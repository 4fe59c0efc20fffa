// The steps that a run has been through, to be looked at again: what flowed into each, at most so many, evenly spread.

/** @typedef {Record<string, any>} Settings */

const MOST = 64; // steps that are kept
const ROOM = 4e6; // numbers that they may hold together

/**
 * @param {string[]} carried the controls that a step feeds
 * @param {{most?: number, room?: number}} [bounds]
 */
export function createPast(carried, { most = MOST, room = ROOM } = {}) {
  /** @type {Map<number, Settings>} */
  let kept = new Map();
  let stride = 1; // every step is kept at first, then every second, every fourth ...
  /** @type {number|null} the step that is looked at */
  let at = null;
  /** @type {Settings[]} the present settings, and what they were there */
  let seen = [];

  /** @param {Settings} settings */
  const sizeOf = (settings) => Object.values(settings).reduce((sum, value) => sum + (value?.data?.length ?? value?.length ?? 1), 0);

  /** @param {number|null} step a kept one, or null: the present */
  function look(step) {
    seen = [];
    at = step;
  }

  /** The present settings, or those with which the past step was computed. @param {Settings} settings */
  function shown(settings) {
    if (at === null) return settings;
    if (seen[0] !== settings) seen = [settings, { ...settings, ...kept.get(at) }];
    return seen[1];
  }

  return {
    look,
    shown,
    at: () => at,
    /** The numbers of the steps that are kept. */
    steps: () => [...kept.keys()],

    clear() {
      kept.clear();
      stride = 1;
      look(null);
    },

    /** @param {number} step @param {Settings} settings */
    keep(step, settings) {
      if (step % stride) return;
      const flowed = Object.fromEntries(carried.map((name) => [name, settings[name]]));
      kept.set(step, flowed);
      while (kept.size > 2 && (kept.size > most || kept.size * sizeOf(flowed) > room)) {
        stride *= 2;
        kept = new Map([...kept].filter(([one]) => one % stride === 0));
      }
    },
  };
}
