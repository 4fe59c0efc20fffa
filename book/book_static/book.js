// What the pages need beyond the theme: keyboard access to what scrolls sideways, scripts that can wait, printing.
(() => {
  "use strict";

  const scrolling =
    "div.math, .figure-inline, .bd-article table:not(.livetorch *), div.cell_output, div.cell_output .output, .bd-article pre, .pst-scrollable-table-container";
  // A little at a time while the page is idle, all read before any is changed: the reader does not wait for it.
  const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, 20));
  const SLICE = 6; // milliseconds
  let runs = 0;
  const markScrolling = () => {
    const waiting = [...document.querySelectorAll(scrolling)];
    const changed = [];
    runs += 1;
    const run = runs;
    const next = () => {
      if (run !== runs) return; // another has begun
      const end = performance.now() + SLICE;
      for (let element; performance.now() < end && (element = waiting.shift()); ) {
        const wide = element.scrollWidth > element.clientWidth + 1;
        if (wide ? !element.hasAttribute("tabindex") : "scrolls" in element.dataset) changed.push(element);
      }
      if (waiting.length) return void idle(next);
      for (const element of changed) {
        if ("scrolls" in element.dataset) {
          element.removeAttribute("tabindex");
          delete element.dataset.scrolls;
        } else {
          element.tabIndex = 0;
          element.dataset.scrolls = "";
        }
      }
      document.documentElement.dataset.marked = "";
    };
    idle(next);
  };

  // It measures what is far below too, which nobody sees yet: figures come before it.
  const whenThere = () => {
    if (document.readyState === "complete" && "awake" in document.documentElement.dataset) markScrolling();
  };

  // All other scripts come when the page has been painted and its figures have theirs; a page that nobody looks at yet
  // never is.
  let later = document.querySelector("template[data-later]");
  const awake = () => {
    if (document.readyState !== "complete") return window.addEventListener("load", awake); // with the script of figures
    document.documentElement.dataset.awake = ""; // who drives the page waits for it
    markScrolling();
  };
  // The words of a search are marked where it led, and no other page needs the script for that.
  const searched = () => {
    if (location.search.includes("highlight=")) return true;
    try {
      return localStorage.getItem("sphinx_highlight_terms") !== null;
    } catch {
      return false; // a browser that keeps nothing
    }
  };
  // What marks the words of a search, and what that needs, only after one.
  const isWanted = (script) => !/doctools|sphinx_highlight/.test(script.getAttribute("src")) || searched();
  const wake = () => {
    const scripts = [...(later?.content.querySelectorAll("script[src]") ?? [])].filter(isWanted);
    for (const script of scripts) {
      const copy = document.createElement("script"); // one that the parser has seen would not run
      for (const { name, value } of script.attributes) copy.setAttribute(name, value);
      copy.async = false; // in their order
      if (script === scripts.at(-1)) copy.onload = copy.onerror = awake;
      document.head.append(copy);
    }
    later?.remove();
    later = null;
  };
  if (!later) awake();
  const figures = document.querySelector("script[async]");
  const soon = () => idle(wake, { timeout: 300 }); // the first figure before them
  const painted = () => {
    if (!figures || "LiveTorch" in window) return soon();
    for (const end of ["load", "error"]) figures.addEventListener(end, soon);
  };
  requestAnimationFrame(() => setTimeout(painted));
  setTimeout(wake, document.hidden ? 0 : 3000);

  for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => window.print());

  // The contents that a phone opens begin where the reader is, as those at the side do.
  document.querySelector(".primary-toggle")?.addEventListener("click", () => {
    requestAnimationFrame(() => document.querySelector("dialog[open] a.current")?.scrollIntoView({ block: "center" }));
  });

  // What shows the first hits while one types comes when the search field does.
  const own = document.currentScript.src;
  const search = document.getElementById("pst-search-dialog");
  const find = () => document.head.append(Object.assign(document.createElement("script"), { src: new URL("search_live.js", own) }));
  search?.addEventListener("focusin", find, { once: true });

  // A finger taps: what a figure asks for is said in its words.
  const tapped = (/** @type {Element} */ figure) => {
    const said = figure.querySelectorAll(".lt-card :is(.lt-do, .lt-view-title, .lt-caption)");
    for (const text of [...said].flatMap(({ childNodes }) => [...childNodes]).filter(({ nodeType }) => nodeType === Node.TEXT_NODE))
      text.data = text.data.replace(/\b(?:Point at|Click)\b/g, "Tap").replace(/\b(?:point at|click)\b/g, "tap");
    return said.length > 0;
  };
  for (const figure of matchMedia("(pointer: coarse)").matches ? document.querySelectorAll("figure.livetorch:not(.lt-question)") : []) {
    if (tapped(figure)) continue;
    const mounted = new MutationObserver(() => tapped(figure) && mounted.disconnect());
    mounted.observe(figure, { attributes: true, attributeFilter: ["class"] });
  }

  // `?` lists on the whole page which keys a figure has; where single keys are switched off, only in the figure itself.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.defaultPrevented || event.target.closest("input, textarea, select, dialog, [contenteditable]")) return;
    try {
      if (localStorage.getItem("attention-live single keys off") !== null) return;
    } catch {
      // a browser may refuse: nothing was switched off
    }
    const cards = [...document.querySelectorAll("figure.lt-mounted:not(.lt-question) > .lt-card")];
    const near = cards.find((each) => each.getBoundingClientRect().bottom > innerHeight / 4) ?? cards.at(-1);
    near?.dispatchEvent(new KeyboardEvent("keydown", { key: "?" }));
  });

  // A link into a folded section opens it, and the folds around its place.
  const unfold = () => {
    const named = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!named) return;
    const folds = [named.querySelector(":scope > details")];
    for (let fold = named.closest("details"); fold; fold = fold.parentElement.closest("details")) folds.push(fold);
    const closed = folds.filter((each) => each && !each.open);
    for (const each of closed) each.open = true;
    if (closed.length) named.scrollIntoView();
  };
  window.addEventListener("hashchange", unfold);
  unfold();

  // Paper is white, whatever the theme on the screen.
  const root = document.documentElement;
  let onScreen = null;
  window.addEventListener("beforeprint", () => {
    onScreen = root.dataset.theme;
    root.dataset.theme = "light";
  });
  window.addEventListener("afterprint", () => {
    root.dataset.theme = onScreen ?? root.dataset.theme;
  });

  window.addEventListener("resize", whenThere);
  document.fonts?.addEventListener("loadingdone", whenThere); // formulas are wider in their own letters
})();
