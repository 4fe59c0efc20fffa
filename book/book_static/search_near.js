// Nothing was found: the nearest words to those that were asked for are offered.
(() => {
  "use strict";

  const wanted = new URLSearchParams(location.search).get("q")?.trim() ?? "";

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

  // Nothing was found: of the words in titles, the glossary and names the nearest to each that was asked for.
  const offerNear = async () => {
    const said = [...Object.keys(Search._index.alltitles), ...Object.keys(Search._index.indexentries ?? {})];
    if (location.protocol !== "file:") {
      const page = new DOMParser().parseFromString(await (await fetch("book/glossary.html")).text(), "text/html");
      said.push(page.querySelector("article.bd-article")?.textContent ?? "");
    }
    const words = said.join(" ").toLowerCase().match(/\p{L}{3,}/gu) ?? [];
    const known = new Map(words.map((word) => [word, word]));
    words.forEach((word, at) => at && known.set(words[at - 1] + word, `${words[at - 1]} ${word}`)); // two that were written as one
    const near = wanted.toLowerCase().split(/\s+/).map((asked) => {
      const far = [...known.keys()].map((word) => [Math.abs(word.length - asked.length) > 2 ? 9 : apart(asked, word), word]);
      const [least, word] = far.reduce((best, one) => (one[0] < best[0] ? one : best), [9, ""]);
      return least <= Math.min(2, asked.length / 4) ? known.get(word) : asked;
    });
    const better = near.join(" ");
    if (better === wanted.toLowerCase()) return;
    const link = Object.assign(document.createElement("a"), { href: `?${new URLSearchParams({ q: better })}`, textContent: better });
    const line = Object.assign(document.createElement("p"), { className: "search-near" });
    line.append("Did you mean ", link, "?");
    document.getElementById("search-results")?.before(line);
  };
  new MutationObserver((_, watch) => {
    if (!document.querySelector("#search-results .search-summary")?.textContent.startsWith("No page")) return;
    watch.disconnect();
    offerNear().catch(() => {});
  }).observe(document.getElementById("search-results"), { childList: true, subtree: true, characterData: true });
})();
