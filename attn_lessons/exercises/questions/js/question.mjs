// A question that replies: its kind's form, a button that checks, one that shows the answer, and what is remembered.

import { currentTheme, h, reducedMotion, watchTheme } from "../../../../livetorch/js/shared/dom.mjs";
import { createCells } from "./cells.mjs";
import { createChoice } from "./choice.mjs";
import { marked } from "./marked.mjs";
import { createNumber } from "./number.mjs";

const kinds = { choice: createChoice, number: createNumber, cells: createCells };
let count = 0;

/**
 * @param {any} element is emptied
 * @param {any} spec the question's JSON
 * @param {{get: (name: string) => any, set: (name: string, answer: any) => void}|null} [memory]
 */
export function mountQuestion(element, spec, memory = null) {
  const make = kinds[/** @type {keyof typeof kinds} */ (spec.kind)];
  if (spec.format !== "attn-lessons/question" || spec.version !== 1 || !make) {
    throw new Error(`This page's script knows no question of kind ${spec.kind}, version ${spec.version}.`);
  }
  count += 1;
  const part = /** @type {any} */ (make)(spec, { id: `lt-question-${count}` });
  const reply = h("p", { class: "lt-reply", role: "status", "aria-live": "polite" });

  /** @param {string} kind @param {string} lead @param {string} text */
  function say(kind, lead, text) {
    reply.dataset.kind = kind;
    reply.replaceChildren(h("strong", {}, lead), lead && text ? " " : "", ...marked(text));
    again.hidden = !kind;
  }

  /** @param {any} value @param {boolean} shown */
  function judge(value, shown) {
    const made = part.judge(value);
    const kind = shown ? "shown" : made.right ? "right" : made.lead ? "wrong" : "";
    say(kind, shown ? made.lead.replace("Right", "The answer") : made.lead, made.text);
    return kind;
  }

  const open = !("answer" in spec); // the students' edition knows no answers: what is chosen is kept, to be handed in
  const KEPT = "Your answer is kept here, and saved with your results.";

  /** The page moves by the least that brings the reply into sight, once what the reply unveils is laid out. */
  const inSight = () =>
    requestAnimationFrame(() => reply.scrollIntoView?.({ block: "nearest", behavior: reducedMotion() ? "auto" : "smooth" }));

  const check = () => {
    inSight();
    const value = part.get();
    if (value === null || (open && !part.valid(value))) return say("", "", part.nothing);
    if (open) {
      say("shown", "Kept.", KEPT);
      memory?.set(spec.name, [value, false]);
      return;
    }
    if (judge(value, false)) memory?.set(spec.name, [value, false]);
  };
  const show = () => {
    part.set(part.answer());
    judge(part.answer(), true);
    inSight();
    memory?.set(spec.name, [part.answer(), true]);
  };
  const clear = () => {
    part.set(null);
    say("", "", "");
  };
  const startOver = () => {
    clear();
    memory?.set(spec.name, null);
    element.querySelector("input, .lt-toggle").focus();
  };

  const button = (/** @type {string} */ text, /** @type {any} */ more) =>
    h("button", { type: "button", class: "lt-button", ...more }, text);
  const again = button("Start over", { onclick: startOver, hidden: true });
  const form = h(
    "form",
    {
      class: "lt-card",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        check();
      },
    },
    part.element,
    h(
      "div",
      { class: "lt-run" },
      button(open ? "Keep my answer" : "Check", { type: "submit", class: "lt-button lt-primary" }),
      ...(open ? [] : [button("Show the answer", { onclick: show })]),
      again,
    ),
    reply,
  );

  const showTheme = (/** @type {string} */ theme) => element.setAttribute("data-lt-theme", theme);
  showTheme(currentTheme());
  const stopTheme = watchTheme(showTheme);
  element.classList.add("livetorch", "lt-question", "lt-mounted");
  element.replaceChildren(form);

  const kept = memory?.get(spec.name);
  if (Array.isArray(kept) && part.valid(kept[0])) {
    part.set(kept[0]);
    if (open) say("shown", "Kept.", KEPT);
    else judge(kept[0], kept[1]);
  }
  return { clear, destroy: () => (stopTheme(), element.replaceChildren()) };
}
