// A figure that fills a file of its own, shown in a frame of another page: it takes light or dark from its address, from
// the page around it or from the system, says how high it is, and leads to the page that it comes from.

import { play } from "./play.mjs";

/**
 * Begin, once the document is there to be asked.
 * @param {Window} [around] the page that shows this one
 */
export function startFrame(around = globalThis.parent) {
  const root = document.documentElement;
  const wanted = new URLSearchParams(location.search).get("theme");
  const wear = (/** @type {unknown} */ theme) => {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    if (theme === "auto") delete root.dataset.theme;
  };
  wear(wanted);

  let last = 0;
  /** The height of what is in the frame, which does not depend on the frame's; 0 while it is hidden. */
  const tell = (drawn = false) => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    const width = globalThis.innerWidth;
    if (!width || !height || (height === last && !drawn)) return;
    last = height;
    const { name } = shown().dataset;
    around.postMessage({ livetorch: "size", name, height, width, drawn }, "*"); // who shows the figure may know how high it is
  };
  const shown = () => /** @type {any} */ (document.querySelector("figure.livetorch"));
  const nextFrame = () => new Promise(requestAnimationFrame);
  /** Answer when the figure is drawn for the width that the frame has: it follows one frame after it. */
  const answer = async () => {
    if (shown().dataset.asked === undefined) await shown().livetorch?.ready.catch(() => {}); // one that fails stays a picture
    await nextFrame();
    await nextFrame();
    tell(true);
  };

  const begin = () => {
    new ResizeObserver(() => tell()).observe(document.body);
    const back = /** @type {HTMLAnchorElement|null} */ (document.querySelector(".lt-credit a"));
    const figure = shown();
    back?.addEventListener("click", () => {
      if (figure.classList.contains("lt-mounted")) back.hash = figure.livetorch.link();
    });
  };
  if (document.body) begin();
  else document.addEventListener("DOMContentLoaded", begin);

  globalThis.addEventListener("message", ({ data, source }) => {
    if (source !== around || around === globalThis.window || !data) return;
    if (data.livetorch === "theme") wear(data.theme);
    if (data.livetorch === "size") answer();
    if (data.livetorch === "play") play(shown());
  });
}
