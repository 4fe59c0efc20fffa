// The script of the questions: a global for widgets, and the start on a page that loads it.

import { bootQuestions, questionWidget } from "./index.mjs";

/** @type {any} */ (globalThis).AttnQuestions = { questionWidget };

if (typeof document !== "undefined" && document.currentScript) {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", bootQuestions);
  else bootQuestions();
}
