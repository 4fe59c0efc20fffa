"""A trained model in the page: loaded when asked for, it reads a sentence that is typed."""

import re

import pytest
from waiting import wait_until

from attn_lessons.studies.minilm.agreement import suggestions
from attn_lessons.studies.minilm.encoder import read_typed

FIGURE = 'figure.livetorch[data-name="own-sentence"]'
UNFOLD = """figure => {
  for (let at = figure; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
}"""


@pytest.fixture
def figure(site, chromium):
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"file://{site}/notebooks/13a_a_heads_name.html", wait_until="load")
    page.locator(FIGURE).evaluate(UNFOLD)
    yield page.locator(FIGURE)
    page.close()


def row_of(figure, text: str, word: str) -> list[float]:
    """Read the row of one word out of the figure, as many numbers as the sentence has tokens."""
    tokens, _ = read_typed(text)
    weights = figure.evaluate("figure => Array.from(figure.livetorch.outputs().weights.data)")
    start = 24 * tokens.index(word)
    return weights[start : start + len(tokens)]


def test_it_loads_when_asked_and_reads_what_is_typed_or_found(figure):
    page = figure.page
    figure.scroll_into_view_if_needed()
    load = figure.get_by_role("button", name="Load them")
    load.wait_for()
    said = figure.locator(".lt-loading").text_content()
    size = re.search(r"its trained weights \((\d+\.\d) MB\)", said)
    assert size
    assert float(size[1]) <= 12
    place = "each => each.getBoundingClientRect()"
    # what is to be done first stands first
    assert load.evaluate(place)["bottom"] <= figure.locator(":scope > img").evaluate(place)["top"]
    assert figure.locator("progress").count() == 1
    load.click()
    # whoever asked is led to the figure's head, and keeps the focus
    wait_until(page, f"document.activeElement === document.querySelector('{FIGURE}.lt-mounted')")
    wait_until(page, f"Math.abs(document.querySelector('{FIGURE}').getBoundingClientRect().top - 80) < 16")
    typed = "What did the girl eat?"
    figure.get_by_label("Your sentence, for MiniLM to read").fill(typed)
    tokens, maps = read_typed(typed)
    place = 24 * tokens.index("eat") + tokens.index("what")
    wait_until(page, f"document.querySelector('{FIGURE}').livetorch.outputs().weights.data[{place}] > 0.2")
    row = row_of(figure, typed, "eat")
    assert row == pytest.approx(maps[3, 1, tokens.index("eat")].tolist(), abs=1e-4)
    assert tokens[1 + row[1:-1].index(max(row[1:-1]))] == "what"
    search = figure.get_by_label(re.compile(r"Search 324 examples"))
    search.fill(suggestions()[5])
    assert figure.get_by_label("Your sentence, for MiniLM to read").input_value() == suggestions()[5]
