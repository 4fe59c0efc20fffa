// The buttons of a figure: step, run or stop, restart; reset; copy a link.

import { h, writeText } from "../shared/dom.mjs";
import { createScrub } from "./scrub.mjs";

const button = (/** @type {string} */ text, /** @type {() => void} */ onclick, more = {}) =>
  h("button", { type: "button", class: "lt-button", onclick, ...more }, text);

/**
 * @param {any} spec
 * @param {object} actions
 * @param {() => void} actions.oneStep
 * @param {(most: number, unhurried: boolean) => void} actions.run
 * @param {() => void} actions.stop
 * @param {() => void} actions.restart
 * @param {() => void} actions.reset
 * @param {(step: number) => void} actions.look at a past step
 * @param {(() => string)|null} actions.link
 * @param {() => string[]} actions.unlinked what a link leaves out
 * @param {(() => Promise<string>)|null} actions.embed the code that shows the figure in another page
 * @param {(text: string) => void} actions.announce
 * @param {(text: string) => void} actions.problem
 */
export function createToolbar(spec, { oneStep, run: start, stop, restart, reset, look, link, unlinked, embed, announce, problem }) {
  let running = false;
  const word = spec.carry?.run ?? "Run";
  let ended = false;
  const press = () => {
    if (running) return stop();
    if (ended) restart();
    start(Infinity, true);
  };
  const runButton = button(word, press, { class: "lt-button lt-primary" });
  const stepButton = button("Step", oneStep);
  const counter = h("span", { class: "lt-counter" });
  const scrub = createScrub(look);
  const run = spec.carry
    ? h(
        "div",
        { class: "lt-run", role: "group", "aria-label": "Steps" },
        runButton,
        stepButton,
        button("Restart", restart),
        scrub.element,
        counter,
      )
    : null;

  const { copying, shown } = createCopying({ unlinked, announce, problem });
  const copyButton = link ? copying("Copy link", "Link", "to this state", () => addressOf(link())) : null;
  // a picture that no hand can change has no state
  const state = spec.controls.length || spec.carry ? [button("Reset", reset), copyButton] : [];
  const tools = [...state, embed ? copying("Embed", "Code", "for another page", embed) : null, shown];

  return {
    run,
    tools,
    /** @param {{count: number, running: boolean}} now @param {{kept: number[], at: number}} past */
    update(now, past) {
      if (!spec.carry) return;
      running = now.running;
      ended = now.count >= spec.carry.steps;
      writeText(runButton, running ? "Stop" : ended ? `${word} again` : word);
      stepButton.disabled = running || ended;
      const last = ended ? `step ${now.count}, the last` : `step ${now.count}`;
      writeText(counter, past.at < now.count ? `step ${past.at} of ${now.count}` : last);
      scrub.update(past);
    },
  };
}

/** The page's address with a state in it, which the browser shows too. @param {string} state */
function addressOf(state) {
  const url = new URL(location.href);
  url.hash = state;
  try {
    globalThis.history.replaceState(globalThis.history.state, "", url.hash);
  } catch {
    // a page inside another one may not change its address
  }
  return url.href;
}

/**
 * Buttons that copy a text and say so; where a page may not copy, the text stands beside them to be taken (`shown`).
 * @param {{unlinked: () => string[], announce: (text: string) => void, problem: (text: string) => void}} how
 */
function createCopying({ unlinked, announce, problem }) {
  const shown = h("input", { class: "lt-text lt-link", type: "text", readonly: true, hidden: true });

  /**
   * @param {string} label
   * @param {string} what it is, with a capital
   * @param {string} of what
   * @param {() => string|Promise<string>} text
   */
  function copying(label, what, of, text) {
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    let timer;
    const copy = async () => {
      const given = await text();
      const lost = unlinked();
      problem(lost.length ? `${what} holds all but ${lost.join(", ")}, which is too large for it.` : "");
      try {
        await navigator.clipboard.writeText(given);
      } catch {
        shown.hidden = false;
        shown.setAttribute("aria-label", `${what} ${of}`);
        shown.value = given;
        shown.select();
        return announce(`${what} is in the field beside the buttons.`);
      }
      clearTimeout(timer);
      timer = setTimeout(() => (made.textContent = label), 2000);
      announce((made.textContent = `${what} copied`));
    };
    const made = button(label, copy);
    return made;
  }
  return { copying, shown };
}
