// The panel that says how a number was made: a trail of crumbs, one line whose numbers open in turn, and the reader's own
// line of Python beside it. It is a part of the figure like a view, and says what is true of each new frame.

import { h } from "../shared/dom.mjs";
import { createExplainer } from "./explain.mjs";
import { lineOf } from "./line.mjs";
import { written } from "../open/numbers.mjs";
import { indexed } from "./leaves.mjs";
import { createMarks } from "./marks.mjs";
import { placeName, termNames } from "./names.mjs";
import { pythonOf } from "./python.mjs";
import { createSheet } from "./sheet.mjs";
import { termList } from "./terms.mjs";
import { createTrail } from "./trail.mjs";
import { viewOf } from "../views/index.mjs";

const CALM = 700; // milliseconds without a change, after which a new value is said

const HINT = "Click or tap any number in this figure, or move to one with the arrow keys and press Enter.";

/**
 * @param {import("../shared/spec.d.ts").Spec} spec
 * @param {object} parts
 * @param {any[]} parts.views
 * @param {HTMLElement} parts.slot
 * @param {string} parts.figureId
 * @param {() => any} parts.frame
 * @param {() => {program: any, inputs: any}} parts.program
 * @param {Record<string, any>} parts.controls
 * @param {(text: string) => void} parts.announce
 * @param {() => void} parts.closed
 */
export function createPanel(spec, { views, slot, figureId, frame, program, controls, announce, closed }) {
  const crumbs = h("ol", { class: "lt-crumbs" });
  const close = h("button", { type: "button", class: "lt-button lt-close", "aria-label": "Close", onclick: () => shut(true) }, "×");
  const hint = h("p", { class: "lt-invite", hidden: true }, HINT);
  const starts = h("div", { class: "lt-starts", hidden: true });
  const made = h("div", { class: "lt-made", tabindex: -1 });
  const head = h("div", { class: "lt-open-head" }, h("nav", { "aria-label": "From the number to what it was made of" }, crumbs), close);
  const element = h(
    "section",
    { class: "lt-open", role: "region", "aria-label": "How this number was made", hidden: true },
    head,
    hint,
    starts,
    made,
  );
  slot.append(element);
  const sheet = createSheet(element);
  const marks = createMarks(spec, views);
  const explained = createExplainer(spec, { frame, program, controls });

  /** @type {ReturnType<typeof createTrail>|null} */
  let trail = null;
  /** @type {any} where the focus was */
  let opener = null;
  /** @type {Record<string, any>} the control that each input comes from */
  let owners = {};
  let every = false; // all terms are shown
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;

  /** @param {any} root @param {any} from */
  function begin(root, from) {
    const next = createTrail(root);
    const now = explained();
    if (!next.follow(now)) return false;
    owners = now.owners;
    trail = next;
    opener = from ?? opener;
    uninvite();
    turned();
    return true;
  }

  /** Another number is open: by the reader's hand. */
  function turned() {
    every = false;
    element.hidden = false;
    draw();
    sheet.show();
    announce(`${crumbs.lastChild?.textContent}. ${made.querySelector(".lt-made-line")?.textContent ?? ""}`);
  }

  /** @param {number} i */
  function down(i) {
    if (!trail?.down(i)) return;
    turned();
    made.focus({ preventScroll: true });
  }

  /** @param {number} n */
  function back(n) {
    trail?.back(n);
    turned();
    made.focus({ preventScroll: true });
  }

  function draw() {
    if (!trail) return;
    const items = trail.items();
    const names = trail.names();
    const item = items[items.length - 1];
    const last = names.length - 1;
    const focused = /** @type {any} */ (made.contains(document.activeElement) ? document.activeElement : null)?.dataset.from;
    crumbs.replaceChildren(
      ...names.map((name, i) =>
        h(
          "li",
          i === last ? { "aria-current": "true" } : {},
          i === last ? name : h("button", { type: "button", class: "lt-crumb", onclick: () => back(i) }, name),
        ),
      ),
    );
    const line = h("p", { class: "lt-made-line" }, ...lineOf(item, down, all));
    const where = placeName(spec, item, frame(), controls);
    made.replaceChildren(
      ...(where ? [h("p", { class: "lt-made-where" }, where)] : []),
      line,
      ...[
        leafOf(item),
        every && item.from.length ? termList(item, down, termNames(spec, item, frame(), controls)) : null,
        pythonOf(item.line),
      ].filter((part) => part !== null && part !== false),
    );
    if (focused !== undefined) /** @type {any} */ (made.querySelector(`[data-from="${focused}"]`) ?? made).focus({ preventScroll: true });
    marks.show(item);
  }

  function all() {
    every = true;
    draw();
    sheet.uncover(marks.bottom());
    /** @type {any} */ (made.querySelector(".lt-terms button"))?.focus({ preventScroll: true });
  }

  /** What ends the walk: a control, an input, a constant, in words. @param {any} item */
  function leafOf(item) {
    const control = item.kind === "control" ? (owners[item.name] ?? controls[item.name]) : null;
    const field = control && document.getElementById(`${figureId}-${control.name}`);
    return (
      field &&
      h(
        "p",
        { class: "lt-leaf" },
        h("button", { type: "button", class: "lt-button", onclick: () => field.focus() }, `Go to ${control.label}`),
      )
    );
  }

  /** @param {any} from */
  function invite(from) {
    opener = from;
    hint.hidden = false;
    starts.hidden = trail !== null;
    const { outputs } = frame();
    const named = Object.keys(spec.labels ?? {}).filter((name) => outputs[name]);
    const buttons = (named.length ? named : Object.keys(outputs)).map((name) => {
      const source = { output: name };
      const begins = () => {
        begin({ source, index: outputs[name].shape.map(() => 0) }, null);
        made.focus({ preventScroll: true });
      };
      return h(
        "button",
        { type: "button", class: "lt-button", onclick: begins },
        indexed(
          name,
          outputs[name].shape.map(() => 0),
        ),
      );
    });
    starts.replaceChildren(h("span", {}, "Or begin with "), ...buttons);
    if (!trail) crumbs.replaceChildren(h("li", { "aria-current": "true" }, "How was this made?"));
    element.hidden = false;
    sheet.show();
    announce(HINT);
  }

  function uninvite() {
    hint.hidden = starts.hidden = true;
    if (!trail) shut(false);
  }

  /** @param {boolean} back whether the focus goes back to where it was */
  function shut(back) {
    if (element.hidden) return;
    const within = element.contains(document.activeElement);
    trail = null;
    owners = {};
    clearTimeout(timer);
    sheet.hide();
    element.hidden = true;
    hint.hidden = starts.hidden = true;
    made.replaceChildren();
    marks.clear();
    if (back || within) opener?.focus?.({ preventScroll: true });
    opener = null;
    closed();
  }

  return {
    isOpen: () => !element.hidden,
    close: () => shut(true),
    invite,
    uninvite,

    /**
     * Open the number at a place of a view; says whether there is one.
     * @param {number} at
     * @param {import("../views/places.mjs").Pointed|null} pointed null: where the arrow keys have led
     * @param {any} from what has the focus
     */
    show(at, pointed, from) {
      const root = viewOf(spec.views[at].kind, "numberAt")(spec.views[at], views[at].shown(), pointed);
      if (!root || !begin(root, element.contains(from) ? null : from)) return false;
      sheet.uncover(pointed?.y ?? marks.bottom());
      if (!pointed) made.focus({ preventScroll: true });
      return true;
    },

    /** The figure has computed anew. */
    update() {
      if (!trail) return;
      const now = explained();
      if (!trail.follow(now)) return shut(false);
      owners = now.owners;
      draw();
      clearTimeout(timer);
      const text = () => announce(`${crumbs.lastChild?.textContent}: ${written(Number(trail?.items().at(-1)?.value))}`);
      timer = setTimeout(text, CALM);
    },

    destroy() {
      clearTimeout(timer);
      marks.remove();
      element.remove();
    },
  };
}
