"""One number for each lesson: at its title, in the table of contents, on the maps, before its equations."""

import html
import itertools
import re

import lesson_numbers
import pytest
from built_site import pages

LESSONS = {name: number for name in pages() if (number := lesson_numbers.label(name))}
BARE = re.compile(r"<[^>]+>")


def words(text: str) -> str:
    """The words between tags, in one line."""
    return " ".join(html.unescape(BARE.sub("", text)).split())


def test_chapters_of_several_lessons_are_there():
    assert {"12a", "12b"} <= set(LESSONS.values())


@pytest.mark.parametrize("name", LESSONS)
def test_the_title_and_the_equations_carry_the_lessons_number(site, name):
    page, number = (site / f"{name}.html").read_text(encoding="utf-8"), LESSONS[name]
    *_, title = re.findall(r"<h1>(.*?)</h1>", page, re.DOTALL)  # above it stands one for paper
    assert words(title).startswith(f"{number}. ")
    counted = re.findall(r'<span class="eqno">\(([^<]*)\)', page)
    assert counted == [f"{number}.{place}" for place in range(1, len(counted) + 1)]
    headings = re.findall(r"<h[23]>(.*?)</h[23]>", page, re.DOTALL)
    assert [each for each in map(words, headings) if re.match(r"\d+[a-z]?\. ", each)] == []


def test_every_way_to_a_lesson_names_it_by_its_number(site):
    page = (site / "book/intro.html").read_text(encoding="utf-8")
    entry = (
        r'<li class="toctree-[^"]*"><a class="reference internal" href="\.\./(notebooks/\w+)\.html">(.*?)</a>'
    )
    links = re.findall(entry, page, re.DOTALL)
    listed = {name: words(text) for name, text in links if name in LESSONS}
    assert set(listed) == set(LESSONS)
    assert [name for name, text in listed.items() if not text.startswith(f"{LESSONS[name]}. ")] == []
    names = list(LESSONS)
    for before, after in itertools.pairwise(names):
        page = (site / f"{before}.html").read_text(encoding="utf-8")
        onward = re.search(r'<a class="way-on" rel="next"[^>]*aria-label="Next: ([^"]*)"', page)[1]
        assert onward.startswith(f"{LESSONS[after]}. ")
