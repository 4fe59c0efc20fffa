"""The still picture of a figure and the live one at its start: the same words in the same places.

A picture is drawn once, for letters as wide as the widest that systems show; there it is the live figure to
the pixel. Narrower letters break what a page says below a view at another word: rows stand a line higher
or lower, and within each view nothing else may differ.
"""

from typing import Any

WIDE = 736  # of a card whose views have the width that pictures are drawn for
NEAR = 3  # pixels
LINE = 17.5  # pixels from one line of words to the next

# The words that views draw as shapes, each with its middle, seen from the corner of the views: live, those
# of one view together.
WORDS = """async (pad) => {
  await document.fonts.ready;
  const all = {};
  const texts = (svg) => [...svg.querySelectorAll("text")].filter((text) => text.textContent);
  const words = (svg, x0, y0) => texts(svg).map((text) => {
    const { x, y, width, height } = text.getBoundingClientRect();
    return [text.textContent, x + width / 2 - x0, y + height / 2 - y0];
  });
  for (const figure of document.querySelectorAll("figure.livetorch")) {
    const src = figure.dataset.still;
    await figure.livetorch.ready;
    const views = figure.querySelector(".lt-views");
    for (let still = 0, high = 0; still < 10; high = views.offsetHeight) {  // columns settle
      await new Promise(requestAnimationFrame);
      still = views.offsetHeight === high ? still + 1 : 0;
    }
    views.querySelector(".lt-caption")?.remove();  // a picture has none
    const corner = views.getBoundingClientRect();
    const live = [...views.querySelectorAll("svg")].map((svg) => words(svg, corner.x, corner.y));
    const svg = decodeURIComponent(src.slice(src.indexOf(",") + 1));
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
    const still = document.body.appendChild(document.importNode(parsed.documentElement, true));
    still.setAttribute("font-family", getComputedStyle(views).fontFamily);
    const place = still.getBoundingClientRect();
    all[figure.dataset.name] = { live, still: words(still, place.x + pad, place.y + pad),
      rows: views.querySelectorAll(".lt-row").length, heights: [corner.height, place.height - 2 * pad] };
    still.remove();
  }
  return all;
}"""


def missing(words: list[list], still: list[list], down: float) -> list[list]:
    """The words of a view that a picture has not where they stand, this far further down in it."""
    left, lost = list(still), []
    for word, x, y in words:
        near = [w for w in left if w[0] == word and max(abs(w[1] - x), abs(w[2] - y - down)) <= NEAR]
        if near:
            left.remove(near[0])
        else:
            lost.append([word, x, y])
    return lost


def differences(drawn: dict[str, Any], lines: int = 0) -> list[str]:
    """Say how a picture differs from its figure; each row above may be lines higher or lower."""
    most = lines * drawn["rows"]
    found = []
    for words in drawn["live"]:
        ways = [missing(words, drawn["still"], by * LINE) for by in range(-most, most + 1)]
        found += [f"{word!r} at {x:.0f}, {y:.0f} is not in the picture" for word, x, y in min(ways, key=len)]
    live, still = drawn["heights"]
    if abs(live - still) > NEAR * 4 + most * LINE:  # a table is HTML on the page
        found.append(f"{live:.0f} pixels high, its picture {still:.0f}")
    return found
