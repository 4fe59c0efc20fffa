// Brings the stored questions of a page to life, and offers to forget what was answered.

import { ownKeys } from "../../../../livetorch/js/hosts/lab_keys.mjs";
import { h } from "../../../../livetorch/js/shared/dom.mjs";
import { createMemory } from "./memory.mjs";
import { mountQuestion } from "./question.mjs";

export function bootQuestions() {
  const memory = createMemory(location.pathname);
  /** @type {ReturnType<typeof mountQuestion>[]} */
  const questions = [];
  const told = h("span", { role: "status" });
  const button = h("button", { type: "button", class: "lt-button", onclick: forget }, "Forget my answers");
  const note = h("p", { class: "livetorch lt-forget", hidden: !memory.any() }, told, " ", button);
  const keeps = "Your answers are kept in this browser only.";
  told.textContent = keeps;

  function forget() {
    memory.forget();
    for (const each of questions) each.clear();
    told.textContent = "Forgotten.";
    button.hidden = true;
  }

  const remembering = {
    ...memory,
    set(/** @type {string} */ name, /** @type {any} */ answer) {
      memory.set(name, answer);
      note.hidden = !memory.any();
      button.hidden = false;
      told.textContent = keeps;
    },
  };
  document.addEventListener("attention-live:forget", () => {
    if (memory.any()) forget(); // the page's head said so
  });
  const elements = document.querySelectorAll(".lt-question:not(.lt-mounted)");
  for (const element of elements) {
    const still = Array.from(element.childNodes);
    try {
      const script = element.querySelector('script[type="application/json"]');
      questions.push(mountQuestion(element, JSON.parse(script?.textContent ?? ""), remembering));
      element.after(note); // ends up behind the last one
    } catch (error) {
      element.replaceChildren(...still);
      console.error("livetorch: a question stays as it was stored:", error);
    }
  }
}

/** The question as an anywidget; its answer is kept by the notebook's path. */
export const questionWidget = {
  /** @param {{model: any, el: HTMLElement}} host */
  render({ model, el }) {
    const box = document.createElement("div");
    el.append(box);
    ownKeys(box);
    const notebook = location.pathname.replace(/^.*?\/(tree|notebooks)\//, "");
    return mountQuestion(box, model.get("_spec"), createMemory(notebook)).destroy;
  },
};
