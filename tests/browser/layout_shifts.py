"""What moves by itself on a page while it comes: Chromium's own list of layout shifts."""

from playwright.sync_api import Page
from waiting import wait_until

MOST = 0.02  # Chromium's sum of layout shifts; 0.1 counts as good
# A script for a page's start. What has moved is named, so that a failure says where to look.
NOTE_SHIFTS = """window.shifts = [];
  window.noteShifts = (entries) => {
    const name = (node) => (node?.outerHTML ?? node?.data ?? "?").slice(0, 80);
    for (const { value, hadRecentInput, sources } of entries) {
      if (!hadRecentInput) shifts.push([value, sources.map(({ node }) => name(node))]);
    }
  };
  window.shiftsNoted = new PerformanceObserver((list) => noteShifts(list.getEntries()));
  shiftsNoted.observe({ type: "layout-shift", buffered: true });"""
AT_REST = """"marked" in document.documentElement.dataset && document.fonts.status === "loaded" &&
  [...document.querySelectorAll("figure.livetorch:not(.lt-mounted)")].every((figure) => {
    const { top, bottom } = figure.getBoundingClientRect();
    const waits = "asked" in figure.dataset || figure.querySelector(".lt-loading");
    return top > innerHeight || bottom < 0 || waits;
  })"""
# The last frames tell of their shifts when they have been shown.
TOLD = """async () => {
  for (let i = 0; i < 3; i += 1) await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  noteShifts(shiftsNoted.takeRecords());
  return shifts;
}"""


def shifts(page: Page) -> list[tuple[float, list[str]]]:
    """Wait until the page stands, and list what has moved: by how much, and what it was."""
    wait_until(page, AT_REST)
    return [(value, moved) for value, moved in page.evaluate(TOLD)]


def too_far(found: list[tuple[float, list[str]]]) -> list[tuple[float, list[str]]]:
    """What has moved, if that is more in all than a page may move."""
    return found if sum(value for value, _ in found) > MOST else []
