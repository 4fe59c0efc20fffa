// Files that a page keeps beside it and fetches when a figure needs them: trained weights, and parts of this script.
// They are classic scripts, which a page opened from disk may load as well; what they call is `provide`.

import { h } from "../shared/dom.mjs";

/** @type {Map<string, any>} */
const provided = new Map();
/** @type {Map<string, Promise<any>>} */
const asked = new Map();

/**
 * Called by the file.
 * @param {string} name the file's name without folder and ending
 * @param {any} content
 */
export function provide(name, content) {
  provided.set(name, content);
}

/** What a script further down the page holds, read in a turn of its own. @param {string} id */
async function below(id) {
  do await new Promise(/** @type {any} */ (setTimeout));
  while (document.readyState === "loading");
  return JSON.parse(/** @type {any} */ (document.querySelector(id)).textContent);
}

/**
 * What the file at `url` provides, or what stands at "#...": a file that did not come is asked for again next time.
 * @param {string} url
 * @returns {Promise<any>}
 */
export function loadFile(url) {
  const name = url.replace(/.*\/|\.js.*/g, "");
  if (!asked.has(url)) {
    const comes = (/** @type {(content: any) => void} */ done, /** @type {(error: Error) => void} */ fail) => {
      const ended = () => {
        script.remove();
        if (provided.has(name)) return done(provided.get(name));
        asked.delete(url);
        fail(new Error(`${url} could not be loaded`));
      };
      const script = h("script", { src: url, onload: ended, onerror: ended });
      document.head.append(script);
    };
    asked.set(url, url[0] === "#" ? below(url) : new Promise(comes));
  }
  return /** @type {Promise<any>} */ (asked.get(url));
}

/**
 * What several files hold, lists one behind the other.
 * @param {string} urls between spaces
 * @param {(done: number, of: number) => void} told how many files are there, whenever one has come
 * @returns {Promise<any[]>}
 */
export async function loadFiles(urls, told) {
  const all = urls.split(" ");
  let done = 0;
  const parts = all.map(async (url) => {
    const part = await loadFile(url);
    told((done += 1), all.length);
    return part;
  });
  return (await Promise.all(parts)).flat();
}
