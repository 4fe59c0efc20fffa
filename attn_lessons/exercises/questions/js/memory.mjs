// What a reader answered, kept in this browser and nowhere else, one entry for each page. A browser may refuse to keep
// anything (private windows, some pages opened from disk): the questions then work without.

/** @param {string} page */
export function createMemory(page) {
  const key = `attention-live answers ${page}`;
  /** @type {Record<string, any>} */
  let kept = {};
  const read = () => {
    try {
      const found = JSON.parse(localStorage.getItem(key) ?? "{}");
      kept = found && typeof found === "object" && !Array.isArray(found) ? found : {};
    } catch {
      // nothing kept, or not by us
    }
  };
  read();
  const store = () => {
    try {
      if (Object.keys(kept).length) localStorage.setItem(key, JSON.stringify(kept));
      else localStorage.removeItem(key);
    } catch {
      // the page goes on without
    }
    document.dispatchEvent(new Event("attention-live:progress"));
  };
  return {
    /** @param {string} name */
    get: (name) => (Object.hasOwn(kept, name) ? kept[name] : null),
    any: () => Object.keys(kept).length > 0,
    /** @param {string} name @param {any} answer null: not answered */
    set(name, answer) {
      read(); // others keep what was done of the page in the same entry
      kept = { ...kept, [name]: answer };
      if (answer === null) delete kept[name];
      store();
    },
    forget() {
      kept = {};
      store();
    },
  };
}
