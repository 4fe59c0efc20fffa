// A hand that asks how a number was made: where it points, and the panel that answers, fetched when first asked for.

import { h } from "../shared/dom.mjs";
import { areOff } from "./hands.mjs";
import { viewOf } from "../views/index.mjs";

/** @typedef {{x: number, y: number, target: Element, meant?: boolean, finger?: boolean}} Pointed in the window; meant: a number and nothing else */

/** Whether a figure computes anything: a picture of numbers does not. @param {any} spec */
const computes = (spec) => spec.first || spec.programs.some((/** @type {any} */ { nodes }) => nodes.length);

/**
 * @param {any} spec
 * @param {object} parts
 * @param {any[]} parts.views as `spec.views` tells
 * @param {Record<string, number|null>[]} parts.pointed of each view the items that it has told of
 * @param {() => Promise<any>} parts.openPart fetches what opens numbers
 * @param {(panel: any) => void} parts.opened shows the panel anew with each frame from now on
 * @param {(text: string) => void} parts.failed
 * @param {any} parts.context what a panel is made with
 */
export function createOpening(spec, { views, pointed, openPart, opened, failed, context }) {
  const slot = h("div", { class: "lt-open-slot" });
  const button = h(
    "button",
    { type: "button", class: "lt-button lt-how", "aria-pressed": "false", onclick: () => choose(!choosing) },
    "Open a number",
  );
  let choosing = false; // the next number that is pointed at is opened, also where a click edits
  /** @type {any} */
  let panel = null;

  async function ready() {
    try {
      const { createPanel } = await openPart();
      panel ??= createPanel(spec, { ...context, views, slot, closed });
      opened(panel);
      return panel;
    } catch (error) {
      failed(`How numbers are made could not be loaded: ${error instanceof Error ? error.message : error}`);
      return null;
    }
  }

  /** @param {boolean} on */
  async function choose(on) {
    choosing = on;
    button.setAttribute("aria-pressed", String(on));
    for (const { element } of views) element.classList.toggle("lt-choosing", on);
    if (!on) return panel?.uninvite();
    const [, starts] = await Promise.all([ready(), context.partOf("starts").catch(() => null)]); // without it, any number opens
    if (choosing) panel?.invite(button, starts);
  }

  /** @param {number} at which view @param {Pointed|null} pointed null: where its arrow keys have led */
  async function ask(at, pointed) {
    const from = document.activeElement;
    if (!(await ready())) return;
    panel.show(at, pointed, from);
  }

  function closed() {
    if (choosing) choose(false);
  }

  const suggest = async (/** @type {any} */ card, /** @type {number} */ at, /** @type {Pointed} */ there) => {
    const [{ offer }, open] = await Promise.all([context.partOf("offer"), openPart()]);
    const how = { card, views, at, pointed: there, frame: context.frame(), ask: () => ask(at, there) };
    if (!choosing && !panel?.isOpen()) offer(spec, how, open);
  };
  const hands = createHands(spec, { views, pointed, ask, suggest, choosing: () => choosing, isOpen: () => panel?.isOpen() });
  /** Escape closes, wherever the focus is in the figure. @param {KeyboardEvent} event */
  function onEscape(event) {
    if (event.key !== "Escape" || !(choosing || panel?.isOpen())) return;
    event.stopPropagation();
    panel?.close();
    closed();
  }
  const rest = resting(spec, views, suggest);
  const listen = (/** @type {HTMLElement} */ card) => (hands(card), rest(card), card.addEventListener("keydown", onEscape));
  return { slot, button, listen };
}

const RESTS = 900; // milliseconds that a hand stays on a number before it is offered to say where it comes from

/**
 * A mouse that rests on a number.
 * @param {any} spec
 * @param {any[]} views
 * @param {(card: Element, at: number, pointed: Pointed) => void} suggest
 */
function resting(spec, views, suggest) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  return (/** @type {HTMLElement} */ card) => {
    card.addEventListener("pointermove", ({ target, clientX: x, clientY: y, pointerType, buttons }) => {
      clearTimeout(timer);
      const at = views.findIndex((view) => view.element.contains(target));
      if (at < 0 || buttons || pointerType !== "mouse" || spec.views[at].edit || !computes(spec)) return;
      const pointed = { x, y, target: /** @type {Element} */ (target) };
      timer = setTimeout(() => suggest(card, at, pointed), RESTS);
    });
    for (const kind of ["pointerleave", "click"]) card.addEventListener(kind, () => clearTimeout(timer));
  };
}

/**
 * The hands in the views of a card, wherever in it they stand: which of them ask how a number was made.
 * @param {any} spec
 * @param {object} how
 * @param {any[]} how.views
 * @param {Record<string, number|null>[]} how.pointed
 * @param {(at: number, pointed: Pointed|null) => void} how.ask
 * @param {(card: any, at: number, pointed: Pointed) => void} how.suggest
 * @param {() => boolean} how.choosing
 * @param {() => boolean} how.isOpen whether a number is
 */
function createHands(spec, { views, pointed, ask, suggest, choosing, isOpen }) {
  /** The view that a hand is on, -1 for none; a view's own buttons and fields hold no number. @param {any} target */
  const viewAt = (target) =>
    target?.closest?.(".lt-view :is(.lt-button, .lt-control)") ? -1 : views.findIndex((view) => view.element.contains(target));
  const meant = (/** @type {MouseEvent|TouchEvent} */ event) => choosing() || event.altKey;

  // A finger cannot point without pressing: its first tap is that, and one more on the same item asks.
  let finger = false;
  /** What was tapped last, and before that: a view and the items that are pointed at in it. */
  let [tapped, before] = ["", ""];
  const points = (/** @type {number} */ at) =>
    finger && !isOpen() && viewOf(spec.views[at].kind, "tells") && Object.values(pointed[at] ?? {}).some((item) => item !== null);

  /** @param {MouseEvent} event */
  function click(event) {
    const target = /** @type {Element} */ (event.target);
    const at = viewAt(target);
    const edits = at >= 0 && (spec.views[at].edit || target.closest(".lt-handle"));
    const selected = globalThis.getSelection?.();
    if (at < 0 || (edits && !meant(event)) || (selected && !selected.isCollapsed && views[at].element.contains(selected.anchorNode)))
      return;
    const there = { x: event.clientX, y: event.clientY, target, meant: meant(event), finger };
    if (points(at) && !there.meant && tapped !== before) suggest(event.currentTarget, at, there);
    else ask(at, there);
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    const at = viewAt(event.target);
    if (at < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    const stage = /** @type {Element} */ (event.target).matches("[role=application]:not(.lt-picks *)");
    const presses = event.key === "Enter" || (event.key === " " && stage && !spec.views[at].muting);
    if ((event.key !== "o" || areOff()) && !(presses && (choosing() || !spec.views[at].edit))) return;
    event.preventDefault();
    event.stopPropagation();
    ask(at, null);
  }

  /** @param {HTMLElement} card */
  return (card) => {
    const asks = (/** @type {any} */ event) => meant(event) && viewAt(event.target) >= 0;
    // before the views hear of it: nothing is drawn, painted or dragged by a hand that only asks
    for (const kind of ["pointerdown", "touchstart"])
      card.addEventListener(kind, (event) => asks(event) && event.stopPropagation(), { capture: true, passive: true });
    card.addEventListener("pointerdown", ({ pointerType }) => (finger = pointerType === "touch"), { capture: true });
    // before a view, or what its items set, hears of it
    const note = (/** @type {number} */ at) => ([before, tapped] = [tapped, JSON.stringify([at, pointed[at]])]);
    card.addEventListener("click", ({ target }) => note(viewAt(target)), { capture: true });
    card.addEventListener("click", click);
    card.addEventListener("keydown", key, { capture: true });
  };
}
