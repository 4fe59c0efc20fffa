// Every kind of control by the name that a figure's JSON calls it: one line for each file.
export { checkbox, dropdown } from "./choice.mjs";
export { slider } from "./slider.mjs";
export { state } from "./state.mjs";
export { mask, matrix, points } from "./table.mjs";
export { text } from "./text.mjs";
