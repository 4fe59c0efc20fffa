// A reader's edit of a cell that the book has changed since: it is offered above the cell.

import { h } from "../../livetorch/js/shared/dom.mjs";

/** @param {HTMLElement} place @param {(taken: boolean) => void} chosen */
export function offered(place, chosen) {
  const choose = (/** @type {boolean} */ taken) => {
    place.hidden = true;
    chosen(taken);
  };
  place.replaceChildren(
    "The book has changed this cell since you edited it. ",
    h("button", { type: "button", class: "ed-link", onclick: () => choose(true) }, "Use my edit"),
    " ",
    h("button", { type: "button", class: "ed-link", onclick: () => choose(false) }, "Drop it"),
  );
  place.hidden = false;
}
