/** A pinned state beside the present one: thin marks in bars, curves and planes, differences in maps, deltas at numbers. */
import { h } from "../shared/dom.mjs";
import { viewOf } from "../views/index.mjs";

/**
 * @param {any} spec the figure's JSON
 * @param {object} parts
 * @param {any[]} parts.views
 * @param {() => any} parts.frame
 * @param {Record<string, any>} parts.controls
 * @param {() => "light"|"dark"} parts.theme
 * @param {HTMLElement} parts.element where the button stands, and more buttons may
 */
export function pin(spec, { views, frame, controls, theme, element }) {
  const then = frame(); // a run makes all outputs anew, so that these stay
  const context = { controls, theme, frame, difference: () => difference };
  /** @type {{update: () => void, remove: () => void, map?: boolean}[]} */
  const ghosts = spec.views.flatMap(
    (/** @type {any} */ view, /** @type {number} */ i) => viewOf(view.kind, "ghost")?.(view, views[i], then, context) ?? [],
  );
  const maps = ghosts.some(({ map }) => map);
  const marks = ghosts.some(({ map }) => !map);
  let difference = maps && !marks; // else nothing would be seen

  const toggle = h(
    "button",
    { type: "button", class: "lt-button", "aria-pressed": String(difference), onclick: turn },
    "Difference in maps",
  );
  if (maps) element.append(toggle);

  function turn() {
    difference = !difference;
    toggle.setAttribute("aria-pressed", String(difference));
    update();
  }

  function update() {
    for (const ghost of ghosts) ghost.update();
  }

  // A view that gets another width draws by itself; its observer is the older one, and is told first.
  const observer = new ResizeObserver(update);
  for (const { element: each } of views) observer.observe(each);
  update();
  const where = maps ? (difference ? "Maps show the difference to it. " : "Maps can show the difference to it. ") : "";
  return {
    said: `This state is pinned. ${marks ? "What it shows stays as thin marks. " : ""}${where}Press Compare again to let it go.`,
    update,
    remove() {
      observer.disconnect();
      toggle.remove();
      for (const ghost of ghosts) ghost.remove();
    },
  };
}

/**
 * What a press of the button does: it pins the present state, or lets the pinned one go.
 * @param {any} spec
 * @param {{button: HTMLElement, announce: (text: string) => void, followers: Set<{update: (frame: any) => void}>, context: any}} how
 */
export function comparing(spec, { button, announce, followers, context }) {
  /** @type {any} */
  let pinned = null;
  return {
    press() {
      button.setAttribute("aria-pressed", String(!pinned));
      if (pinned) {
        followers.delete(pinned);
        pinned.remove();
        pinned = null;
        return announce("The pinned state is gone.");
      }
      pinned = pin(spec, context);
      followers.add(pinned);
      return announce(pinned.said);
    },
    update: () => pinned?.update(),
    remove: () => pinned?.remove(),
  };
}
