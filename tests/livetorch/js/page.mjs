// A page without a browser, for the tests of what the figures build: jsdom, with frames that run at once when asked.

import { JSDOM } from "jsdom";

const { window } = new JSDOM("<!doctype html><html lang=en><body></body></html>", {
  url: "https://example.org/page.html",
  pretendToBeVisual: true,
});
for (const name of ["window", "document", "location", "MutationObserver", "Node", "Event", "CustomEvent", "KeyboardEvent", "HTMLElement"]) {
  globalThis[name] = name === "window" ? window : window[name];
}
Object.defineProperty(globalThis, "navigator", { value: window.navigator, configurable: true });
globalThis.requestAnimationFrame = (callback) => setTimeout(() => callback(performance.now()), 0);
globalThis.cancelAnimationFrame = clearTimeout;
globalThis.history = window.history;
globalThis.ResizeObserver = /** @type {any} */ (class { observe() {} disconnect() {} });
window.Element.prototype.scrollIntoView = () => {}; // jsdom has no places to scroll to
globalThis.addEventListener = window.addEventListener.bind(window);
globalThis.removeEventListener = window.removeEventListener.bind(window);

/** A new place in the page. */
export function place() {
  const element = document.createElement("figure");
  document.body.append(element);
  return element;
}

/** Let all that was asked for happen: for some milliseconds, and for as many turns of the loop on a busy machine. */
export async function settle(milliseconds = 20) {
  for (let turn = 0; turn < milliseconds; turn++) await new Promise((done) => setTimeout(done, 1));
}

/** Wait for what a busy machine does later. @param {() => unknown} so */
export async function until(so) {
  const end = performance.now() + 20000;
  while (!so()) {
    if (performance.now() > end) throw new Error(`not so after 20 s: ${so}`);
    await settle(1);
  }
}

/** The control that a label belongs to. @param {HTMLElement} element @param {string} label */
export function field(element, label) {
  const labels = Array.from(element.querySelectorAll("label"));
  const found = labels.find((each) => each.textContent === label);
  return found?.htmlFor ? document.getElementById(found.htmlFor) : found?.querySelector("input");
}

/** @param {HTMLElement} element @param {string} text */
export function button(element, text) {
  return Array.from(element.querySelectorAll("button")).find((each) => each.textContent === text);
}

/** Press one of the options that stand beside each other. @param {HTMLElement} element @param {string} text */
export function pick(element, text) {
  const found = Array.from(element.querySelectorAll("label")).find((each) => each.textContent === text);
  enter(Object.assign(found.querySelector("input"), { checked: true }), found.querySelector("input").value, ["change"]);
}

/** Type or move as a reader does. @param {any} input @param {any} value */
export function enter(input, value, kinds = ["input", "change"]) {
  if (input.type === "checkbox") input.checked = value;
  else if (input.tagName === "SELECT") input.selectedIndex = value;
  else input.value = String(value);
  for (const kind of kinds) input.dispatchEvent(new window.Event(kind, { bubbles: true }));
}
