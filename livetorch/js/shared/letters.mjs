/** How wide texts are, and texts cut to a width. */

export const FONT = 12; // pixels, unless something else is said

/** How wide a text is, in pixels, a little generously: no measuring, so no forced layout. @param {string} text */
export function textWidth(text, size = FONT) {
  let units = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    if (code > 0x2e7f) units += 1.02;
    else if (/[mMW@%]/.test(letter)) units += 0.98;
    else if (/[w−<>=+]/.test(letter)) units += 0.86;
    else if (/[ijl.,:;|' ]/.test(letter)) units += 0.32;
    else units += /[A-Z]/.test(letter) ? 0.7 : 0.62;
  }
  return units * size;
}

/** A label cut to `limit` pixels. @param {string} text @param {number} limit */
export function shorten(text, limit, size = FONT) {
  if (textWidth(text, size) <= limit) return text;
  const letters = Array.from(text);
  while (letters.length > 1 && textWidth(`${letters.join("")}…`, size) > limit) letters.pop();
  return `${letters.join("")}…`;
}
