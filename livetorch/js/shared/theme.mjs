// Light or dark, as the page around the figure has it: the book's theme, JupyterLab, VS Code, Colab, or the system.

const DARK = "(prefers-color-scheme: dark)";

let printing = false; // paper is light

/** @returns {"light"|"dark"} */
export function currentTheme() {
  if (printing) return "light";
  const { documentElement: html, body } = document;
  const named = html.dataset.theme ?? html.getAttribute("theme");
  if (named === "dark" || named === "light") return named;
  const lab = body?.dataset.jpThemeLight;
  if (lab !== undefined) return lab === "false" ? "dark" : "light";
  if (body?.classList.contains("vscode-dark") || body?.classList.contains("vscode-high-contrast")) return "dark";
  if (body?.classList.contains("vscode-light")) return "light";
  return globalThis.matchMedia?.(DARK).matches ? "dark" : "light";
}

/**
 * Call back when the theme changes; returns how to stop.
 * @param {(theme: "light"|"dark") => void} callback
 */
export function watchTheme(callback) {
  let last = currentTheme();
  const look = () => {
    const theme = currentTheme();
    if (theme === last) return;
    last = theme;
    callback(theme);
  };
  const observer = new MutationObserver(look);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "theme"] });
  if (document.body) observer.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "class"] });
  const query = globalThis.matchMedia?.(DARK);
  query?.addEventListener?.("change", look);
  const paper = (/** @type {Event} */ event) => {
    printing = event.type === "beforeprint";
    look();
  };
  globalThis.addEventListener("beforeprint", paper);
  globalThis.addEventListener("afterprint", paper);
  return () => {
    observer.disconnect();
    globalThis.removeEventListener("beforeprint", paper);
    globalThis.removeEventListener("afterprint", paper);
    query?.removeEventListener?.("change", look);
  };
}

/** @returns {boolean} */
export function reducedMotion() {
  return globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
}
