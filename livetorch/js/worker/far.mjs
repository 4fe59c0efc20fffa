// A figure's Programs in a worker. Its script is made of a text, because a page from disk may load no other.
import { h } from "../shared/dom.mjs";

/** @typedef {Record<string, any>} Settings */

const SOON = 300; // milliseconds after which a reader is shown that something is computed
const SLICE = 8; // milliseconds after which weights that go over let the page draw

/** Programs and weights go over, one after the other: those of a large model are a long task. @param {Worker} worker @param {any} spec */
async function sendAll(worker, { programs, pool }) {
  worker.postMessage({ programs });
  let from = performance.now();
  for (const entry of pool ?? []) {
    worker.postMessage({ entry });
    if (performance.now() - from < SLICE) continue;
    await new Promise((done) => setTimeout(done));
    from = performance.now();
  }
}

/**
 * @param {any} spec the figure's JSON
 * @param {string} code of the worker
 * @param {object} figure
 * @param {(settings: Settings) => {index: number, fed: any}} figure.feed
 * @param {(at: Settings, outputs: Record<string, any>|null) => void} figure.came
 * @param {any} [place] where progress is shown
 */
export function createWorker(spec, code, { feed, came }, place) {
  const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const worker = new Worker(address);
  /** @type {Map<number, Settings>} */
  const waiting = new Map();
  const bar = h("progress", { class: "lt-far", "aria-label": "Computing", hidden: true, max: 1 });
  Object.assign(bar.style, { position: "absolute", top: "6px", insetInlineEnd: "16px", width: "90px", height: "8px" });
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  let asks = 0;
  /** @type {Promise<void>|undefined} */
  let begun;
  /** @type {Record<string, any>} */
  let last = {};

  function calm() {
    clearTimeout(timer);
    timer = undefined;
    bar.hidden = true;
  }
  function lost() {
    calm();
    const [last] = [...waiting.values()].slice(-1);
    waiting.clear();
    if (last) came(last, null);
  }
  worker.onerror = lost;
  worker.onmessage = ({ data: { ask, share, outputs, error } }) => {
    if (share !== undefined) {
      bar.value = share;
      return;
    }
    const at = /** @type {Settings} */ (waiting.get(ask));
    for (const each of waiting.keys()) if (each <= ask) waiting.delete(each);
    if (!waiting.size) calm();
    if (!error) last = Object.fromEntries(Object.entries(outputs).map(([name, each]) => [name, each ?? last[name]]));
    came(at, error ? null : last);
  };
  return {
    /** @param {Settings} settings */
    ask(settings) {
      const card = place();
      if (card && bar.parentNode !== card) {
        card.style.position = "relative";
        card.append(bar);
      }
      timer ??= setTimeout(() => (bar.hidden = false), SOON);
      begun ??= sendAll(worker, spec); // not before: they may have come by now only
      const request = { ask: (asks += 1), ...feed(settings) };
      waiting.set(asks, settings);
      begun.then(() => worker.postMessage(request));
    },
    end() {
      calm();
      worker.terminate();
      URL.revokeObjectURL(address);
    },
  };
}
