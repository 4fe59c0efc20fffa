// What the pages need beyond the theme: keyboard access to what scrolls sideways, search from disk, printing.
(() => {
  "use strict";

  const scrolling =
    "div.math, .figure-inline, .bd-article table:not(.livetorch *), div.cell_output, div.cell_output .output, .bd-article pre, .pst-scrollable-table-container";
  // A few at a time while the page is idle, all read before any is changed: the reader does not wait for it.
  const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, 20));
  const markScrolling = () => {
    const waiting = [...document.querySelectorAll(scrolling)];
    const next = () => {
      const some = waiting.splice(0, 40);
      const wide = some.map((element) => element.scrollWidth > element.clientWidth + 1);
      some.forEach((element, place) => {
        if (wide[place] && !element.hasAttribute("tabindex")) {
          element.tabIndex = 0;
          element.dataset.scrolls = "";
        } else if (!wide[place] && "scrolls" in element.dataset) {
          element.removeAttribute("tabindex");
          delete element.dataset.scrolls;
        }
      });
      if (waiting.length) idle(next);
      else document.documentElement.dataset.marked = "";
    };
    idle(next);
  };

  // A page opened from disk may not read the other pages for the lines around a found word.
  if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS !== "undefined") {
    DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
  }

  // Lines around a found word come from the page's text, not from the buttons above it.
  document.addEventListener("DOMContentLoaded", () => {
    if (typeof Search === "undefined") return;
    const lines = Search.htmlToText;
    Search.htmlToText = (html, anchor) => {
      const page = new DOMParser().parseFromString(html, "text/html");
      const text = page.querySelector("article.bd-article");
      for (const each of text?.querySelectorAll("h1, .lesson-head, button, pre, details, script") ?? []) each.remove();
      return text ? lines(`<div role="main">${text.innerHTML}</div>`, anchor) : lines(html, anchor);
    };
  });

  const { soon = "", late = "" } = document.querySelector("[data-late]")?.dataset ?? {};
  const fetchAll = (text) => {
    for (const src of text.split(" ").filter(Boolean)) {
      document.head.append(Object.assign(document.createElement("script"), { async: false, src }));
    }
  };

  // Figures come alive when the page has been painted; a page that nobody looks at yet is never painted.
  let asked = false;
  const wake = () => {
    if (!asked) fetchAll(soon);
    asked = true;
  };
  requestAnimationFrame(() => setTimeout(wake));
  setTimeout(wake, document.hidden ? 0 : 1000);

  // What the theme's menus, its search window and the copying of code need comes once the page can be read.
  document.addEventListener("DOMContentLoaded", () => fetchAll(late));

  for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => window.print());

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

  if (document.readyState === "complete") markScrolling();
  window.addEventListener("load", markScrolling);
  window.addEventListener("resize", markScrolling);
  document.fonts?.addEventListener("loadingdone", markScrolling); // formulas are wider in their own letters

  // The search page: a figure is found by words of its own, which stand in no text.
  const words = document.querySelector(".bd-search-container input[name=q]");
  const wanted = new URLSearchParams(location.search).get("q");
  if (words && wanted) {
    const link = Object.assign(document.createElement("a"), { href: `book/figures.html?${new URLSearchParams({ q: wanted })}`, textContent: `Live figures with \u201c${wanted}\u201d` });
    const line = Object.assign(document.createElement("p"), { className: "search-figures" });
    line.append(link);
    document.getElementById("search-results").before(line);
  }
  if (!wanted) words?.focus(); // with results to read, no keyboard covers them
})();
