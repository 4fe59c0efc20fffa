// Brings the stored figures of a page to life: each is a picture with its JSON beside it until then.

import { h } from "./dom.mjs";
import { mount } from "./figure.mjs";
import { loadPool } from "./pools.mjs";
import { splitHash } from "./state.mjs";

const SELECTOR = "figure.attention-live:not(.al-mounted)";

/**
 * @param {any} element
 * @param {Record<string, string>} link
 */
function prepare(element, link) {
  const script = element.querySelector('script[type="application/json"]');
  if (!script || element.attentionLive) return null;
  /** @type {any} */
  let handle = null;
  /** @type {any} */
  let spec = null;
  const parsed = () => (spec ??= JSON.parse(script.textContent ?? ""));
  const show = () => {
    const still = Array.from(element.childNodes);
    try {
      handle = mount(element, parsed(), { state: link[element.dataset.name] ?? "", linkable: true });
    } catch (error) {
      // The picture and its numbers are better than nothing.
      element.replaceChildren(...still);
      console.error(`attention-live: the figure ${element.dataset.name} stays a picture:`, error);
      handle = { ready: Promise.reject(error) };
      handle.ready.catch(() => {});
    }
    return handle;
  };
  const { pool, size } = element.dataset;
  const note = pool ? loadingNote(element, size, () => start()) : null;
  const fetchAndShow = () => {
    note?.say(`Loading the trained weights (${size}).`);
    const ready = loadPool(pool).then((constants) => {
      parsed().pool = constants;
      return show().ready;
    });
    ready.catch((/** @type {any} */ error) => {
      if (element.classList.contains("al-mounted")) return;
      handle = null; // the button asks again
      note?.say(`The picture stays as it is: ${error.message}.`, "Try again");
    });
    return { ready };
  };
  const start = () => (handle ??= pool ? fetchAndShow() : show());
  // Whoever drives a figure that has not been scrolled to starts it.
  element.attentionLive = {
    get spec() {
      return parsed();
    },
    get ready() {
      return start().ready;
    },
  };
  for (const name of ["state", "set", "outputs", "history", "step", "stop", "restart", "reset", "open", "link"]) {
    element.attentionLive[name] = (/** @type {any[]} */ ...given) => {
      const started = start();
      if (!started[name]) throw new Error(`The figure ${element.dataset.name} is still loading: wait for its ready.`);
      return started[name](...given);
    };
  }
  return { element, start, name: element.dataset.name, light: !pool };
}

/**
 * What a figure says under its picture while its trained weights are not there.
 * @param {any} element
 * @param {string} size
 * @param {() => void} start
 */
function loadingNote(element, size, start) {
  const text = h("span", { role: "status" });
  const button = h("button", { type: "button", class: "al-button", onclick: start });
  element.append(h("p", { class: "al-loading" }, text, " ", button));
  const say = (/** @type {string} */ words, label = "") => {
    text.textContent = words;
    button.textContent = label;
    button.hidden = !label;
  };
  say(`This picture comes alive with its trained weights (${size}).`, "Load them");
  return { say };
}

/** Figures start when they come near the window: a page of many figures costs a phone no more than what it shows. */
export function boot() {
  const link = splitHash(location.hash);
  const names = new Set();
  const waiting = Array.from(document.querySelectorAll(SELECTOR), (element) => prepare(element, link)).filter((each) => each !== null);
  for (const each of waiting) {
    if (names.has(each.name)) console.warn(`attention-live: two figures are called ${each.name}; links reach the first only.`);
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
  // Trained weights are large: whoever saves data presses the button.
  const saving = /** @type {any} */ (navigator).connection?.saveData;
  for (const each of waiting) if (each.light || !saving) observer.observe(each.element);

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
