"""The hands that open a number: keys, the button, a click where a click edits, a finger on a phone."""

import json

import pytest
from finger import PHONE, Hand
from open_number import Panel, numbers_in
from waiting import wait_for, wait_until

STATE = "f => JSON.stringify(f.livetorch.state(), (_, v) => ArrayBuffer.isView(v) ? Array.from(v) : v)"


def test_keys_open_a_number_walk_down_and_give_the_focus_back(stored_page):
    page = stored_page("06c_what_it_costs")
    panel = Panel(page, "sentence")
    stage = panel.figure.locator(".lt-view-heatmap .lt-stage")
    stage.focus()
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    panel.settle()
    assert panel.name() == "weights[weather, weather]"
    assert page.evaluate("document.activeElement.className") == "lt-made"
    for key in ("Tab", "Enter"):
        page.keyboard.press(key)
    assert len(panel.crumbs()) == 2
    page.keyboard.press("Escape")
    assert not panel.is_open()
    assert stage.evaluate("each => each === document.activeElement")
    table = panel.figure.locator(".lt-view-table .lt-wide").first
    table.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    panel.settle()
    assert panel.name() == "output[weather, 2nd]"


def test_keys_are_listed_where_the_focus_is_and_the_letter_can_be_switched_off(stored_page):
    page = stored_page("06c_what_it_costs")
    panel = Panel(page, "sentence")
    stage = panel.figure.locator(".lt-view-heatmap .lt-stage")
    page.locator("body").press("?")
    assert page.get_by_role("dialog").count() == 0, "no figure has the focus"
    stage.press("?")
    listed = page.get_by_role("dialog")
    listed.wait_for()
    assert "Ctrl+Z" in listed.inner_text()
    listed.get_by_role("button", name="Switch the keys o and ? off").click()
    page.keyboard.press("Escape")
    assert listed.count() == 0
    stage.focus()
    for key in ("ArrowDown", "o"):
        page.keyboard.press(key)
    page.wait_for_timeout(500)
    assert not panel.is_open()
    page.keyboard.press("Enter")
    panel.settle()
    assert panel.is_open()


# The numbers of a figure that an offer lies over.
COVERED = r"""(offer) => {
  const own = offer.getBoundingClientRect();
  const along = (box, from, to) => box[from] < own[to] && own[from] < box[to];
  const over = (box) => along(box, "left", "right") && along(box, "top", "bottom");
  return [...offer.closest("figure").querySelectorAll(".lt-view text")]
    .filter((one) => /^[−\d.]+$/.test(one.textContent) && !one.closest(".tick"))
    .filter((one) => over(one.getBoundingClientRect()))
    .map((one) => one.textContent);
}"""


def test_a_number_on_which_a_mouse_rests_offers_to_say_where_it_comes_from(stored_page):
    page = stored_page("06c_what_it_costs")
    panel = Panel(page, "sentence")
    offer = panel.figure.locator(".lt-offer")
    stage = panel.figure.locator(".lt-view-heatmap .lt-stage")
    cell = {"x": stage.bounding_box()["width"] / 2, "y": stage.bounding_box()["height"] / 2}
    stage.hover(position=cell)
    offer.wait_for()
    assert offer.evaluate(COVERED) == []
    page.mouse.move(1, 1)
    wait_until(page, "!document.querySelector('.lt-offer')")
    stage.hover(position=cell)
    offer.get_by_role("button", name="Where does").click()
    panel.settle()
    assert panel.is_open()
    assert offer.count() == 0


def test_a_click_on_an_edited_map_edits_and_the_button_makes_it_open(stored_page):
    page = stored_page("03b_minus_infinity")
    panel = Panel(page, "laboratory")
    before = panel.figure.evaluate(STATE)
    panel.ask(panel.views()[0], opens=False)
    assert panel.figure.evaluate(STATE) != before
    assert not panel.is_open()
    button = panel.figure.get_by_role("button", name="Open a number")
    button.click()
    panel.element.locator(".lt-invite").wait_for(state="visible")
    assert button.get_attribute("aria-pressed") == "true"
    before = panel.figure.evaluate(STATE)
    panel.ask(panel.views()[0])
    assert panel.figure.evaluate(STATE) == before
    assert panel.name().startswith("weights[")
    assert button.get_attribute("aria-pressed") == "false"
    panel.ask(panel.views()[0])
    assert panel.figure.evaluate(STATE) != before, "then a click edits again"
    assert panel.is_open()
    for key in ("Escape", "o"):
        panel.figure.locator(".lt-editable").first.press(key)
    panel.settle()
    assert panel.name().startswith("weights[")


def test_a_veiled_view_is_not_framed_among_those_whose_numbers_open(stored_page):
    page = stored_page("02a_scores")
    panel = Panel(page, "two-keys")
    views = panel.figure.locator(".lt-view")
    views.first.evaluate("(view) => { view.dataset.veiled = 'whole'; }")
    panel.figure.get_by_role("button", name="Open a number").click()
    panel.element.locator(".lt-invite").wait_for(state="visible")
    frames = views.evaluate_all("(all) => all.map((one) => getComputedStyle(one, '::after').borderTopStyle)")
    assert (frames[0], set(frames[1:])) == ("none", {"dashed"})


def test_what_comes_to_lie_under_a_resting_mouse_is_not_coloured_until_it_moves(stored_page):
    page = stored_page("06a_self_attention")
    panel = Panel(page, "example")
    panel.figure.get_by_role("button", name="Open a number").click()
    panel.element.locator(".lt-starts button").first.click()
    page.mouse.move(0, 0)
    paint = "(term) => [term.matches(':hover'), getComputedStyle(term).backgroundColor]"
    term = panel.terms().first
    _, plain = term.evaluate(paint)
    term.hover()
    assert term.evaluate(paint)[1] != plain
    term.press("Enter")
    panel.element.locator(".lt-crumb").last.press("Enter")
    panel.settle()
    assert term.evaluate(paint) == [True, plain]
    box = term.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2 + 1, box["y"] + box["height"] / 2 + 1)
    assert term.evaluate(paint)[1] != plain


def test_the_button_by_itself_leads_keys_to_every_output(stored_page):
    page = stored_page("13b_does_a_map_explain")
    panel = Panel(page, "slide")
    panel.figure.get_by_role("button", name="Open a number").press("Enter")
    panel.element.locator(".lt-invite").wait_for(state="visible")
    panel.element.locator(".lt-starts button").first.press("Enter")
    assert numbers_in(panel.value())
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.textContent") == "Open a number"


def test_a_dragged_point_opens_its_coordinates(stored_page):
    page = stored_page("02a_scores")
    panel = Panel(page, "bench")
    handle = panel.figure.locator(".lt-handle").first
    handle.focus()
    handle.press("o")
    panel.settle()
    wanted = json.loads(panel.figure.evaluate(STATE))["queries"][0]
    assert numbers_in(panel.line()) == pytest.approx(wanted, abs=0.006)
    panel.down(1)
    assert "you set it" in panel.line()


def test_on_a_phone_a_tap_opens_a_sheet_that_leaves_the_number_in_sight(stored_page):
    page = stored_page("06c_what_it_costs", **PHONE)
    panel = Panel(page, "sentence")
    hand = Hand(page)
    cell = panel.figure.locator(".lt-view-table tbody td").nth(4)
    cell.evaluate("each => each.scrollIntoView({ block: 'end', behavior: 'instant' })")
    box = cell.bounding_box()
    hand.tap((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
    panel.settle()
    sheet, cell_now = panel.element.bounding_box(), cell.bounding_box()
    assert (sheet["x"], sheet["width"]) == (0, 360)
    assert sheet["y"] + sheet["height"] == pytest.approx(740, abs=1)
    assert 0 < cell_now["y"] < sheet["y"] - cell_now["height"]
    sizes = [button.bounding_box() for button in panel.element.locator("button").all()]
    assert min(min(box["width"], box["height"]) for box in sizes) >= 23.5
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0
    term = panel.terms().first.bounding_box()
    hand.tap((term["x"] + term["width"] / 2, term["y"] + term["height"] / 2))
    wait_for(page, lambda: len(panel.crumbs()) == 2, "the term that was tapped is opened")
    close = panel.element.get_by_role("button", name="Close").bounding_box()
    assert min(close["width"], close["height"]) >= 43.5
    hand.tap((close["x"] + 20, close["y"] + 20))
    wait_for(page, lambda: not panel.is_open(), "the panel is closed")


@pytest.mark.parametrize(
    ("notebook", "figure", "view", "said"),
    [
        ("05b_trained_translator", "date-translator", ".lt-view-arcs .lt-stage", ".lt-arcs-said"),
        ("03a_masked_softmax", "by-length", ".lt-view-heatmap .lt-stage", ".lt-readout"),
    ],
)
def test_a_fingers_first_tap_points_and_its_second_opens_the_number(
    stored_page, notebook, figure, view, said
):
    panel = Panel(page := stored_page(notebook, **PHONE), figure)
    stage = panel.figure.locator(view).first
    stage.evaluate("each => each.scrollIntoView({ block: 'center', behavior: 'instant' })")
    words = panel.figure.locator(said).first
    before, hand, box = words.inner_text(), Hand(page), stage.bounding_box()
    place = (box["x"] + 0.4 * box["width"], box["y"] + (12 if "arcs" in view else 0.3 * box["height"]))
    hand.tap(place)
    wait_until(page, "([e, words]) => e.innerText !== words", [words.element_handle(), before])
    assert not panel.is_open()
    offer = panel.figure.locator(".lt-offer button").first
    offer.wait_for()
    if "heatmap" in view:  # the second tap takes the offer, or asks by itself
        box = offer.bounding_box()
        place = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    hand.tap(place)
    panel.settle()
    assert panel.is_open()
    assert offer.count() == 0
    assert numbers_in(panel.line())
