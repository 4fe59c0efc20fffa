// Starts the slides: 16:9, notes on S, light and dark on T. A figure lives in a frame, so its keys and touches are its own;
// a button says so and gives the keys back.
/** Keeps figures as large as their slides allow; gives what chooses a figure's layout. */
function fitting(frames) {
  // figures change their layout with their width: of these, the one that shows a figure largest is for the last row
  const WIDTHS = [700, 780, 940, 1060];
  const [WIDE, HIGH] = [1240, 646];
  const scaleOf = (wide, high) => Math.min(WIDE / wide, HIGH / high);
  const chosen = new Map(); // frame -> how wide it is laid out, 0 while widths are tried
  const told = new Map(); // frame -> what takes the next height that it tells
  function layOut(frame, wide, high) {
    frame.style.cssText = `width: ${wide}px; height: ${high}px; transform: scale(${scaleOf(wide, high)})`;
    frame.style.marginLeft = `${-wide / 2}px`;
    frame.style.opacity = chosen.get(frame) ? 1 : 0;
  }
  /** Asks a figure how high it is once it is drawn at this width; a slide that is not shown yet answers when it is. */
  const heightAt = (frame, wide) =>
    new Promise((done) => {
      told.set(frame, ({ width, height, drawn }) => drawn && width === wide && done(height));
      layOut(frame, wide, HIGH);
      frame.contentWindow?.postMessage({ livetorch: "size" }, "*");
    });
  async function fit(frame) {
    chosen.set(frame, 0);
    const tried = [];
    for (const wide of WIDTHS) tried.push([wide, await heightAt(frame, wide)]);
    const [wide, high] = tried.reduce((best, each) => (scaleOf(...each) > scaleOf(...best) + 0.01 ? each : best));
    chosen.set(frame, wide);
    told.set(frame, ({ height }) => layOut(frame, wide, height));
    layOut(frame, wide, high);
  }
  addEventListener("message", ({ data, source }) => {
    const frame = frames.find((each) => each.contentWindow === source);
    if (data?.livetorch === "size" && frame) told.get(frame)?.(data);
  });
  return fit;
}

(() => {
  const root = document.documentElement;
  const frames = [...document.querySelectorAll("iframe")];
  const back = document.querySelector(".back");
  const fit = fitting(frames);
  let theme = new URLSearchParams(location.search).get("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

  function paint() {
    root.dataset.theme = theme;
    for (const frame of frames) frame.contentWindow?.postMessage({ livetorch: "theme", theme }, "*");
  }
  function turn() {
    theme = theme === "dark" ? "light" : "dark";
    paint();
  }
  for (const frame of frames) {
    const [file, state] = frame.dataset.src.split("#");
    frame.dataset.src = `${file}?theme=${theme}#${state}`;
    frame.addEventListener("load", () => {
      paint();
      fit(frame);
    });
  }
  addEventListener("blur", () => setTimeout(() => { back.hidden = !frames.includes(document.activeElement); }));
  addEventListener("focus", () => { back.hidden = true; });
  const goBack = () => {
    document.activeElement?.blur();
    window.focus();
    back.hidden = true;
  };
  back.addEventListener("click", goBack);
  document.querySelector(".theme").addEventListener("click", turn);

  paint();
  Reveal.initialize({
    width: 1280, height: 720, margin: 0.02, center: false, hash: true, transition: "none", slideNumber: "c/t",
    preloadIframes: false, viewDistance: 2, pdfSeparateFragments: false, plugins: [RevealNotes],
    keyboard: { 84: turn },
  });
  Reveal.on("slidechanged", goBack);
})();
