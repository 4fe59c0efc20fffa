// Edit and run: what the switch of a lesson brings. Cells become editors, Python starts in a worker, outputs follow.

import { PagePython } from "../worker/client.mjs";
import { h } from "../../livetorch/js/shared/dom.mjs";
import { createCell, KEYS, lineOfLoop } from "./cell.mjs";
import { createDock } from "./dock.mjs";
import { dress } from "./dress.mjs";
import { createKeep } from "./keep.mjs";
import { createNames } from "./names.mjs";
import { notebookOf, saveFile } from "./notebook.mjs";
import { createRunner } from "./runner.mjs";
import { follow, ofArrows, waking } from "./follow.mjs";
import { fits, pack, unpack } from "./share.mjs";
import { hideHints, isSolved, rememberSolved } from "./solved.mjs";

const next = () => (innerWidth > 575 ? " What you type next needs no Run." : " Now just type."); // a phone's bar has one line
const SLOW = " That took long: the next edit waits for Run.";
const REST = 500; // milliseconds after the last key, before what was typed is run: as long as it runs, if that is longer
const MEANT = 1000; // milliseconds until a second press is no double click
const UNFINISHED = 1500; // the same of a text that is no Python yet

/** Which cells a link changes. @param {number[]} numbers */
const theChanged = (numbers) => {
  if (numbers.length > 4) return `${numbers.length} cells`;
  return `Cell${numbers.length === 1 ? "" : "s"} ${numbers.join(", ").replace(/, (\d+)$/, " and $1")}`;
};

/**
 * @param {object} options
 * @param {string} options.base address of the folder that this script lies in
 * @param {string} options.lesson name of the notebook
 * @param {string} options.waysIn address of the page that says where else a lesson runs
 * @param {() => void} options.closed called when the editors have been closed
 */
export async function start({ base, lesson: name, waysIn, closed }) {
  const answer = await fetch(`${base}lessons/${name}.json`, { cache: "no-cache" });
  if (!answer.ok) throw new Error(`the lesson could not be fetched (${answer.status})`);
  /** @type {import("./notebook.mjs").Lesson} */
  const lesson = await answer.json();
  const page = location.pathname;
  const keep = createKeep(page);
  const client = new PagePython({ base });
  let visiting = false; // the code on the page came by a link and is not kept
  let asTold = true; // it changes the cells that the link has named
  /** @type {AbortController|null} */
  let loading = null;
  /** @type {Promise<boolean>|null} */
  let starting = null;

  const places = lesson.cells.map((_, at) => at).filter((at) => lesson.cells[at].cell_type === "code");
  const cells = places.map((place, at) => {
    const { id, source: book } = lesson.cells[place];
    const about = lesson.page.cells[place] ?? {};
    const solved = about.exercise !== undefined && isSolved(page, about.exercise);
    return createCell(
      { place, number: at + 1, id, book, about, solvedBy: lesson.page.solved, waysIn, solved },
      {
        run(first) {
          rested();
          begin(next(), at);
          runner.run(at, first);
          setTimeout(() => pressed === at && client.state === "busy" && cells[at].heeds(), MEANT); // behind a run that was there before
        },
        stop: () => stop(),
        edited: (typed) => (edited(at), typed && followTyping(at)),
        mended() {
          if (broken === at) dock.calm();
          for (const each of cells) each.freed(cells[at].name);
        },
        restore: () => restore(at),
        go: (cell, line) => cells.find((each) => each.name === cell)?.focus(line),
        solved: () => rememberSolved(page, about.exercise ?? ""),
        wake: waking(base),
        said: (sentence) => dock.speak(sentence),
        failed(said, line, mild) {
          const { name: words, hidden, focus } = cells[at];
          const work = () => focus(line ?? undefined);
          if (!hidden) broken = at;
          if (!hidden) dock.wrong(said, { text: line ? `${words}, line ${line}` : words, work }, mild);
          if (!hidden && mild) check ||= ` ${said}`;
        },
      },
    );
  });

  let broken = -1; // which cell's error the bar says
  /** Which check of the book's fails by what the reader did: said after what follows from it. */
  let check = "";
  let followed = ""; // what has followed, while more runs
  let hint = ""; // what a run by hand makes possible
  let pressed = -1; // the cell that a hand runs: what runs first, runs for it
  const begin = (/** @type {string} */ more = "", at = -1) => ((check = followed = ""), (hint = more), (pressed = at));
  const more = (/** @type {number} */ at) => check || (cells[at].quick() ? hint : SLOW);

  const seen = cells.filter((cell) => !cell.hidden && cell.kept === null);
  const first = seen.find((cell) => cell.drawn) ?? seen[0] ?? null;
  const dock = createDock({
    start: ready,
    cancel: () => loading?.abort(),
    stop: () => stop(),
    async runAll() {
      const left = cells.filter((cell) => cell.kept !== null && !cell.hidden).length;
      const stays = left ? ` ${left} ${left === 1 ? "keeps its" : "keep their"} stored output.` : "";
      begin();
      if (!(await runner.runAll())) return;
      const waits = cells.filter((cell) => cell.waiting()).length;
      const exercises = waits ? ` ${waits} ${waits === 1 ? "exercise waits" : "exercises wait"} for you.` : "";
      dock.announce(`${cells.length - left - waits} cells ran.${exercises}${stays}${check}`);
    },
    download: () =>
      saveFile(
        `${name}.ipynb`,
        notebookOf(lesson, (place) => cells[places.indexOf(place)].text()),
      ),
    share,
    restore: restoreAll,
    close,
    first: first && {
      text: first.drawn ? "Open the figure\u2019s code" : `Open ${first.name}`,
      work: () => (dock.found(), dock.turn(client.state), first.focus()),
    },
  });
  const known = places.map((place, at) => ({ book: cells[at].book, names: lesson.page.cells[place]?.names }));
  const runner = createRunner(cells, {
    client,
    names: createNames(known, (texts) => client.names(texts, lesson.page.patterns)),
    ready,
    said(sentence, figure, from) {
      const arrows = ofArrows(cells[figure].text(), cells[figure].book);
      followed = follow(`${sentence}${arrows}${more(from)}`, cells[figure], cells[from], dock.announce, visiting);
    },
    idle: () => dock.turn(client.state),
    endless,
    begins(at) {
      dock.runs(at + 1, cells.length, followed && `${followed} `);
      cells[pressed]?.heeds();
    },
  });

  /** @returns {Promise<boolean>} */
  function ready() {
    if (client.state === "ready" || client.state === "busy") return Promise.resolve(true);
    starting ??= load().finally(() => (starting = null));
    return starting;
  }

  async function load() {
    loading = new AbortController();
    try {
      await client.start({ onProgress: dock.progress, signal: loading.signal });
      return true;
    } catch (error) {
      const { name: kind, message } = /** @type {Error} */ (error);
      dock.turn("off");
      dock.announce(kind === "AbortError" ? "Loading was cancelled. Your edits are kept." : message);
      return false;
    }
  }

  function count() {
    dock.edits(cells.filter((cell) => cell.isEdited()).length);
  }

  /** @param {number} at */
  function edited(at) {
    const { id, book } = cells[at];
    if (!visiting && !keep.set(id, book, cells[at].text())) dock.announce("This browser keeps nothing: download your notebook to keep it.");
    count();
  }

  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let typing;
  /** Whoever runs a cell by hand, or types on, does not wait for what was typed before to run by itself. */
  const rested = () => void (clearTimeout(typing), (typing = undefined));
  /** A cell that the reader has run before runs again when they rest, after what runs now. @param {number} at @param {boolean} [unfinished] it was no Python when they began to rest: then it is said where */
  function followTyping(at, unfinished = false) {
    rested();
    if (!cells[at].quick() || client.state === "off") return;
    const quick = Math.max(REST, cells[at].lasted());
    const rest = unfinished ? Math.max(0, UNFINISHED - quick) : quick;
    const mine = setTimeout(async () => {
      if (client.state !== "ready" || runner.waiting()) return followTyping(at);
      const may = await runner.may(at);
      if (may === "no" || mine !== typing || client.state !== "ready") return;
      if (may === "unfinished" && !unfinished) return followTyping(at, true);
      begin();
      runner.run(at, "typed");
    }, rest);
    typing = mine;
  }

  /** @param {number} at */
  function restore(at) {
    cells[at].set(cells[at].book);
    edited(at);
    if (cells[at].running()) return stop(() => restoreOutputs(at, true)); // nobody wants what comes of the other text
    restoreOutputs(at);
  }

  /** @param {number} at @param {boolean} [stopped] it says that it is from before that */
  function restoreOutputs(at, stopped = false) {
    for (const [each, cell] of cells.entries()) {
      if ((cell.outputs.isBook() && !(stopped && each === at)) || !runner.asInTheBook(each) || !(each === at || runner.stale(each)))
        continue;
      cell.restore();
      runner.restored(each);
    }
  }

  /** All cells; the link that brought code has done its work then. */
  function restoreAll() {
    const before = cells.map((cell) => cell.text());
    cells.forEach((cell, at) => cell.isEdited() && restore(at));
    if (visiting) history.replaceState(null, "", location.pathname + location.search);
    visiting = false;
    dock.noNotice();
    const undo = () => {
      for (const [at, text] of before.entries()) {
        if (cells[at].text() === text) continue;
        cells[at].set(text);
        edited(at);
      }
      dock.announce("Your edits are back.");
    };
    dock.announce("Every cell is as in the book.", { text: "Undo", work: undo });
  }

  /** Python ends, and what had run comes back by itself. @param {string} said why @param {string} [advice] @param {import("./dock.mjs").Way|null} [way] @param {() => void} [ended] */
  async function restart(said, advice = "", way = null, ended = () => {}) {
    const again = await runner.stop();
    setTimeout(ended); // behind what the cell says of its end
    if (again) dock.announce(`${said} Python starts again\u2026`, null, "wrong");
    const then = advice || (again ? "What had run before is back." : "");
    if (!again || (await again())) dock.announce([said, then].filter(Boolean).join(" "), way, "wrong");
  }

  /** @param {() => void} [ended] */
  function stop(ended) {
    restart(`Stopped${dock.where()}.`, "", null, ended);
  }

  /** Whoever types has not asked for a loop without end. @param {number} at @param {number} seconds */
  function endless(at, seconds) {
    const { name: words, focus, text } = cells[at];
    const line = lineOfLoop(text());
    const advice = line ? `Does the loop in line ${line} end?` : "Does it end?";
    const way = { text: line ? `${words}, line ${line}` : words, work: () => focus(line || undefined) };
    restart(`Stopped: ${words} did not end within ${seconds} s.`, `${advice} Run lets it take longer.`, way);
  }

  async function share() {
    const changed = cells.filter((cell) => cell.isEdited());
    const edits = Object.fromEntries(changed.map((cell) => [cell.id, keep.edit(cell.book, cell.text())]));
    const hash = [await pack(edits), ...changed.map((cell) => cell.number)].join(".");
    if (!fits(hash)) return "Too much for a link: download the notebook and send that.";
    const url = new URL(location.href);
    url.hash = hash;
    try {
      await navigator.clipboard.writeText(url.href);
      return "The link is copied: it holds your edits.";
    } catch {
      history.replaceState(null, "", url);
      return "The link is in the address bar: it holds your edits.";
    }
  }

  /** What brings back what had run, where the editors were closed while a cell ran. @type {ReturnType<typeof runner.stop>|null} */
  let stopped = null;
  /** What waits for Python to come no longer runs when it does. */
  const unask = () => client.state === "starting" && runner.forget();

  /** The page is the book's again. Edits, outputs and Python's variables wait for the next press of the switch. */
  function close() {
    rested();
    if (client.state === "busy") stopped = runner.stop();
    unask();
    near.disconnect();
    for (const cell of cells) cell.close();
    hideHints(false);
    dock.element.remove();
    delete document.documentElement.dataset.editing;
    closed();
  }

  function open() {
    document.body.append(dock.element);
    document.documentElement.dataset.editing = "";
    for (const each of document.querySelectorAll(".lt-open[popover] .lt-close")) /** @type {HTMLElement} */ (each).click(); // a phone's sheet lies over the bar
    hideHints(true);
    for (const cell of cells) {
      cell.open();
      if (cell.code) near.observe(cell.code);
    }
    stopped?.then((again) => again?.());
    stopped = null;
  }

  /** What the reader kept, or what came with the link. */
  async function fill() {
    const sent = await unpack(location.hash);
    const source = sent ? keep.reading(sent) : keep;
    visiting = sent !== null;
    for (const { id, book, set, offer, hidden } of cells) {
      if (hidden) continue; // a link may hold anything, and what nobody sees must not run
      const edit = source.get(id, book);
      const older = source.older(id, book);
      if (edit !== null) set(edit);
      if (older !== null) offer(older, (taken) => taken || source.drop(id));
    }
    if (!sent) return;
    const choose = (/** @type {boolean} */ keeps) => {
      visiting = false;
      if (!keeps) unask();
      history.replaceState(null, "", location.pathname + location.search);
      dock.noNotice();
      for (const [at, cell] of cells.entries()) {
        if (!keeps && cell.isEdited()) cell.set(keep.get(cell.id, cell.book) ?? cell.book);
        if (keeps) edited(at);
      }
      count();
    };
    const numbers = cells.filter((cell) => cell.isEdited()).map(({ number }) => number);
    const told = location.hash.match(/(?<=\.)\d+/g);
    asTold = !told || String(told) === String(numbers);
    const words = `${theChanged(numbers)} came with the link.`;
    dock.notice(`${words} Nothing of it has run yet.`, words, [
      { text: "Keep it as my edits", work: () => choose(true) },
      { text: "Back to mine", work: () => choose(false) },
    ]);
  }

  /** Who has opened what a link said that it brings sees what it gives; an exercise waits for its Check. */
  async function runSent() {
    for (const [at, { about, kept, isEdited }] of cells.entries()) {
      if (!isEdited() || about.exercise || kept !== null) continue;
      begin(next());
      if (!visiting || !(await runner.run(at, "typed"))) return;
    }
  }

  client.addEventListener("state", () => dock.turn(client.state === "ready" && runner.waiting() ? "busy" : client.state));
  dock.turn(client.state);
  ready(); // while the editors are built
  await fill();
  dress();
  document.body.append(h("p", { id: KEYS, class: "ed-hidden" }, "Shift+Enter runs this cell. Escape, then Tab, leaves the editor."));
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        cells.find((cell) => cell.code === target)?.build();
      }
    },
    { rootMargin: "500px 0px" },
  );
  open();
  count();
  const sent = cells.find((cell) => cell.isEdited());
  if (visiting) sent?.focus(sent.changed()); // what came with the link, its fold open
  if (visiting && asTold) runSent();
  document.addEventListener("attention-live:forget", () => cells.forEach((cell) => cell.forget()));
  client.addEventListener("crash", (/** @type {any} */ event) => {
    runner.forget();
    // after the bar has said that Python starts
    queueMicrotask(() => dock.announce(event.detail ?? event.message ?? "Python has crashed and starts again. Run the cells again."));
  });

  return {
    /** The button of an exercise or of a figure was pressed. @param {number} place in the notebook */
    go: (place) => (dock.found(), cells[places.indexOf(place)]?.focus()),
    open,
    close,
    /** Where somebody without a mouse goes on; what can be changed is seen at once. */
    focus() {
      if (first?.drawn && first.openBeside()) dock.found(), dock.turn(client.state);
      dock.element.focus({ preventScroll: true });
    },
    cells,
    client,
  };
}
