// The button that pins a state: while it is pressed, what the figure showed then stays beside what it shows.

import { h } from "../shared/dom.mjs";
import { hasGhost } from "../views/index.mjs";

/**
 * @param {any} spec
 * @param {object} parts
 * @param {(name: string) => Promise<any>} parts.partOf
 * @param {(text: string) => void} parts.announce
 * @param {(text: string) => void} parts.failed
 * @param {Set<{update: (frame: any) => void}>} parts.followers of frames: a pinned state is among them
 * @param {(update: () => void) => void} parts.listen to what else changes what a pinned state is compared with
 * @param {any} parts.context what a pinned state is made with: views, frame, controls, theme
 */
export function createComparing(spec, { partOf, announce, failed, followers, listen, context }) {
  const button = h(
    "button",
    {
      type: "button",
      class: "lt-button",
      title: "Keep what you see now, and show what changes from it",
      "aria-pressed": "false",
      onclick: press,
    },
    "Compare",
  );
  const element = h("span", { class: "lt-comparing" }, button);
  /** @type {any} */
  let made = null;
  async function press() {
    try {
      const { comparing } = await partOf("compare");
      if (!made) listen((made = comparing(spec, { button, announce, followers, context: { ...context, element } })).update);
      made.press();
    } catch (error) {
      failed(`States could not be compared: ${error instanceof Error ? error.message : error}`);
    }
  }

  return {
    element: spec.controls.length && spec.views.some(hasGhost) ? element : null,
    destroy: () => made?.remove(),
  };
}
