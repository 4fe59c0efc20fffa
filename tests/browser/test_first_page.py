"""The first page in a browser: something to touch in the first screen, a memory that can be cleared."""

import re
from pathlib import Path

import changed
import pytest
from playwright.sync_api import expect
from sampling import sample
from waiting import STILL, wait_until

CHAPTER = "notebooks/02a_scores"
CHANGED = [Path(page).name for page in changed.pages()]


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (360, 740)])
def test_a_live_figure_stands_in_the_first_screen(open_page, width, height):
    opened = open_page("book/intro", width=width)
    card = opened.page.locator(".hero .lt-card")
    tokens = card.locator(".lt-view").first.bounding_box()
    assert tokens["y"] < height - 60
    assert card.bounding_box()["y"] < height / 2
    before = card.inner_text()
    card.get_by_role("button", name="March 5, 2024").click()
    wait_until(opened.page, "before => document.querySelector('.hero .lt-card').innerText !== before", before)
    assert card.locator("input").first.input_value() == "March 5, 2024"
    assert (opened.errors, opened.foreign, opened.overflow() <= 0) == ([], [], True)


@pytest.mark.parametrize(
    ("width", "touch"),
    sample([(360, True), (412, True), (768, True), (360, False), (900, False), (1280, False)], 1),
)
def test_the_room_of_the_first_figure_is_there_before_its_script(chromium, server, width, touch):
    context = chromium.new_context(viewport={"width": width, "height": 740}, has_touch=touch, is_mobile=touch)
    page = context.new_page()
    page.goto(f"{server}/book/intro.html")
    height = "document.querySelector('.hero figure').getBoundingClientRect().height"
    wait_until(page, "document.querySelector('.hero figure').matches('.lt-mounted')")
    alive = page.evaluate(height)
    page.route("**/livetorch.js*", lambda route: route.abort())
    page.reload()
    assert page.locator(".hero figure > img").is_visible()
    near = 24 if width < 576 else 2  # a line of words more or less, below the first screen
    assert page.evaluate(height) == pytest.approx(alive, abs=near)
    context.close()


def test_without_javascript_the_first_page_shows_pictures(open_page):
    page = open_page("book/intro", javascript=False).page
    pictures = page.locator(".lent figure > img")
    assert pictures.count() == 3
    assert pictures.first.is_visible()


@pytest.mark.parametrize(("width", "height", "screens"), [(1280, 800, 4.6), (390, 844, 6.5)])
def test_the_first_page_is_short_and_shows_every_lesson(chromium, server, width, height, screens):
    context = chromium.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.goto(f"{server}/book/intro.html")
    page.locator(".hero figure.lt-mounted").wait_for()
    assert page.evaluate("document.documentElement.scrollHeight") <= screens * height
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for part in page.locator(".lesson-part").all():
        visible, fold = part.locator("a:visible"), part.locator("summary")
        lefts = visible.evaluate_all("all => all.map((one) => one.getBoundingClientRect().left)")
        assert part.locator("h3").bounding_box()["x"] == min(lefts) <= max(lefts) < width - 40
        lessons = part.locator("a").count()
        assert len(lefts) == (4 if width == 390 else lessons)
        assert fold.is_visible() == (width == 390)
        if width == 390:
            fold.click()
            assert (visible.count(), fold.inner_text()) == (lessons, "Only the first four")
            fold.click()
    text, first, second = (
        page.locator(css) for css in (".lent-wrote", "[data-name=write]", "[data-name=own-sentence]")
    )
    assert text.is_visible()
    assert first.locator(".lt-do").count() == 0
    ends = [one.locator("summary").bounding_box()["y"] for one in (first, second)]
    if width == 1280:
        assert abs(ends[0] - ends[1]) <= 48  # neither card has a hole below its picture
    context.close()


def test_on_a_phone_no_control_of_the_first_page_slides_under_a_picture(chromium, server):
    context = chromium.new_context(**PHONE)
    page = context.new_page()
    page.goto(f"{server}/book/intro.html")
    page.locator(".hero figure.lt-mounted").wait_for()
    page.evaluate("document.querySelector('[data-name=write]').livetorch.ready")
    assert page.locator("[data-name=write] .lt-do").inner_text().strip().startswith("Press Write")
    field, picture = (page.locator(f".hero {css}").first.bounding_box() for css in ("input", ".lt-leading"))
    assert field["y"] + field["height"] < picture["y"] < 844 - 150  # both on the first screen
    page.evaluate("document.querySelector('[data-name=own-sentence]').livetorch.ready")
    assert page.locator(".miniatures :is(.lt-search, .lt-checkbox):visible").count() == 0
    held = page.locator(".lt-leading").evaluate_all("all => all.map((e) => getComputedStyle(e).position)")
    assert held == ["static"] * 3
    context.close()


def test_what_is_loaded_says_and_shows_what_its_still_did(chromium, server):
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{server}/book/intro.html")
    write, heads = (page.locator(f"[data-name={name}]") for name in ("write", "own-sentence"))
    wrote = page.locator(".lent-wrote > b").inner_text()
    page.evaluate("document.querySelector('[data-name=write]').livetorch.ready")
    assert f"it wrote “{wrote}”" in write.inner_text()
    page.evaluate("document.querySelector('[data-name=own-sentence]').livetorch.ready")
    first, last = (heads.locator(".lt-arc-box").nth(at).bounding_box() for at in (0, 1))
    assert abs(first["x"] - last["x"]) < 2 < last["y"] - first["y"]  # columns, as in the still
    assert heads.locator(".lt-search").is_hidden()
    page.close()


def test_who_only_read_past_the_first_figure_goes_on_there(open_page):
    page = open_page(CHAPTER).page
    last = "localStorage.getItem('attention-live last')"
    assert page.evaluate(last) is None
    page.locator(".prev-next-footer, .bd-footer-article").first.scroll_into_view_if_needed()
    wait_until(page, last)
    page.goto(page.url.replace(CHAPTER, "book/intro"))
    assert page.locator(".this-book a").inner_text().startswith("Continue with 2a ")


@pytest.mark.parametrize("lesson", sample([CHAPTER, "notebooks/06b_attention_or_convolution"], 1))
def test_the_map_says_what_the_reader_has_done_until_told_to_forget(open_page, lesson):
    page = open_page(lesson).page
    question = page.locator(".lt-question").first
    question.get_by_role("button", name="Show the answer").click()
    page.locator(".prev-next-footer, .bd-footer-article").first.scroll_into_view_if_needed()
    wait_until(page, "Object.keys(localStorage).some((key) => key.includes(' read '))")
    page.goto(page.url.replace(lesson, "book/intro"))
    done = page.locator(f".lesson-map a[href*='{lesson}'] .lesson-done")
    assert done.is_visible()  # the part in which the reader goes on is open
    assert "read, 1 of " in done.inner_text()
    assert page.locator(".lesson-done:not(:empty)").count() == 1
    begin = page.locator(".this-book a")  # the reader answered a question, and goes on there
    assert begin.inner_text().startswith(f"Continue with {lesson[11:13]} ")
    assert re.search(rf"{lesson}\.html#.+", begin.get_attribute("href"))
    assert page.locator(".part-done:not(:empty)").all_inner_texts()[0].startswith("1 of ")
    said = page.locator(".done-sum").inner_text()
    assert said.startswith("You have read 1 of ")
    assert " and answered 1 of " in said
    page.locator(".done-note").scroll_into_view_if_needed()  # the figures above it wake
    page.evaluate(STILL)  # a button that moves under the pointer is not pressed
    page.locator(".done-note").get_by_role("button", name="Forget it").click()
    expect(done).to_have_text("")
    expect(begin).to_have_text(re.compile("^Start: What was"))
    assert page.evaluate("Object.keys(localStorage).filter((key) => / (read|answers) /.test(key))") == []


LOWEST = "all => scrollY + Math.max(...all.map((one) => one.getBoundingClientRect().bottom))"
COUNTED = """() => {
  const { asked } = document.querySelector(".lesson-done-here").dataset;
  const done = Object.fromEntries([...Array(Number(asked)).keys(), "check it"].map((name) => [name, true]));
  localStorage.setItem(`attention-live read ${location.pathname}`, "1");
  localStorage.setItem(`attention-live answers ${location.pathname}`, JSON.stringify(done));
  document.dispatchEvent(new Event("attention-live:progress"));
  const box = (css) => document.querySelector(css).getBoundingClientRect();
  const [topic, count] = [".lesson-topic > :last-child", ".lesson-done-here > span"].map(box);
  return count.width > 200 && (count.left - topic.right >= 12 || count.top >= topic.bottom);
}"""
HIGH = ["05a_bottleneck", "06a_self_attention", "08e_encoder_and_decoder", "09d_nothing_twice"]
HIGH += ["02b_scaling", "09c_move_the_brackets", "10b_inside_the_writer", "13a_a_heads_name"]
LONG = [
    "06a_self_attention",
    "04a_additive_attention",
    "09a_same_answer_less_memory",
    "09b_another_answer_cheaper",
]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SHEET = "12b_looked_at_or_needed", "figure[data-name=read]"


@pytest.mark.parametrize("lesson", sample(HIGH, 1, CHANGED))
def test_the_pictures_of_a_high_first_figure_end_in_its_first_screen(open_page, lesson):
    page = open_page(f"notebooks/{lesson}", width=1280).page
    pictures = page.locator(".first-screen .lt-view svg")
    pictures.first.wait_for()
    assert pictures.evaluate_all(LOWEST) < 800
    assert page.evaluate(COUNTED), "the count of what is done lies over the topic"


@pytest.mark.parametrize("lesson", sample(LONG, 1, CHANGED))
def test_on_a_phone_the_first_figures_picture_begins_on_the_first_screen(chromium, server, lesson):
    context = chromium.new_context(**PHONE)
    page = context.new_page()
    page.goto(f"{server}/notebooks/{lesson}.html")
    page.locator("figure.lt-mounted .lt-view svg").first.wait_for()
    assert page.locator(".first-screen .lt-view svg").first.bounding_box()["y"] < 844 - 30
    head = page.locator(".lesson-head > :first-child").bounding_box()  # one line, under the title
    title = page.locator("article h1").bounding_box()
    assert (head["y"] - title["y"] - title["height"] < 24, head["height"] < 24) == (True, True)
    assert page.locator(".book-lesson").is_visible()  # the header says which lesson it is
    assert page.locator(".bd-header-article").evaluate("e => e.scrollWidth <= innerWidth")
    assert page.locator(".first-screen .lt-foot").bounding_box()["height"] < 60  # one line
    context.close()


@pytest.mark.parametrize("lesson", ["13a_a_heads_name", "07c_lower_with_distance", "08d_heads_learn"])
def test_the_words_of_a_first_figure_stand_under_a_short_view_of_its_last_row(open_page, lesson):
    words = open_page(f"notebooks/{lesson}", width=1280).page.locator(".first-screen .lt-held > .lt-caption")
    spare = "e => e.closest('.lt-row').getBoundingClientRect().bottom - e.getBoundingClientRect().bottom"
    assert words.evaluate(spare) >= 0
    highest = (
        "e => Math.max(...[...e.closest('.lt-row').querySelectorAll('.lt-view')].map(v => v.offsetHeight))"
    )
    assert words.evaluate(highest) + 1 > words.evaluate("e => e.closest('.lt-row').offsetHeight")


@pytest.mark.parametrize(
    ("lesson", "place", "high"),
    [("08c_transformer_block", 0, 200), ("08c_transformer_block", 1, 260), ("06a_self_attention", 0, 500)],
)
def test_on_a_phone_a_drawing_is_seen_whole(open_page, lesson, place, high):
    picture = open_page(f"notebooks/{lesson}", width=390).page.locator(".figure-inline:visible").nth(place)
    wider, tall = picture.evaluate("e => [e.scrollWidth - e.clientWidth, e.offsetHeight]")
    assert (wider, tall < high) == (0, True)


@pytest.mark.parametrize("lesson", ["02b_scaling", "09c_move_the_brackets"])
def test_a_short_figure_has_the_width_of_the_page(open_page, lesson):
    page = open_page(f"notebooks/{lesson}", width=1280).page
    words, figure = (page.locator(f".first-screen {css}") for css in (".first-words", "figure.lt-mounted"))
    assert words.bounding_box()["width"] > 500
    assert figure.last.bounding_box()["width"] > 900


def test_three_buttons_of_the_first_question_stand_in_one_row(open_page):
    question = open_page("notebooks/01a_weighted_average", width=1280).page.locator(
        ".first-screen .lt-question"
    )
    question.locator(".lt-option").first.click()
    question.get_by_role("button", name="Check").click()
    tops = question.locator(".lt-run .lt-button:visible").evaluate_all(
        "all => all.map((each) => each.offsetTop)"
    )
    assert (len(tops), len(set(tops))) == (3, 1)


def test_a_thumb_scrolls_beside_the_sheet_and_the_answer_stands_above_it(chromium, server):
    context = chromium.new_context(**PHONE)
    page = context.new_page()
    page.goto(f"{server}/notebooks/{SHEET[0]}.html")
    page.evaluate("name => { document.querySelector(name).closest('details').open = true; }", SHEET[1])
    figure = page.locator(SHEET[1])
    figure.scroll_into_view_if_needed()
    figure.get_by_role("button", name="Just show me").click()
    sheet, bars = (
        figure.locator(".lt-drawn-on").bounding_box(),
        figure.locator(".lt-view-bars").bounding_box(),
    )
    assert min(sheet["x"], 390 - sheet["x"] - sheet["width"]) >= 60
    assert bars["y"] < sheet["y"]
    assert sheet["y"] + sheet["height"] - bars["y"] < 740
    context.close()
