// The style sheet of the editors.

/** The sheet comes with the script (build.mjs). */
export function dress() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(/** @type {any} */ (globalThis).EDITING_SHEET ?? "");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
