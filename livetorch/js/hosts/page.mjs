// Brings the stored figures of a page to life: each is a picture with its JSON beside it until then.

import { h } from "../shared/dom.mjs";
import { mount } from "../figure/mount.mjs";
import { splitHash } from "../figure/link.mjs";
import { loadFile, loadFiles } from "./files.mjs";
import { loadParts, missingParts, partOf } from "./parts.mjs";

const fromDisk = globalThis.location?.protocol === "file:"; // no other page could show what lies there

/** Whether data is saved: then the reader has to ask for weights. */
const saving = () => /** @type {any} */ (navigator).connection?.saveData;

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
  let lost = false;
  /** @type {any} */
  let spec = null;
  const parsed = () => (spec ??= JSON.parse(script.textContent ?? ""));
  const { name, pool, programs, size, asked } = element.dataset;
  const state = link[name] ?? "";
  const sleeps = programs && asked === undefined && !state; // it shows its first numbers and needs no weights before a hand moves something
  // who has asked sees what came from its head on: controls have come above the picture
  const come = () => {
    element.tabIndex = -1; // takes the focus that the button had
    element.focus({ preventScroll: true });
    element.scrollIntoView();
  };
  const note = createNote(element, () => element.livetorch.ready.then(come, () => {}));
  const say = () => note.say(`Loading the trained weights (${size}).`);

  /** Fetch what the page has not brought. */
  async function whole() {
    const parts = loadParts(missingParts(parsed()));
    const [constants, made] = await Promise.all([pool && loadFiles(pool, note.progress), programs && loadFile(programs), parts]);
    if (pool) parsed().pool = constants;
    if (!programs) return;
    Object.assign(parsed(), made);
    await loadParts(missingParts(parsed())); // of operators that only now are known
  }
  /** @param {any} error */
  const failed = (error) => note.say(`The picture stays as it is: ${error.message}.`, "Try again");
  /** @type {Promise<void>|null} */
  let coming = null;
  /** The same for a figure that is there; it says so to a hand that waits. @param {boolean} waited */
  const wakeUp = (waited) => {
    if (waited) say();
    return (coming ??= whole().then(note.remove, (error) => {
      coming = null;
      failed(error);
      throw error;
    }));
  };
  /** What a figure in the page still lacks. */
  const wake = () => void (sleeps && element.livetorch.ready.catch(() => {}));
  const show = () => {
    const still = Array.from(element.childNodes);
    try {
      const embed = fromDisk ? "" : element.dataset.embed;
      handle = mount(element, parsed(), { state, linkable: true, embed, partOf, whole: sleeps && wakeUp });
      if (pool?.[0] === "#") whenIdle(wake); // they stand below: nobody has to wait for them at the first key
    } catch (error) {
      // The picture and its numbers are better than nothing.
      delete element.dataset.veil;
      element.replaceChildren(...still);
      console.error(`livetorch: the figure ${name} stays a picture:`, error);
      handle = { ready: Promise.reject(error) };
      handle.ready.catch(() => {});
    }
    return handle;
  };
  if (pool && !sleeps) note.say(`This picture comes alive with its trained weights (${size}).`, "Load them");
  const fetchAndShow = () => {
    if (pool && !sleeps) say();
    const shown = (sleeps ? loadParts(missingParts(parsed())) : whole()).then(show);
    shown.catch((/** @type {any} */ error) => {
      handle = null; // the button asks again, and nobody else
      lost = true;
      failed(error);
    });
    return {
      get ready() {
        return shown.then((made) => made.ready);
      },
    };
  };
  const start = () => (handle ??= (pool && !sleeps) || missingParts(parsed()).length ? fetchAndShow() : show());
  expose(element, name, parsed, start);
  return { element, start, wake, isLost: () => lost, name, light: !pool || sleeps, unasked: asked === undefined };
}

/**
 * Whoever drives a figure that has not been scrolled to starts it.
 * @param {any} element @param {string} name @param {() => any} parsed @param {() => any} start
 */
function expose(element, name, parsed, start) {
  element.livetorch = {
    get spec() {
      return parsed();
    },
    get ready() {
      return start().ready;
    },
  };
  for (const verb of ["state", "set", "outputs", "history", "step", "stop", "look", "restart", "reset", "open", "link"]) {
    element.livetorch[verb] = (/** @type {any[]} */ ...given) => {
      const started = start();
      if (!started[verb]) throw new Error(`The figure ${name} is still loading: wait for its ready.`);
      return started[verb](...given);
    };
  }
}

/**
 * What a figure says under its picture while something that it needs is not there; above it, where the reader has to ask from the start.
 * @param {any} element
 * @param {() => void} start
 */
function createNote(element, start) {
  const text = h("span", { role: "status" });
  const button = h("button", { type: "button", class: "lt-button", onclick: start });
  const bar = h("progress", { hidden: true, "aria-label": "Trained weights loaded" });
  const note = h("p", { class: "lt-loading" }, text, " ", button, bar);
  return {
    remove: () => note.remove(),
    say(/** @type {string} */ words, label = "") {
      if (!note.isConnected)
        element.insertBefore(note, element.dataset.asked === undefined && !saving() ? null : element.querySelector(":scope > img"));
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

const SIGNS = ["pointermove", "pointerdown", "wheel", "keydown"]; // no `scroll`: a page whose layout moves scrolls too

/** Work that waits until the page has nothing else to do, but not for long. @param {() => void} work */
const whenIdle = (work) => ("requestIdleCallback" in globalThis ? requestIdleCallback(work, { timeout: 300 }) : setTimeout(work, 50));

/** What the parser has written last: a figure that holds it may still be coming. @returns {Node} */
function lastNode() {
  /** @type {Node} */
  let node = document;
  while (node.lastChild) node = node.lastChild;
  return node;
}

/**
 * Figures start when they come near the window: a page of many figures costs a phone no more than what it shows. Those in
 * sight start first, one at a time, and between two of them the page paints and answers. While the page is still coming, those
 * that are there begin.
 */
export function boot() {
  const link = splitHash(location.hash);
  const names = new Set();
  /** @type {NonNullable<ReturnType<typeof prepare>>[]} */
  const waiting = [];
  const of = (/** @type {any} */ element) => waiting.find((each) => each.element === element);

  /** @type {(() => void)[][]} in sight, and near */
  const queues = [[], []];
  let going = false;
  const next = () => {
    const [seen, near] = queues;
    going = seen.length + near.length > 0;
    if (seen.length) setTimeout(() => (seen.shift()?.(), next()));
    else if (near.length) whenIdle(() => ((seen.shift() ?? near.shift())?.(), next()));
  };
  // Weights that a figure can do without for a while come once somebody is there: a finger, a key, a wheel.
  const somebody = new Promise((done) => {
    for (const sign of SIGNS) globalThis.addEventListener(sign, done, { once: true, passive: true });
  });
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, boundingClientRect: box } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        const each = of(target);
        queues[box && box.top > globalThis.innerHeight ? 1 : 0].push(() => each?.isLost() || each?.start());
        if (!saving()) somebody.then(() => whenIdle(() => each?.wake()));
      }
      if (!going) next();
    },
    { rootMargin: "600px 0px" },
  );
  /** Take up the figures that have come. */
  const meet = () => {
    const open = document.readyState === "loading" ? lastNode() : null;
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(SELECTOR))) {
      if (link[element.dataset.name ?? ""]) delete element.dataset.veil; // such a link leads to what is to be seen; one to the figure alone opens a lecture
      const each = !(open && element.contains(open)) && prepare(element, link);
      if (!each) continue;
      waiting.push(each);
      if (names.has(each.name)) console.warn(`livetorch: two figures are called ${each.name}; links reach the first only.`);
      names.add(each.name);
      // Trained weights are large: whoever saves data presses the button, and for very large ones everybody does.
      if (each.light || (each.unasked && !saving())) observer.observe(each.element);
    }
  };
  meet();
  // a hand that is there before its turn has come
  for (const sign of ["pointerdown", "focusin"])
    document.addEventListener(sign, ({ target }) => {
      const each = of(/** @type {Element} */ (target).closest?.(SELECTOR));
      if (each?.light) each.start();
    });
  const all = () => {
    meet();
    followLinks(waiting, names, link);
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", all);
  else all();
}

/**
 * Go to the figures that a link names, now and whenever the address changes.
 * @param {any[]} waiting @param {Set<string>} names @param {Record<string, string>} link
 */
function followLinks(waiting, names, link) {
  /** Go to the first figure that a link names. @param {Record<string, string>} named */
  const goTo = (named) => {
    const lost = Object.keys(named).filter((name) => !names.has(name));
    for (const each of document.querySelectorAll(".lt-lost")) each.remove();
    const first = waiting.find((each) => each.name in named);
    if (first) {
      first.element.closest("details")?.setAttribute("open", ""); // what a closed one holds has no place to scroll to
      first.start();
      first.element.scrollIntoView({ block: "start" });
    } else if (lost.length) {
      const words = `The link that you followed leads to a live figure (${lost[0].slice(0, 60)}) that is not on this page.`;
      document.querySelector("main")?.prepend(h("p", { class: "livetorch lt-lost", role: "alert" }, words));
    }
  };
  goTo(link);
  globalThis.addEventListener("hashchange", () => {
    const changed = splitHash(location.hash);
    Object.assign(link, changed);
    goTo(changed);
    for (const { element, name, start } of waiting.filter((each) => each.name in changed)) {
      start();
      // one whose part of the script is still to come is mounted later, and is asked then
      element.livetorch.ready.then(
        () => element.livetorch.open(changed[name]),
        () => {},
      );
    }
  });
}

/**
 * Brings figures to life that came into the page after it was loaded.
 * @param {Element} container @param {Record<string, string>} [link] a figure's name -> the state that it starts in
 */
export function wake(container, link = {}) {
  const stored = /** @type {NodeListOf<HTMLElement>} */ (container.querySelectorAll(SELECTOR));
  const came = Array.from(stored, (element) => prepare(element, link));
  return Promise.all(came.map((each) => each?.start().ready));
}
