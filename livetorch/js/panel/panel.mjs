// The panel that says how a number was made: a trail of crumbs, one line whose numbers open in turn, and the reader's own
// line of Python beside it. It is a part of the figure like a view, and says what is true of each new frame.

import { h } from "../shared/dom.mjs";
import { createExplainer, eachTerm, nameOf, termNames, shortTitle, titleOf } from "./names.mjs";
import { lineOf, printedLine, pythonOf } from "./line.mjs";
import { STORED } from "../open/ending.mjs";
import { written } from "../open/writing.mjs";
import { createWayDown, cut, earlier } from "./way_down.mjs";
import { asked } from "../figure/hands.mjs";
import { inSight, isInSight, shows, createMarks, rootAt } from "./marks.mjs";
import { placeIn } from "../open/trail.mjs";

const CALM = 700; // milliseconds without a change, after which a new value is said

/** @import { Pointed } from "../views/places.mjs" */
/** @typedef {{trail: ReturnType<typeof createWayDown>, root: any, owners: Record<string, any>, every: any, again: any}} State what is open, the
 *   number at its start if a view shows it, the control that each input comes from, what lists all terms, if they are shown, and what leads
 *   back to the numbers that were offered */

/**
 * @param {import("../shared/spec.d.ts").Spec} spec
 * @param {object} given
 * @param {any[]} given.views
 * @param {HTMLElement} given.slot
 * @param {string} given.figureId
 * @param {() => any} given.frame
 * @param {() => {program: any, inputs: any}} given.program
 * @param {Record<string, any>} given.controls
 * @param {(text: string) => void} given.announce
 * @param {(name: string) => Promise<any>} given.partOf
 * @param {() => void} given.closed
 */
export function createPanel(spec, given) {
  const { views, slot, frame, program, controls, announce, partOf, closed } = given;
  const explained = createExplainer(spec, { frame, program, controls });
  const board = createBoard(spec, {
    ...given,
    explained,
    shut: () => shut(true),
    down: (/** @type {number} */ i) => went(open?.trail.down(i)),
    first: () => went(open?.trail.first()),
    back: (/** @type {number} */ n) => went(open?.trail.back(n)),
    begin,
    all,
    code: createCode(slot, partOf, () => open && board.draw(open)),
  });
  const figure = slot.closest?.("figure"); // whose veil may be lifted while the panel waits for a number
  const lifted = globalThis.MutationObserver && new MutationObserver(() => board.invited() && board.invite());
  if (figure) lifted?.observe(figure, { attributeFilter: ["data-veil"] });
  /** @type {State|null} */
  let open = null;
  /** @type {any} where the focus was */
  let opener = null;
  /** @type {any} the button that invites */
  let inviter = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;

  /** Open a number; says whether there is one. @param {any} root @param {any} from */
  function begin(root, from) {
    const trail = createWayDown(root);
    const now = explained();
    if (!trail.follow(now)) return false;
    const again = board.invited() && (() => (inviter.focus({ preventScroll: true }), inviter.click()));
    open = { trail, root: isInSight(spec, views, root) && root, owners: now.owners, every: null, again };
    opener = from ?? opener;
    asked();
    board.uninvite();
    redraw();
    closed(); // one was chosen
    return true;
  }

  /** Another number is open, or more is known of it. */
  function redraw() {
    board.show(/** @type {State} */ (open));
    announce(board.said());
  }

  /** @param {boolean|void} moved false: there is nothing where a hand wanted to go */
  function went(moved) {
    if (moved === false || !open) return;
    open.every = null;
    redraw();
    board.focus();
  }

  async function all() {
    const { termList, firstTerm } = await partOf("terms");
    if (!open) return;
    open.every = termList;
    board.show(open);
    board.focus(firstTerm);
  }

  /** @param {boolean} away whether the focus goes back to where it was */
  function shut(away) {
    if (board.element.hidden) return;
    const within = board.element.contains(document.activeElement);
    open = null;
    board.hide();
    if (away || within) opener?.focus?.({ preventScroll: true });
    opener = null;
    closed();
  }

  /** The figure has computed anew. */
  function update() {
    if (!open) return;
    const now = explained();
    // no view shows it any more: what stands elsewhere is another number
    if (!open.trail.follow(now) || (open.root && !isInSight(spec, views, open.root))) return shut(false);
    open.owners = now.owners;
    board.draw(open);
    clearTimeout(timer);
    const text = () => open && announce(`${board.name()}: ${written(Number(open.trail.items().at(-1)?.value))}`);
    timer = setTimeout(text, CALM);
  }

  return {
    isOpen: () => !board.element.hidden,
    close: () => shut(true),
    update,
    /** @param {any} from @param {any} [part] which knows the numbers to begin with, if it could be fetched */
    invite(from, part) {
      open = null;
      opener = inviter = from;
      board.hide();
      announce(board.invite(part));
    },
    uninvite() {
      board.uninvite();
      if (!open) shut(false);
    },

    /**
     * Open the number at a place of a view; says whether there is one.
     * @param {number} at
     * @param {Pointed|null} pointed null: where the arrow keys have led
     * @param {any} from what has the focus
     */
    show(at, pointed, from) {
      const veiled = views[at].element.dataset.veiled; // behind a veil only what hands move is in sight
      if (veiled && !(pointed?.target ?? from)?.closest?.(".lt-handle")) return false;
      const root = rootAt(spec, views, at, pointed);
      if (!root || !begin(root, board.element.contains(from) ? null : from)) return false;
      if (!pointed) board.focus();
      return true;
    },

    destroy() {
      lifted?.disconnect();
      clearTimeout(timer);
      board.remove();
    },
  };
}

/**
 * What the page's own code says of a stored number. The page is asked for its code when the first one is open, and what reads
 * code is fetched where there is some.
 * @param {Element} slot @param {(name: string) => Promise<any>} partOf @param {() => void} came
 * @returns {(name: string) => import("./page_code.mjs").Stated|null} of "" nothing
 */
function createCode(slot, partOf, came) {
  /** @type {string[]|null} */
  let texts = null;
  /** @type {ReturnType<typeof import("./page_code.mjs").statedIn>|null} */
  let read = null;
  function ask() {
    slot.dispatchEvent(new CustomEvent("livetorch:code", { bubbles: true, detail: { texts: (texts = []) } }));
    if (!texts.length) return;
    const reads = (/** @type {any} */ { statedIn }) => {
      read = statedIn(texts);
      came();
    };
    partOf("code").then(reads, () => {}); // without it, in general words
  }
  return (name) => {
    if (name && !texts) ask();
    return name && read ? read(name) : null;
  };
}

/** Crumbs are one line: of many those in the middle go first, then what leads back to the offers, and never the way one step back. @param {any} crumbs */
function showEnds(crumbs) {
  const last = crumbs.lastChild;
  for (const which of ["[data-from^=at]:not([data-from=at0])", "[data-from='']"])
    for (const crumb of crumbs.querySelectorAll(`li:has(${which}):not(:nth-last-child(2))`))
      if (last.scrollWidth > last.clientWidth) crumb.setAttribute("hidden", "");
}

const FRAME = { class: "lt-open", role: "region", "aria-label": "How this number was made", hidden: true };

/** The fields of the controls that a line reads. @param {string} figureId @param {State} open */
const fieldsOf = (figureId, { trail, owners }) =>
  trail
    .items()
    .at(-1)
    .from.map((/** @type {any} */ { name }) => fieldOf(figureId, owners[name]));

/** The panel invites, in words and with numbers to begin with. @param {Record<string, HTMLElement>} parts @param {string} said @param {HTMLElement[]} buttons */
function fill({ hint, starts, crumbs }, said, buttons) {
  hint.hidden = starts.hidden = false;
  hint.textContent = said;
  starts.replaceChildren(...buttons);
  crumbs.replaceChildren(h("li", { "aria-current": "true" }, "Open a number"));
}

/**
 * What the panel shows: its elements, and the outlines in the views.
 * @param {any} spec
 * @param {any} given
 */
function createBoard(spec, given) {
  const { views, slot, figureId, frame, controls, explained, shut, back, begin } = given;
  const { crumbs, hint, starts, made, element } = createFrame(shut);
  slot.append(element);
  const marks = createMarks(spec, views);
  const sheet = createSheet(element, views, () => marks.all()[0]);
  const focus = (inside = made) => inside.focus({ preventScroll: true });
  const words = (/** @type {any} */ item) => nameOf(spec, item, frame(), controls);
  const short = (/** @type {any[]} */ items) => shortTitle(titleOf(spec, items, frame(), controls));
  const names = (/** @type {any[]} */ items) => items.map((one, i) => (i ? short(items.slice(0, i + 1)) : words(one)));
  const titled = (/** @type {any} */ item) => (Number.isNaN(item.value) && item.label) || marks.printed(item);

  /** @param {State} open */
  function draw({ trail, owners, every, again }) {
    const items = trail.items();
    marks.look();
    const { said, line } = toldOf(items, titled);
    element.classList.add("lt-resting"); // what comes to lie under a hand was not pointed at
    marks.show(items.at(-1), items[0]); // all that is measured, before anything is written
    const now = { ...given, words, owners, every, frame: frame(), line, reader: items.at(-2) };
    const focusIn = focusOf(element);
    renew(crumbs, crumbsOf(said, names(items), back, again));
    showEnds(crumbs);
    renew(made, howMade(spec, items, now));
    focusIn(made);
  }

  let begun = /** @type {any} */ (null);
  function invite(part = begun) {
    begun = part;
    marks.look();
    const how = { start: (/** @type {any} */ root) => (begin(root, null), focus()), words, titled };
    const given = { cut, inSight, placeIn, shows };
    const { said = "Click any number.", buttons = [] } = part?.startsOf(spec, views, explained(), how, given) ?? {}; // it may not have come
    fill({ hint, starts, crumbs }, said, buttons);
    element.hidden = false;
    sheet.show(views.map((/** @type {any} */ view) => view.element));
    return said;
  }

  return {
    element,
    draw,
    invite,
    focus: (/** @type {(made: HTMLElement) => HTMLElement} */ inside = (all) => all) => focus(inside(made)),
    name: () => made.querySelector(".lt-made-where")?.textContent ?? crumbs.lastChild?.textContent,
    said: () => [crumbs.lastChild, ...made.querySelectorAll("p")].map((part) => part?.textContent).join(" "),
    show(/** @type {State} */ open) {
      element.hidden = false;
      draw(open);
      sheet.show([...marks.all(), ...fieldsOf(figureId, open)]); // are looked at, too
    },
    invited: () => !hint.hidden,
    uninvite: () => void (hint.hidden = starts.hidden = true),
    hide() {
      sheet.hide();
      element.hidden = hint.hidden = starts.hidden = true;
      made.replaceChildren();
      marks.clear();
    },
    remove: () => (sheet.hide(), marks.remove(), element.remove()),
  };
}

/**
 * Each number of a trail as the line said it in which it was pressed, else as the figure does; and the last one's own line.
 * @param {any[]} items @param {(item: any) => string} titled @returns {{said: string[], line: import("./line.mjs").Piece[]}}
 */
function toldOf(items, titled) {
  /** @type {import("./line.mjs").Piece[]} */
  let line = [];
  const said = items.map((item, i) => {
    const alike = line.filter(({ from }) => typeof from === "number" && items[i - 1].from[from].value === item.value); // as 0 and False are
    const told = (alike.find(({ text }) => text === written(item.value, item.dtype)) ?? alike[0])?.text ?? titled(item);
    line = printedLine(item, told);
    return told;
  });
  return { said, line };
}

/** The elements of the panel. @param {() => void} shut */
function createFrame(shut) {
  const crumbs = h("ol", { class: "lt-crumbs" });
  const hint = h("p", { class: "lt-invite", hidden: true });
  const starts = h("div", { class: "lt-starts", hidden: true });
  const made = h("div", { class: "lt-made", tabindex: -1 });
  const element = h("section", FRAME, headOf(crumbs, shut), hint, starts, made);
  const moved = (/** @type {any} */ { movementX: x, movementY: y }) => (x || y) && element.classList.remove("lt-resting");
  element.addEventListener("pointermove", moved);
  return { crumbs, hint, starts, made, element };
}

/** What has the focus, to be given it again where it is made anew; else another gets it. @param {HTMLElement} element */
function focusOf(element) {
  const focused = element.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
  const again = `[data-from="${focused?.dataset.from}"]`;
  return (/** @type {HTMLElement} */ other) => {
    if (focused && !focused.isConnected) /** @type {HTMLElement} */ (element.querySelector(again) ?? other).focus({ preventScroll: true });
  };
}

/**
 * Other children, of which those that say the same stay, with the focus, and a fold as it was left.
 * @param {Element} parent @param {Element[]} parts
 */
function renew(parent, parts) {
  const before = /** @type {any[]} */ ([...parent.children]);
  const kept = parts.map((part) => {
    if (before.some((old) => old.open && old.textContent === part.textContent)) part.setAttribute("open", "");
    const at = before.findIndex((old) => old.isEqualNode(part));
    return at < 0 ? part : before.splice(at, 1)[0];
  });
  for (const old of before) old.remove();
  kept.forEach((part, i) => part !== parent.children[i] && parent.insertBefore(part, parent.children[i] ?? null));
}

/**
 * How a number was made: what the panel says of it.
 * @param {import("../shared/spec.d.ts").Spec} spec @param {any[]} items the way to it @param {any} around
 */
function howMade(spec, items, { figureId, owners, every, frame, controls, words, line, down, all, first, code, reader }) {
  const item = items.at(-1);
  const control = item.kind === "control" ? (owners[item.name] ?? controls[item.name]) : null;
  const stored = item.name && !item.line && (item.kind === "constant" || control?.tensors);
  const said = code(stored ? item.name : "");
  const terms = every && item.from.length ? every(item, down, termNames(spec, item, frame, controls), written) : null;
  const ran = item.line ?? reader?.line;
  const isPlace = !item.name && /\barange\(/.test(ran?.text ?? "") && item.index.includes(item.value);
  const field = fieldOf(figureId, control);
  const told = (/** @type {string} */ text) =>
    isAway(field) ? text.replace(/, .*/s, ", set for this figure") : isPlace ? text.replace(STORED, "the place counted from 0") : text;
  const pieces = line.map((/** @type {any} */ { text, ...piece }) => ({
    ...piece,
    text: said ? said.exactly(text, items, spec, frame) : told(text),
  }));
  const calculation = lineOf(pieces, item.from, { open: down, all, nameOf: words });
  const leaf = field && !isAway(field) ? leading(() => field.focus(), `Go to ${control.label}`) : againOf(item, first);
  const each = eachTerm(spec, item, frame, controls);
  const where = titleOf(spec, items, frame, controls);
  return [
    where && h("p", { class: "lt-made-where" }, where),
    h("p", { class: "lt-made-line" }, ...calculation),
    each && h("p", { class: "lt-leaf" }, each),
    leaf,
    terms,
    pythonOf(item, said, reader),
  ].filter(Boolean);
}

/** @param {HTMLElement} crumbs @param {() => void} shut */
function headOf(crumbs, shut) {
  const close = h("button", { type: "button", class: "lt-button lt-close", "aria-label": "Close", onclick: shut }, "×");
  return h("div", { class: "lt-open-head" }, h("nav", { "aria-label": "The way to this number" }, crumbs), close);
}

/**
 * From the number that was asked for to the one that is open.
 * @param {string[]} titles @param {string[]} words @param {(n: number) => void} back @param {any} again
 */
function crumbsOf(titles, words, back, again) {
  const crumb = (/** @type {string} */ at, /** @type {() => void} */ onclick, /** @type {any[]} */ ...said) =>
    h("li", {}, h("button", { type: "button", class: "lt-crumb", "data-from": at, onclick }, ...said));
  const made = titles.map((said, i) => {
    if (i === titles.length - 1) return h("li", { "aria-current": "true" }, `Where does ${said} come from?`);
    const name = (i || said === titles[1]) && words[i] && h("span", {}, h("span", { class: "lt-crumb-name" }, words[i]), ": ");
    return crumb(`at${i}`, () => back(i), name || "", said);
  });
  return again ? [crumb("", again, "Numbers"), ...made] : made;
}

/** @param {() => void} onclick @param {string} where @param {string} [why] */
const leading = (onclick, where, why = "") =>
  h("p", { class: "lt-leaf" }, why, h("button", { type: "button", class: "lt-button", onclick }, where));

/** Where a control is set, if it has a field. @param {string} figureId @param {any} control @returns {any} */
const fieldOf = (figureId, control) => control && document.getElementById(`${figureId}-${control.name}`);

/** Whether a page shows no such field: a figure that it borrowed may leave some out. @param {any} field */
const isAway = (field) => field?.checkVisibility?.() === false;

/** Of a number that a loop made: that its steps are alike, and the way to the first. @param {any} item @param {() => void} onclick */
function againOf(item, onclick) {
  const before = item.from?.[earlier(item)]?.turn;
  return before && leading(onclick, "Go to the first step", `Step ${before.at} was made in this way, too, and each before it. `);
}

const ABOVE = 64; // pixels that a page's header may take
const AIR = 32; // for the number below a token, too
const WIDE_AIR = 72; // and for the sentence below it, where a window has the room
const PHONE = "(max-width: 600px)";
const BESIDE = "-64px 0px -40%"; // of the window: what header and sheet leave

const FOOT = 8; // below it in the window, as in panel.css

/**
 * Where the panel stands: under the figure's views, or on a phone at the foot of the window, above everything. Of a figure that is
 * taller than the window it stays at the window's foot, unless it would cover the number that it explains.
 * @param {any} element @param {any[]} views @param {() => Element|undefined} opened where the open number is marked
 */
function createSheet(element, views, opened) {
  const lays = () => Boolean(element.showPopover && globalThis.matchMedia?.(PHONE).matches);
  const turn = (/** @type {boolean} */ seen) => element.isConnected && element.popover && element.togglePopover(seen);
  // it goes with its figure, and comes back with it
  const leaves =
    globalThis.IntersectionObserver && new IntersectionObserver((all) => turn(all[all.length - 1].isIntersecting), { rootMargin: BESIDE });
  const inWindow = () => globalThis.innerHeight - FOOT;
  /** Whether all views have room above it. */
  const fits = () => {
    if (lays()) return false;
    const { top, bottom } = ends(views.map((view) => view.element.getBoundingClientRect()));
    return bottom - top + ABOVE + AIR + element.offsetHeight <= inWindow();
  };
  function settle() {
    if (!element.isConnected) return globalThis.removeEventListener?.("scroll", settle); // another figure has taken its place
    const mark = opened()?.getBoundingClientRect();
    const covers = !lays() && mark && mark.bottom > inWindow() - element.offsetHeight;
    element.parentElement?.classList.toggle("lt-loose", Boolean(covers || fits()));
  }
  /** Scroll so far that these stand between the head of the window and the panel: the first, and of the others what has room. @param {(Element|undefined)[]} parts */
  function clear(parts) {
    const loose = fits();
    element.parentElement?.classList.toggle("lt-loose", loose);
    const own = element.getBoundingClientRect();
    const boxes = parts.flatMap((part) => part?.getBoundingClientRect() ?? []).filter(({ height }) => height > 0);
    const room = { top: ABOVE, bottom: loose ? inWindow() : own.top - (lays() ? AIR : WIDE_AIR) };
    let kept = loose ? own : boxes[0];
    if (room.bottom <= room.top || !kept) return;
    for (const box of boxes) {
      const more = ends([kept, box]);
      if (more.bottom - more.top <= room.bottom - room.top) kept = more;
    }
    const { top, bottom } = kept;
    const by = bottom > room.bottom ? Math.min(bottom - room.bottom, top - room.top) : Math.min(0, top - room.top);
    if (by) globalThis.scrollBy({ top: by, behavior: "instant" });
  }
  return {
    /** @param {(Element|undefined)[]} parts which are to be seen */
    show(parts) {
      if (lays()) {
        element.setAttribute("popover", "manual"); // the top layer: whatever the page around the figure does
        turn(true);
        leaves?.observe(element.parentElement.parentElement);
      } else globalThis.addEventListener?.("scroll", settle, { passive: true });
      clear(parts);
    },
    hide() {
      globalThis.removeEventListener?.("scroll", settle);
      leaves?.disconnect();
      turn(false);
      element.removeAttribute("popover");
    },
  };
}

/** @param {any[]} boxes */
const ends = (boxes) => ({
  top: Math.min(...boxes.map((box) => box.top)),
  bottom: Math.max(...boxes.map((box) => box.bottom)),
});
