// All live figures: the field above the list leaves those that have every word that was typed, or where none has, those
// that have most of them; words of questions ("why", "how") say nothing, and for a word that no figure has stands the one
// that is a letter away. The words stay in the
// page's address, so that a list can be sent to somebody. Without this script the list is whole, and there is no field.
(() => {
  "use strict";

  const form = document.querySelector(".gallery-find");
  const field = form.querySelector("input");
  const told = form.querySelector("output");
  const groups = [...document.querySelectorAll("ul.gallery")].map((list) => ({ section: list.closest("section"), cards: [...list.children] }));
  const all = groups.reduce((sum, { cards }) => sum + cards.length, 0);

  const ASKING = /^(why|how|what|where|when|which|who|does|do|is|are|can|it|an?|the|of|in|to|i|one|know)$/;
  const cardsOf = groups.flatMap(({ cards }) => cards);
  const known = [...new Set(cardsOf.flatMap((card) => card.dataset.words.match(/\p{L}{3,}/gu) ?? []))];
  /** A word without each of its letters. @param {string} word */
  const cuts = (word) => Array.from(word, (_, i) => word.slice(0, i) + word.slice(i + 1));
  /** @param {string} word */
  const near = (word) => {
    if (word.length < 4 || known.some((one) => one.includes(word))) return word;
    const less = cuts(word);
    const longer = known.find((one) => less.includes(one) || cuts(one).includes(word));
    return longer ?? known.find((one) => one.length === word.length && cuts(one).some((cut) => less.includes(cut))) ?? word;
  };
  const show = () => {
    const typed = field.value.toLowerCase().split(/[\s?!,.]+/).filter(Boolean);
    const telling = typed.filter((word) => !ASKING.test(word));
    const asked = telling.length ? telling : typed;
    const wanted = asked.map(near);
    const has = (/** @type {HTMLElement} */ card) => wanted.filter((word) => card.dataset.words.includes(word)).length;
    const most = Math.max(...cardsOf.map(has));
    const asks = Number(telling.length < typed.length); // of a question half of the words are enough
    const enough = 2 * most + asks > wanted.length ? most : wanted.length;
    let shown = 0;
    for (const { section, cards } of groups) {
      for (const card of cards) card.hidden = has(card) < enough;
      const left = cards.filter((card) => !card.hidden).length;
      section.hidden = !left;
      shown += left;
    }
    const none = `No figure has ${wanted.length > 1 ? "all these words" : "this word"}.`;
    const some = `${shown} of ${all} figures${enough < wanted.length ? ` with ${enough} of ${wanted.length} words` : ""}`;
    const meant = wanted.filter((word, i) => word !== asked[i]).map((word) => ` with “${word}”`);
    told.textContent = wanted.length ? (shown ? some + meant.join("") : none) : `${all} figures`;
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

  // A card plays while a mouse rests on it or its link has the focus: the figure itself, alone in its file. A page from
  // disk could not ask it to, and a reader who wants less motion keeps the picture.
  let timer = 0;
  const stop = () => {
    clearTimeout(timer);
    for (const frame of document.querySelectorAll(".gallery iframe")) frame.remove();
  };
  const play = (/** @type {HTMLElement} */ card) => {
    stop();
    const picture = card.querySelector(".gallery-picture");
    timer = setTimeout(() => {
      const frame = Object.assign(document.createElement("iframe"), { src: `${card.dataset.plays}?theme=${document.documentElement.dataset.theme}`, tabIndex: -1, title: "", inert: true });
      frame.style.setProperty("--scale", picture.clientWidth / 640);
      frame.addEventListener("load", () => frame.contentWindow.postMessage({ livetorch: "play" }, "*"));
      picture.append(frame);
    }, 350);
  };
  if (location.protocol !== "file:" && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
    for (const card of cardsOf) {
      card.addEventListener("pointerenter", ({ pointerType }) => pointerType === "mouse" && play(card));
      card.addEventListener("focusin", () => card.querySelector("a:focus-visible") && play(card));
      for (const kind of ["pointerleave", "focusout"]) card.addEventListener(kind, stop);
    }
  }

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
