// Fetched by a page when what is pressed in a view sets a control.
export { createPicks } from "../figure/picks.mjs";
