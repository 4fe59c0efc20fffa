"""What the reader has done of a lesson, at its head and on the first page's map: counted, forgotten."""

import json

import pytest
from playwright.sync_api import expect
from sampling import sample
from waiting import wait_until

LESSON = "notebooks/02a_scores"
HEAD = ".lesson-done-here"
KEPT = "(key) => localStorage.getItem(`attention-live ${key} ${location.pathname}`)"
SOLVE = """(name) => {
  const key = `attention-live answers ${location.pathname}`;
  const kept = JSON.parse(localStorage.getItem(key) ?? "{}");
  localStorage.setItem(key, JSON.stringify({...kept, [`check ${name}`]: true}));
  document.dispatchEvent(new Event("attention-live:progress"));
}"""


def _answer(page, place: int = 0) -> None:
    page.locator(".lt-question").nth(place).get_by_role("button", name="Show the answer").click()


def test_the_head_counts_while_the_lesson_is_worked_at_and_forgets_it(open_page):
    page = open_page(LESSON).page
    said = page.locator(f"{HEAD} span")
    assert said.inner_text().strip() == ""
    assert page.locator(f"{HEAD} button:visible").count() == 0
    asked = page.locator(HEAD).get_attribute("data-asked")
    _answer(page)
    assert said.inner_text() == f"Done: 1 of {asked} answered."
    page.evaluate(SOLVE, "scaled-scores")  # as the page's editors do
    assert said.inner_text() == f"Done: 1 of {asked} answered, exercise solved."
    _answer(page, 1)
    assert said.inner_text() == f"Done: 2 of {asked} answered, exercise solved."  # neither forgot the other
    page.locator(".prev-next-footer, .bd-footer-article").first.scroll_into_view_if_needed()
    wait_until(page, "document.querySelector('.lesson-done-here').innerText.startsWith('Done: read')")
    page.reload()
    expect(page.locator(f"{HEAD} span")).to_have_text(f"Done: read, 2 of {asked} answered, exercise solved.")
    # it forgets the lesson, and its questions are empty again
    page.evaluate("localStorage.setItem('attention-live answers /other.html', '{\"a\": [1, false]}')")
    reply = page.locator(".lt-question").first.locator(".lt-reply")
    assert reply.inner_text() != ""
    page.locator(HEAD).get_by_role("button", name="Clear").click()
    assert reply.inner_text() == ""
    assert page.locator(f"{HEAD} span").inner_text().strip() == ""
    assert page.evaluate(KEPT, "answers") is None
    assert page.evaluate("localStorage.getItem('attention-live answers /other.html')") is not None
    _answer(page)
    assert len(json.loads(page.evaluate(KEPT, "answers"))) == 1


def test_a_lesson_with_all_questions_answered_has_its_mark_on_the_map(open_page):
    opened = open_page(LESSON)
    page = opened.page
    asked = int(page.locator(HEAD).get_attribute("data-asked"))
    entry = json.dumps({f"question {n}": [0, False] for n in range(asked + 2)})  # two of an older edition
    page.evaluate(
        "(text) => localStorage.setItem(`attention-live answers ${location.pathname}`, text)", entry
    )
    card = f".lesson-map a[href*='{LESSON}']"
    for read in (False, True):
        if read:
            page.evaluate("localStorage.setItem(`attention-live read ${location.pathname}`, '1')")
        page.goto(page.url.replace(LESSON, "book/intro"))
        expect(page.locator(f"{card} .lesson-done")).to_contain_text(f"{asked} of {asked} answered")
        assert (page.locator(card).get_attribute("data-done") is not None) == read
        page.go_back()
    assert opened.errors == []


@pytest.mark.parametrize("entry", sample(["not JSON", "null", "[1]", '"text"'], 1))
def test_nonsense_that_something_else_kept_does_no_harm(open_page, entry):
    opened = open_page(LESSON)
    page = opened.page
    page.evaluate(
        "(text) => localStorage.setItem(`attention-live answers ${location.pathname}`, text)", entry
    )
    page.reload()
    opened.come_alive()
    _answer(page)
    assert "1 of " in page.locator(HEAD).inner_text()
    assert opened.errors == []


def test_nothing_moves_when_the_head_is_counted_and_without_javascript_there_is_no_line(open_page):
    page = open_page(LESSON, width=360).page
    below = ".lesson-head + *"
    place = page.locator(below).bounding_box()["y"]
    _answer(page)
    assert page.locator(below).bounding_box()["y"] == place
    assert open_page(LESSON, javascript=False).page.locator(HEAD).is_hidden()
