// What a cell shows: the book's stored output until the reader's own takes its place, and back again.

import { h } from "../shared/dom.mjs";
import { clean } from "./sanitize.mjs";

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

/** @param {Output} output @returns {Element} */
function show({ kind, text = "", html = "" }) {
  if (kind === "html" || kind === "figure") {
    const box = h("div", { class: "output text_html" });
    box.append(clean(html));
    return box;
  }
  const pre = h("pre", {}, text);
  return h("div", { class: `output ${kind === "stream" ? "stream" : "text_plain"}` }, h("div", { class: "highlight" }, pre));
}

/**
 * @param {object} options
 * @param {Element|null} options.code the element of the cell's code; null: what the cell shows is dropped
 * @param {Element|null} options.stored the element of the book's output, if it has one
 * @param {(box: Element, states: Record<string, string>) => Promise<unknown>} options.wake brings figures to life
 */
export function createOutputs({ code, stored, wake }) {
  const book = stored ? Array.from(stored.childNodes) : [];
  /** @type {any} */
  let place = stored;
  const origin = h("p", { class: "ed-origin", hidden: true });
  let ours = false;
  if (stored) stored.after(origin);

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

  return {
    element: () => place,
    /** Whether it shows a picture that follows what it is made from. */
    pictured: stored !== null && stored.querySelector(`${FIGURE}, .figure-inline, svg`) !== null,
    isBook: () => !ours,
    say,
    /** The reader presses the switch: what stands there is the book's. */
    label: () => stored && !ours && say("The book\u2019s output"),
    /** Back to what the book stored. */
    restore() {
      if (place) place.replaceChildren(...book);
      ours = false;
      say(stored ? "The book\u2019s output" : "");
    },
    /** What stands there stays until something new comes, so that nothing jumps. */
    begin() {
      let fresh = true;
      let shown = 0;
      /** @type {any} */
      let stream = null;
      const clear = () => {
        ensure().replaceChildren();
        stream = null;
      };
      const before = place ? states(place) : {};
      return {
        /** @param {Output} output */
        add(output) {
          if (!code) return;
          if (output.kind === "clear") return clear();
          if (fresh) clear();
          fresh = false;
          ours = true;
          shown += (output.text ?? "").length;
          if (shown > LONGEST) return;
          if (output.kind === "stream" && stream) return stream.append(output.text ?? "");
          const box = show(output);
          stream = output.kind === "stream" ? box.querySelector("pre") : null;
          place.append(box);
          for (const each of [box, ...box.querySelectorAll("pre")]) {
            if (each.scrollWidth > each.clientWidth + 1) /** @type {any} */ (each).tabIndex = 0;
          }
          if (box.querySelector(FIGURE)) wake(box, before).catch(() => {});
        },
        /** @param {string} words */
        end(words) {
          if (!code) return;
          if (fresh && place) clear();
          ours = true;
          say(place?.childNodes.length ? words : "");
        },
        /** What went wrong stands below what was shown before it. @param {Element} box */
        fail(box) {
          if (!code) return;
          if (fresh) clear();
          ours = true;
          place.append(box);
          say("");
        },
      };
    },
  };
}
