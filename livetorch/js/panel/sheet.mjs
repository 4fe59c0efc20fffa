// Where the panel stands: under the figure's views, or on a phone at the foot of the window, above everything.

const PHONE = "(max-width: 600px)";

/** @param {any} element */
export function createSheet(element) {
  const lays = () => Boolean(element.showPopover && globalThis.matchMedia?.(PHONE).matches);
  return {
    show() {
      if (!lays()) return;
      element.setAttribute("popover", "manual"); // the top layer: whatever the page around the figure does
      if (!element.matches(":popover-open")) element.showPopover();
    },
    hide() {
      if (!element.hasAttribute("popover")) return;
      if (element.matches(":popover-open")) element.hidePopover();
      element.removeAttribute("popover");
    },
    /** Scroll so far that a place of the window is seen above the panel. @param {number} y */
    uncover(y) {
      const { top } = element.getBoundingClientRect();
      if (y > top - 40 && top > 80) globalThis.scrollBy({ top: y - top * 0.6, behavior: "instant" });
    },
  };
}
