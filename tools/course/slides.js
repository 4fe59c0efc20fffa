// Starts the slides: 16:9, notes on S, light and dark on T. A figure lives in a frame, so its keys and touches are its own;
// a button says so and gives the keys back.
(() => {
  const root = document.documentElement;
  const frames = [...document.querySelectorAll("iframe")];
  const back = document.querySelector(".back");
  // a figure is laid out narrow and enlarged, for the last row; one that is high as it is gets the whole width
  const WIDE = 1180;
  const HIGH = 640;
  const LAYOUTS = [860, WIDE];
  const scaleOf = (wide, high) => Math.min(WIDE / wide, HIGH / high);
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
    layOut(frame, LAYOUTS[0], HIGH);
    const [file, state] = frame.dataset.src.split("#");
    frame.dataset.src = `${file}?theme=${theme}#${state}`;
    frame.addEventListener("load", paint);
  }
  function layOut(frame, wide, high) {
    frame.style.cssText = `width: ${wide}px; height: ${high}px; transform: scale(${scaleOf(wide, high)})`;
    frame.style.marginLeft = `${-wide / 2}px`;
  }
  addEventListener("message", ({ data, source }) => {
    const frame = frames.find((each) => each.contentWindow === source);
    if (data?.livetorch !== "size" || !frame) return;
    const wide = frame.clientWidth;
    layOut(frame, wide, data.height);
    if (wide === LAYOUTS[0] && scaleOf(wide, data.height) < 1.05) layOut(frame, WIDE, data.height);
  });
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
