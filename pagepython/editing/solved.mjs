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

/** What the check's reply says of hints goes while the editors are open: they are folds above it. @param {boolean} hidden */
export function hideHints(hidden) {
  for (const word of document.querySelectorAll(".bd-article .cell_output p > strong:first-child")) {
    const line = word.closest("p");
    if (word.textContent === "Stuck?" && line) line.hidden = hidden;
  }
}
