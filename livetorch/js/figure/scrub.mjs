// A slider over the steps that a run has been through: the figure shows what it showed then.

import { thumbOnly } from "../controls/slider.mjs";
import { h } from "../shared/dom.mjs";

/** @param {(step: number) => void} look */
export function createScrub(look) {
  /** @type {number[]} */
  let kept = [];
  const element = h("input", {
    type: "range",
    class: "lt-range lt-scrub",
    min: 0,
    max: 1,
    step: 1,
    hidden: true,
    "aria-label": "Step that is shown",
    oninput: () => touch.refused() || look(kept[Number(element.value)]),
  });
  let at = 0;
  const touch = thumbOnly(element, {
    put(place) {
      element.value = place;
      look(kept[Number(element.value)]);
    },
    saved: () => kept[at],
    restore: look,
  });
  return {
    element,
    /** @param {{kept: number[], at: number}} past the steps that can be shown, the last one last, and the one that is */
    update(past) {
      const last = past.kept.length - 1;
      element.hidden = last < 1;
      if (last < 1) return;
      kept = past.kept;
      at = kept.indexOf(past.at);
      element.max = String(last);
      element.value = String(at);
      element.setAttribute("aria-valuetext", `step ${past.at} of ${kept[last]}`);
      element.style.setProperty("--lt-share", `${(100 * at) / last}%`);
    },
  };
}
