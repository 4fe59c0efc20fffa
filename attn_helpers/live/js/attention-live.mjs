// The one script of live figures and questions: a global for pages and widgets, and the start on a page that loads it.

import { boot } from "./boot.mjs";
import { mount } from "./figure.mjs";
import { provide } from "./pools.mjs";
import { bootQuestions, questionWidget } from "./questions/index.mjs";
import { load } from "./runtime.mjs";
import { widget } from "./widget.mjs";

/** @type {any} */ (globalThis).AttentionLive = { mount, load, widget, questionWidget, boot, provide };

const start = () => {
  boot();
  bootQuestions();
};

// A widget imports this file as a module, where there is no current script, and starts its own figure.
if (typeof document !== "undefined" && document.currentScript) {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
}
