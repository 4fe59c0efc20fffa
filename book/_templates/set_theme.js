(function (root) {
  try { localStorage.setItem("attention-live probe", ""); localStorage.removeItem("attention-live probe"); } catch (error) {
    var memory = Object.create({ // a browser may refuse to keep anything: the theme's script would end there, so the page remembers
      getItem: function (key) { return Object.hasOwn(memory, key) ? memory[key] : null; },
      setItem: function (key, value) { memory[key] = String(value); },
      removeItem: function (key) { delete memory[key]; }
    });
    try { Object.defineProperty(window, "localStorage", { value: memory, configurable: true }); } catch (refused) { /* it stays so */ }
  }
  var stored = function (key) { try { return localStorage.getItem(key); } catch (error) { return null; } };
  var mode = stored("mode") || "auto";
  var dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.mode = mode;
  root.dataset.theme = mode === "auto" ? (dark ? "dark" : "light") : mode;
  root.dataset.code = stored("attention-live code") || "some";
  root.dataset.scripted = "";
  var arrived = performance.getEntriesByType && performance.getEntriesByType("navigation")[0];
  if (arrived && arrived.type !== "navigate") root.dataset.restored = ""; // the place to return to needs true heights
  if (location.protocol === "file:") { // a font may be loaded, but not before it is asked for: the page is shown once it is there
    root.dataset.disk = "waits";
    var show = function () { root.dataset.disk = ""; };
    document.addEventListener("DOMContentLoaded", function () { document.fonts.ready.then(show, show); setTimeout(show, 500); });
    return;
  }
  var more = document.querySelector("meta[name=fonts]"); // on pages that begin with italics or formulas
  ["fonts/prose-normal"].concat(more ? more.content.split(" ") : []).forEach(function (name) {
    var font = document.createElement("link");
    font.rel = "preload"; font.as = "font"; font.type = "font/woff2"; font.crossOrigin = "";
    font.href = (root.dataset.content_root || "./") + "_static/" + name + ".woff2";
    document.head.append(font);
  });
})(document.documentElement);
