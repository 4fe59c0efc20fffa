"""What is wrong with how a live figure stands on a page: texts over each other, cut, out of sight."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

MOST_HIGH = 740  # pixels of a figure on a phone, unless its main view stays in sight

FAULTS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
HEIGHTS = """() => [...document.querySelectorAll("figure.livetorch")].map((figure) => ({
  name: figure.dataset.name, height: Math.round(figure.getBoundingClientRect().height),
  stuck: [...figure.querySelectorAll(".lt-row")].some((e) => getComputedStyle(e).position === "sticky"),
}))"""

# Each control is scrolled to the lower edge of the window: a row that stays in sight must end above it.
PINNED = """() => [...document.querySelectorAll("figure.livetorch .lt-leading")].flatMap((row) => {
  if (row.offsetHeight > 0.4 * innerHeight) return []; // it goes by
  const card = row.closest("figure");
  return [...card.querySelectorAll(".lt-controls :is(input, select)")].flatMap((control) => {
    control.scrollIntoView({ block: "end" });
    const [above, own] = [row.getBoundingClientRect(), control.getBoundingClientRect()];
    const seen = above.bottom > 100 && above.bottom <= own.top + 1;
    return seen ? [] : [
      `${card.dataset.name}: the row ends at ${above.bottom}, its control begins at ${own.top}`,
    ];
  });
})"""


def names(page: Page) -> list[str]:
    """List the live figures of a page."""
    return page.evaluate("[...document.querySelectorAll('figure.livetorch')].map((f) => f.dataset.name)")


def faults(page: Page, name: str) -> list[str]:
    """What is wrong with one figure as it stands now."""
    return [f"{name}: {fault}" for fault in page.evaluate(FAULTS, name)]


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def too_high(page: Page) -> list[str]:
    """Figures higher than a phone's screen, whose main view goes out of sight as well."""
    return [
        f"{one['name']} is {one['height']} pixels high"
        for one in page.evaluate(HEIGHTS)
        if one["height"] > MOST_HIGH and not one["stuck"]
    ]


def covered(page: Page) -> list[str]:
    """Controls that the row pinned above them hides on a phone, or that have lost it."""
    return page.evaluate(PINNED)
