"""The page of all live figures: a card for each figure of the notebooks, with picture, sentence and link."""

import html
import json
import re

import gallery
import landing
import pytest
from built_site import ROOT, pages

CARD = re.compile(
    r'<li data-words="([^"]*)" data-plays="\.\./embed/[^"]+\.html"><span class="gallery-picture">'
    r'<img src="\.\./([^"]+)" width="\d+" height="\d+" alt="" loading="lazy"/></span>'
    r'<small>[^<]+</small><a href="\.\./(notebooks/\w+)\.html#([^"]+)">(.*?)</a><p>(.*?)</p></li>'
)


@pytest.fixture(scope="module")
def cards(site):
    return CARD.findall((site / "book/figures.html").read_text(encoding="utf-8"))


def _stored() -> dict[tuple[str, str], dict]:
    found = {}
    for name in pages():
        if name.startswith("notebooks/"):
            notebook = json.loads((ROOT / f"{name}.ipynb").read_text(encoding="utf-8"))
            for figure, text in landing.figures(notebook).items():
                found[name, f"lt:{figure}="] = json.loads(landing.SPEC.search(text)[2])
    return found


def test_no_figure_that_stands_on_a_page_of_the_site_lacks_its_card(site, cards):
    """Read from the pages, where a figure may carry more than its name: the gallery reads the notebooks."""
    figure = re.compile(r'<figure class="livetorch"[^>]* data-name="([^"]+)"')
    named = {name for name in pages() if name.startswith("notebooks/")}
    on_pages = [
        (name, f"lt:{found}=")
        for name in sorted(named)
        for found in figure.findall((site / f"{name}.html").read_text(encoding="utf-8"))
    ]
    assert ("notebooks/13a_a_heads_name", "lt:own-sentence=") in on_pages
    assert sorted((page, place) for _, _, page, place, _, _ in cards) == sorted(on_pages)


def test_every_live_figure_of_the_book_has_one_card_with_its_own_words(cards):
    stored = _stored()
    assert len(stored) > 50
    assert sorted((page, place) for _, _, page, place, _, _ in cards) == sorted(stored)
    for _, _, page, place, name, said in cards:
        spec = stored[page, place]
        assert (html.unescape(name), html.unescape(said)) == (spec["title"], spec["do"])


def test_a_card_leads_to_an_element_and_its_picture_is_a_light_file(site, cards):
    for _, picture, page, place, _, _ in cards:
        assert f'id="{place}"' in (site / f"{page}.html").read_text(encoding="utf-8")
        assert 500 < (site / picture).stat().st_size < 40_000, picture
    assert len({picture for _, picture, *_ in cards}) == len(cards)


def test_lessons_stand_in_their_order_part_by_part_and_a_card_names_its_own(site, cards):
    order = list(dict.fromkeys(page for _, _, page, *_ in cards))
    numbered = [name for name in order if landing.NUMBERED.fullmatch(name)]
    assert order[: len(numbered)] == sorted(numbered)
    page = (site / "book/figures.html").read_text(encoding="utf-8")
    headings = re.findall(r"<h2>(.*?)<a", page)
    assert [heading.partition(":")[0] for heading in headings] == [
        "Part I",
        "Part II",
        "Part III",
        "Appendix",
    ]
    assert '<small>1a Weighted average</small><a href="../notebooks/01a_' in page


def test_a_figure_is_found_by_its_words_and_its_lessons():
    spec = {
        "title": "A Map",
        "do": "Turn it.",
        "caption": None,
        "name": "two-words",
        "controls": [{"label": "Width"}],
        "views": [{"title": "Loss"}, {}],
        "labels": {"a": "score"},
    }
    found = gallery.words(spec, "1a. Lesson?", "01a_short_name")
    ideas = "average kernel regression smooth"
    assert found == f"a map turn it. 1a. lesson? 01a short name two words {ideas} width loss score"


def test_the_figures_of_both_lessons_on_induction_are_found_by_the_word(cards):
    found = {page for said, _, page, *_ in cards if "induction" in said}
    assert {"notebooks/11a_induction_by_hand", "notebooks/11b_induction_learned"} <= found


def test_words_of_a_figure_are_text():
    spec = {
        "title": "<b>",
        "do": 'say "a" & b',
        "caption": "",
        "name": "x",
        "controls": [],
        "views": [],
        "labels": {},
    }
    made = gallery.card(spec, "L", gallery.words(spec, "L", "1_l"), "a.html", "alone.html", "p.svg", 1, 2)
    assert "<b>" not in made
    assert 'data-words="&lt;b&gt; say &quot;a&quot; &amp; b l 1 l x"' in made
