"""Questions of the built book: answered by mouse and by keyboard, on a phone, from disk; read unscripted."""

import json
import re

import pytest
from built_site import ROOT, pages
from finger import PHONE, Hand
from sampling import sample
from waiting import FRAMES, STILL, wait_for, wait_until

CHAPTERS = [name for name in pages() if name.startswith("notebooks/")]
STORED = re.compile(r'class=\\"livetorch lt-question\\"')
ASKING = [name for name in CHAPTERS if STORED.search((ROOT / f"{name}.ipynb").read_text(encoding="utf-8"))]
CHAPTER = "notebooks/02a_scores"  # has a question of each kind


def specs(name: str) -> list[dict]:
    """The questions of a notebook, as it stores them."""
    notebook = json.loads((ROOT / f"{name}.ipynb").read_text(encoding="utf-8"))
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", ())]
    html = ["".join(output.get("data", {}).get("text/html", "")) for output in outputs]
    return [
        json.loads(re.search(r'<script type="application/json">(.*?)</script>', text, re.DOTALL)[1])
        for text in html
        if "livetorch lt-question" in text
    ]


def of_kind(kind: str) -> dict:
    """The first question of a kind in the chapter that is driven."""
    return next(spec for spec in specs(CHAPTER) if spec["kind"] == kind)


def card(page, spec: dict):
    """The element of a question."""
    return page.locator(f'.lt-question[data-name="{spec["name"]}"]')


def wrong_and_right(spec: dict) -> list:
    """An answer with a typical mistake and its reply, then the right answer and its reply."""
    if spec["kind"] == "choice":
        wrong = (spec["answer"] + 1) % len(spec["options"])
        return [(i, spec["options"][i]["why"].replace("`", "")) for i in (wrong, spec["answer"])]
    mistake = spec["mistakes"][0]
    if spec["kind"] == "number":
        return [(f"{mistake['value']}", mistake["why"]), (spec["shown"], spec["explain"])]
    return [(mistake["cells"], mistake["why"]), (spec["answer"], spec["explain"])]


def give_by_mouse(question, spec: dict, answer) -> None:
    """Enter an answer by clicking and press Check."""
    if spec["kind"] == "choice":
        question.locator(".lt-option").nth(answer).click()
    elif spec["kind"] == "number":
        question.locator("input").fill(answer)
    else:
        toggles = question.locator(".lt-toggle")
        for i, cell in enumerate("".join(answer)):
            if (toggles.nth(i).get_attribute("aria-pressed") == "true") != (cell == "1"):
                toggles.nth(i).click()
    question.get_by_role("button", name="Check").click()


def give_by_keyboard(page, question, spec: dict, answer) -> None:
    """Enter an answer with keys only and press Enter on Check."""
    press = page.keyboard.press
    if spec["kind"] == "choice":
        question.locator("input").first.focus()
        press("Space")
        for _ in range(answer):
            press("ArrowDown")
    elif spec["kind"] == "number":
        question.locator("input").focus()
        press("Control+A")
        page.keyboard.type(answer)
    else:
        question.locator('.lt-toggle[tabindex="0"]').focus()
        for _ in range(12):
            press("ArrowUp")
            press("ArrowLeft")
        for r, row in enumerate(answer):
            steps = list(enumerate(row)) if r % 2 == 0 else list(enumerate(row))[::-1]
            for n, (_, cell) in enumerate(steps):
                pressed = page.evaluate("document.activeElement.getAttribute('aria-pressed')")
                if (pressed == "true") != (cell == "1"):
                    press("Space")
                if n < len(steps) - 1:
                    press("ArrowRight" if r % 2 == 0 else "ArrowLeft")
            press("ArrowDown")
    if spec["kind"] == "number":
        press("Enter")
        return
    press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Check"
    press("Enter")


def reply(question) -> tuple[str, str]:
    """What a question says, and whether that is right, wrong or shown."""
    element = question.locator(".lt-reply")
    return element.text_content(), element.get_attribute("data-kind")


@pytest.fixture(scope="module", params=sample([("http", 1280), ("file", 360)], 0, [("file", 360)]))
def by_mouse(request, opening):
    """The chapter, opened once for all kinds of questions."""
    scheme, width = request.param
    with opening(CHAPTER, scheme=scheme, width=width) as opened:
        yield opened


@pytest.fixture(scope="module")
def by_keyboard(opening):
    """The chapter on a phone, opened once for all kinds of questions."""
    with opening(CHAPTER, width=360) as opened:
        yield opened


@pytest.mark.parametrize("kind", ["choice", "number", "cells"])
def test_a_question_replies_to_the_mouse(by_mouse, kind):
    opened, spec = by_mouse, of_kind(kind)
    question = card(opened.page, spec)
    for (answer, why), outcome in zip(wrong_and_right(spec), ["wrong", "right"], strict=True):
        give_by_mouse(question, spec, answer)
        said, told = reply(question)
        assert why in said
        assert told == outcome
    assert (opened.foreign, opened.overflow() <= 0) == ([], True)


def test_the_page_moves_by_the_least_that_shows_the_reply(open_page):
    page = open_page("notebooks/09b_another_answer_cheaper").page
    question = page.locator(".lt-question").first
    question.get_by_role("button", name="Show the answer").click()
    wait_until(page, "scrollY > 0")
    page.evaluate(STILL)
    end = question.locator(".lt-reply").evaluate("e => innerHeight - e.getBoundingClientRect().bottom")
    assert 0 <= end < 20
    page.evaluate("scrollTo(0, 0)")
    assert question.locator(".lt-reply").evaluate("e => e.getBoundingClientRect().bottom > innerHeight")


@pytest.mark.parametrize("kind", ["choice", "number", "cells"])
def test_a_question_replies_to_the_keyboard(by_keyboard, kind):
    page, spec = by_keyboard.page, of_kind(kind)
    question = card(page, spec)
    for (answer, why), outcome in zip(wrong_and_right(spec), ["wrong", "right"], strict=True):
        give_by_keyboard(page, question, spec, answer)
        said, told = reply(question)
        assert why in said
        assert told == outcome


def test_cells_are_painted_by_dragging(open_page):
    page, spec = open_page(CHAPTER).page, of_kind("cells")
    toggles = card(page, spec).locator(".lt-toggle")
    toggles.first.scroll_into_view_if_needed()
    page.evaluate(STILL)  # sections above come into being while the page scrolls
    start, end = toggles.first.bounding_box(), toggles.nth(len(spec["cols"]) - 1).bounding_box()
    page.mouse.move(start["x"] + 5, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(end["x"] + 5, end["y"] + 5, steps=20)
    page.mouse.up()
    pressed = toggles.evaluate_all("all => all.map((each) => each.getAttribute('aria-pressed'))")
    assert pressed == ["true"] * len(spec["cols"]) + ["false"] * (len(pressed) - len(spec["cols"]))


def test_a_finger_over_cells_scrolls_or_paints_and_a_tap_paints(chromium, server):
    context = chromium.new_context(**PHONE)
    page = context.new_page()
    page.goto(f"{server}/{CHAPTER}.html")
    toggles, hand = card(page, of_kind("cells")).locator(".lt-toggle"), Hand(page)
    pressed = "all => all.filter((each) => each.getAttribute('aria-pressed') === 'true').length"
    for by, painted in (((3, -120), 0), ((0, 0), 1)):
        toggles.first.evaluate("e => e.scrollIntoView({ block: 'center', behavior: 'instant' })")
        box = toggles.first.bounding_box()
        hand.move((box["x"] + 12, box["y"] + 30), by)
        page.evaluate(FRAMES)
        assert toggles.evaluate_all(pressed) == painted
    columns = len(of_kind("cells")["cols"])
    box, far = toggles.nth(columns).bounding_box(), toggles.nth(2 * columns - 1).bounding_box()
    hand.move((box["x"] + 12, box["y"] + 18), (far["x"] - box["x"], 4))
    assert toggles.evaluate_all(pressed) == 1 + columns  # the whole second row, and no gap
    context.close()


@pytest.mark.parametrize("scheme", sample(["http", "file"], 0, ["http"]))
def test_answers_are_remembered_in_this_browser_until_the_reader_says_forget(open_page, scheme):
    page, spec = open_page(CHAPTER, scheme=scheme).page, of_kind("number")
    give_by_mouse(card(page, spec), spec, spec["shown"])

    later = page.context.new_page()  # the first stays open: what is stored goes through another process
    later.goto(page.url)

    def kept() -> bool:
        later.reload()
        return card(later, spec).locator("input").input_value() == spec["shown"]

    wait_for(later, kept, "the answer is remembered")
    assert reply(card(later, spec))[1] == "right"
    assert page.context.cookies() == []
    later.get_by_role("button", name="Forget my answers").click()

    def forgotten() -> bool:
        later.reload()
        return card(later, spec).locator("input").input_value() == ""

    wait_for(later, forgotten, "the answer is forgotten")
    assert later.evaluate("Object.keys(localStorage).filter((key) => key.includes('answers'))") == []


@pytest.mark.parametrize("theme", sample(["light", "dark"], 1))
def test_questions_with_wrong_answers_have_no_serious_accessibility_fault(open_page, theme):
    opened = open_page(CHAPTER, theme=theme, width=360)
    for kind in ("choice", "number", "cells"):
        spec = of_kind(kind)
        give_by_mouse(card(opened.page, spec), spec, wrong_and_right(spec)[0][0])
        assert reply(card(opened.page, spec))[1] == "wrong"
    assert opened.axe(".lt-question, .lt-forget") == []


def test_every_page_asks_three_questions_of_two_kinds_with_names_of_their_own():
    asked = {name: specs(name) for name in ASKING}
    assert [name for name, found in asked.items() if len(found) < 3] == []
    assert [name for name, found in asked.items() if len({spec["kind"] for spec in found}) < 2] == []
    assert [name for name, found in asked.items() if len({spec["name"] for spec in found}) < len(found)] == []


def test_every_chapter_asks_for_a_number_and_lets_readers_draw():
    """A chapter may be several lessons, as 02a and 02b; in the first, readers only choose and count."""
    kinds: dict[str, set[str]] = {}
    for name in ASKING:
        if found := re.match(r"notebooks/(\d\d)", name):
            kinds.setdefault(found[1], set()).update(spec["kind"] for spec in specs(name))
    assert [number for number, found in kinds.items() if "number" not in found] == []
    assert [number for number, found in kinds.items() if "cells" not in found] == []


def test_without_javascript_the_answer_is_folded_under_the_question(open_page):
    page = open_page(CHAPTER, javascript=False).page
    for spec in specs(CHAPTER):
        question, details = card(page, spec), card(page, spec).locator("details")
        assert spec["question"].replace("`", "") in question.text_content()
        assert details.locator("summary").text_content() == "Answer"
        assert not details.locator(":scope > :not(summary)").first.is_visible()
        details.locator("summary").click()
        right = spec.get("explain") or spec["options"][spec["answer"]]["why"]
        assert right.replace("`", "") in details.text_content()
        assert details.locator(":scope > :not(summary)").first.is_visible()
