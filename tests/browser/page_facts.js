// What a visit asks of a page of the book. Each gives a list of what is wrong, with the element that is meant.
globalThis.facts = (() => {
  const all = (css, root = document) => [...root.querySelectorAll(css)];
  const box = (e) => e.getBoundingClientRect();
  const name = (e) => `${e.localName}${e.id ? `#${e.id}` : ""}${e.className?.length ? `.${e.className.split(" ").join(".")}` : ""}` +
    ` "${(e.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40)}"`;
  const wide = () => document.documentElement.clientWidth;
  // what is folded away opens without JavaScript
  const isShown = (e) => (box(e).width > 1 && box(e).height > 1) || e.closest("details, [class*=dropdown]") !== null;
  const NEAR = 24; // pixels between what is asked and the figure that answers it

  return {
    overflow() {
      const over = document.documentElement.scrollWidth - wide(); // a phone shows a wide page smaller, and its window grows
      if (over <= 0) return [];
      const beyond = all("body *").filter((e) => e.checkVisibility() && box(e).right > wide() + 0.5);
      return [`${over} pixels wider than the window: ${beyond.slice(-1).map(name)}`];
    },
    head() {
      const boxes = all(".search-button__button, form.bd-search").filter((e) => e.checkVisibility({ visibilityProperty: true }) && box(e).width && !e.closest("dialog"));
      const own = location.pathname.endsWith("/search.html") ? 2 : 1; // the search page has its own field
      const about = document.querySelector("meta[name=description]")?.content ?? "";
      const icon = document.querySelector("link[rel~=icon]");
      return [
        boxes.length === own ? [] : `${boxes.length} search boxes`,
        document.documentElement.lang === "en" ? [] : `language ${document.documentElement.lang}`,
        about.length > 20 && about.length < 200 ? [] : `described by "${about}"`,
        icon ? [] : "no icon",
        all("article h1").length === 1 || own === 2 ? [] : `${all("article h1").length} headings of the first order`,
      ].flat();
    },
    pictures: () => all("img").filter((e) => e.complete && !e.naturalWidth && e.src).map((e) => `${name(e)} ${e.src.slice(0, 80)} did not come`),
    links: () => all('a[href*="#"]').filter((e) => {
      const place = decodeURIComponent(e.hash.slice(1));
      return e.pathname === location.pathname && e.host === location.host && place && !place.startsWith("lt:") &&
        !document.getElementById(place) && !document.getElementsByName(place).length;
    }).map((e) => `${name(e)} leads to ${e.hash}, which is not there`),
    /** What scrolls sideways without a shade at its edge. */
    unseen: () => all(".bd-article *:not(.livetorch *)").filter((e) => {
      if (e.scrollWidth <= e.clientWidth + 2 || !e.clientWidth || !e.checkVisibility()) return false;
      const style = getComputedStyle(e);
      return /auto|scroll/.test(style.overflowX) && !style.backgroundAttachment.includes("local");
    }).map(name),
    header() {
      const ink = document.createElement("canvas").getContext("2d");
      return all(".bd-header-article :is(button, a, select)").filter((e) => e.checkVisibility()).flatMap((e) => {
        const { left, right } = box(e);
        const leaves = left < -1 || right > innerWidth + 1 ? [`${name(e)} leaves the window`] : [];
        const style = getComputedStyle(e);
        const isDrawn = style.color === "rgba(0, 0, 0, 0)"; // an icon stands for its words
        if (e.localName !== "select" || isDrawn) return leaves;
        ink.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
        const arrow = style.appearance === "none" ? 0 : 14;
        const room = e.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
        return [...leaves, ...[...e.options].filter(({ text }) => ink.measureText(text).width > room + 1).map(({ text }) => `"${text}" is cut`)];
      });
    },
    icons: () => all(".bd-header-article [class*='fa-']").filter((e) => e.checkVisibility() && box(e).width <= 20).map(name),
    /** Formulas in sentences that are cut. */
    cutMath: () => all("span.math:not([data-scrolls] *, .pst-scrollable-table-container *)").filter((e) => e.checkVisibility() &&
      (box(e).right > wide() + 1 || (getComputedStyle(e).overflowX !== "visible" && e.scrollWidth > e.clientWidth + 1))).map(name),
    /** Lines of code in view that are longer than their box. */
    cutCode: () => all(".bd-article div.cell > div.cell_input pre").filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1).map(name),
    /** A number that reaches beyond its view. */
    numbersBeyond: () => all("text.lt-number").filter((e) => box(e.closest("svg")).right - box(e.closest(".lt-view")).right >= 1).map(name),
    /** What a figure asks of a mouse, where there is a finger. */
    mouseWords: () => all(".lt-card .lt-do").filter((e) => /\b(click|point at)\b/i.test(e.textContent)).map(name),
    /** Wide pictures that keys cannot scroll. */
    tabStops: () => all(".figure-inline:not(details *)").filter((e) => e.scrollWidth > e.clientWidth + 1 && e.tabIndex !== 0).map(name),

    /** Question, figure, answer and code of a lesson in one block. */
    blocks: () => all("figure.livetorch:not(.lt-question)").flatMap((figure) => {
      const block = figure.closest(".figure-block");
      const asked = block?.querySelector(".figure-question");
      const told = block?.querySelector(".figure-told");
      const code = block?.querySelector(":scope > details.code-fold");
      const gap = asked ? box(figure.querySelector(".lt-card") ?? figure).top - box(asked.lastElementChild).bottom : 0;
      // inside of what is folded as a whole, code stands open
      const folded = code ? !code.open && code.querySelector("pre") : figure.closest("details.deeper");
      return [
        folded ? [] : "its code is not folded below it",
        gap <= NEAR ? [] : `${gap} pixels below its question`,
        told && !asked ? "an answer without a question" : [],
        told && box(told).height > 0 ? "its answer is in view before it is asked for" : [],
      ].flat().map((fault) => `${figure.dataset.name}: ${fault}`);
    }),
    told: () => all(".figure-told").length,
    reveal() {
      document.querySelector(".figure-reveal").click();
      return box(document.querySelector(".figure-told")).height > 0 ? [] : ["the button of the first answer shows nothing"];
    },
    /** Folds, cells of pictures, questions: what shows code. */
    code() {
      const setup = all(".cell-setup pre").filter((e) => e.checkVisibility());
      const questions = all(".cell-question :is(.cell_input, details:not(.lt-question *))");
      const pictures = all(".cell-picture > .cell_input");
      return [...setup, ...questions, ...pictures].map((e) => `${name(e)} shows code`);
    },
    restore: () => { document.documentElement.dataset.restored = ""; },
    unfold() {
      document.documentElement.dataset.restored = "";
      for (const fold of all("details")) fold.open = true;
    },
    /** How code is shown: none, some or all. */
    codeShown(how) {
      document.documentElement.dataset.code = how;
      for (const fold of all("details.code-fold")) fold.open = how === "all";
    },
    /** What a page without scripts hides that a reader needs. */
    unscripted() {
      const needed = ["article h1", "div.cell_input pre", "article .katex-html", "svg.figure-svg, figure.livetorch > img"];
      const fold = document.querySelector(".figure-block > details.code-fold");
      const answers = all("details", document).filter((e) => e.querySelector(":scope > summary")?.textContent === "Answer");
      return [
        needed.filter((css) => !document.querySelector(css)).map((css) => `no ${css}`),
        needed.flatMap((css) => all(css).filter((e) => !isShown(e)).map((e) => `${name(e)} cannot be seen`)),
        all(".figure-told").filter((e) => !box(e).height).map((e) => `${name(e)}: an answer is hidden`),
        all(".figure-reveal, .lesson-done-here").filter((e) => e.checkVisibility()).map((e) => `${name(e)} cannot do anything`),
        fold && !fold.querySelector("pre").checkVisibility() && fold.querySelector("summary").checkVisibility() ? [] : "code of a figure is not folded",
        answers.length ? [] : "no question has its answer",
        answers.filter((e) => e.open).map((e) => `${name(e)} stands open`),
      ].flat();
    },
    /** What is left to press on paper, or folded there. */
    paper() {
      const buttons = all(".livetorch .lt-range, .lt-tools, .bd-header-article, .lesson-done-here, .figure-numbers, .lt-question button:not(.lt-toggle), #jb-print-docs-body");
      const hints = all("details > summary").filter((e) => e.textContent.startsWith("Hint"));
      const title = document.querySelector("article h1");
      return [
        ...[...buttons, ...hints].filter((e) => e.checkVisibility({ visibilityProperty: true }) && box(e).height).map((e) => `${name(e)} is on paper`),
        ...(title?.checkVisibility() ? [] : ["no title"]),
      ];
    },
    /** Of each question, whether the answer that it shows is the one that it judges right. */
    questions: () => all(".lt-question").flatMap((question) => {
      for (let fold = question; (fold = fold.parentElement.closest("details")); ) fold.open = true;
      const press = (words) => all("button", question).find((e) => e.textContent === words)?.click();
      const reply = question.querySelector(".lt-reply");
      press("Show the answer");
      const shown = reply?.dataset.kind;
      press("Check");
      return shown === "shown" && reply.dataset.kind === "right" ? [] : [`${question.dataset.name}: shows its answer as ${shown}, then judges it ${reply?.dataset.kind}`];
    }),
  };
})();
