/** The rules of the page's own sheet that a picture needs, in the light theme's colours. */
import colours from "../../colours.json" with { type: "json" };

// The build puts views.css and still.css here; modules by themselves have none.
/** @type {string} */
const sheet = /** @type {any} */ (globalThis).LIVETORCH_SHEET ?? "";

/** @type {Record<string, string>} */
const variables = { ground: colours.page.light.card, accent: colours.page.light.accent, focus: colours.page.light.accent };
for (const [name, colour] of Object.entries({ ...colours.page.light, ...colours.roles.light })) variables[name.replace("_", "-")] = colour;

/** The selectors of a rule, one by one; `:is(.a, .b) .c` is two. @param {string} all */
export const selectorsOf = (all) =>
  all.split(/,(?![^(]*\))/).flatMap((one) => {
    const [, before, names, after] = one.trim().match(/^(.*?):is\(([^)]*)\)(.*)$/) ?? [];
    return names ? names.split(",").map((name) => `${before}${name.trim()}${after}`) : [one.trim()];
  });

const rules = [...sheet.replace(/\/\*.*?\*\//gs, "").matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selectors, body]) => ({
  selectors: selectorsOf(selectors),
  body: body.trim(),
}));

/** @param {string} body of the document */
export function styleOf(body) {
  const used = new Set([...body.matchAll(/class="([^"]*)"/g)].flatMap(([, names]) => names.split(" ")).concat("lt-svg"));
  const shown = (/** @type {string} */ selector) =>
    !selector.includes(":") && (selector.match(/\.[\w-]+/g) ?? ["."]).every((name) => used.has(name.slice(1)));
  return rules
    .flatMap(({ selectors, body: said }) => {
      const kept = selectors.filter(shown);
      const text = said
        .replace(/\s*(cursor|pointer-events|touch-action|outline|font-family|position|inset|overflow|display):[^;]*;?/g, "")
        .replace(/\s*([:;,])\s*/g, "$1")
        .trim();
      return kept.length && text ? [`${kept.join(",")}{${coloured(text).replace(/;$/, "")}}`] : [];
    })
    .join("");
}

/** @param {string} text */
const coloured = (text) => text.replace(/var\(--lt-([\w-]+)[^)]*\)+/g, (_, name) => variables[name] ?? "inherit");
