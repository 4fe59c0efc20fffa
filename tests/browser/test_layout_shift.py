"""Nothing on a page moves by itself while it comes: no late letters, nothing of another height."""

from __future__ import annotations

import pytest
from built_site import pages
from waiting import wait_until

MOST = 0.02  # Chromium's sum of layout shifts; 0.1 counts as good
NOTE_SHIFTS = """window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (!hadRecentInput) shifts.push([value, sources.map(({ node }) => node?.className ?? "?")]);
    }
  }).observe({ type: "layout-shift", buffered: true });"""
AT_REST = """"marked" in document.documentElement.dataset && document.fonts.status === "loaded" &&
  [...document.querySelectorAll("figure.livetorch:not(.lt-mounted)")].every((figure) => {
    const { top, bottom } = figure.getBoundingClientRect();
    const waits = "asked" in figure.dataset || figure.querySelector(".lt-loading");
    return top > innerHeight || bottom < 0 || waits;
  })"""


@pytest.mark.parametrize("scheme", ["http", "file"])
@pytest.mark.parametrize("name", pages())
def test_a_page_keeps_still_while_it_comes(site, server, chromium, name, scheme):
    home = server if scheme == "http" else f"file://{site}"
    for width, height in ((1280, 800), (360, 740)):
        context = chromium.new_context(viewport={"width": width, "height": height})
        context.add_init_script(NOTE_SHIFTS)
        page = context.new_page()
        page.goto(f"{home}/{name}.html", wait_until="load")
        wait_until(page, AT_REST)
        page.wait_for_timeout(100)  # the shifts of the last frames are told
        shifts = page.evaluate("shifts")
        context.close()
        assert sum(value for value, _ in shifts) <= MOST, (width, shifts)
