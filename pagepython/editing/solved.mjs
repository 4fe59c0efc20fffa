// Exercises on the page. Which a reader has solved is kept in the entry of the page's answers, so that one button forgets all.

/** @param {string} page */
const keyOf = (page) => `attention-live answers ${page}`;
const nameOf = (/** @type {string} */ exercise) => `check ${exercise}`;

/** @param {string} page @returns {Record<string, any>} */
function read(page) {
  try {
    return JSON.parse(localStorage.getItem(keyOf(page)) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** @param {string} page @param {string} exercise */
export const isSolved = (page, exercise) => Object.hasOwn(read(page), nameOf(exercise));

/** @param {string} page @param {string} exercise */
export function rememberSolved(page, exercise) {
  try {
    localStorage.setItem(keyOf(page), JSON.stringify({ ...read(page), [nameOf(exercise)]: true }));
    globalThis.document?.dispatchEvent(new Event("attention-live:progress"));
  } catch {
    // a browser that keeps nothing: it is marked until the page is left
  }
  document.dispatchEvent(new Event("attention-live:progress")); // the lesson's head counts again
}

/** What makes the book's own sentences of those that `here` has changed. @type {(() => void)[]} */
const changed = [];

/** The editors are closed: the page says again where the book's readers are sent. */
export function there() {
  for (const undo of changed.splice(0)) undo();
}

/** The book sends its readers to a running notebook: with the editors open, that is this page. */
export function here() {
  for (const link of document.querySelectorAll(".bd-article a")) {
    const before = link.previousSibling;
    if (link.textContent !== "running notebook" || !before?.textContent?.endsWith("In a ")) continue;
    const said = before.textContent;
    before.textContent = `${said.slice(0, -"In a ".length)}Here`;
    link.remove();
    changed.push(() => {
      before.textContent = said;
      /** @type {ChildNode} */ (before).after(link);
    });
  }
  for (const word of document.querySelectorAll(".bd-article .cell_output p > strong:first-child")) {
    const line = word.closest("p");
    if (word.textContent !== "Stuck?" || !line || line.hidden) continue;
    line.hidden = true; // the hints are folds above
    changed.push(() => {
      line.hidden = false;
    });
  }
}
