// Constants (trained weights) that a page keeps in a file of their own, loaded when their figure is first used. The
// file is a classic script, which a page opened from disk may load as well; what it calls is `provide`.

/** @type {Map<string, any[]>} */
const provided = new Map();
/** @type {Map<string, Promise<any[]>>} */
const asked = new Map();

/**
 * Called by the file.
 * @param {string} name the file's name without folder and ending
 * @param {any[]} pool
 */
export function provide(name, pool) {
  provided.set(name, pool);
}

/**
 * The constants in the file at `url`; a file that did not come is asked for again next time.
 * @param {string} url
 * @returns {Promise<any[]>}
 */
export function loadPool(url) {
  const name = url.replace(/.*\//, "").replace(/\.js$/, "");
  let pool = asked.get(url);
  if (!pool) {
    pool = new Promise((done, fail) => {
      const script = document.createElement("script");
      const ended = () => {
        script.remove();
        const found = provided.get(name);
        if (found) return done(found);
        asked.delete(url);
        fail(new Error(`${url} could not be loaded`));
      };
      script.onload = script.onerror = ended;
      script.src = url;
      document.head.append(script);
    });
    asked.set(url, pool);
  }
  return pool;
}
