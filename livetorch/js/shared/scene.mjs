// A drawing as data: a list of shapes, each a tag, its attributes, and a text or further shapes inside it. The same
// shapes become elements of the page, changed only where they differ from those before, and the text of a picture.

/** @typedef {[tag: string, attributes?: Record<string, string|number|null|undefined>, inside?: string|Shape[]]} Shape */

const SVG = "http://www.w3.org/2000/svg";

/**
 * What draws shapes into an SVG element again and again. A shape that is the very one of the last time is left alone.
 * @param {Element} root
 * @returns {(shapes: Shape[]) => void}
 */
export function painter(root) {
  /** @type {Shape[]} */
  let drawn = [];
  return (shapes) => {
    change(root, drawn, shapes);
    drawn = shapes;
  };
}

/** @param {Element} parent @param {Shape[]} before @param {Shape[]} now */
function change(parent, before, now) {
  let element = /** @type {any} */ (parent.firstChild);
  for (let i = 0; i < now.length; i += 1) {
    const next = element?.nextSibling ?? null;
    if (before[i]?.[0] !== now[i][0]) {
      const made = document.createElementNS(SVG, now[i][0]);
      dress(made, [now[i][0]], now[i]);
      if (element) element.replaceWith(made);
      else parent.append(made);
    } else if (before[i] !== now[i]) {
      dress(element, before[i], now[i]);
    }
    element = next;
  }
  for (let i = before.length; i > now.length; i -= 1) /** @type {any} */ (parent.lastChild).remove();
}

/** @param {Element} element @param {Shape} before @param {Shape} now */
function dress(element, [, old = {}, was = ""], [, attributes = {}, inside = ""]) {
  for (const name in attributes) {
    const value = attributes[name];
    if (value === old[name]) continue;
    if (value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, String(value));
  }
  for (const name in old) if (!(name in attributes)) element.removeAttribute(name);
  if (typeof inside === "string") write(element, was, inside);
  else {
    if (was && typeof was === "string") element.textContent = "";
    change(element, typeof was === "string" ? [] : was, inside);
  }
}

/** @param {Element} element @param {string|Shape[]} was @param {string} text */
function write(element, was, text) {
  if (was === text) return;
  const only = typeof was === "string" ? element.firstChild : null;
  if (only) /** @type {Text} */ (only).data = text;
  else element.textContent = text;
}
