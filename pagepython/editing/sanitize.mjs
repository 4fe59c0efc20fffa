// HTML that code gave, without what would run in the page: code may have come by a link from somebody else.

const DROPPED = "script:not([type='application/json']), iframe, object, embed, form, base, meta, link, frame, frameset, template";
const ADDRESS = /^(href|src|action|formaction|xlink:href|data|poster|srcset|background)$/i;
const SAFE = /^(https?:|mailto:|#|\.{0,2}\/|data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]|[\w-]+(\.|\/|$))/i;

/** @param {string} html @returns {DocumentFragment} */
export function clean(html) {
  const { body } = new DOMParser().parseFromString(html, "text/html"); // nothing in there runs or loads
  for (const element of body.querySelectorAll(DROPPED)) element.remove();
  for (const element of body.querySelectorAll("*")) {
    for (const { name, value } of Array.from(element.attributes)) {
      const plain = value.replace(/[\s\p{Cc}]/gu, "");
      if (/^on/i.test(name) || name === "srcdoc" || (ADDRESS.test(name) && plain && !SAFE.test(plain))) element.removeAttribute(name);
    }
    // an animation could write an address that was looked at already
    if (/^(set|animate\w*)$/i.test(element.localName)) element.remove();
  }
  const fragment = document.createDocumentFragment();
  fragment.append(...body.childNodes);
  return fragment;
}
