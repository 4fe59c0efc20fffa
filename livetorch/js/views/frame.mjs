/** What every view has: a frame with its title, a stage, its width and theme, and what is read out below. */
import { frameView, listenTheme, make, makeStage, onWidth } from "../shared/dom.mjs";

/** @import { Context } from "./index.mjs" */

/**
 * The frame of a view around its stage, which is one tab stop where arrow keys walk in it.
 * @template {{stage: HTMLElement}} Drawing
 * @param {any} spec
 * @param {Context} context
 * @param {object} how
 * @param {() => void} how.draw draws again: it has another width, or the page another theme
 * @param {Drawing} how.drawing the stage, and what draws on it
 * @param {string} [how.called] what screen readers call it; arrow keys walk in it
 * @param {string} [how.role] of a stage in which they do not
 * @param {(Element|null)[]} [how.above] the stage
 * @param {(Element|null)[]} [how.below] the stage
 */
export function openView(spec, context, { draw, drawing, called, role = "application", above = [], below = [] }) {
  const element = frameView(spec.kind, spec.title);
  const { stage } = drawing;
  element.append(...above.filter((part) => part !== null), stage, ...below.filter((part) => part !== null));
  if (role === "application") stage.tabIndex = 0;
  stage.setAttribute("role", role);
  if (called) stage.setAttribute("aria-roledescription", called);
  const sizing = onWidth(element, draw);
  const stopTheme = listenTheme(context, draw);
  return {
    ...drawing,
    element,
    width: sizing.width,
    /** What screen readers say of it. @param {string} text */
    name: (text) => stage.setAttribute("aria-label", text),
    destroy: () => (sizing.stop(), stopTheme(), element.remove()),
  };
}

/** The same for shapes. @param {any} spec @param {Context} context @param {Omit<Parameters<typeof openView>[2], "drawing">} how */
export const openPicture = (spec, context, how) => openView(spec, context, { ...how, drawing: makeStage() });

/** The line below a view that says what is pointed at. */
export const makeReadout = () => make("div", "lt-view-foot lt-readout");

/** A title that begins what is said of a view. @param {{title?: string|null}} spec */
export const titled = ({ title }) => (title ? `${title}: ` : "");
