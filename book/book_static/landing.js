// What the reader has done: remembered page by page in this browser, shown on the map of the lessons, and forgotten there.
(() => {
  "use strict";

  const READ = "attention-live read ";
  const ANSWERS = "attention-live answers ";
  const kept = (/** @type {string} */ key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null; // a browser may refuse
    }
  };

  const end = document.querySelector(".prev-next-footer, .bd-footer-article");
  if (end && document.querySelector("div.cell")) {
    new IntersectionObserver((seen, observer) => {
      if (!seen.some((one) => one.isIntersecting)) return;
      observer.disconnect();
      try {
        localStorage.setItem(READ + location.pathname, "1");
      } catch {
        // the map stays empty
      }
    }).observe(end);
  }

  const lessons = [...document.querySelectorAll(".lesson-map a")];
  const note = document.querySelector(".done-note");
  const show = () => {
    let any = false;
    for (const lesson of lessons) {
      const path = new URL(lesson.href).pathname;
      const answers = Object.keys(JSON.parse(kept(ANSWERS + path) ?? "{}") ?? {}).length;
      const read = Boolean(kept(READ + path));
      const words = [read ? "read" : "", answers ? `${answers} of ${lesson.dataset.asked} answered` : ""].filter(Boolean);
      lesson.querySelector(".lesson-done").textContent = words.join(", ");
      any ||= words.length > 0;
    }
    if (note) note.hidden = !any;
  };
  if (lessons.length) {
    show();
    document.querySelector("[data-forget]").addEventListener("click", () => {
      const keys = Object.keys(localStorage).filter((key) => key.startsWith(READ) || key.startsWith(ANSWERS));
      for (const key of keys) localStorage.removeItem(key);
      show();
    });
  }
})();
