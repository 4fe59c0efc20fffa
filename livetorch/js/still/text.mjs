/** Shapes as the text of an SVG document. */

/** @typedef {import("../shared/scene.mjs").Shape} Shape */

const LIVE = /^(aria-|data-|role$|tabindex$)/; // attributes that only a page needs
const UNSEEN = /lt-handle-(touch|ring)/; // shapes that only a hand needs

/** @param {Shape[]} shapes */
export function svgText(shapes) {
  return shapes.map(one).join("");
}

/** @param {Shape} shape @returns {string} */
function one([tag, attributes = {}, inside = ""]) {
  if (UNSEEN.test(String(attributes.class ?? ""))) return "";
  if (tag === "g" && Array.isArray(inside) && !inside.length) return "";
  const given = Object.entries(attributes).filter(([name, value]) => value !== null && value !== undefined && !LIVE.test(name));
  const written = given.map(([name, value]) => ` ${name}="${escaped(brief(value ?? "")).replaceAll('"', "&quot;")}"`).join("");
  const content = typeof inside === "string" ? escaped(inside) : svgText(inside);
  return content ? `<${tag}${written}>${content}</${tag}>` : `<${tag}${written}/>`;
}

/** Numbers with at most two decimals, in texts that place things too. @param {string|number} value */
function brief(value) {
  if (typeof value === "number") return String(Math.round(100 * value) / 100 + 0);
  return /^(translate|scale|rotate)\(/.test(value)
    ? value.replace(/-?\d+\.\d{3,}/g, (long) => String(Math.round(100 * Number(long)) / 100 + 0))
    : value;
}

/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
