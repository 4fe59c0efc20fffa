"""Every page of the built book opened from disk, in the dark theme, then on a phone."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from built_site import pages

PAGES = [*pages(), "search", "genindex"]


@pytest.fixture(params=PAGES)
def visit(request, visits, open_page):
    """Open a page once and note what the tests below ask about."""
    name = request.param
    if name not in visits:
        opened = open_page(name, scheme="file", theme="dark")
        page = opened.page
        theme = page.evaluate("document.documentElement.dataset.theme")
        axe = opened.axe(only_colours=True)  # what is not a colour is as in the light theme
        opened.resize(320)
        visits[name] = SimpleNamespace(
            theme=theme,
            axe=axe,
            overflow=opened.overflow(),
            errors=opened.errors,
            foreign=opened.foreign,
        )
    return visits[name]


def test_a_page_opens_from_disk_without_a_console_error(visit):
    assert visit.errors == []


def test_a_page_from_disk_asks_no_host_for_anything(visit):
    assert visit.foreign == []


def test_a_page_has_no_serious_accessibility_violation_in_the_dark_theme(visit):
    assert visit.theme == "dark"
    assert visit.axe == []


def test_a_page_fits_on_a_phone_320_pixels_wide(visit):
    assert visit.overflow <= 0
