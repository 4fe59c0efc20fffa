// The colours of the one list (colours.json) as the variables of a style sheet, light and dark.

/** The colours of a host's own page go before ours. */
const HOST = { ink: "--jp-ui-font-color0", paper: "--jp-layout-color0", card: "--jp-layout-color0" };

/**
 * The variables of one theme: `--lt-ink` and the like for the page, `--lt-query` and the like for the roles.
 * @param {any} colours what colours.json holds
 * @param {"light" | "dark"} theme
 */
function variables({ page, roles }, theme) {
  const all = Object.entries({ ...page[theme], ...roles[theme] });
  const value = (/** @type {[string, string]} */ [name, colour]) =>
    name in HOST ? `var(${HOST[/** @type {keyof typeof HOST} */ (name)]}, ${colour})` : colour;
  return [...all.map((one) => `--lt-${one[0].replace("_", "-")}: ${value(one)};`), `color-scheme: ${theme};`].join("\n  ");
}

/** The sheet. @param {any} colours */
export function tokens(colours) {
  const dark = variables(colours, "dark");
  return `.livetorch {
  ${variables(colours, "light")}
}

@media screen and (prefers-color-scheme: dark) {
:root:not([data-theme="light"]) .livetorch:not([data-lt-theme="light"]) {
  ${dark}
}
}

:root[data-theme="dark"] .livetorch:not([data-lt-theme="light"]),
.livetorch[data-lt-theme="dark"] {
  ${dark}
}
`;
}
