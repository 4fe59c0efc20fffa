// What cells bind, change and read, as Python found it: of the book's text when the book was built, of a reader's own
// text when Python is there (running/names.py).

/** @typedef {{binds: string[], touches: string[], reads: string[], later: string[]}} Names later: when called */
/** @typedef {(text: string, place: number) => Names} NamesOf */

/** @type {Names} */
const NOTHING = { binds: [], touches: [], reads: [], later: [] };

/**
 * @param {{book: string, names?: Names|null}[]} cells
 * @param {(texts: string[]) => Promise<(Names|null)[]>} ask Python; null: the text is no Python
 */
export function createNames(cells, ask) {
  /** @type {Map<string, Names|null>} */
  const known = new Map(cells.map(({ book, names }) => [book, names ?? null]));
  return {
    /** Of a text that is not known, or no Python, what the book's text in that place has. @type {NamesOf} */
    of: (text, place) => known.get(text) ?? known.get(cells[place].book) ?? NOTHING,
    /** Whether a text is Python. @param {string} text */
    whole: (text) => known.get(text) != null,
    /** Learn what is not known yet. @param {string[]} texts */
    async learn(texts) {
      const fresh = texts.filter((text) => !known.has(text));
      if (!fresh.length) return;
      const found = await ask(fresh);
      for (const [at, text] of fresh.entries()) known.set(text, found[at]);
    },
  };
}
