// The lesson with the reader's edits as a notebook for Jupyter.

/** @typedef {{id: string, cell_type: string, source: string, metadata: any, outputs?: any[], execution_count?: null}} LessonCell */
/** @typedef {{names?: import("./names.mjs").Names|null, exercise?: string, mark?: string, kept?: string}} About */
/** @typedef {{cells: LessonCell[], metadata: any, nbformat: number, nbformat_minor: number, page: {solved: string, patterns: Record<string, string[]>, cells: Record<string, About>}}} Lesson */

/**
 * @param {Lesson} lesson
 * @param {(place: number) => string} textOf the text of a cell of code, as it is on the page
 * @returns {string}
 */
export function notebookOf(lesson, textOf) {
  const { page: _, ...notebook } = lesson;
  const cells = notebook.cells.map((cell, place) => ({ ...cell, source: cell.cell_type === "code" ? textOf(place) : cell.source }));
  return `${JSON.stringify({ ...notebook, cells }, null, 1)}\n`;
}

/** Let the browser save a text as a file. @param {string} name @param {string} text */
export function saveFile(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/x-ipynb+json" }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
