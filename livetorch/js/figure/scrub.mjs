// A slider over the steps that a run has been through: the figure shows what it showed then.

import { h } from "../shared/dom.mjs";

/** @param {(step: number) => void} look */
export function createScrub(look) {
  /** @type {number[]} */
  let kept = [];
  const element = h("input", {
    type: "range", class: "lt-range lt-scrub", min: 0, max: 1, step: 1, hidden: true, "aria-label": "Step that is shown",
    oninput: () => look(kept[Number(element.value)]),
  });
  return {
    element,
    /** @param {{kept: number[], at: number}} past the steps that can be shown, the last one last, and the one that is */
    update(past) {
      const last = past.kept.length - 1;
      element.hidden = last < 1;
      if (last < 1) return;
      kept = past.kept;
      const at = kept.indexOf(past.at);
      element.max = String(last);
      element.value = String(at);
      element.setAttribute("aria-valuetext", `step ${past.at} of ${kept[last]}`);
      element.style.setProperty("--lt-share", `${(100 * at) / last}%`);
    },
  };
}
