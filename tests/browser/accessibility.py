"""What axe-core finds on a page; of texts that look alike one is judged, since contrast takes long."""

import functools

from built_site import ROOT
from playwright.sync_api import Page
from waiting import wait_until

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
COLOURS = ("color-contrast", "link-in-text-block")
MILD = ("region", "image-redundant-alt", "heading-order")  # never serious, and they look at all of a page
ATTRIBUTE = "data-one-of-its-look"
# Texts look alike if tag, class, colour, size and weight are equal, and so is what is painted behind them.
MARK = """([part, attribute]) => {
  const behind = new Map();
  const painted = (element) => {
    if (!(element instanceof Element)) return "";
    if (!behind.has(element)) {
      const above = painted(element.parentNode);
      const style = getComputedStyle(element);
      const own = [style.backgroundColor, style.backgroundImage, style.opacity, style.filter].join();
      behind.set(element, above.endsWith(own) ? above : `${above}/${own}`);
    }
    return behind.get(element);
  };
  const seen = new Set();
  for (const old of document.querySelectorAll(`[${attribute}]`)) old.removeAttribute(attribute);
  for (const root of document.querySelectorAll(part)) {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement;
      if (!texts.currentNode.data.trim() || !element.checkVisibility()) continue;
      const style = getComputedStyle(element);
      const { color, fill, fontSize, fontWeight, textShadow } = style;
      const look = [element.localName, element.getAttribute("class"), painted(element), color, fill, fontSize,
        fontWeight, textShadow];
      if (!seen.has(look.join("|"))) element.setAttribute(attribute, "");
      seen.add(look.join("|"));
    }
  }
  return seen.size;
}"""
RUN = """async ([place, options]) =>
  (await axe.run({ include: [place] }, { preload: false, resultTypes: ["violations"], ...options }))
    .violations"""


@functools.cache
def _program() -> str:
    return AXE.read_text(encoding="utf-8")


def findings(page: Page, part: str = "html", *, only_colours: bool = False) -> list[str]:
    """Serious and critical findings of axe-core in a part of the page (a CSS selector), one line each."""
    wait_until(page, "'marked' in document.documentElement.dataset")  # book.js is done
    page.evaluate(_program())  # not as a script of the page: its policy would refuse that
    found = []
    if not only_colours:
        others = {"rules": {name: {"enabled": False} for name in (*COLOURS, *MILD)}}
        found += page.evaluate(RUN, [part, others])
    if page.evaluate(MARK, [part, ATTRIBUTE]):
        found += page.evaluate(RUN, [f"[{ATTRIBUTE}]", {"runOnly": COLOURS}])
    return [
        f"{rule['id']} ({rule['impact']}): {rule['nodes'][0]['html'][:160]} ({len(rule['nodes'])} places)"
        for rule in found
        if rule["impact"] in ("serious", "critical")
    ]
