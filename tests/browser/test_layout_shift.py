"""That what moves by itself on a page is found, where the pages are judged by it.

That is over http, in a wide window (test_pages_http) and on a phone (test_cut). Chromium tells nothing of
the shifts of a page that is opened from disk.
"""

from __future__ import annotations

import pytest
from layout_shifts import shifts, too_far
from waiting import wait_until


@pytest.mark.parametrize("width", [1280, 360])
def test_what_moves_by_itself_is_found(open_page, width):
    page = open_page("book/glossary", width=width).page
    assert too_far(shifts(page)) == []
    page.evaluate("document.querySelector('article').style.paddingTop = '300px'")
    wait_until(page, "shifts.length > 0")
    assert too_far(shifts(page)) != []
