"""The links to exact figure states on "How to teach with this book" open those states."""

import re

import pytest
from built_site import ROOT

PAGE = (ROOT / "book/how_to_teach.md").read_text(encoding="utf-8")
LINKS = re.findall(r"`(notebooks/\w+)\.html#lt:([\w-]+)=([^`]+)`", PAGE)


def test_the_page_shows_links_to_follow():
    assert len(LINKS) >= 2


@pytest.mark.parametrize(("page", "figure", "settings"), LINKS)
def test_a_link_of_the_page_opens_the_figure_in_that_state(open_page, page, figure, settings):
    opened = open_page(page, query=f"#lt:{figure}={settings}")
    script = """(name) => [...document.querySelectorAll("figure.livetorch")]
        .map((element) => element.livetorch)
        .find((live) => live.spec.name === name).state()"""
    state = opened.page.evaluate(script, figure)
    wanted = {name: float(value) for name, value in (part.split(":") for part in settings.split(","))}
    assert {name: float(state[name]) for name in wanted} == wanted
    assert opened.errors == []


def test_the_button_makes_the_link_that_the_page_describes(open_page):
    page, figure, settings = LINKS[0]
    opened = open_page(page, query=f"#lt:{figure}={settings}")
    place = opened.page.locator(f'figure.livetorch[data-name="{figure}"]')
    refuse = "() => { navigator.clipboard.writeText = async () => { throw new Error('no clipboard'); }; }"
    opened.page.evaluate(refuse)
    place.get_by_role("button", name="Copy link").click()
    link = place.get_by_label("Link to this state").input_value()
    assert link.endswith(f"{page}.html#lt:{figure}={settings}")
