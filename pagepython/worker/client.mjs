/**
 * Python in a page, as the page sees it: started when it is wanted, in a worker, so that no cell can freeze the page.
 *
 *     const py = new PagePython({ base: "_static/page/" });
 *     await py.start({ onProgress: ({ loaded, total, what }) => {}, signal });
 *     const result = await py.run("1 + 1", { cell: "In [1]", onOutput: (output) => {} });
 */

/** @import { Output, Result } from "./cells.mjs" */
/** @typedef {"off"|"starting"|"ready"|"busy"} State */
/** @typedef {{loaded: number, total: number, what: string}} Progress */
/** @typedef {{done: (result: Result) => void, onOutput: (output: Output) => void}} Waiting */

const FROM_DISK =
  "Running code needs the book over http: a browser starts no Python for a page that is opened from disk. " +
  "`make serve` in the book's repository serves it, and so does `python -m http.server` in the folder that you unpacked.";
const CRASHED = "Python ended by itself and was started again; the cells above have to be run again.";

/** @param {string} name @param {string} message */
const named = (name, message) => Object.assign(new Error(message), { name });

export class PagePython extends EventTarget {
  /** @type {Worker|null} */
  #worker = null;
  /** @type {Promise<void>|null} */
  #started = null;
  /** @type {((error: Error) => void)|null} */
  #giveUp = null;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  #runs = 0;
  /** @type {State} */
  #state = "off";

  /** @param {{base: string, script?: string}} options where `_static/page/` is, and what its worker's file is called */
  constructor({ base, script = /** @type {any} */ (globalThis).PAGE_WORKER ?? "worker.js" }) {
    super();
    this.script = new URL(script, new URL(base, document.baseURI));
  }

  /** @returns {State} */
  get state() {
    return this.#state;
  }

  /** @param {State} state */
  #be(state) {
    if (state === this.#state) return;
    this.#state = state;
    this.dispatchEvent(new CustomEvent("state", { detail: state }));
  }

  /**
   * Starts Python; once is enough.
   * @param {{onProgress?: (progress: Progress) => void, signal?: AbortSignal}} [options]
   * @returns {Promise<void>}
   */
  start({ onProgress = () => {}, signal } = {}) {
    if (this.#started) return this.#started;
    if (location.protocol === "file:") return Promise.reject(named("NeedsHttp", FROM_DISK));
    if (signal?.aborted) return Promise.reject(named("AbortError", "Python was not started."));
    this.#be("starting");
    const starting = new Promise((/** @type {(nothing: void) => void} */ done, fail) => {
      this.#giveUp = fail;
      const worker = new Worker(this.script, { type: "module", name: "Python" });
      this.#worker = worker;
      signal?.addEventListener("abort", () => this.#worker === worker && this.#giveUp && this.stop(), { once: true });
      worker.onmessage = ({ data }) => this.#worker === worker && this.#heard(data, onProgress, done, fail);
      worker.onerror = (event) => {
        event.preventDefault();
        if (this.#worker !== worker) return;
        if (this.#state === "starting") fail(new Error(event.message || `${this.script.pathname} could not be loaded.`));
        else this.#crashed();
      };
      worker.postMessage({ start: true });
    });
    this.#started = starting.catch((error) => {
      this.#end();
      throw error;
    });
    return this.#started;
  }

  /** @param {any} data @param {(progress: Progress) => void} onProgress @param {() => void} done @param {(error: Error) => void} fail */
  #heard(data, onProgress, done, fail) {
    const waiting = this.#waiting.get(data.run);
    if (data.total) onProgress(data);
    else if (data.ready) {
      this.#giveUp = null;
      this.#be(this.#waiting.size ? "busy" : "ready");
      done();
    } else if (data.failed) fail(new Error(`Python did not start: ${data.failed}`));
    else if (data.crash) this.#crashed();
    else if (data.output) waiting?.onOutput(data.output);
    else if (data.result) {
      this.#waiting.delete(data.run);
      if (!this.#waiting.size) this.#be("ready");
      waiting?.done(data.result);
    }
  }

  /**
   * Runs a cell, after those that wait; an error of the cell is a result too.
   * @param {string} source
   * @param {{cell?: string, onOutput?: (output: Output) => void}} [options]
   * @returns {Promise<Result>}
   */
  run(source, { cell = `In [${this.#runs + 1}]`, onOutput = () => {} } = {}) {
    return this.#ask({ source, cell }, onOutput);
  }

  /**
   * What texts of Python bind and read; null for one that is no Python.
   * @param {string[]} texts @param {Record<string, string[]>} patterns
   * @returns {Promise<any[]>}
   */
  async names(texts, patterns) {
    return (await this.#ask({ texts, patterns }, () => {})).names ?? texts.map(() => null);
  }

  /** Forgets the names that cells have made. @returns {Promise<Result>} */
  reset() {
    return this.#ask({ reset: true }, () => {});
  }

  /** @param {object} message @param {(output: Output) => void} onOutput @returns {Promise<Result>} */
  async #ask(message, onOutput) {
    this.#runs += 1;
    const run = this.#runs;
    const answer = new Promise((/** @type {(result: Result) => void} */ done) => this.#waiting.set(run, { done, onOutput }));
    try {
      await this.start();
    } catch (error) {
      if (this.#waiting.delete(run)) throw error;
      return answer;
    }
    if (!this.#waiting.has(run)) return answer;
    if (!("texts" in message)) this.#be("busy"); // reading a text is no run of it
    this.#worker?.postMessage({ ...message, run });
    return answer;
  }

  /** Ends Python at once; what waits is told that it was stopped. */
  async stop() {
    this.#giveUp?.(named("AbortError", "Python was not started."));
    this.#end();
  }

  #end() {
    this.#worker?.terminate();
    this.#worker = this.#started = this.#giveUp = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#be("off");
    for (const { done } of waiting) done({ ok: false, stopped: true });
  }

  #crashed() {
    this.#end();
    this.dispatchEvent(new CustomEvent("crash", { detail: CRASHED }));
    // a browser frees what the dead one held a moment later; after that the next press of Run starts it
    this.start().catch(() => setTimeout(() => this.#state === "off" && this.start().catch(() => {}), 1000));
  }
}
