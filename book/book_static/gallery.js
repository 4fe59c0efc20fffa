// All live figures: the field above the list leaves those that have every word that was typed. The words stay in the
// page's address, so that a list can be sent to somebody. Without this script the list is whole, and there is no field.
(() => {
  "use strict";

  const form = document.querySelector(".gallery-find");
  const field = form.querySelector("input");
  const told = form.querySelector("output");
  const groups = [...document.querySelectorAll("ul.gallery")].map((list) => ({ section: list.closest("section"), cards: [...list.children] }));
  const all = groups.reduce((sum, { cards }) => sum + cards.length, 0);

  const show = () => {
    const wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { section, cards } of groups) {
      for (const card of cards) card.hidden = !wanted.every((word) => card.dataset.words.includes(word));
      const left = cards.filter((card) => !card.hidden).length;
      section.hidden = !left;
      shown += left;
    }
    const none = `No figure has ${wanted.length > 1 ? "all these words" : "this word"}.`;
    told.textContent = wanted.length ? (shown ? `${shown} of ${all} figures` : none) : `${all} figures`;
  };
  const keep = () => {
    const address = new URL(location.href);
    if (field.value) address.searchParams.set("q", field.value);
    else address.searchParams.delete("q");
    try {
      history.replaceState(history.state, "", address);
    } catch {
      // a page from disk may keep its address
    }
  };

  form.hidden = false;
  field.value = new URLSearchParams(location.search).get("q") ?? "";
  show();
  field.addEventListener("input", () => {
    show();
    keep();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    document.querySelector("ul.gallery > li:not([hidden]) a")?.focus(); // Enter leads to the first one found
  });
})();
