"""The map of the chapters: complete, drawn from what the book has, and the same in words."""

import re

import chapter_map
from built_site import ROOT, pages

NEEDS = {"01": [], "02": ["01"], "03": ["02"], "04": ["02", "03"], "05": ["04"], "06": ["04"]}


def test_lessons_stand_one_below_the_other_and_chapters_apart():
    heights = list(chapter_map.places(["01a", "01b", "02a"]).values())
    assert heights[1] - heights[0] == chapter_map.ROW
    assert heights[2] - heights[1] == chapter_map.ROW + chapter_map.AIR


def test_an_arc_leads_from_the_needed_lesson_and_stays_in_the_picture():
    numbers = [f"{i:02}" for i in range(1, 40)]
    chapters = {n: (f"notebooks/{n}_a", n, ["01"] if n != "01" else []) for n in numbers}
    drawn = chapter_map.picture(chapters, {n: f"{n}.html" for n in numbers})
    y = chapter_map.places(numbers)
    arcs = re.findall(r'd="M\d+,([\d.]+)A([\d.]+),([\d.]+) 0 0 0 \d+,([\d.]+)"', drawn)
    assert [(float(start), float(end)) for start, _, _, end in arcs] == [(y["01"], y[n]) for n in numbers[1:]]
    assert max(float(wide) for _, wide, _, _ in arcs) < chapter_map.SPINE


def test_what_follows_from_another_line_is_not_drawn():
    lines = chapter_map.direct(NEEDS)
    assert ("03", "04") in lines
    assert ("02", "04") not in lines


def test_a_title_is_text_and_not_markup():
    drawn = chapter_map.picture({"01": ("notebooks/01_a", "<b>", [])}, {"01": "a.html"})
    assert "&lt;b&gt;" in drawn
    assert "<b>" not in drawn


def _lines() -> list[str]:
    page = (ROOT / "book/how_to_read.md").read_text(encoding="utf-8")
    return re.search(r"```\{chapter-map\}\n(.*?)```", page, re.DOTALL)[1].splitlines()


def test_every_numbered_chapter_has_a_box_a_line_of_text_and_a_link(site):
    page = (site / "book/how_to_read.html").read_text(encoding="utf-8")
    drawn = re.search(r'<div class="chapter-map-box">(.*?)</div>', page, re.DOTALL)[1]
    numbered = {name for name in pages() if chapter_map.NUMBERED.fullmatch(name)}
    linked = re.findall(r'href="\.\./(notebooks/\w+)\.html"', drawn)
    assert set(linked) == numbered
    assert len(linked) == 2 * len(numbered)  # in the picture and in the list


def test_a_chapter_needs_only_chapters_that_are_on_the_map():
    listed = chapter_map.parse(_lines())
    assert {n for _, _, needs in listed.values() for n in needs} <= set(listed)
    assert [title for _, title, _ in listed.values() if not title] == []
