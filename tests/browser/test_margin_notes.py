"""Asides stand in the margin where there is room, beside their paragraph and over nothing."""

from __future__ import annotations

import pytest
from live_chapters import chapters

NOTED = [f"notebooks/{path.stem}" for path in chapters() if "<small>" in path.read_text(encoding="utf-8")]
HOLE = 100  # pixels below a paragraph: the space before a heading, and what a long note pushes down
BLOCKS = ".bd-article section > *, .bd-article .cell > *, .bd-sidebar-secondary"
NOTES = """(blocks) => {
  document.documentElement.dataset.restored = "";
  const box = (e) => {
    const { left, right, top, bottom } = e.getBoundingClientRect();
    return { left, right, top, bottom };
  };
  const page = box(document.querySelector(".bd-article"));
  return [...document.querySelectorAll(".noted")].map((place) => {
    const [text, note] = place.children;
    const [said, beside] = [box(text), box(note.firstElementChild)];
    const others = [...document.querySelectorAll(blocks)].filter((e) =>
      !place.contains(e) && !e.contains(place) && e.checkVisibility() && e.offsetWidth);
    const share = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]) > 1;
    const over = others.filter((e) =>
      share(box(e), beside, "left", "right") && share(box(e), beside, "top", "bottom"));
    const next = place.nextElementSibling ?? place.parentElement.nextElementSibling;
    return {
      said: note.textContent.trim().slice(0, 40), text: said, note: beside, role: note.getAttribute("role"),
      over: over.map((e) => `${e.tagName} ${e.className}`),
      hole: next ? box(next).top - said.bottom : 0,
      cut: beside.right > page.right + 1,
    };
  });
}"""
CODE = """(how) => {
  document.documentElement.dataset.code = how;
  for (const fold of document.querySelectorAll("details.code-fold")) fold.open = how === "all";
}"""


def test_many_lessons_have_one():
    assert len(NOTED) >= 20


@pytest.mark.parametrize("name", NOTED)
def test_a_note_stands_beside_its_paragraph_and_over_nothing(open_page, name):
    page = open_page(name).page
    for width in (1200, 1280, 1600, 2000):
        page.set_viewport_size({"width": width, "height": 900})
        for how in ("none", "all", "some"):
            page.evaluate(CODE, how)
            notes = page.evaluate(NOTES, BLOCKS)
            assert notes
            for note in notes:
                where = f"{note['said']} at {width}, code {how}"
                assert note["note"]["left"] - note["text"]["right"] >= 24, where
                assert abs(note["note"]["top"] - note["text"]["top"]) < 24, where
                assert (note["over"], note["cut"]) == ([], False), where
                if how == "some":
                    assert note["hole"] <= HOLE, where


@pytest.mark.parametrize("how", [{"width": 768}, {"width": 360}, {"javascript": False}])
def test_elsewhere_it_follows_its_paragraph(open_page, how):
    page = open_page(NOTED[0], **how).page
    if "width" not in how:
        page.set_viewport_size({"width": 1000, "height": 900})
    for note in page.evaluate(NOTES, BLOCKS):
        assert note["note"]["top"] >= note["text"]["bottom"] - 1
        assert abs(note["note"]["left"] - note["text"]["left"]) < 24
        assert (note["over"], note["cut"], note["role"]) == ([], False, "note")


def test_on_paper_it_follows_its_paragraph(open_page):
    page = open_page(NOTED[0]).page
    page.emulate_media(media="print")
    for note in page.evaluate(NOTES, BLOCKS):
        assert note["note"]["top"] >= note["text"]["bottom"] - 1
