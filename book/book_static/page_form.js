// The form of a page at work: code shown or hidden for the whole book, answers that wait for the reader's guess.
(() => {
  "use strict";

  const root = document.documentElement;
  const KEY = "attention-live code";

  /** @param {string} how "some": as the page is written; "all": every fold open; "none": no code at all */
  const showCode = (how) => {
    root.dataset.code = how;
    for (const fold of document.querySelectorAll("details.code-fold")) fold.open = how === "all";
  };

  const choice = document.querySelector("select[data-code-choice]");
  if (choice) {
    choice.value = root.dataset.code;
    if (choice.selectedIndex < 0) choice.value = "some"; // kept by an older page
    if (choice.value !== "some") showCode(choice.value);
    choice.addEventListener("change", () => {
      try {
        localStorage.setItem(KEY, choice.value);
      } catch {
        // a private window keeps nothing: the choice holds for this page
      }
      showCode(choice.value);
    });
    choice.disabled = false;
  }

  // From figure to figure by Tab and Enter: a page has many stops in between (code, copy buttons, links).
  const figures = [...document.querySelectorAll(".bd-article figure.livetorch:not(details *)")];
  const places = figures.map((figure) => figure.closest(".figure-block") ?? figure);
  const skip = document.getElementById("pst-skip-link");
  for (const [number, figure] of figures.entries()) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "to-figure";
    button.textContent = number ? "To the next live figure" : "To the first live figure";
    button.addEventListener("click", () => {
      figure.tabIndex = -1;
      figure.focus({ preventScroll: true });
      // what lies between is laid out only when it is near, and then has another height: so twice
      for (const wait of [0, 1]) setTimeout(() => places[number].scrollIntoView({ block: "start" }), wait * 60);
    });
    if (number) places[number - 1].append(button);
    else skip?.after(button);
  }

  // The contents of a page mark the last heading above a quarter of the window, at its end the last one. The theme's own
  // script, which comes later and loses the way where sections are laid out as one comes near, finds nothing to mark.
  const contents = document.getElementById("pst-page-toc-nav");
  const entries = [...(contents?.querySelectorAll('a[href^="#"]') ?? [])];
  const markHere = () => {
    const end = scrollY + innerHeight >= root.scrollHeight - 2;
    const line = innerHeight * (end ? 1 : 0.25);
    const below = entries.findIndex(({ hash }) => document.getElementById(decodeURIComponent(hash.slice(1)))?.getBoundingClientRect().top > line);
    const here = entries.at(below < 0 ? -1 : below - 1);
    for (const entry of entries) {
      const marked = entry === here && below !== 0;
      entry.classList.toggle("active", marked);
      if (marked) entry.setAttribute("aria-current", "true");
      else entry.removeAttribute("aria-current");
    }
    for (const item of contents.querySelectorAll(".toc-entry")) item.classList.toggle("active", below !== 0 && item.contains(here));
  };
  if (entries.length) {
    contents.removeAttribute("id");
    let coming = 0;
    for (const moved of ["scroll", "resize"]) addEventListener(moved, () => (coming ||= requestAnimationFrame(() => ((coming = 0), markHere()))), { passive: true });
    markHere();
  }

  // Which statement made a number that is stored with a figure: its own code is looked into first, then the nearest before it.
  document.addEventListener("livetorch:code", ({ target, detail }) => {
    const own = target.closest(".figure-block") ?? target.closest(".cell");
    const codeIn = (/** @type {ParentNode|null} */ part) => [...(part?.querySelectorAll(".cell_input pre") ?? [])];
    const before = (/** @type {Element} */ one) => !own?.contains(one) && one.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING;
    detail.texts.push(...[...codeIn(own), ...codeIn(document).filter(before).reverse()].map(({ textContent }) => textContent));
  });

  /** What a figure veils is seen from now on. @param {Element} figure */
  const unveil = (figure) => {
    delete figure.dataset.veil; // should it still be on its way
    figure.dispatchEvent(new Event("livetorch:unveil"));
  };
  const lift = (/** @type {Element} */ part) => part.closest(".figure-block").querySelectorAll("figure.livetorch").forEach(unveil); // one that an editor has made anew among them
  const reveal = (/** @type {Element} */ answer) => {
    lift(answer);
    answer.dataset.open = "";
    answer.querySelector(".figure-reveal").setAttribute("aria-expanded", "true");
  };
  for (const answer of document.querySelectorAll(".figure-answer")) {
    answer.querySelector(".figure-reveal").addEventListener("click", () => {
      reveal(answer);
      answer.querySelector(".figure-told").focus(); // the button is gone
    });
  }
  // A question beside a figure counts as answered once a guess was right, the second went wrong, or it shows the answer: now, or as remembered.
  /** Guesses of this visit that went wrong. @type {Map<Element, number>} */
  const wrong = new Map();
  const answered = (/** @type {Element} */ question) => {
    const { kind } = question.querySelector(".lt-reply")?.dataset ?? {};
    return kind && !(kind === "wrong" && wrong.get(question) === 1);
  };
  const graded = [...document.querySelectorAll(".figure-answer[data-graded], .figure-block:has(figure.livetorch[data-veil])")];
  const look = () => {
    for (const waiting of graded) {
      const questions = [...(waiting.closest(".figure-block")?.querySelectorAll(".figure-question .lt-question") ?? [])];
      if (questions.length && questions.every(answered)) (waiting.matches(".figure-block") ? lift : reveal)(waiting);
      else if (questions.some((each) => wrong.has(each))) for (const words of waiting.querySelectorAll(".lt-veil > span")) words.textContent = "One more guess. ";
    }
  };
  if (graded.length) {
    const watch = new MutationObserver((records) => {
      const came = records.filter(({ target }) => target.matches(".lt-question")).map(({ target }) => target); // with what it remembers
      for (const { type, target } of records) {
        const question = target.closest(".lt-question");
        if (type === "attributes" && target.dataset.kind === "wrong" && !came.includes(question)) wrong.set(question, (wrong.get(question) ?? 0) + 1);
      }
      look();
    });
    for (const question of document.querySelectorAll(".figure-question .lt-question")) {
      watch.observe(question, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-kind"] });
    }
    look();
  }
})();
