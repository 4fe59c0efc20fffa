// Brings the stored figures of a page to life: each is a picture with its JSON beside it until then.

import { h } from "../shared/dom.mjs";
import { mount } from "../figure/mount.mjs";
import { splitHash } from "../figure/link.mjs";
import { loadFiles } from "./files.mjs";
import { loadParts, missingParts, partOf } from "./parts.mjs";

const fromDisk = globalThis.location?.protocol === "file:"; // no other page could show what lies there

const SELECTOR = "figure.livetorch:not(.lt-mounted)";

/**
 * @param {any} element
 * @param {Record<string, string>} link
 */
function prepare(element, link) {
  const script = element.querySelector('script[type="application/json"]');
  if (!script || element.livetorch) return null;
  /** @type {any} */
  let handle = null;
  /** @type {any} */
  let spec = null;
  const parsed = () => (spec ??= JSON.parse(script.textContent ?? ""));
  const show = () => {
    const still = Array.from(element.childNodes);
    try {
      handle = mount(element, parsed(), {
        state: link[element.dataset.name] ?? "",
        linkable: true,
        embed: fromDisk ? "" : element.dataset.embed,
        partOf,
      });
    } catch (error) {
      // The picture and its numbers are better than nothing.
      element.replaceChildren(...still);
      console.error(`livetorch: the figure ${element.dataset.name} stays a picture:`, error);
      handle = { ready: Promise.reject(error) };
      handle.ready.catch(() => {});
    }
    return handle;
  };
  const { pool, size, asked } = element.dataset;
  const note = createNote(element, () => start());
  if (pool) note.say(`This picture comes alive with its trained weights (${size}).`, "Load them");
  const fetchAndShow = () => {
    if (pool) note.say(`Loading the trained weights (${size}).`);
    const ready = Promise.all([pool && loadFiles(pool, note.progress), loadParts(missingParts(parsed()))]).then(([constants]) => {
      if (pool) parsed().pool = constants;
      return show().ready;
    });
    ready.catch((/** @type {any} */ error) => {
      if (element.classList.contains("lt-mounted")) return;
      handle = null; // the button asks again
      note.say(`The picture stays as it is: ${error.message}.`, "Try again");
    });
    return { ready };
  };
  const start = () => (handle ??= pool || missingParts(parsed()).length ? fetchAndShow() : show());
  // Whoever drives a figure that has not been scrolled to starts it.
  element.livetorch = {
    get spec() {
      return parsed();
    },
    get ready() {
      return start().ready;
    },
  };
  for (const name of ["state", "set", "outputs", "history", "step", "stop", "look", "restart", "reset", "open", "link"]) {
    element.livetorch[name] = (/** @type {any[]} */ ...given) => {
      const started = start();
      if (!started[name]) throw new Error(`The figure ${element.dataset.name} is still loading: wait for its ready.`);
      return started[name](...given);
    };
  }
  return { element, start, name: element.dataset.name, light: !pool, unasked: asked === undefined };
}

/**
 * What a figure says under its picture while something that it needs is not there.
 * @param {any} element
 * @param {() => void} start
 */
function createNote(element, start) {
  const text = h("span", { role: "status" });
  const button = h("button", { type: "button", class: "lt-button", onclick: start });
  const bar = h("progress", { hidden: true, "aria-label": "Trained weights loaded" });
  const note = h("p", { class: "lt-loading" }, text, " ", button, bar);
  return {
    say(/** @type {string} */ words, label = "") {
      if (!note.isConnected) element.append(note);
      text.textContent = words;
      button.textContent = label;
      button.hidden = !label;
      bar.hidden ||= Boolean(label);
    },
    progress(/** @type {number} */ done, /** @type {number} */ of) {
      bar.hidden = of === 1;
      [bar.max, bar.value] = [of, done];
    },
  };
}

/** Figures start when they come near the window: a page of many figures costs a phone no more than what it shows. */
export function boot() {
  const link = splitHash(location.hash);
  const names = new Set();
  const waiting = Array.from(document.querySelectorAll(SELECTOR), (element) => prepare(element, link)).filter((each) => each !== null);
  for (const each of waiting) {
    if (names.has(each.name)) console.warn(`livetorch: two figures are called ${each.name}; links reach the first only.`);
    names.add(each.name);
  }
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        observer.unobserve(entry.target);
        waiting.find((each) => each.element === entry.target)?.start();
      }
    },
    { rootMargin: "600px 0px" },
  );
  // Trained weights are large: whoever saves data presses the button, and for very large ones everybody does.
  const saving = /** @type {any} */ (navigator).connection?.saveData;
  for (const each of waiting) if (each.light || (each.unasked && !saving)) observer.observe(each.element);

  const first = waiting.find((each) => each.name in link);
  if (first) {
    first.start();
    first.element.scrollIntoView({ block: "start" });
  }
  globalThis.addEventListener("hashchange", () => {
    const changed = splitHash(location.hash);
    Object.assign(link, changed);
    for (const each of waiting) if (each.name in changed) each.start().open?.(changed[each.name]);
  });
}

/**
 * Brings figures to life that came into the page after it was loaded.
 * @param {Element} container @param {Record<string, string>} [link] a figure's name -> the state that it starts in
 */
export function wake(container, link = {}) {
  const came = Array.from(container.querySelectorAll(SELECTOR), (element) => prepare(element, link));
  return Promise.all(came.map((each) => each?.start().ready));
}
