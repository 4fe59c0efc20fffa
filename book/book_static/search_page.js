// The page that lists what was found: what it says, and the lines around a found word.
(() => {
  "use strict";

  const wanted = new URLSearchParams(location.search).get("q")?.trim();
  const words = document.querySelector(".bd-search-container input[name=q]");
  const AROUND = 110; // letters before a found word and, twice, from it on

  // A page opened from disk may not read the other pages for the lines around a found word.
  if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

  Object.assign(Documentation.TRANSLATIONS, {
    "Your search did not match any documents. Please make sure that all words are spelled correctly and that you've selected enough categories.":
      "No page has all of these words. Try fewer of them, or a part of one.",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Sphinx puts the count there
    "Search finished, found ${resultCount} page(s) matching the search query.": "Pages found: ${resultCount}",
  });

  // Of a page only its prose is quoted: a formula would stand there three times, and buttons say nothing of it.
  const told = (/** @type {string} */ html, /** @type {string} */ anchor) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    const article = page.querySelector("article.bd-article");
    const part = (anchor && article?.querySelector(anchor)) || article;
    const other = "h1, .lesson-topic, .lesson-head, button, pre, details, script, style, .headerlink, .lt-asleep, .katex-html, annotation, .katex-mathml semantics > :not(:first-child)";
    for (const each of part?.querySelectorAll(other) ?? []) each.remove();
    return (part?.textContent ?? "").replace(/\s+/g, " ").trim();
  };

  Search.makeSearchSummary = (html, keywords, anchor) => {
    const text = told(html, anchor);
    const lower = text.toLowerCase();
    const found = [...keywords].map((word) => lower.indexOf(word.toLowerCase())).filter((place) => place >= 0);
    const first = Math.max((found.at(-1) ?? 0) - AROUND, 0);
    const from = first && text.indexOf(" ", first) + 1; // whole words, except where a language writes no spaces
    const start = from > first + 20 ? first : from;
    const shown = text.slice(start, start + 3 * AROUND);
    const whole = start + shown.length >= text.length;
    const end = whole || shown.lastIndexOf(" ") < 2 * AROUND ? shown.length : shown.lastIndexOf(" ");
    const line = document.createElement("p");
    line.className = "context";
    line.textContent = `${start ? "\u2026" : ""}${shown.slice(0, end)}${whole ? "" : "\u2026"}`;
    return line;
  };

  // A figure is found by words of its own, which stand in no text; from disk their list cannot be read, and none is promised.
  const offerFigures = async () => {
    const list = new DOMParser().parseFromString(await (await fetch("book/figures.html")).text(), "text/html");
    const asked = wanted.toLowerCase().split(/\s+/);
    const found = [...list.querySelectorAll("li[data-words]")].filter(({ dataset }) => asked.every((word) => dataset.words.includes(word)));
    if (!found.length) return;
    const link = Object.assign(document.createElement("a"), {
      href: `book/figures.html?${new URLSearchParams({ q: wanted })}`,
      textContent: `${found.length} live ${found.length > 1 ? "figures" : "figure"} with \u201c${wanted}\u201d`,
    });
    const line = Object.assign(document.createElement("p"), { className: "search-figures" });
    line.append(link);
    document.getElementById("search-results")?.before(line);
  };
  if (words && wanted) {
    if (location.protocol !== "file:") offerFigures().catch(() => {});
  } else words?.focus(); // with results to read, no keyboard covers them
})();
