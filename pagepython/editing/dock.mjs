// The bar at the foot of the page: what Python is doing, and what concerns the whole page.

import { h } from "../../livetorch/js/shared/dom.mjs";

const READY = "Python is ready. Press \u25b6 Run once: from then on figures follow as you type.";
/** A phone's bar has one line. @param {Way|null} first */
const brief = (first) => (first ? "Ready." : "Ready: press \u25b6 Run once.");

/** @typedef {{text: string, work: () => void}} Way a link in the bar */
const MEGABYTE = 1e6;

/**
 * @param {object} hands
 * @param {() => void} hands.start
 * @param {() => void} hands.cancel
 * @param {() => void} hands.stop
 * @param {() => void} hands.runAll
 * @param {() => void} hands.download
 * @param {() => Promise<string>} hands.share gives what to say
 * @param {() => void} hands.restore
 * @param {() => void} hands.close
 * @param {Way|null} hands.first where to begin
 */
export function createDock(hands) {
  const button = (/** @type {string} */ text, /** @type {() => void} */ onclick, more = {}) =>
    h("button", { type: "button", class: "ed-button", onclick, ...more }, text);
  const said = h("span", { class: "ed-said" });
  /** What has happened stands until something else does: that Python is ready is less. @type {(() => void)|null} */
  let word = null;
  const live = h("div", { class: "ed-live", role: "status", "aria-live": "polite" });
  const bar = h("progress", { class: "ed-bar", "aria-label": "Python loaded", hidden: true });
  let [running, where] = ["", ""]; // what runs
  let ran = false; // anything
  const cancel = button("Cancel", hands.cancel, { hidden: true });
  const start = button("Start Python", hands.start, { hidden: true });
  const stop = button("Stop", hands.stop, { hidden: true });
  const all = button("Run all", hands.runAll);

  const item = (/** @type {string} */ text, /** @type {() => void} */ work) =>
    h("button", { type: "button", onclick: () => (fold(false), work()) }, text);
  const restore = item("Back to the book\u2019s version", hands.restore);
  const share = item("Copy a link to my edits", async () => announce(await hands.share()));
  const menu = h(
    "div",
    { class: "ed-menu", hidden: true, id: "ed-menu" },
    item("Download as a notebook (.ipynb)", hands.download),
    share,
    restore,
    item("Close the editors", hands.close),
  );
  const more = button("\u22ef", () => fold(menu.hidden), { "aria-label": "More", "aria-expanded": "false", "aria-controls": "ed-menu" });

  function fold(/** @type {boolean} */ open) {
    menu.hidden = !open;
    more.setAttribute("aria-expanded", String(open));
    if (open) menu.querySelector("button:not([disabled])")?.focus();
  }

  /** What a link brought: said while nothing else is, and the choices stay in the menu. @type {{text: string, then: string, ways: Way[]}|null} */
  let sent = null;
  /** @type {Element[]} */
  let choices = [];

  const element = h(
    "section",
    { class: "ed-dock", "aria-label": "Edit and run", tabindex: "-1" },
    menu,
    h("div", { class: "ed-line" }, said, bar, h("span", { class: "ed-buttons" }, start, cancel, stop, all, more)),
    live,
  );
  element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape" || menu.hidden) return;
    fold(false);
    more.focus();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!menu.hidden && !menu.contains(/** @type {Node} */ (event.target)) && event.target !== more) fold(false);
  });

  /** @param {string} text @param {(Way|null|undefined)[]} ways */
  function write(text, ...ways) {
    const link = (/** @type {Way} */ way) =>
      h("button", { type: "button", class: way === hands.first ? "ed-link ed-first" : "ed-link", onclick: way.work }, way.text);
    said.replaceChildren(h("span", { class: "ed-words" }, text), ...ways.flatMap((way) => (way ? [" ", link(way)] : [])));
  }

  /** The ways to checks of the book's that no longer hold, by what is said of them: alone, or after what else has happened. @type {Map<string, Way>} */
  const checks = new Map();
  const checkIn = (/** @type {string} */ sentence) => Array.from(checks).find(([why]) => sentence.endsWith(why))?.[1] ?? null;

  /** @param {string} sentence for eyes and ears @param {Way|null} [way] @param {"wrong"|"mild"|""} [kind] @param {string} [short] for eyes @returns {() => boolean} whether it is still said */
  function announce(sentence, way = null, kind = "", short = sentence) {
    const mine = () => {
      element.dataset.said = kind;
      said.title = sentence; // the bar has one line
      write(short, way ?? checkIn(sentence));
    };
    word = mine;
    word();
    live.textContent = kind && way ? `${way.text}. ${sentence}` : sentence;
    return () => word === mine;
  }

  /** @param {"off"|"starting"|"ready"|"busy"} state */
  function turn(state) {
    element.dataset.state = state;
    if (state === "starting" && cancel.hidden) write("Loading Python\u2026", hands.first);
    if (state !== "busy") running = where = "";
    bar.hidden = cancel.hidden = state !== "starting";
    start.hidden = state !== "off";
    stop.hidden = state !== "busy";
    all.hidden = state === "starting" || state === "busy";
    if (state === "busy" || state === "starting") word = null;
    if (state === "busy") [hands.first, ran] = [null, true]; // the reader has found the way
    if (word) return word();
    element.dataset.said = said.title = "";
    if (state === "busy" && sent) sent.text = sent.then;
    if (sent && (state === "ready" || state === "off"))
      return write(sent.text, ...(innerWidth > 575 ? sent.ways : [{ text: "Keep it?", work: () => fold(true) }]));
    if (state === "ready") write(ran ? "Python is ready" : innerWidth > 575 ? READY : brief(hands.first), hands.first);
    if (state === "busy") write(running || "Running");
    if (state === "off") write("Python is off");
  }

  return {
    element,
    announce,
    turn,
    /** What was wrong is no longer so. */
    calm() {
      if (!element.dataset.said) return;
      word = null;
      live.textContent = "";
      turn(/** @type {any} */ (element.dataset.state));
    },
    /** The reader has found the figure's code. */
    found() {
      hands.first = null;
      said.querySelector(".ed-first")?.remove();
    },
    /** A cell did not run to its end. @param {string} why @param {Way} where @param {boolean} [mild] no mistake */
    wrong(why, where, mild) {
      if (mild) checks.set(why, where);
      const short = innerWidth > 575 ? why : why.split(":")[0]; // a phone's bar has one line, and the code says the whole
      announce(why, where, mild ? "mild" : "wrong", short);
    },
    /** For ears only. @param {string} sentence */
    speak: (sentence) => (live.textContent = sentence),
    /** Which cell runs, of how many, and what followed already. @param {number} number @param {number} of @param {string} [answer] */
    runs(number, of, answer = "") {
      where = `cell ${number} of ${of}`;
      running = `${answer}Running ${where}`;
      if (element.dataset.state === "busy") write(running);
    },
    /** Where it was stopped. */
    where: () => where && ` in ${where}`,
    /** @param {{loaded: number, total: number, what?: string}} progress */
    progress({ loaded, total }) {
      if (total && loaded >= total) {
        bar.hidden = true; // how long it takes to start is not known
        return write("Starting Python\u2026", hands.first);
      }
      [bar.max, bar.value] = [total || 1, loaded];
      const [now, of] = [loaded, total].map((bytes) => (bytes / MEGABYTE).toFixed(1));
      write(total ? `Loading Python: ${now} of ${of} MB` : `Loading Python: ${now} MB`, hands.first);
    },
    /** @param {number} count cells that differ from the book */
    edits(count) {
      restore.disabled = share.disabled = count === 0;
    },
    /** @param {string} text @param {string} then when something of it has run @param {Way[]} ways */
    notice(text, then, ways) {
      sent = { text, then, ways };
      choices = ways.map((way) => item(way.text, way.work));
      menu.prepend(...choices);
    },
    noNotice() {
      sent = null;
      for (const each of choices) each.remove();
      turn(/** @type {any} */ (element.dataset.state));
    },
  };
}
