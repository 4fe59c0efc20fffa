// Fetched when a reader wants a figure for another page, and in the file that such a page shows.
import { startFrame } from "../embed/frame.mjs";

export { snippet } from "../embed/snippet.mjs";

if (document.documentElement.dataset.embedded !== undefined) startFrame();
export { play } from "../embed/play.mjs";
