// The buttons of a figure: step, run or stop, restart; reset; copy a link.

import { h, writeText } from "../shared/dom.mjs";
import { createScrub } from "./scrub.mjs";

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
 * @param {(text: string) => void} actions.announce
 */
export function createToolbar(spec, { oneStep, run: start, stop, restart, reset, look, link, announce }) {
  const button = (/** @type {string} */ text, /** @type {() => void} */ onclick, more = {}) =>
    h("button", { type: "button", class: "lt-button", onclick, ...more }, text);

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

  const shown = h("input", { class: "lt-text lt-link", type: "text", readonly: true, hidden: true, "aria-label": "Link to this state" });
  const copy = () => {
    if (!link) return;
    const url = new URL(location.href);
    url.hash = link();
    try {
      globalThis.history.replaceState(globalThis.history.state, "", url.hash);
    } catch {
      // a page inside another one may not change its address
    }
    const fallback = () => {
      shown.hidden = false;
      shown.value = url.href;
      shown.select();
      announce("The link is in the field beside the button.");
    };
    if (!navigator.clipboard?.writeText) return fallback();
    return navigator.clipboard.writeText(url.href).then(() => {
      said("Link copied");
      announce("Link copied");
    }, fallback);
  };
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  const copyButton = link ? button("Copy link to this state", copy) : null;
  const said = (/** @type {string} */ text) => {
    if (!copyButton) return;
    copyButton.textContent = text;
    clearTimeout(timer);
    timer = setTimeout(() => (copyButton.textContent = "Copy link to this state"), 2000);
  };
  // a picture that no hand can change has no state
  const still = !spec.controls.length && !spec.carry;
  const tools = still ? [shown] : [button("Reset", reset), copyButton, shown];

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
