"""What goes wrong under a hand and on a link's way: a lost press, a turned phone, a cut link, a comma."""

from pathlib import Path

import pytest
from finger import PHONE, Hand
from live_page import Opener, call
from open_number import FIGURE
from playwright.sync_api import Browser, Locator, Page
from sampling import sample
from stored_figures import BETWEEN, notebooks, write_page
from waiting import FRAMES, wait_until


def middle(element: Locator) -> tuple[float, float]:
    element.scroll_into_view_if_needed()
    box = element.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


STATE = "(figure) => JSON.stringify(figure.livetorch.state())"
HELD = pytest.mark.parametrize(
    ("notebook", "name", "what"),
    [
        ("02a_scores", "bench", ".lt-handle"),
        ("09b_another_answer_cheaper", "paint", ".lt-editable"),
    ],
)


@HELD
def test_a_press_whose_end_nobody_saw_holds_nothing(stored_page, notebook, name, what):
    page = stored_page(notebook)
    figure = page.locator(FIGURE.format(name))
    x, y = middle(figure.locator(what).first)
    mouse = page.context.new_cdp_session(page)

    def send(kind: str, by: float, buttons: int) -> None:
        event = {"type": kind, "x": x + by, "y": y + by, "buttons": buttons, "clickCount": 1}
        event["button"] = "left" if buttons else "none"
        mouse.send("Input.dispatchMouseEvent", event)
        page.evaluate(FRAMES)

    first = figure.evaluate(STATE)
    send("mousePressed", 0, 1)
    send("mouseMoved", 20, 1)
    held = figure.evaluate(STATE)
    assert held != first
    for by in (-60, 60, 90):
        send("mouseMoved", by, 0)  # it was let go over a menu of the system
    assert figure.evaluate(STATE) == held


@HELD
def test_a_phone_turned_in_the_middle_of_a_drag_lets_go(stored_page, notebook, name, what):
    page = stored_page(notebook, **PHONE)
    figure = page.locator(FIGURE.format(name))
    x, y = middle(figure.locator(what).first)
    hand = Hand(page)
    hand._send("touchStart", (x, y))
    for right in (12, 24):
        hand._send("touchMove", (x + right, y))
        page.evaluate(FRAMES)
    page.set_viewport_size({"width": 740, "height": 360})
    page.evaluate(FRAMES)
    hand._send("touchMove", (x + 30, y))
    hand._lift()
    page.set_viewport_size({"width": 360, "height": 740})
    page.evaluate(FRAMES)
    left = figure.evaluate(STATE)
    stage = figure.locator(what).first.locator("xpath=ancestor-or-self::*[contains(@class, 'lt-stage')]")
    stage.scroll_into_view_if_needed()
    box = stage.bounding_box()
    hand.move(
        (box["x"] + 8, box["y"] + box["height"] - 8), (6, -40)
    )  # no point is there, and up is no stroke
    assert figure.evaluate(STATE) == left


def test_a_finger_paints_all_the_way_and_a_stroke_that_is_taken_from_it_paints_nothing(stored_page):
    page = stored_page("09b_another_answer_cheaper", **PHONE)
    figure = page.locator(FIGURE.format("paint"))
    field = figure.locator(".lt-editable").first
    field.scroll_into_view_if_needed()
    box = field.bounding_box()
    start = (box["x"] + 0.9 * box["width"], box["y"] + 0.15 * box["height"])  # future cells, all empty
    cells = "(figure) => figure.livetorch.state().pattern.flat().filter(Boolean).length"
    before, hand = figure.evaluate(cells), Hand(page)
    hand.move(start, (-0.3 * box["width"], 0))
    assert figure.evaluate(cells) - before >= 3
    figure.evaluate("(figure) => figure.livetorch.reset()")
    hand._send("touchStart", start)
    for left in (12, 40):
        hand._send("touchMove", (start[0] - left, start[1]))
        page.evaluate(FRAMES)
    hand._send("touchCancel")
    page.evaluate(FRAMES)
    assert figure.evaluate(cells) == before


@pytest.mark.parametrize(
    ("hash", "said"),
    sample(
        [
            ("#lt:weights=width:0.3,kind:7", "The link says what this figure cannot be: Kind."),
            ("#lt:weights=width:9", "The link says what this figure cannot be: Width."),
            ("#lt:weights=sigma:1", "The link says what this figure cannot be: sigma."),
            ("#lt:bench=q:1_0_0", "The link says what this figure cannot be: q."),
            ("#lt:embed=from,words:a%20b", "The link was cut off on its way."),
            ("#lt:learn=width:1,@:7000", "The link says what this figure cannot be: steps."),
        ],
        2,
    ),
)
def test_a_link_that_does_not_fit_says_so_until_a_hand_moves_something(
    open_figures: Opener, hash: str, said: str
):
    page = open_figures(hash)
    name = hash[4 : hash.index("=")]
    page.evaluate(FRAMES)
    problem = page.locator(f"figure[data-name={name}] .lt-problem")
    assert problem.inner_text().lower() == said.lower()
    control = "m" if name == "bench" else "width" if name != "embed" else "words"
    value = {"m": "[[2, 0], [0, 1]]", "width": "0.5", "words": "'b'"}[control]
    call(page, name, f"f.set('{control}', {value})")
    page.evaluate(FRAMES)
    assert not problem.is_visible()


def test_a_link_to_a_figure_that_is_not_there_says_so(open_figures: Opener):
    page = open_figures("#lt:wei")
    assert "(wei) that is not on this page" in page.get_by_role("alert").first.inner_text()
    page.evaluate("location.hash = '#lt:weights=width:0.3'")
    wait_until(page, "!document.querySelector('.lt-lost')")
    assert call(page, "weights", "f.state().width") == 0.3


def test_a_link_followed_on_the_page_waits_for_what_its_figure_needs(chromium: Browser, tmp_path: Path):
    """The second figure is far below and needs a part of the script that has not come."""
    address = write_page(next(path for path in notebooks() if path.stem.startswith("11a")), tmp_path)
    file = next(tmp_path.glob("*.html"))
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(BETWEEN, BETWEEN.replace("260px", "3000px")), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    page.goto(address)
    figure = FIGURE.format("two-hops")
    assert page.locator(f"{figure}.lt-mounted").count() == 0
    page.evaluate("location.hash = '#lt:two-hops=skip_first:1'")
    set_there = f"document.querySelector('{figure}.lt-mounted')?.livetorch.state().skip_first === true"
    wait_until(page, set_there)
    assert abs(page.locator(figure).bounding_box()["y"]) < 400
    page.close()


def typed(page: Page, field: Locator, text: str) -> str:
    """Write over what stands in a field, as a reader does, and go on; gives what stands there then."""
    field.click(click_count=3)
    page.keyboard.type(text)
    page.keyboard.press("Tab")
    page.evaluate(FRAMES)
    return field.input_value()


def test_number_fields_read_what_people_type(stored_page):
    page = stored_page("09a_same_answer_less_memory")
    figure = page.locator(FIGURE.format("read-tile"))
    field = figure.locator("input[type=number]").first  # from 1 to 9999
    note = figure.locator(".lt-cells .lt-note").first
    assert typed(page, field, "2,5") == "2.5"
    assert note.inner_text() == ""
    assert typed(page, field, "0.25") == "1"  # the 0 on the way was not made a 1
    assert note.inner_text() == "0.25 is below 1, so it became 1."
    assert typed(page, field, "1e9") == "9999"
    assert note.inner_text() == "1000000000 is above 9999, so it became 9999."
    assert typed(page, field, "--5") == "9999"
    assert note.inner_text() == "That was no number, so it is 9999 again."


def test_a_field_without_bounds_takes_no_number_that_breaks_the_figure(stored_page):
    page = stored_page("06a_self_attention")
    figure = page.locator(FIGURE.format("example"))
    field = figure.locator("input[type=number]").first
    assert typed(page, field, "1e30") == "1000000000"
    assert "NaN" not in figure.inner_text()


REFUSED = {
    "forbidden": """Object.defineProperty(window, "localStorage",
      { configurable: true, get() { throw new DOMException("denied", "SecurityError"); } })""",
    "full": "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
}


@pytest.mark.parametrize("how", REFUSED)
def test_where_a_browser_keeps_nothing_the_page_works_all_the_same(chromium: Browser, server: str, how: str):
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    page.add_init_script(REFUSED[how])
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{server}/notebooks/02a_scores.html")
    mode = "document.documentElement.dataset.mode"
    first = page.evaluate(mode)
    page.locator(".theme-switch-button:visible").first.click()
    assert page.evaluate(mode) != first
    page.get_by_label("Code on the pages").select_option("none")
    question = page.locator(".lt-question").first
    question.get_by_role("button", name="Show the answer").click()
    assert page.locator(".lesson-done-here span").inner_text().startswith("Done: 1 of ")
    page.locator(".lesson-done-here").get_by_role("button", name="Clear").click()
    assert page.locator(".lesson-done-here span").inner_text().strip() == ""
    assert errors == []
    page.close()
