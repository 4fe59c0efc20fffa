// A reader's edits, kept in this browser, one entry for each page. An edit holds what the book's cell said when it was
// made: when a new edition of the book says something else there, the edit is kept aside and not mixed in.

/** @typedef {{was: string, text: string}} Edit was: a short sum of the book's text */

/** A short sum of a text (FNV-1a, twice 32 bits): equal texts, equal sums. @param {string} text */
export function sumOf(text) {
  let [a, b] = [0x811c9dc5, 0x1b873593];
  for (let i = 0; i < text.length; i += 1) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ text.charCodeAt(i), 0x01000193) ^ (b >>> 15);
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36);
}

/** The key of a page's edits; the switch looks there as well. @param {string} page */
export const keyOf = (page) => `attention-live edits ${page}`;

/** @param {unknown} edit @returns {edit is Edit} */
const isEdit = (edit) => edit !== null && typeof edit === "object" && "was" in edit && "text" in edit && typeof edit.text === "string";

/** @param {unknown} found @returns {Record<string, Edit>} what is an edit of it */
export const onlyEdits = (found) =>
  Object.fromEntries(Object.entries(found && typeof found === "object" ? found : {}).filter(([, edit]) => isEdit(edit)));

/** @param {Record<string, Edit>} edits */
const looking = (edits) => ({
  /** The edit of a cell, if the book still says there what it said. @param {string} id @param {string} book */
  get: (id, book) => (Object.hasOwn(edits, id) && edits[id].was === sumOf(book) ? edits[id].text : null),
  /** The edit of a cell whose text in the book has changed since. @param {string} id @param {string} book */
  older: (id, book) => (Object.hasOwn(edits, id) && edits[id].was !== sumOf(book) ? edits[id].text : null),
  /** @param {string} id */
  drop(id) {
    delete edits[id];
  },
});

/** @param {string} page @param {Pick<Storage, "getItem"|"setItem"|"removeItem">} [storage] */
export function createKeep(page, storage = globalThis.localStorage) {
  const key = keyOf(page);
  /** @type {Record<string, Edit>} */
  let edits = {};
  try {
    edits = onlyEdits(JSON.parse(storage.getItem(key) ?? "{}"));
  } catch {
    // nothing kept, or not by us, or a browser that keeps nothing
  }
  /** @returns {boolean} whether the browser keeps it */
  function store() {
    try {
      if (Object.keys(edits).length) storage.setItem(key, JSON.stringify(edits));
      else storage.removeItem(key);
      return true;
    } catch {
      return false;
    }
  }
  return {
    ...looking(edits),
    reading: looking,
    /** @param {string} book @param {string} text @returns {Edit} */
    edit: (book, text) => ({ was: sumOf(book), text }),
    /** @param {string} id @param {string} book @param {string} text */
    set(id, book, text) {
      if (text === book) delete edits[id];
      else edits[id] = { was: sumOf(book), text };
      return store();
    },
    /** @param {string} id */
    drop(id) {
      delete edits[id];
      store();
    },
  };
}
