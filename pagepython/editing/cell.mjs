// One cell of a lesson on the page: a line above its code, an editor in place of the code, what it shows.

import { h } from "../../livetorch/js/shared/dom.mjs";
import { createEditor } from "./editor.mjs";
import { bookCheck, errorBox, lineIn, placeIn } from "./errors.mjs";
import { keyRow } from "./key_row.mjs";
import { offered } from "./offered.mjs";
import { createOutputs } from "./outputs.mjs";

/**
 * @typedef {object} Hands what a cell asks for
 * @property {(first: "needed"|"above") => void} run
 * @property {() => void} stop
 * @property {(typed: boolean) => void} edited typed: by hand, not set by a button
 * @property {() => void} mended what was said of its error is no longer so
 * @property {() => void} restore
 * @property {(cell: string, line?: number) => void} go
 * @property {() => void} solved
 * @property {(box: Element, states: Record<string, string>) => Promise<unknown>} wake
 * @property {(sentence: string) => void} said
 * @property {(said: string, line: number|null, mild?: boolean) => void} failed it did not run to its end: why, and at which line; mild: no mistake
 */

/** The line where a loop begins that may have no end, or 0. @param {string} text */
export const lineOfLoop = (text) => text.split("\n").findIndex((line) => /^\s*while\b/.test(line)) + 1;

/** The line where a figure's own function begins, or 0: what stands above it only prepares. @param {string} text */
export function lineOfDef(text) {
  const name = /\bexplore\(\s*(\w+)/.exec(text)?.[1] ?? "\\w+";
  const found = new RegExp(`^def ${name}\\b`, "m").exec(text) ?? /^def /m.exec(text);
  return found ? text.slice(0, found.index).split("\n").length : 0;
}

export const KEYS = "ed-keys";
const SECOND = 1000;
const QUICK = 3000; // milliseconds of a cell that may run while somebody types
const PATIENCE = 1500; // milliseconds before an error of what ran by itself, half a second after a key, is said aloud
const words = (/** @type {number} */ ms) => (ms < SECOND ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / SECOND).toFixed(1)} s`);

/**
 * @param {object} given
 * @param {number} given.place in the notebook
 * @param {number} given.number among the cells of code
 * @param {string} given.id
 * @param {string} given.book its text in the book
 * @param {{exercise?: string, mark?: string, kept?: string}} given.about
 * @param {string} given.solvedBy how the reply to a right answer begins
 * @param {string} given.waysIn
 * @param {boolean} given.solved
 * @param {Hands} hands
 */
export function createCell({ place, number, id, book, about, solvedBy, waysIn, solved }, hands) {
  const code = document.getElementById(`in-${place}`);
  const still = /** @type {HTMLElement|null} */ (code?.querySelector("div[class*='highlight-']") ?? null);
  const outputs = createOutputs({ code, stored: document.getElementById(`out-${place}`), wake: hands.wake });
  const name = `cell ${number}`;
  let text = book;
  let replied = "";
  /** @type {ReturnType<typeof createEditor>|null} */
  let editor = null;
  /** @type {Element|null} */
  let keys = null;
  /** @type {number|undefined} */
  let ticking;
  /** @type {ReturnType<typeof outputs.begin>|null} */
  let showing = null;
  let began = 0;
  let opened = false;

  const verb = about.exercise ? "Check" : "Run";
  const note = h("span", { class: "ed-note" });
  const badge = h("span", { class: "ed-solved", hidden: !solved }, "\u2713 solved");
  const back = h("button", { type: "button", class: "ed-quiet", hidden: true, onclick: hands.restore }, "Back to the book\u2019s");
  const above = h(
    "button",
    { type: "button", class: "ed-quiet ed-above", onclick: () => ask("above"), "aria-label": `Run all above and ${name}` },
    "Run all above",
  );
  const run = h("button", { type: "button", class: "ed-run", title: "Shift+Enter", onclick: press });
  const older = h("span", { class: "ed-older", hidden: true });
  const head = h(
    "div",
    { class: "ed-head", role: "group", "aria-label": `Cell ${number}` },
    h("span", { class: "ed-name" }, name),
    badge,
    note,
    h("span", { class: "ed-tools" }, back, above, run),
  );
  const seat = h("div", { class: "ed-seat highlight" });

  /** How long its last good run took, or its first. @type {number|null} */
  let lasted = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let aloud;
  let unasked = false;
  let stops = false; // the button does
  let asked = false; // a hand has run this cell, not another or all
  let unbegun = false; // an exercise that nobody has begun, or asks about, is no mistake
  /** The line of its error. @type {number|undefined} */
  let fault;
  let blockedBy = ""; // the name of the cell whose error keeps this one from running

  /** @param {"needed"|"above"} first */
  function ask(first) {
    asked = true;
    hands.run(first);
  }

  function press() {
    if (stops) hands.stop();
    else ask("needed");
  }

  /** @param {""|"waiting"|"running"|"ran"|"failed"|"differs"|"kept"|"blocked"} state @param {string} [said] */
  function turn(state, said = "") {
    clearInterval(ticking);
    note.textContent = said;
    if (code) code.dataset.run = state;
    face(state === "running" && !unasked);
  }

  /** @param {boolean} now whether the button stops what runs */
  function face(now) {
    stops = now;
    for (const each of [run, keys?.firstElementChild]) {
      each?.replaceChildren(h("span", { "aria-hidden": "true" }, stops ? "\u25a0" : "\u25b6"), stops ? " Stop" : ` ${verb}`);
      each?.setAttribute("aria-label", stops ? `Stop ${name}` : `${verb} ${name}`);
    }
  }

  /** What runs, and is to run again or was, shows that it runs. @param {"waiting"|"blocked"|""} state @param {string} said */
  function wait(state, said) {
    if (code?.dataset.run !== "running") turn(state, said);
  }

  function showEdited() {
    const changed = text !== book;
    back.hidden = !changed;
    if (code) code.toggleAttribute("data-edited", changed);
  }

  function seatEditor() {
    if (!still || !keys) return;
    still.hidden = true;
    still.after(keys, seat);
  }

  /** The editor comes when the reader comes near. */
  function build() {
    if (editor || !code || !still) return;
    keys = keyRow(() => editor, press);
    face(stops);
    seatEditor();
    editor = createEditor(seat, {
      text,
      book,
      label: `Code of ${name}`,
      describedBy: KEYS,
      run: () => ask("needed"),
      changed(now) {
        const typed = now !== text; // else another hand has set it
        text = now;
        mended();
        showEdited();
        hands.edited(typed);
      },
    });
  }

  /** The text has changed: its error may be in a line that is gone. */
  function mended() {
    clearTimeout(aloud);
    editor?.mark(null);
    if (!/failed|differs/.test(code?.dataset.run ?? "")) return;
    turn("");
    outputs.mended();
    hands.mended();
  }

  /** @param {string} next */
  function set(next) {
    text = next;
    editor?.set(next);
    mended();
    showEdited();
  }

  function verdict() {
    if (!about.exercise) return;
    const right = replied
      .replace(/<[^>]*>/g, "")
      .trimStart()
      .startsWith(solvedBy);
    outputs.reply(right ? "right" : "wrong");
    if (!right) return;
    badge.hidden = false;
    hands.solved();
  }

  /** It did not run to its end. @param {any} error @param {boolean} quietly for now: whoever types has not ended @param {boolean} [sees] */
  function failed(error, quietly, sees) {
    const { line = null, column } = placeIn(error, name) ?? {};
    fault = line ?? undefined;
    const check = about.exercise ? "" : bookCheck(error, name, book);
    const said = check || [error.name, error.message.split("\n")[0]].filter(Boolean).join(": ");
    if (line) editor?.mark({ line, column, said: error.plain && !check && !quietly ? `${said}\n${error.plain}` : said, quietly });
    if (quietly) {
      showing?.hold();
      turn("");
      aloud = setTimeout(() => failed(error, false), PATIENCE);
      return check !== "";
    }
    const box = errorBox(check ? { ...error, name: check, message: "", plain: "" } : error, { go: hands.go, waysIn });
    box.classList.toggle("ed-check", check !== "");
    const what = check ? "check" : "error";
    showing?.fail(box, `the ${what} in ${line ? `line ${line}` : name}`);
    if (sees) outputs.drawn ? line && editor?.show(line) : outputs.showEnd();
    turn(check ? "differs" : "failed", line ? `${what} in line ${line}` : what);
    hands.failed(said, line, check !== "");
    return check !== "";
  }

  turn("");
  return {
    place,
    number,
    id,
    name,
    book,
    code,
    about,
    hidden: code === null,
    pictured: outputs.pictured && code !== null,
    drawn: outputs.drawn && code !== null,
    kept: about.kept ?? null,
    outputs,
    build,
    text: () => text,
    /** Whether the reader has run it here, in no time: then it may run while they type. */
    quick: () => lasted !== null && lasted < QUICK && !about.exercise && !about.kept,
    lasted: () => lasted ?? 0,
    slow: () => lasted !== null && lasted >= QUICK,
    isEdited: () => text !== book,
    running: () => code?.dataset.run === "running",
    /** The first line that differs from the book's. */
    changed: () => text.split("\n").findIndex((line, at) => line !== book.split("\n")[at]) + 1 || undefined,
    /** Whether it is an exercise that waits for the reader. */
    waiting: () => unbegun,
    /** The switch is pressed: the line above the code appears. */
    open() {
      if (!code) return;
      code.prepend(head, older);
      code.dataset.editing = "";
      code.classList.toggle("ed-followed", outputs.drawn);
      seatEditor();
      if (opened) return outputs.unshelve();
      opened = true;
      outputs.label();
      if (solved && text !== book) outputs.cover("You have solved this; your answer stands above. Check shows the reply again.");
      if (about.kept) turn("kept", `${about.mark}: the book\u2019s output stays`);
      if (about.kept) note.title = about.kept;
    },
    /** The switch is pressed again: the book's code and output stand there; what the reader wrote waits. */
    close() {
      if (!code) return;
      clearTimeout(aloud);
      for (const each of [head, older, keys, seat]) each?.remove();
      if (still) still.hidden = false;
      delete code.dataset.editing;
      code.classList.remove("ed-followed");
      outputs.shelve();
    },
    set,
    /** An edit of an older edition of the book is offered, not put in. @param {string} edit @param {(taken: boolean) => void} chosen */
    offer: (edit, chosen) => offered(older, (taken) => (taken && set(edit), chosen(taken))),
    /** Its code opens, where it stands beside the figure and the reader is there: else what they see would move away. @returns {boolean} whether it has */
    openBeside() {
      const fold = code?.closest("details");
      const { top = -1 } = outputs.element()?.getBoundingClientRect() ?? {};
      if (!fold || fold.open || top < 0 || top > innerHeight / 2) return false;
      fold.open = true;
      fold.open = getComputedStyle(fold).position === "sticky";
      if (fold.open) this.focus(undefined, false);
      return fold.open;
    },
    /** @param {number} [line] @param {boolean} [caret] whether the reader goes on there, by keyboard too */
    focus(line, caret = true) {
      for (let fold = code?.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) fold.open = true;
      build();
      const fold = code?.closest("details.code-fold");
      if (fold && getComputedStyle(fold).position === "sticky") outputs.element()?.scrollIntoView(); // beside it: the whole figure, not the question above
      code?.scrollIntoView({ block: "nearest" }); // its foot, where it is below: a figure stands above its code
      if (caret) editor?.focus(line);
      const computes = line === undefined && outputs.drawn ? lineOfDef(text) : 0;
      if (computes) editor?.lead(computes);
      if (computes) outputs.answer();
    },
    restore() {
      clearTimeout(aloud);
      outputs.restore();
      turn("");
    },
    /** The reader's answers are forgotten, this one among them. */
    forget: () => (badge.hidden = true),
    /** What was typed runs, and nobody has pressed. */
    unasked: () => (unasked = true),
    waits: () => wait("waiting", "waits"),
    /** The cell that the reader has run waits for others, and one of them runs now: its Run stops that. */
    heeds: () => code?.dataset.run === "waiting" && face(true),
    fault: () => fault,
    /** @param {string} why @param {{first: {name: string, fault: () => number|undefined}, stale: boolean}} [before] */
    rests(why, before) {
      wait(before ? "blocked" : "", why);
      if (!before) return;
      const { name: first, fault: line } = before.first;
      blockedBy = first;
      const go = () => hands.go(first, line());
      note.replaceChildren(
        h("button", { type: "button", class: "ed-link", onclick: go }, why.slice(0, first.length)),
        why.slice(first.length),
      );
      if (before.stale) outputs.past(`From before the error in ${first}`);
    },
    /** The text of the cell that comes first has changed. @param {string} first */
    freed(first) {
      if (code?.dataset.run !== "blocked" || blockedBy !== first) return;
      turn("");
      outputs.past("");
    },
    starts() {
      unbegun = Boolean(about.exercise) && !asked && text === book;
      showing = null;
      clearTimeout(aloud);
      if (unbegun) return () => {};
      showing = outputs.begin();
      replied = "";
      began = performance.now();
      editor?.mark(null);
      turn("running", "runs");
      ticking = window.setInterval(() => {
        note.textContent = `runs, ${Math.round((performance.now() - began) / SECOND)} s`;
        face(true); // a hand on its way to Run, when the cell begins by itself, has come by now
      }, SECOND);
      return (/** @type {any} */ output) => {
        replied ||= output.html ?? output.text ?? "";
        showing?.add(output);
      };
    },
    /** @param {any} result @returns {boolean|void} whether only a check of the book's fails */
    ends(result) {
      const sees = asked && code && code.getBoundingClientRect().bottom > 0; // who has gone on is not called back
      const typed = unasked;
      asked &&= typed; // a hand's own run waits while a typed one ends
      unasked = false;
      if (unbegun && result.ok) return turn("", "waits for you");
      if (result.stopped) {
        showing?.halt();
        return turn("", "stopped");
      }
      const milliseconds = result.milliseconds ?? performance.now() - began;
      const took = words(milliseconds);
      if (result.ok) lasted = milliseconds;
      else lasted ??= milliseconds;
      if (result.ok) {
        showing?.end(`Run here, ${took}`);
        turn("ran", `ran in ${took}`);
        verdict();
        if (sees && !outputs.drawn) outputs.showEnd(); // or the bar covers it
        const reply = about.exercise ? `: ${outputs.element()?.textContent.trim().slice(0, 300)}` : "";
        return hands.said(`${name} ran in ${took}${reply}`);
      }
      const { error } = result;
      if (result.absent && text === book && outputs.isBook() && outputs.element()) {
        turn("kept", "the book\u2019s output stays");
        outputs.say(`The book\u2019s output stays: ${error.message}`);
        return hands.failed(`Not run: ${error.message}`, lineIn(error, name));
      }
      const patient = typed && code !== null && placeIn(error, name)?.column === undefined; // for no Python one has waited
      return failed(error, patient, Boolean(sees));
    },
  };
}
