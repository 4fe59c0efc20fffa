// Brings the stored figures of a page to life: each is a picture with its JSON beside it until then.

import { mount } from "./figure.mjs";
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
  const start = () => {
    if (handle) return handle;
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
    element.attentionLive[name] = (/** @type {any[]} */ ...given) => start()[name](...given);
  }
  return { element, start, name: element.dataset.name };
}

/** Figures start when they come near the window, the others one by one while the page is idle. */
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
  for (const each of waiting) observer.observe(each.element);
  const idle = globalThis.requestIdleCallback ?? ((/** @type {() => void} */ work) => setTimeout(work, 50));
  const later = [...waiting];
  const next = () => {
    const each = later.shift();
    if (!each) return;
    each.start();
    idle(next);
  };
  idle(next);

  const first = waiting.find((each) => each.name in link);
  if (first) {
    first.start();
    first.element.scrollIntoView({ block: "start" });
  }
  globalThis.addEventListener("hashchange", () => {
    const changed = splitHash(location.hash);
    for (const each of waiting) if (each.name in changed) each.start().open?.(changed[each.name]);
  });
}
