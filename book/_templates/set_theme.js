(function (root) {
  var stored = function (key) { try { return localStorage.getItem(key); } catch (error) { return null; } };
  var mode = stored("mode") || "auto";
  var dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.mode = mode;
  root.dataset.theme = mode === "auto" ? (dark ? "dark" : "light") : mode;
})(document.documentElement);
