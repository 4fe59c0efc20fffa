// In which order cells run: first what a cell needs and Python does not have yet, then the cell, then the pictures that
// follow from it. Knows no page: cells tell what they say, and are told what became of them.

import { needsOf, signatureOf } from "./needs.mjs";

const LONGEST = { known: 10, unknown: 60 }; // seconds that a cell may run unasked, by whether it has run here before

/**
 * @typedef {object} Runnable
 * @property {number} number
 * @property {boolean} hidden whether its code is not on the page: what it shows is dropped, and so are its errors
 * @property {boolean} pictured whether it shows a picture that follows
 * @property {boolean} [drawn] whether that is a figure, not a text
 * @property {string|null} kept why it is not run for others
 * @property {string} book its text in the book
 * @property {() => string} text
 * @property {() => void} waits
 * @property {() => (output: any) => void} starts
 * @property {(result: any) => boolean|void} ends whether only a check of the book's fails: others go on
 * @property {(why: string, before?: {first: any, stale: boolean}) => void} rests it was to run, and does not; before: for the error of one that comes first, and whether what it shows is older than the text
 * @property {() => void} [unasked] what it runs next, nobody has asked for
 * @property {() => boolean} [slow] whether it is known to take long
 * @property {() => number} [lasted] how long it took last, or 0
 */

/**
 * @param {Runnable[]} cells
 * @param {object} options
 * @param {any} options.client what runs Python
 * @param {ReturnType<typeof import("./names.mjs").createNames>} options.names what each cell's text binds and reads
 * @param {() => Promise<boolean>} options.ready starts Python if it is off; false: the reader does not want it
 * @param {(sentence: string, figure: number, from: number) => void} options.said a figure shows what a cell above it says now
 * @param {() => void} [options.idle] a row of cells has come to its end
 * @param {(at: number) => void} [options.begins] the cell at this place runs now
 * @param {(at: number, seconds: number) => void} [options.endless] a cell runs for so long that nobody has asked for
 */
export function createRunner(cells, { client, names, ready, said, idle = () => {}, begins = () => {}, endless = () => {} }) {
  /** @type {Map<number, string>} place -> what Python has of it */
  const inPython = new Map();
  /** What was last run of a cell, right or wrong. @type {Map<number, string>} */
  const begun = new Map();
  const book = cells.map((cell) => cell.book);
  /** What each cell's shown output was made from: at first, the book's. */
  const shown = cells.map((_, at) => signatureOf(names.of, book, at));
  /** @type {number[]} */
  let queue = [];
  /** What a page cannot have, and was asked for all the same. @type {Set<number>} */
  const lacking = new Set();
  /** Where a check of the book's fails: what the cell makes is there, and its figure is an older one. @type {Set<number>} */
  const checked = new Set();
  let running = -1; // which cell: one that is stopped does not come back
  let round = 0; // stopping ends all rounds before it

  const sources = () => cells.map((cell) => cell.text());

  /** @param {number} place @param {string[]} texts @returns {number[]} */
  const missing = (place, texts) =>
    needsOf(names.of, texts, place).filter(
      (at) => inPython.get(at) !== signatureOf(names.of, texts, at) && (cells[at].kept === null || cells[place].kept !== null),
    );

  /** @param {number} place @param {string[]} texts the pictures below that no longer show what the cells say */
  const followers = (place, texts) =>
    cells
      .map((_, at) => at)
      .filter((at) => at > place && cells[at].pictured && cells[at].kept === null && signatureOf(names.of, texts, at) !== shown[at])
      .filter((at) => needsOf(names.of, texts, at).includes(place));

  /** What takes long runs when the reader presses Run, and so does what has not run yet. @param {number} at */
  const byItself = (at) => !cells[at].slow?.() && (inPython.has(at) || [book[at], begun.get(at)].includes(cells[at].text()));

  /** @param {number} place @param {string[]} texts @param {boolean} typed @param {number} mine @returns {Promise<any>} */
  async function one(place, texts, typed, mine) {
    const cell = cells[place];
    if (typed) cell.unasked?.();
    begun.set(place, texts[place]);
    running = place;
    const signature = signatureOf(names.of, texts, place);
    const seconds = LONGEST[cell.lasted?.() ? "known" : "unknown"];
    const late = typed ? setTimeout(() => mine === round && endless(place, seconds), seconds * 1000) : undefined; // but for a hand that came since
    const without = needsOf(names.of, texts, place).find((at) => lacking.has(at));
    const lack = { name: "NotInPage", message: `it needs cell ${cells[without ?? place].number}.`, frames: [] };
    const asked = without === undefined && client.run(texts[place], { cell: `cell ${cell.number}`, onOutput: cell.starts() });
    const result = await Promise.resolve(asked || { ok: false, absent: true, error: lack }).finally(() => clearTimeout(late));
    running = -1;
    if (cell.kept !== null && result.absent) lacking.add(place);
    else lacking.delete(place);
    const mild = cell.ends(result) === true;
    checked[mild ? "add" : "delete"](place);
    if (result.ok || result.absent || mild) inPython.set(place, signature);
    else inPython.delete(place);
    if (result.ok || !(result.stopped || result.absent)) shown[place] = signature;
    return { ...result, mild };
  }

  /** Start Python if it is off, and ask it what the reader's own texts need. */
  async function known() {
    if (!(await ready())) return false;
    await names.learn(sources());
    return true;
  }

  /** A new row of cells begins, and the one before ends: what still waits there rests. @param {number[]} places @returns {number} */
  function begin(places) {
    for (const place of queue) cells[place].rests("");
    queue = [...places];
    for (const place of places) cells[place].waits();
    return ++round;
  }

  /** @param {number} place */
  const stale = (place) => signatureOf(names.of, sources(), place) !== shown[place];

  /** @param {number} mine @param {string} why @param {Runnable} [first] has an error @returns {false} */
  function rest(mine, why, first) {
    if (mine !== round) return false; // the cells are a later row's
    for (const place of queue.splice(0)) cells[place].rests(why, first && { first, stale: stale(place) });
    idle();
    return false;
  }

  /** A cell shows that it runs when the one before it has ended: Python has one pair of hands. @type {Promise<any>} */
  let turn = Promise.resolve();

  /**
   * @param {number[]} places @param {number} mine @param {boolean} [typed]
   * @returns {Promise<boolean>} whether all went well; an error of what is not on the page does not count
   */
  async function all(places, mine, typed = false) {
    if (mine !== round) return false;
    const texts = sources();
    queue = [...places];
    for (const place of places) cells[place].waits();
    if (!(await ready())) return rest(mine, "");
    for (const place of places) {
      const ran = turn.then(() => {
        if (mine !== round) return { stopped: true };
        queue.shift();
        begins(place);
        return one(place, texts, typed, mine);
      });
      turn = ran.catch(() => {}); // whoever asked hears of it
      const result = await ran;
      if (mine !== round || result.stopped) return rest(mine, "");
      if (!(result.ok || result.absent || result.mild || cells[place].hidden))
        return rest(mine, `Cell ${cells[place].number}, which comes first, has an error.`, cells[place]);
    }
    return true;
  }

  return {
    /** Whether more cells wait: between two of them Python is ready, and the row is not at its end. */
    waiting: () => queue.length > 0,
    /** Whether a cell may run while somebody types: Python has what it needs, and its text is Python, or not yet. @param {number} place */
    async may(place) {
      await names.learn(sources());
      if (missing(place, sources()).length) return "no";
      return names.whole(cells[place].text()) ? "runs" : "unfinished";
    },
    /** @param {number} place @param {"needed"|"above"|"typed"} [first] typed: nobody has asked for it */
    async run(place, first = "needed") {
      const typed = first === "typed";
      const mine = begin([place]);
      if (!(await known())) return rest(mine, "");
      const texts = sources();
      const above = cells.map((_, at) => at).filter((at) => at < place && cells[at].kept === null);
      const before = first === "above" ? above : missing(place, texts);
      if (!(await all([...before, place], mine, typed)) || shown[place] !== signatureOf(names.of, texts, place)) return false;
      const stepsTo = (/** @type {number} */ at) => [...missing(at, sources()), at];
      const behind = followers(place, sources());
      const after = behind.filter((at) => !typed || stepsTo(at).every(byItself));
      const waits = after.length < behind.length ? " What takes longer waits for Run." : "";
      const follows = (/** @type {number} */ at) => cells[at].drawn && inPython.has(at) && !checked.has(at);
      if (after.length && follows(place)) said("The figure follows.", place, place); // what else follows may take a minute
      const steps = new Set(after.flatMap(stepsTo));
      const well = await all(
        [...steps].sort((a, b) => a - b),
        mine,
        typed,
      );
      const drawn = [place, ...after].filter(follows);
      if (well && drawn.length)
        said((drawn.length > 1 ? `${drawn.length} figures follow.` : "The figure follows.") + waits, drawn[0], place);
      return well;
    },
    /** The lesson from its first cell to its last. */
    async runAll() {
      const places = cells.map((_, at) => at).filter((at) => cells[at].kept === null);
      const mine = begin(places);
      if (!(await known())) return rest(mine, "");
      await client.reset?.();
      inPython.clear();
      return all(places, mine);
    },
    /** Whether a cell's shown output is no longer what the cells say. */
    stale,
    /** Whether a cell shows what it shows in the book if it is as in the book. @param {number} place */
    asInTheBook: (place) => signatureOf(names.of, sources(), place) === signatureOf(names.of, book, place),
    /** @param {number} place it shows the book's output again */
    restored(place) {
      shown[place] = signatureOf(names.of, book, place);
    },
    /** @returns {Promise<(() => Promise<boolean>)|null>} what runs again all that had run to its end, if any had; a cell that was changed since then waits */
    async stop() {
      const texts = sources();
      const same = [...inPython].filter(([at, ran]) => at !== running && ran === signatureOf(names.of, texts, at));
      const had = same.map(([at]) => at).sort((a, b) => a - b);
      round += 1;
      for (const place of queue.splice(0)) cells[place].rests("");
      inPython.clear();
      await client.stop();
      return had.length ? () => all(had, begin(had)) : null;
    },
    /** Python has ended by itself and knows nothing any more. */
    forget() {
      round += 1;
      for (const place of queue.splice(0)) cells[place].rests("");
      inPython.clear();
    },
  };
}
