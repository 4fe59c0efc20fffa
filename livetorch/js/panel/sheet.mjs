// Where the panel stands: under the figure's views, or on a phone at the foot of the window, above everything.

const ABOVE = 64; // pixels that a page's header may take
const AIR = 32; // for the number below a token, too
const WIDE_AIR = 72; // and for the sentence below it, where a window has the room
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
    /** Scroll so far that all of these stand between the head of the window and the panel, or at least the first. @param {Element[]} parts */
    clear(parts) {
      const boxes = parts.map((part) => part.getBoundingClientRect()).filter(({ height }) => height > 0);
      if (!boxes.length) return;
      const room = { top: ABOVE, bottom: element.getBoundingClientRect().top - (lays() ? AIR : WIDE_AIR) };
      if (room.bottom <= room.top) return;
      const ends = (/** @type {DOMRect[]} */ of) => ({
        top: Math.min(...of.map((box) => box.top)),
        bottom: Math.max(...of.map((box) => box.bottom)),
      });
      const all = ends(boxes);
      const { top, bottom } = all.bottom - all.top <= room.bottom - room.top ? all : ends(boxes.slice(0, 1));
      const by = bottom > room.bottom ? Math.min(bottom - room.bottom, top - room.top) : Math.min(0, top - room.top);
      if (by) globalThis.scrollBy({ top: by, behavior: "instant" });
    },
  };
}
