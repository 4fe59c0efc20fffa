// A figure whose Programs and weights have not come: it shows its first numbers, and what a hand does waits for them.

const HELD = ["set", "run", "oneStep", "look", "receive", "open", "restart", "reset"];

/**
 * @template {Record<string, any>} Model
 * @param {Model} model what it does is held back from now on
 * @param {(waited: boolean) => Promise<void>} whole fetches what lacks; waited: a hand waits for it
 */
export function createSleeper(model, whole) {
  let asleep = true;
  /** @type {() => void} */
  let tell = () => {};
  const woken = new Promise((done) => (tell = () => done(undefined)));
  /** Have everything here. */
  const wake = async (waited = false) => {
    if (asleep) await whole(waited);
    asleep = false;
    tell();
  };
  const held = { ...model };
  for (const verb of HELD) {
    /** @type {any} */ (held)[verb] = (/** @type {any[]} */ ...given) => {
      if (!asleep) return model[verb](...given);
      wake(true).catch(() => {}); // the page has said why
      return woken.then(() => model[verb](...given)); // if only at the second try
    };
  }
  return { model: held, wake, woken };
}
