"""The line at the head of each lesson: how long it takes, and which lessons come before it."""

import html
import json
import re

import chapter_map
import landing
import lesson_head
import pytest
from built_site import ROOT, pages
from sphinx.errors import ExtensionError

LESSONS = [name for name in pages() if landing.NUMBERED.fullmatch(name)]
MAP = (ROOT / f"{lesson_head.MAP}.md").read_text(encoding="utf-8")
CLAIMS = (ROOT / f"{lesson_head.CLAIMS}.ipynb").read_text(encoding="utf-8")
HEAD = re.compile(r'<h1>.*?</h1>\s*<p class="lesson-head">(.*?)</p>', re.DOTALL)


def in_view(page: str, what: str) -> int:
    """Count what a page holds outside of its closed folds."""
    open_folds, count = [], 0
    for found in re.findall(rf"<details[^>]*>|</details>|{re.escape(what)}", page):
        if found == "</details>":
            open_folds.pop()
        elif found.startswith("<details"):
            open_folds.append("open=" in found)
        else:
            count += all(open_folds)
    return count


@pytest.mark.parametrize("name", LESSONS)
def test_each_lesson_says_its_time_and_links_to_what_it_needs(site, name):
    page = (site / f"{name}.html").read_text(encoding="utf-8")
    head = HEAD.search(page)
    assert head
    notebook = json.loads((ROOT / f"{name}.ipynb").read_text(encoding="utf-8"))
    asked = in_view(page, 'class="livetorch lt-question"')
    said = re.sub(r"</?span[^>]*>", "", head[1])
    time = re.match(r"About (\d+) minutes \((\d+) without the exercise\), (\d+) questions\. ", said)
    whole, less = landing.minutes(notebook), landing.minutes(notebook, exercises=False)
    assert [int(each) for each in time.groups()] == [whole, less, asked]
    assert whole - less == 10  # an exercise
    linked = re.findall(r'<a href="([^"]+)">(.*?)</a>', said)
    about = [(there, text) for there, text in linked if "claims_tested" in there]
    linked = [link for link in linked if link not in about]
    number = chapter_map.NUMBERED.fullmatch(name)[1].lstrip("0")
    count = CLAIMS.count(f'lesson=\\"{number}\\"')
    said = f"We tested {count} claim{'s' * (count != 1)}"
    wanted = f"claims_tested.html?lesson={number}#all-verdicts", said
    assert about == [wanted] * (count > 0)
    assert [html.unescape(text) for _, text in linked] == [
        f"{n.lstrip('0')} {title}" for n, title in lesson_head.needed(MAP, name)
    ]
    assert [there for there, _ in linked if not (site / "notebooks" / there).is_file()] == []


def test_only_lessons_have_the_line(site):
    others = [name for name in pages() if name not in LESSONS]
    having = [name for name in others if "lesson-head" in (site / f"{name}.html").read_text(encoding="utf-8")]
    assert having == []


def test_a_lesson_without_a_line_in_the_map_is_refused():
    without = MAP.replace("02b_scaling |", "02x_scaling |")
    assert without != MAP
    assert lesson_head.needed(MAP, "notebooks/02b_scaling") == [("02a", "Scores")]
    with pytest.raises(ExtensionError, match="notebooks/02b_scaling has no line"):
        lesson_head.needed(without, "notebooks/02b_scaling")


def test_a_lesson_that_needs_none_says_so():
    assert "You need no other lesson before." in lesson_head.head({"cells": []}, [])
    both = lesson_head.head({"cells": []}, [("a.html", "01a", "A < B"), ("b.html", "02", "B")])
    assert 'First read <a href="a.html">1a<span class="said-wide"> A &lt; B</span></a> and' in both
