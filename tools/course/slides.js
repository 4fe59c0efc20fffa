// Starts the slides: 16:9, notes on S, light and dark on T. A figure lives in a frame, so its keys and touches are its own;
// a button says so and gives the keys back.
(() => {
  const root = document.documentElement;
  const frames = [...document.querySelectorAll("iframe")];
  const back = document.querySelector(".back");
  const WIDE = 1180;
  const HIGH = 640;
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
    frame.style.width = `${WIDE}px`;
    frame.style.height = `${HIGH}px`;
    const [file, state] = frame.dataset.src.split("#");
    frame.dataset.src = `${file}?theme=${theme}#${state}`;
    frame.addEventListener("load", paint);
  }
  // a figure that is higher than the slide is made smaller as a whole
  addEventListener("message", ({ data, source }) => {
    const frame = frames.find((each) => each.contentWindow === source);
    if (data?.livetorch !== "size" || !frame) return;
    frame.style.height = `${data.height}px`;
    frame.style.transform = `scale(${Math.min(1, HIGH / data.height)})`;
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
