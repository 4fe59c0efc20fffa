// What a reader answered, kept in this browser and nowhere else, one entry for each page. A browser may refuse to keep
// anything (private windows, some pages opened from disk): the questions then work without.

/** @param {string} page */
export function createMemory(page) {
  const key = `attention-live answers ${page}`;
  /** @returns {Record<string, any>} */
  const read = () => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? "{}") ?? {};
    } catch {
      return {}; // nothing kept, or not by us
    }
  };
  let kept = read();
  const store = () => {
    try {
      if (Object.keys(kept).length) localStorage.setItem(key, JSON.stringify(kept));
      else localStorage.removeItem(key);
    } catch {
      // the page goes on without
    }
  };
  return {
    /** @param {string} name */
    get: (name) => (Object.hasOwn(kept, name) ? kept[name] : null),
    any: () => Object.keys(kept).length > 0,
    /** @param {string} name @param {any} answer null: not answered */
    set(name, answer) {
      kept = { ...kept, ...read(), [name]: answer }; // solved exercises are kept here as well (edit and run)
      if (answer === null) delete kept[name];
      store();
    },
    forget() {
      kept = {};
      store();
    },
  };
}
