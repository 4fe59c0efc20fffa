// What the reader has done: remembered page by page in this browser, shown on the map of the lessons and at a lesson's
// head, and forgotten there. Who writes an answer says `attention-live:progress`; who keeps marks of answers on the
// page hears `attention-live:forget`.
(() => {
  "use strict";

  const READ = "attention-live read ";
  const ANSWERS = "attention-live answers ";
  const LAST = "attention-live last"; // the lesson and the figure that a hand touched last
  const EXERCISE = "check "; // how the name of an exercise begins among a page's answers
  const kept = (/** @type {string} */ key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null; // a browser may refuse
    }
  };
  const answersOf = (/** @type {string} */ path) => {
    try {
      const found = JSON.parse(kept(ANSWERS + path) ?? "{}");
      return found && typeof found === "object" && !Array.isArray(found) ? Object.keys(found) : [];
    } catch {
      return []; // not by us
    }
  };

  /** What was done of a lesson; a newer edition may ask less than was answered. @param {string} path @param {DOMStringMap} of */
  const doneOf = (path, { asked, exercises }) => {
    const names = answersOf(path);
    const solved = Math.min(Number(exercises), names.filter((name) => name.startsWith(EXERCISE)).length);
    const answered = Math.min(Number(asked), names.filter((name) => !name.startsWith(EXERCISE)).length);
    return { read: Boolean(kept(READ + path)), answered, solved, asked: Number(asked), exercises: Number(exercises) };
  };
  /** @param {ReturnType<typeof doneOf>} done */
  const inWords = ({ read, answered, solved, asked, exercises }) =>
    [
      read ? "read" : "",
      answered ? `${answered} of ${asked} answered` : "",
      solved ? (exercises === 1 ? "exercise solved" : `${solved} of ${exercises} exercises solved`) : "",
    ]
      .filter(Boolean)
      .join(", ");

  const forget = (/** @type {(key: string) => boolean} */ wanted) => {
    try {
      for (const key of Object.keys(localStorage).filter(wanted)) localStorage.removeItem(key);
    } catch {
      // nothing was kept
    }
    document.dispatchEvent(new Event("attention-live:forget"));
    show();
  };

  /** Where the reader was: [path, place in the page, name]. */
  const lastOf = () => {
    try {
      const found = JSON.parse(kept(LAST) ?? "null");
      return Array.isArray(found) && found.length === 3 && found.every((one) => typeof one === "string") ? found : null;
    } catch {
      return null; // not by us
    }
  };

  const lessons = [...document.querySelectorAll(".lesson-map a")];
  const note = document.querySelector(".done-note");
  const head = document.querySelector(".lesson-done-here");
  const start = document.querySelector(".this-book a"); // in the first screen: where to begin, or to go on
  const first = start && { href: start.getAttribute("href"), words: start.textContent };
  function show() {
    const all = lessons.map((lesson) => {
      const done = doneOf(new URL(lesson.href).pathname, lesson.dataset);
      lesson.querySelector(".lesson-done").textContent = inWords(done);
      lesson.toggleAttribute("data-done", done.read && done.answered === done.asked);
      return done;
    });
    for (const part of document.querySelectorAll(".part-done")) {
      const own = [...part.parentElement.querySelectorAll("a")].map((lesson) => all[lessons.indexOf(lesson)]);
      const read = own.filter((done) => done.read).length;
      part.textContent = read ? `${read} of ${own.length} read` : "";
    }
    if (note) {
      const read = all.filter((done) => done.read).length;
      const sum = (/** @type {"answered"|"asked"} */ what) => all.reduce((total, done) => total + done[what], 0);
      const last = lastOf();
      const there = last && lessons.find((lesson) => new URL(lesson.href).pathname === last[0]);
      if (start) {
        start.href = there ? there.getAttribute("href") + last[1] : first.href;
        start.textContent = there ? `Continue with ${last[2]}` : first.words;
      }
      note.hidden = !all.some(inWords) && !there;
      note.querySelector(".done-sum").textContent =
        `You have read ${read} of ${all.length} lessons and answered ${sum("answered")} of ${sum("asked")} questions.`;
    }
    for (const link of document.querySelectorAll(".bd-links a")) {
      const path = new URL(link.href).pathname;
      const done = kept(READ + path) ? "✓" : answersOf(path).length ? "◐" : "";
      if (done || link.dataset.done) link.dataset.done = done;
    }
    if (head) {
      const words = inWords(doneOf(location.pathname, head.dataset));
      head.querySelector("span").textContent = words ? `Done: ${words}.` : "\u00a0";
      head.querySelector("button").hidden = !words;
    }
  }

  // A hand on a figure or a question of a lesson: here the reader goes on. Who only reads goes on at the first figure, once the
  // page was read for a while or past it.
  const lesson = document.querySelector(".lesson-topic > :last-child")?.textContent;
  const number = document.querySelector(".bd-article h1")?.textContent.match(/^\d+\w?/)?.[0];
  const keepLast = (/** @type {Element|null|undefined} */ figure) => {
    if (!figure) return;
    try {
      localStorage.setItem(LAST, JSON.stringify([location.pathname, `#${figure.id}`, `${number} ${lesson}`]));
    } catch {
      // the first page says nothing
    }
  };
  const wasHere = (/** @type {Event} */ { target }) => {
    const figure = lesson && target instanceof Element && (target.closest("figure.livetorch[id]") ?? target.closest(".figure-block")?.querySelector("figure.livetorch[id]"));
    keepLast(figure || null);
  };
  const READING = 20_000; // milliseconds
  const firstFigure = lesson ? document.querySelector(".bd-article figure.livetorch[id]") : null;
  if (firstFigure) {
    const reads = () => {
      clearTimeout(timer);
      past.disconnect();
      if (lastOf()?.[0] !== location.pathname) keepLast(firstFigure); // else a hand was here
    };
    const timer = setTimeout(() => document.hidden || reads(), READING);
    const past = new IntersectionObserver((seen) => seen.some(({ isIntersecting, boundingClientRect }) => !isIntersecting && boundingClientRect.bottom < 0) && reads());
    past.observe(firstFigure);
  }
  for (const kind of ["pointerdown", "keydown"]) document.querySelector(".bd-article")?.addEventListener(kind, wasHere);

  const end = document.querySelector(".prev-next-footer, .bd-footer-article");
  if (end && document.querySelector("div.cell") && !kept(READ + location.pathname)) {
    new IntersectionObserver((seen, observer) => {
      if (!seen.some((one) => one.isIntersecting)) return;
      observer.disconnect();
      try {
        localStorage.setItem(READ + location.pathname, "1");
      } catch {
        // the map stays empty
      }
      show();
    }).observe(end);
  }

  note?.querySelector("button").addEventListener("click", () => forget((key) => key === LAST || key.startsWith(READ) || key.startsWith(ANSWERS)));
  head?.querySelector("button").addEventListener("click", () => {
    forget((key) => key === READ + location.pathname || key === ANSWERS + location.pathname);
    head.tabIndex = -1;
    head.focus(); // the button is gone
  });
  document.addEventListener("attention-live:progress", show);
  globalThis.addEventListener("storage", show); // another tab
  if (lessons.length || head) show();
})();
