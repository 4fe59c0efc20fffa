// What a cell shows: the book's stored output until the reader's own takes its place, and back again.

import { h } from "../../livetorch/js/shared/dom.mjs";
import { clean } from "./sanitize.mjs";
import { answer, watch } from "./sight.mjs";

/** @typedef {{kind: string, text?: string, html?: string}} Output */

const LONGEST = 100_000; // characters that a page shows of one cell
const FIGURE = "figure.livetorch";
const STATE = /^#lt:([^=]+)=(.*)$/; // the part of a link that belongs to one figure (figure/link.mjs)

/** The state of the live figures in an element, so that those that follow start where the reader left them. @param {Element} element */
function states(element) {
  /** @type {Record<string, string>} */
  const found = {};
  for (const figure of element.querySelectorAll(`${FIGURE}.lt-mounted`)) {
    const [, name, state] = STATE.exec(/** @type {any} */ (figure).livetorch?.link?.() ?? "") ?? [];
    if (name) found[decodeURIComponent(name)] = state;
  }
  return found;
}

/** The pictures of a stored output, by the numbers that the page tells beside them. @param {Element|null} stored */
function picturesOf(stored) {
  const pictures = Array.from(stored?.querySelectorAll(".figure-inline") ?? []);
  const told = Array.from(stored?.closest(".cell")?.querySelectorAll(".figure-numbers") ?? [], (pre) => numbers(pre.textContent ?? ""));
  return new Map(told.length === pictures.length ? told.map((text, i) => [text, pictures[i]]) : []);
}

/** A text as two prints of it can be compared. @param {string} text */
const numbers = (text) => text.trim().replace(/[^\S\n]+/g, " ");

/** @param {Output} output @param {Map<string, Element>} pictures @returns {HTMLElement} */
function show({ kind, text = "", html = "" }, pictures) {
  const same = kind === "stream" ? undefined : pictures.get(numbers(text));
  if (same) return h("div", { class: "output text_html" }, same.cloneNode(true)); // matplotlib, which drew it, is not in a page
  if (kind === "html" || kind === "figure") {
    const box = h("div", { class: "output text_html" });
    box.append(clean(html));
    return box;
  }
  const pre = h("pre", {}, text);
  return h("div", { class: `output ${kind === "stream" ? "stream" : "text_plain"}` }, h("div", { class: "highlight" }, pre));
}

/** As the page lifts the veil of a figure, mounted or still on its way. @param {HTMLElement} figure */
export function unveil(figure) {
  if (figure.dataset.veil === undefined) return;
  delete figure.dataset.veil;
  figure.dispatchEvent(new Event("livetorch:unveil"));
}

/** What is wider or longer than its place scrolls by key too. @param {Element} box */
function reachable(box) {
  for (const each of [box, ...box.querySelectorAll("pre")]) {
    if (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1) /** @type {any} */ (each).tabIndex = 0;
  }
}

/**
 * @param {object} options
 * @param {Element|null} options.code the element of the cell's code; null: what the cell shows is dropped
 * @param {Element|null} options.stored the element of the book's output, if it has one
 * @param {(box: Element, states: Record<string, string>) => Promise<unknown>} options.wake brings figures to life
 */
export function createOutputs({ code, stored, wake }) {
  const book = stored ? Array.from(stored.childNodes) : [];
  const pictures = picturesOf(stored);
  /** @type {any} */
  let place = stored;
  const origin = h("p", { class: "ed-origin", hidden: true });
  let ours = false;
  const covered = stored?.hasAttribute("hidden"); // of an exercise: that it is empty helps nobody
  /** @type {Element|null} */
  let wrong = null;
  const pictured = stored !== null && stored.querySelector(`${FIGURE}, .figure-inline, svg`) !== null;
  const figures = () => /** @type {HTMLElement[]} */ (Array.from(place?.querySelectorAll(FIGURE) ?? []));
  /** The figures that stand behind a veil until it has been lifted once, whatever is drawn meanwhile. */
  const veiled = new Set(figures().flatMap(({ dataset }) => (dataset.veil === undefined ? [] : [dataset.name])));
  const drawn = stored !== null && stored.querySelector(`${FIGURE}, .figure-inline, svg:not(button svg)`) !== null;
  /** What a figure's code prints stands below that code: above the figure it would push it down. @type {HTMLElement|null} */
  let printed = null;
  const apart = drawn && code !== null && !stored?.querySelector(".output.stream");
  if (stored) stored.after(origin);

  /** @param {HTMLElement|null} [box] in place of what was printed before */
  function print(box = null) {
    printed?.remove();
    printed = box;
    if (box) code?.after(box);
  }

  /** What is to stand in the box of an error keeps no place of its own. @param {HTMLElement} box */
  const unpinned = (box) => (box.classList.remove("ed-printed"), box);

  function ensure() {
    if (place) return place;
    place = h("div", { class: "cell_output docutils container" });
    code?.after(place, origin);
    return place;
  }

  /** @param {string} text */
  function say(text) {
    origin.textContent = text;
    origin.hidden = !text;
  }

  /** What went wrong before, and what was said of it, is over. */
  function tidy() {
    wrong?.remove();
    wrong = null;
    if (!place) return;
    place.hidden = false;
    for (const mark of ["data-old", "data-reply"]) place.removeAttribute(mark);
  }

  /** Other nodes stand there: a veil that has been lifted stays so. @param {() => void} change */
  function redraw(change) {
    for (const { dataset } of figures()) if (dataset.veil === undefined) veiled.delete(dataset.name);
    change();
    for (const figure of figures()) if (!veiled.has(figure.dataset.name)) unveil(figure);
  }

  /** What a cell shows comes last. @param {Element} box @param {any} before the figures' states @param {ReturnType<typeof watch>|null} sight */
  function put(box, before, sight) {
    redraw(() => place?.append(box));
    reachable(box);
    sight?.stay();
    if (box.querySelector(FIGURE)) wake(box, before).then(sight?.awake, () => {});
  }

  /** Back to what the book stored. */
  function restore() {
    tidy();
    print();
    redraw(() => place?.replaceChildren(...book));
    ours = false;
    say(stored ? "The book\u2019s output" : "");
  }

  /** What the reader's own output was when the editors were closed. @type {(() => void)|null} */
  let shelved = null;

  return {
    element: () => place,
    answer: () => place && answer(place),
    /** What stands last comes into sight: the end of a long text, not its beginning. */
    showEnd: () => (origin.hidden ? (wrong ?? place?.lastElementChild ?? place) : origin)?.scrollIntoView({ block: "nearest" }),
    tidy,
    /** What stands there is older than the code that it comes from, or no longer. @param {string} words */
    past(words) {
      if (!words) place?.removeAttribute("data-old");
      else if (place?.childNodes.length && !place.hidden) place.setAttribute("data-old", words);
    },
    /** Its code has changed since it went wrong: a figure is nothing worse than one of before. A text and its error stay what the last run gave. */
    mended: () => drawn && tidy(),
    restore,
    /** The editors are closed: the book's output stands with the book's code, and the reader's waits. */
    shelve() {
      const [nodes, said, mine, box] = [Array.from(place?.childNodes ?? []), origin.textContent ?? "", ours, wrong];
      const marks = { ...place?.dataset };
      const [inside, hidden, below] = [Boolean(box && place?.contains(box)), Boolean(place?.hidden), printed];
      shelved = () => {
        if (mine || box) redraw(() => place?.replaceChildren(...nodes));
        print(below);
        if (place) Object.assign(place.dataset, marks);
        if (place) place.hidden = hidden;
        if (box && !inside) code?.after(box);
        [ours, wrong] = [mine, box];
        say(said);
      };
      if (mine || box || marks.old) restore();
      if (place) place.hidden = stored === null || Boolean(covered);
      say("");
    },
    /** They are open again; the first time there is nothing to bring back. */
    unshelve() {
      shelved?.();
      shelved = null;
    },
    /** How the reply of a check is framed. @param {"right"|"wrong"} reply */
    reply: (reply) => place?.setAttribute("data-reply", reply),
    /** The book's output would contradict what the reader has done. @param {string} words */
    cover(words) {
      if (place && !ours) place.hidden = true;
      if (place && !ours) say(words);
    },
    /** Whether it shows a picture that follows what it is made from. */
    pictured,
    /** Whether that is a figure: a text has the picture of a button to copy it. */
    drawn,
    isBook: () => !ours,
    say,
    /** The reader presses the switch: what stands there is the book's. */
    label: () => stored && !covered && !ours && say("The book\u2019s output"),
    /** What stands there stays until something new comes, so that nothing jumps. */
    begin() {
      let [fresh, shown] = [true, 0];
      /** @type {any} */
      let stream = null;
      /** What is printed below the code. @type {any} */
      let lines = null;
      const old = place ? Array.from(place.childNodes) : [];
      const was = { ours, said: origin.textContent ?? "", printed };
      /** What came before an error, for its box. @type {ChildNode[]} */
      let came = [];
      const clear = () => {
        tidy();
        redraw(() => ensure().replaceChildren());
        stream = null;
      };
      /** @param {Output} output printed */
      const below = (output) => {
        if (lines) return void lines.append(output.text ?? "");
        const box = show(output, pictures);
        box.classList.add("ed-printed");
        lines = box.querySelector("pre");
        print(box);
      };
      const [before, sight] = [place ? states(place) : {}, place && drawn ? watch(place) : null];
      return {
        /** @param {Output} output */
        add(output) {
          if (!code) return;
          const { kind, text = "" } = output;
          if (kind === "clear") return apart ? (print(), void (lines = null)) : clear();
          if (shown > LONGEST) return;
          const room = LONGEST - shown;
          shown += text.length;
          const more = text.length > room && (kind === "stream" || kind === "text");
          const told = more
            ? { ...output, text: `${text.slice(0, room)}\n(more than ${LONGEST.toLocaleString("en")} signs: the rest is not shown)\n` }
            : output;
          if (apart && kind === "stream") return below(told);
          if (fresh) clear();
          fresh = false;
          ours = true;
          if (shown > LONGEST && !more) return;
          if (kind === "stream" && stream) return stream.append(told.text);
          const box = show(told, pictures);
          stream = kind === "stream" ? box.querySelector("pre") : null;
          put(box, before, sight);
        },
        /** @param {string} words */
        end(words) {
          if (!code) return;
          if (fresh && place) clear();
          if (!lines) print();
          if (place && !drawn) reachable(place);
          tidy();
          ours = true;
          say(place?.childNodes.length ? words : "");
        },
        /** It was stopped: a figure stands there from before, and so does a text of which nothing new has come. */
        halt() {
          tidy();
          if (!place || !code?.hasAttribute("data-editing")) return;
          if (!drawn && !fresh) return say("Run here until it was stopped");
          if (!fresh) redraw(() => place.replaceChildren(...old));
          say("");
          if (covered && !was.ours) return void (place.hidden = true);
          if (!place.childNodes.length && !covered) restore(); // only an error stood there
          if (place.childNodes.length) place.setAttribute("data-old", "From before the stop");
        },
        /** It went wrong, and what stood there stays for now. */
        hold() {
          if (lines && printed) came = [unpinned(printed)];
          if (lines) print(was.printed);
          lines = null;
          if (fresh || !place) return;
          came.push(...place.childNodes);
          redraw(() => place.replaceChildren(...old));
          ours = was.ours;
          say(was.said);
          fresh = true;
        },
        /**
         * What went wrong stands below what was shown before it. A figure stays, for its state and so that nothing jumps,
         * and its code says what is wrong.
         * @param {Element} box
         * @param {string} what went wrong, and where
         */
        fail(box, what) {
          if (!code) return;
          if (lines && printed) came = [unpinned(printed)];
          print();
          box.prepend(...came);
          if (drawn) {
            tidy();
            if (!fresh) box.prepend(...place.childNodes);
            if (!fresh) redraw(() => place.replaceChildren(...old));
            place.setAttribute("data-old", `From before ${what}`);
            code.after(box);
          } else {
            if (fresh) clear();
            ours = true;
            place.append(box);
          }
          wrong = box;
          say("");
        },
      };
    },
  };
}
