"""What would answer a question is veiled until the reader has answered or asks to see it; nothing is lost."""

import pytest
from editing import FIGURE, press_switch
from playwright.sync_api import expect
from sampling import sample

LESSON = "notebooks/03a_masked_softmax"
ANSWER = "on padding"


def figure(page):
    """The figure that veils the answer to the lesson's first question."""
    return page.locator("figure.livetorch:has([data-veiled])").first


def on_top(page, view) -> bool:
    """Tell whether a finger meets a view's veil in its middle, and nothing beside it is painted."""
    view.scroll_into_view_if_needed()
    return view.evaluate(
        """(view) => { const { x, y, width, height } = view.getBoundingClientRect();
        const beside = [...view.children].filter((part) => !part.matches(".lt-view-title, .lt-veil"));
        // a sheet whose cells are all alike
        const isSheet = (part) => getComputedStyle(part).filter.startsWith("brightness(0)");
        const asked = { opacityProperty: true, visibilityProperty: true };
        const seen = (part) => part.checkVisibility(asked) && !isSheet(part);
        const words = ".lt-axis-title, .lt-axis *, .lt-row-name, .lt-arc-box, .lt-arc-text"; // what is asked
        const parts = beside.flatMap((part) => [part, ...part.querySelectorAll("*")]);
        const painted = parts.some((part) => !part.matches(`.lt-stage, svg, g, ${words}`) && seen(part));
        const met = document.elementFromPoint(x + width / 2, y + height / 2);
        return Boolean(beside.length && !painted && met.closest(".lt-veil")); }"""
    )


# the ticks of a map that the words over it cover
COVERED = """(view) => {
  const [words, ticks] = [".lt-veil > *", ".lt-axis text"].map((css) => [...view.querySelectorAll(css)]);
  const met = (one, other) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  const box = (each) => each.getBoundingClientRect();
  const covered = (tick) => words.some((word) => met(box(word), box(tick)));
  return ticks.filter(covered).map((one) => one.textContent); }"""


def question(page):
    """The question before it."""
    return page.locator(".figure-block:has(figure[data-name='leave-out']) .lt-question").first


def guess(page) -> None:
    """Answer it wrongly, twice."""
    asked = question(page)
    for at in (0, 1):
        asked.locator(".lt-option").nth(at).click()
        asked.get_by_role("button", name="Check").click()
        expect(asked.locator(".lt-reply[data-kind='wrong']")).to_have_count(1)
        if at == 0:
            expect(page.locator(".lt-veil > span")).to_have_text("One more guess. ")
            expect(page.locator("[data-veiled]")).to_have_count(3)
            asked.get_by_role("button", name="Start over").click()


@pytest.mark.parametrize("theme", sample(["light", "dark"], 1))
def test_a_key_on_the_button_lifts_the_veil_and_keeps_the_focus(open_page, theme):
    opened = open_page(LESSON, theme=theme)
    page = opened.page
    expect(figure(page)).to_have_count(1)
    views = page.locator("[data-veiled]")
    assert views.count() == 3
    assert all(on_top(page, views.nth(i)) for i in range(3))
    edges = page.locator(".lt-veil").evaluate_all(
        "(all) => all.map((one) => getComputedStyle(one).borderTopStyle)"
    )
    assert page.locator(".lt-view-heatmap:has(.lt-veil .lt-button)").evaluate(COVERED) == []
    assert set(edges) == {"solid"}  # dashes are around what opens
    said = page.locator("figure[data-name='leave-out'] .lt-view-number .lt-stage")
    assert "0.33" in said.get_attribute("aria-label")  # a screen reader has it
    assert opened.axe("figure[data-name='leave-out']") == []
    how = page.locator("figure[data-name='leave-out'] .lt-how")
    how.click()  # it is there, says that the numbers wait, and offers none of them
    invited = page.locator("figure[data-name='leave-out'] .lt-open")
    expect(invited.locator(".lt-invite")).to_contain_text("after your guess")
    assert "0.33" not in invited.inner_text()
    button = page.get_by_role("button", name="Just show me")
    expect(button).to_have_count(1)
    button.focus()
    page.keyboard.press("Enter")
    expect(views).to_have_count(0)
    expect(page.locator(".lt-veil")).to_have_count(0)
    expect(how).to_be_visible()
    expect(invited.locator(".lt-starts button").first).to_be_visible()
    assert page.evaluate("document.activeElement.dataset.name") == "leave-out"


def test_a_run_without_a_change_leaves_it_and_a_guess_lifts_it_from_what_was_made_again(open_page):
    page = open_page(LESSON).page
    lesson = press_switch(page)
    old = page.locator(f"#out-{FIGURE} figure").element_handle()
    assert lesson.run(FIGURE) == "ran"
    page.locator(f"#out-{FIGURE} figure.lt-mounted").wait_for()
    assert not old.evaluate("(figure) => figure.isConnected")
    expect(page.locator("[data-veiled]")).to_have_count(3)
    guess(page)
    expect(page.locator("[data-veiled]")).to_have_count(0)


def test_an_answer_lifts_it_at_once_and_on_the_next_visit(open_page):
    page = open_page(LESSON).page
    expect(figure(page)).to_have_count(1)
    guess(page)
    expect(page.locator("[data-veiled]")).to_have_count(0)
    page.reload()
    page.locator("figure[data-name='leave-out'].lt-mounted").wait_for()
    expect(page.locator("[data-veiled]")).to_have_count(0)


def test_curves_over_what_hands_move_are_hidden_and_the_hands_are_not(open_page):
    page = open_page("notebooks/01a_weighted_average", width=390, has_touch=True, is_mobile=True).page
    view = page.locator("[data-veiled='curves']")
    expect(view).to_have_count(1)
    assert not view.locator(".lt-curve").is_visible()
    assert view.locator(".lt-handle").first.is_visible()
    page.get_by_role("button", name="Just show me").tap()
    expect(view).to_have_count(0)
    expect(page.locator("figure[data-name='thermometer'] .lt-curve").first).to_be_visible()


def test_paper_a_link_to_a_state_and_a_page_without_scripts_show_all(open_page):
    page = open_page(LESSON).page
    expect(figure(page)).to_have_count(1)
    page.emulate_media(media="print")
    assert not page.locator(".lt-veil").first.is_visible()
    page.emulate_media(media="screen")
    address = page.url.split("#")[0]
    for state, veiled in (("", 3), ("words_only:1", 0)):
        page.goto(f"{address}?{veiled}#lt:leave-out={state}")
        page.locator("figure[data-name='leave-out'].lt-mounted").wait_for()
        expect(page.locator("[data-veiled]")).to_have_count(veiled)
    bare = open_page(LESSON, javascript=False).page
    assert bare.locator("figure[data-name='leave-out'] > img").is_visible()
