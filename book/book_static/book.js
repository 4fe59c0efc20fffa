// What the pages need beyond the theme: keyboard access to what scrolls sideways, search from disk, printing.
(() => {
  "use strict";

  const scrolling = "div.math, .bd-article table:not(.attention-live *), div.cell_output, div.cell_output .output, .bd-article pre";
  const markScrolling = () => {
    for (const element of document.querySelectorAll(scrolling)) {
      const scrolls = element.scrollWidth > element.clientWidth + 1;
      if (scrolls && !element.hasAttribute("tabindex")) {
        element.tabIndex = 0;
        element.dataset.scrolls = "";
      } else if (!scrolls && "scrolls" in element.dataset) {
        element.removeAttribute("tabindex");
        delete element.dataset.scrolls;
      }
    }
  };

  // A page opened from disk may not read the other pages for the lines around a found word.
  if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS !== "undefined") {
    DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
  }

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

  markScrolling();
  window.addEventListener("load", markScrolling);
  window.addEventListener("resize", markScrolling);
})();
