/**
 * Running cells: Python's own file does it (running/cell.py); here are its two ends for JavaScript.
 */

/**
 * @typedef {{kind: "stream"|"text"|"html"|"figure"|"clear", text: string, html?: string}} Output what a cell shows
 * @typedef {{name: string, message: string, frames: {cell: string, line: number, text: string}[], missing?: string}} Fault
 * @typedef {{ok: boolean, milliseconds?: number, error?: Fault, absent?: boolean, stopped?: boolean, names?: any[]}} Result how it went
 */

/** What Python sends, as an output of the contract. @param {any} kind @param {string} content @param {string} text @returns {Output} */
const output = (kind, content, text) => (kind === "html" || kind === "figure" ? { kind, html: content, text } : { kind, text: content });

/**
 * Cells for a Python that `startPython` has started.
 * @param {any} python
 * @param {(output: Output) => void} show takes what the running cell shows
 */
export function openCells(python, show) {
  const send = (/** @type {any} */ kind, /** @type {string} */ content, /** @type {string} */ text) => show(output(kind, content, text));
  const kernel = python.pyimport("pagepython.running.cell").Kernel(send);
  const names = python.pyimport("pagepython.running.names").names_of_cells;
  return {
    /** Runs a cell. @param {string} source @param {string} cell its name, such as In [3] @returns {Result} */
    run: (source, cell) => JSON.parse(kernel.run(source, cell)),
    /** What texts bind and read. @param {string[]} texts @param {Record<string, string[]>} patterns @returns {any[]} */
    names: (texts, patterns) => JSON.parse(names(JSON.stringify({ texts, patterns }))),
    /** Forgets the names that cells have made. */
    reset: () => kernel.reset(),
  };
}
