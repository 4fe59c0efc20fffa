"""Every link to a place of the book leads to a place that is there."""

import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote

ID = re.compile(r'\s(?:id|name)="([^"]+)"')
LINK = re.compile(r'<a\s[^>]*?href="([^"]*#[^"]*)"')
LIVE = "lt:"  # names a figure and its state: tests/browser/test_teaching_links.py


@cache
def _places(path: Path) -> set[str]:
    return set(ID.findall(path.read_text(encoding="utf-8")))


def _figures(path: Path) -> set[str]:
    return set(re.findall(r'<figure class="livetorch"[^>]* data-name="([^"]+)"', path.read_text("utf-8")))


def test_no_link_of_the_book_leads_to_a_place_that_is_gone(site):
    dead, seen = set(), 0
    for path in sorted(site.rglob("*.html")):
        if {"_static", "embed"} & set(path.parts):
            continue
        for link in LINK.findall(path.read_text(encoding="utf-8")):
            file, place = link.replace("&amp;", "&").split("#", 1)
            if re.match(r"[a-z]+:", file) or not place:
                continue
            target = (path.parent / file.split("?")[0]).resolve() if file else path
            seen += 1
            if place.startswith(LIVE):
                wanted = {unquote(part.split("=")[0]) for part in place.removeprefix(LIVE).split("&")}
                there = _figures(target)
            else:
                wanted, there = {unquote(place)}, _places(target)
            if not wanted <= there:
                dead.add(f"{path.relative_to(site)}: {link}")
    assert seen > 1000
    assert dead == set()
