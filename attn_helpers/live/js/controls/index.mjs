import { createCheckbox, createDropdown } from "./choice.mjs";
import { createSlider } from "./slider.mjs";
import { createMask, createMatrix } from "./table.mjs";
import { createText } from "./text.mjs";

/**
 * What makes the element of each kind of control: an element, and update(value) that shows a setting.
 * @type {Record<string, (spec: any, context: {id: string, set: (value: any, more?: {final: boolean}) => void}) =>
 *   {element: HTMLElement, update: (value: any) => void}>}
 */
export const controls = {
  slider: createSlider,
  dropdown: createDropdown,
  checkbox: createCheckbox,
  text: createText,
  points: createMatrix,
  matrix: createMatrix,
  mask: createMask,
};
