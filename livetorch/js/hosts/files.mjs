// Files that a page keeps beside it and fetches when a figure needs them: trained weights, and parts of this script.
// They are classic scripts, which a page opened from disk may load as well; what they call is `provide`.

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

/**
 * What the file at `url` provides; a file that did not come is asked for again next time.
 * @param {string} url
 * @returns {Promise<any>}
 */
export function loadFile(url) {
  const name = url.replace(/\?.*/, "").replace(/.*\//, "").replace(/\.js$/, "");
  let content = asked.get(url);
  if (!content) {
    content = new Promise((done, fail) => {
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
    asked.set(url, content);
  }
  return content;
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
