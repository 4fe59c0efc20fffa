// What a search finds, the best fit first: a page whose name has the words, then the lesson to which the glossary sends them; and
// where nothing is found, the nearest words to those that were asked for. The search page has it, and the box that finds while one types.
(() => {
  "use strict";

  const root = new URL(document.documentElement.dataset.content_root, location.href);

  /** How many letters are other, left out, put in or changed about. @param {string} one @param {string} other */
  const apart = (one, other) => {
    let [older, row] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)];
    for (let i = 1; i <= one.length; i += 1) {
      const next = [i];
      for (let j = 1; j <= other.length; j += 1) {
        next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (one[i - 1] !== other[j - 1]));
        if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) next[j] = Math.min(next[j], older[j - 2] + 1);
      }
      [older, row] = [row, next];
    }
    return row[other.length];
  };

  const read = async () => {
    const page = await (await fetch(new URL("book/glossary.html", root))).text();
    return new DOMParser().parseFromString(page, "text/html").querySelector("article.bd-article");
  };
  // A page opened from disk may not read another.
  const glossary = location.protocol === "file:" ? Promise.resolve(null) : read().catch(() => null);

  /** Of the words in titles, the glossary and names the nearest to each that was asked for; "" where there is none. @param {string} wanted */
  const nearest = async (wanted) => {
    const said = [...Object.keys(Search._index.alltitles), ...Object.keys(Search._index.indexentries ?? {})];
    said.push((await glossary)?.textContent ?? "");
    const words = said.join(" ").toLowerCase().match(/\p{L}{3,}/gu) ?? [];
    const known = new Map(words.map((word) => [word, word]));
    words.forEach((word, at) => at && known.set(words[at - 1] + word, `${words[at - 1]} ${word}`)); // two that were written as one
    const near = wanted.toLowerCase().split(/\s+/).map((asked) => {
      const far = [...known.keys()].map((word) => [Math.abs(word.length - asked.length) > 2 ? 9 : apart(asked, word), word]);
      const [least, word] = far.reduce((best, one) => (one[0] < best[0] ? one : best), [9, ""]);
      return least <= Math.min(2, asked.length / 4) ? known.get(word) : asked;
    });
    const better = near.join(" ");
    return better === wanted.toLowerCase() ? "" : better;
  };
  /** @param {string} wanted @returns {Promise<Element|null>} */
  const offerNear = async (wanted) => {
    const better = await nearest(wanted);
    if (!better) return null;
    const href = new URL(`search.html?${new URLSearchParams({ q: better })}`, root);
    const line = Object.assign(document.createElement("p"), { className: "search-near" });
    line.append("Did you mean ", Object.assign(document.createElement("a"), { href, textContent: better }), "?");
    return line;
  };
  globalThis.searchBook = { glossary, offerNear };

  const results = document.getElementById("search-results");
  const asked = new URLSearchParams(location.search).get("q")?.trim() ?? "";
  const offer = (watch) => {
    if (!results.querySelector(".search-summary")?.textContent.startsWith("No page")) return;
    watch.disconnect();
    offerNear(asked).then((line) => line && results.before(line), () => {});
  };
  if (results) new MutationObserver((_, watch) => offer(watch)).observe(results, { childList: true, subtree: true, characterData: true });
})();

// The order of what is found.
(() => {
  "use strict";

  let entries = []; // of the glossary: a term, what is said of it, the lessons that it leads to
  const known = searchBook.glossary.then((page) => {
    entries = [...(page?.querySelectorAll("dt") ?? [])].map((term) => {
      const said = term.nextElementSibling;
      const links = [...(said?.querySelectorAll("a[href*=notebooks]") ?? [])];
      return { term: term.textContent.toLowerCase(), said: said?.textContent.toLowerCase() ?? "", links: links.map((link) => link.getAttribute("href")) };
    });
  });

  /** How well a page fits beyond having the words. @param {any[]} found @param {string[]} asked */
  const fit = ([page, title], asked) => {
    const has = (text) => asked.every((word) => text.includes(word));
    const leads = (part) => entries.some((entry) => has(entry[part]) && entry.links.some((link) => link.includes(`${page}.html`)));
    const named = has(`${page} ${title}`.toLowerCase().replace(/[_-]/g, " "));
    return (named ? 30 : 0) + (leads("term") ? 25 : leads("said") ? 10 : 0);
  };
  const perform = Search._performSearch;
  Search._performSearch = (asked, ...more) => {
    const words = asked.toLowerCase().split(/[\s-]+/).filter(Boolean);
    const found = perform(asked, ...more).map((one) => ({ one, points: one[4] + fit(one, words) }));
    // the last is the first; of equals the earlier lesson
    return found.sort((a, b) => a.points - b.points || (a.one[0] < b.one[0] ? 1 : a.one[0] > b.one[0] ? -1 : 0)).map(({ one }) => one);
  };
  const query = Search.query;
  Search.query = (asked) => void known.then(() => query(asked));
  /** Found in the box, where Sphinx itself shows nothing. */
  const find = (asked) => {
    const words = splitQuery(asked.toLowerCase());
    const stems = words.filter((word) => !stopwords.includes(word) && !/^\d+$/.test(word)).map((word) => new Stemmer().stemWord(word));
    return Search._performSearch(asked, new Set(stems), new Set(), new Set(), new Set(words)).reverse();
  };
  Object.assign(searchBook, { known, find });
})();
