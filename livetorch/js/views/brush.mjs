/** Pointing at the cells of a heatmap and painting them, by mouse and by finger. */

import { sideways } from "../shared/dom.mjs";

/**
 * @typedef {{panel: number, row: number, col: number}} Cell
 * @param {HTMLElement} stage
 * @param {object} how
 * @param {boolean} how.drawing a finger paints whichever way it moves, and never scrolls
 * @param {(at: {clientX: number, clientY: number}) => Cell|null} how.cellAt
 * @param {(cell: Cell|null) => void} how.mark a cell that was pressed
 * @param {(cell: Cell|null) => void} how.hovered
 * @param {null|{isKept: (cell: Cell) => boolean, setCell: (cell: Cell, kept: boolean, final: boolean) => void,
 *   saved: () => any, restore: (saved: any) => void}} how.edit null: cells cannot be switched
 */
export function brushOver(stage, { drawing, cellAt, mark, hovered, edit }) {
  /** @type {{kept: boolean, last: {clientX: number, clientY: number}, cell: Cell, before: any}|null} */
  let brush = null;
  /** @type {PointerEvent|null} a finger of which is not known yet whether it taps, paints or scrolls */
  let waiting = null;

  /** @param {PointerEvent} event where a hand pressed */
  function press(event) {
    const cell = cellAt(event);
    if (!cell) return;
    mark(cell);
    if (!edit) return;
    brush = { kept: !edit.isKept(cell), last: event, cell, before: edit.saved() };
    stage.setPointerCapture?.(event.pointerId);
    edit.setCell(cell, brush.kept, false);
  }

  /** @param {PointerEvent} event */
  function follow(event) {
    if (!brush || !edit) return;
    if (event.type === "pointermove" && event.buttons === 0) return lift(); // let go where nobody could see it
    const { last, kept } = brush;
    // a fast stroke is followed between two events, so that it leaves no gaps
    for (let part = 1 / 16; part <= 1; part += 1 / 16) {
      const clientX = last.clientX + part * (event.clientX - last.clientX);
      const clientY = last.clientY + part * (event.clientY - last.clientY);
      const passed = cellAt({ clientX, clientY });
      if (passed && edit.isKept(passed) !== kept) edit.setCell(passed, kept, false);
    }
    brush.last = event;
  }

  function lift() {
    if (brush && edit) edit.setCell(brush.cell, brush.kept, true);
    brush = null;
  }

  /** Nothing of the stroke was meant. */
  function cancel() {
    if (brush && edit) edit.restore(brush.before);
    waiting = brush = null;
  }

  stage.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    if (!event.isPrimary)
      cancel(); // two fingers make the page larger
    else if (event.pointerType === "touch" && !drawing) waiting = event;
    else press(event);
  });
  stage.addEventListener("pointermove", (event) => {
    if (waiting && sideways(waiting, event)) {
      press(waiting);
      waiting = null;
    }
    if (waiting) return;
    follow(event);
    hovered(cellAt(event));
  });
  stage.addEventListener("pointerup", (event) => {
    if (waiting) press(waiting);
    waiting = null;
    follow(event);
    lift();
  });
  stage.addEventListener("pointercancel", cancel);
  // the window was turned in the middle of a stroke; a finger's own capture, of what is in the stage, ends as the stroke begins
  stage.addEventListener("lostpointercapture", ({ target }) => target === stage && lift());
}
