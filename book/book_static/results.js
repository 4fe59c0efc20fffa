// What a reader did, as a file for a teacher: a button on the first page, and the time of each answer.
(() => {
  "use strict";

  const ANSWERS = "attention-live answers ";
  const READ = "attention-live read ";
  const WHEN = "attention-live when ";
  const NOTE = "Saved by the reader's own browser. It shows what was done, and is no proof of honesty.";
  const read = (/** @type {string} */ key) => {
    try {
      const found = JSON.parse(localStorage.getItem(key) ?? "{}");
      return found && typeof found === "object" && !Array.isArray(found) ? found : {};
    } catch {
      return {};
    }
  };

  /** Each answer gets the time at which it was first there. */
  function stamp() {
    const answers = read(ANSWERS + location.pathname);
    const before = read(WHEN + location.pathname);
    const now = new Date().toISOString();
    const when = Object.fromEntries(Object.keys(answers).map((name) => [name, before[name] ?? now]));
    try {
      if (Object.keys(when).length) localStorage.setItem(WHEN + location.pathname, JSON.stringify(when));
      else localStorage.removeItem(WHEN + location.pathname);
    } catch {
      // the answers are kept without their times
    }
  }

  function results(/** @type {string} */ reader) {
    /** @type {Record<string, any>} */
    const pages = {};
    for (const key of Object.keys(localStorage)) {
      const path = [ANSWERS, READ].map((each) => key.startsWith(each) && key.slice(each.length)).find(Boolean);
      if (path) pages[path] = { read: Boolean(localStorage.getItem(READ + path)), answers: read(ANSWERS + path), when: read(WHEN + path) };
    }
    return { format: "attention-live/results", version: 1, note: NOTE, reader, saved: new Date().toISOString(), pages };
  }

  function save() {
    const reader = prompt("Your name, as your teacher knows it:");
    if (reader === null) return;
    const file = new Blob([JSON.stringify(results(reader.trim()), null, 1)], { type: "application/json" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = `attention-results-${reader.trim().replace(/[^\p{L}\p{N}]+/gu, "-") || "reader"}.json`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  const forget = document.querySelector(".done-note > button");
  if (forget) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Save it for a teacher";
    button.addEventListener("click", save);
    forget.after(" ", button);
  }
  document.addEventListener("attention-live:progress", stamp);
})();
