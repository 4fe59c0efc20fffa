"""A number of a figure is opened: in every view, by mouse, finger and keys, down to what was set and back.

Pages are made of the stored figures and the committed script, and opened from disk.
"""

import json
import re

import accessibility
import pytest
from open_number import STATE, Panel, half_unit, numbers_in
from playwright.sync_api import expect
from sampling import sample
from stored_figures import figures_of, notebooks

BY_NAME = {path.stem: path for path in notebooks()}
DEEPEST = 60  # steps from any number to one that nothing made


WALKS = {
    "06c_what_it_costs": "sentence",
    "01a_weighted_average": "fit",
    "03b_minus_infinity": "laboratory",
    "05b_trained_translator": "date-translator",
    "13a_a_heads_name": "look",
}


@pytest.mark.parametrize("notebook", sample([*WALKS], 1))
def test_every_trail_leads_down_to_a_leaf_and_the_crumbs_lead_back(stored_page, notebook):
    page = stored_page(notebook)
    panel = Panel(page, WALKS[notebook])
    panel.ask(panel.views()[0], alt=True)
    start = panel.line()
    depth = 0
    while panel.terms().count():
        panel.down(depth % panel.terms().count())
        depth += 1
        assert len(panel.crumbs()) == depth + 1
        assert depth < DEEPEST, panel.crumbs()
    assert depth >= 1
    ending = panel.line()
    kinds = (
        *("your ", "you ", "learned", "an input", "filled in", "from the step before"),
        *("stored with the figure", "a number that the code writes", "the page's code", "counted from 0"),
    )
    assert any(word in ending for word in kinds), ending
    panel.element.locator(".lt-crumb").nth(depth - 1).click()
    assert len(panel.crumbs()) == depth
    if depth == 1:
        return
    panel.element.locator(".lt-crumb").first.click()
    assert len(panel.crumbs()) == 1
    # to as many digits as the picture prints, which prints others while a token is pointed at
    (line, value), (before, first) = (
        re.fullmatch(r"(.* [=≈] )(.*)", text).groups() for text in (panel.line(), start)
    )
    assert line == before
    assert numbers_in(value)[0] == pytest.approx(
        numbers_in(first)[0], abs=max(half_unit(value), half_unit(first))
    )


def test_what_the_line_reads_is_marked_in_the_other_views(stored_page):
    page = stored_page("06c_what_it_costs")
    panel = Panel(page, "sentence")
    output = next(view for view in panel.views() if "lt-view-table" in view.get_attribute("class"))
    panel.ask(output)
    assert panel.name().startswith("output[")
    weights, opened = panel.figure.locator(".lt-read"), panel.figure.locator(".lt-opened")
    assert opened.count() == 1
    cell, mark = output.locator("tbody td").first.bounding_box(), opened.first.bounding_box()
    assert all(abs(cell[side] - mark[side]) < 3 for side in ("x", "y", "width", "height"))
    assert weights.count() == 12  # six weights, in the map and in the row of tokens
    panel.close()
    assert weights.count() == opened.count() == 0


def test_a_moved_control_keeps_the_panel_open_and_true(stored_page):
    page = stored_page("01a_weighted_average")
    panel = Panel(page, "fit")
    panel.ask(panel.views()[2], alt=True)  # a click chooses the query
    before = panel.line()  # its result has the figure's two places, and may be 0.00 twice
    slider = panel.figure.locator("input[type=range]").first
    slider.press("Home")
    panel.settle()
    assert panel.is_open()
    assert panel.line() != before
    assert slider.evaluate("each => each === document.activeElement")
    assert panel.name() == "weights[query 0, key 8]"  # the query at the place 0, the first row
    weights = panel.figure.evaluate("f => f.livetorch.outputs().weights")
    wanted = weights["data"][7]
    assert numbers_in(panel.value())[0] == pytest.approx(wanted, abs=half_unit(panel.value()) * 1.001)
    page.keyboard.press("Escape")
    assert not panel.is_open()


def test_a_letter_that_a_press_mutes_tells_its_share_by_alt(stored_page):
    panel = Panel(stored_page("05b_trained_translator"), "date-translator")
    before = panel.figure.evaluate(STATE)
    letter = panel.figure.locator(".lt-arc-text").last
    letter.click(modifiers=["Alt"], force=True)
    panel.settle()
    assert (panel.is_open(), panel.figure.evaluate(STATE)) == (True, before)


def test_all_terms_of_a_long_sum_stand_by_their_share(stored_page):
    page = stored_page("05b_trained_translator")
    panel = Panel(page, "date-translator")
    panel.ask(panel.views()[0])
    panel.element.locator(".lt-more").first.click()
    panel.element.locator(".lt-part").first.wait_for()  # the list is a part of its own
    shares = panel.element.locator(".lt-part").evaluate_all(
        "all => all.map((bar) => parseFloat(bar.style.width))"
    )
    assert len(shares) > 6
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(100, abs=0.5) or len(shares) == 200
    before = panel.crumbs()
    panel.element.locator(".lt-terms .lt-term").first.click()
    assert len(panel.crumbs()) == len(before) + 1


def test_the_panel_stays_in_the_window_as_it_grows_and_its_list_comes_into_sight(stored_page):
    page = stored_page("12b_looked_at_or_needed", viewport={"width": 1280, "height": 800})
    panel = Panel(page, "read")
    panel.figure.locator(".lt-how").click()
    panel.element.locator(".lt-starts button").first.click()
    panel.down(1)
    panel.settle()
    panel.element.locator(".lt-more").click()
    panel.element.locator(".lt-part").first.wait_for()
    panel.settle()
    box, terms = panel.element.bounding_box(), panel.element.locator(".lt-terms").bounding_box()
    assert terms["y"] + terms["height"] <= box["y"] + box["height"] <= 800


def test_on_a_phone_a_growing_sheet_does_not_cover_the_number_that_was_asked_for(stored_page):
    page = stored_page("08e_encoder_and_decoder", viewport={"width": 390, "height": 844})
    panel = Panel(page, page.locator("figure.livetorch").first.get_attribute("data-name"))
    panel.figure.locator(".lt-how").click()
    panel.element.locator(".lt-starts button", has_text="within the date").click()
    panel.down(2)
    panel.settle()
    for deep in (1, 2):
        sheet, mark = panel.element.bounding_box(), panel.figure.locator(".lt-began").first.bounding_box()
        assert mark["y"] + mark["height"] <= sheet["y"], deep
        crumb, nav = panel.element.locator(".lt-crumb:visible").first, panel.element.locator(".lt-crumbs")
        assert crumb.inner_text() in ("Numbers", "0.42")
        assert nav.evaluate("each => each.scrollWidth <= each.clientWidth")
        panel.down(1)
        panel.settle()


def test_where_crumbs_have_no_room_those_in_the_middle_go_first(stored_page):
    page = stored_page("09a_same_answer_less_memory", viewport={"width": 520, "height": 844}, width=480)
    panel = Panel(page, "read-tile")
    panel.figure.locator(".lt-how").click()
    panel.element.locator(".lt-starts button").first.click()
    for _ in range(3):
        panel.down(0)
    crumbs = panel.element.locator(".lt-crumbs li:visible").all_inner_texts()
    assert crumbs == ["Numbers", "0.67", "Score: 0.6931", "Where does 2 come from?"]
    page.set_viewport_size({"width": 390, "height": 844})
    panel.element.locator(".lt-crumb:visible").last.click()
    panel.down(0)
    first, parent = panel.element.locator(".lt-crumb:visible").all()[-2:]
    assert (first.inner_text(), parent.inner_text()) == ("0.67", "0.6931"), (
        "the way one step back stays on a phone"
    )


def test_a_control_that_a_line_reads_is_kept_in_sight(stored_page):
    page = stored_page("01a_weighted_average", viewport={"width": 1280, "height": 800})
    panel = Panel(page, "thermometer")
    panel.figure.locator(".lt-how").click()
    panel.element.locator(".lt-starts button").first.click()
    panel.element.locator(".lt-made-line .lt-term", has_text="−0.50").first.click()
    panel.element.locator(".lt-made-line .lt-term", has_text="1").first.click()
    assert panel.figure.locator(".lt-controls input").first.bounding_box()["y"] >= 64


def test_a_bars_number_is_outlined_and_not_its_column(stored_page):
    page = stored_page("01a_weighted_average", viewport={"width": 1280, "height": 800})
    panel = Panel(page, "thermometer")
    panel.ask(panel.figure.locator(".lt-view-number"))
    marks = panel.figure.locator(".lt-view-bars .lt-read").evaluate_all(
        "all => all.map((mark) => mark.getBoundingClientRect().width)"
    )
    assert len(marks) == 4
    assert max(marks) < 40


def test_the_part_is_fetched_when_a_number_is_opened_and_not_before(stored_page):
    page = stored_page("06c_what_it_costs")
    seen: list[str] = []
    page.on("request", lambda request: seen.append(request.url.rpartition("/")[2].partition("?")[0]))
    panel = Panel(page, "sentence")
    panel.views()[0].hover()
    assert seen == []
    panel.ask(panel.views()[0])
    panel.close()
    panel.ask(panel.views()[0])
    assert seen == ["livetorch-open.js"]


def test_on_a_phone_the_sheet_goes_with_its_figure_and_comes_back(stored_page):
    page = stored_page(
        "06c_what_it_costs",
        change=lambda text: text.replace("</body>", "<div style='height: 3000px'></div></body>"),
        viewport={"width": 390, "height": 844},
    )
    panel = Panel(page, "sentence")
    panel.ask(panel.views()[0], alt=True)
    panel.down()
    line = panel.line()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(panel.element).to_be_hidden()
    panel.views()[0].scroll_into_view_if_needed()
    expect(panel.element).to_be_visible()
    assert panel.line() == line


@pytest.mark.parametrize("theme", sample(["light", "dark"], 1))
def test_axe_finds_nothing_in_the_open_panel(stored_page, theme):
    page = stored_page(
        "06c_what_it_costs",
        change=lambda text: text.replace('data-theme="light"', f'data-theme="{theme}" data-marked=""'),
    )
    panel = Panel(page, "sentence")
    panel.ask(panel.views()[0])
    assert accessibility.findings(page, ".lt-card") == []
    panel.down()
    assert accessibility.findings(page, ".lt-open") == []


HOSTILE = "<img src=x onerror=\"window.taken='yes'\">"


def test_hostile_names_are_only_ever_text(stored_page):
    def change(text: str) -> str:
        spec = next(f for f in figures_of(BY_NAME["06c_what_it_costs"]) if 'data-name="sentence"' in f)
        start = spec.index('<script type="application/json">') + len('<script type="application/json">')
        old = spec[start : spec.index("</script>", start)]
        figure = json.loads(old)
        figure["labels"] = {}
        for view in figure["views"]:
            for axis in ("xticks", "yticks"):
                if view.get(axis):
                    view[axis] = {"values": [HOSTILE] * 9}
        for control in figure["controls"]:
            control["label"] = HOSTILE
        for program in figure["programs"]:
            for value in program["outputs"]:
                if value["name"] == "mask":
                    value["name"] = HOSTILE
            for line in program.get("source", {}).get("lines", []):
                if "text" in line:
                    line["text"] = HOSTILE
        return text.replace(old, json.dumps(figure).replace("<", "\\u003c"))

    page = stored_page("06c_what_it_costs", change)
    panel = Panel(page, "sentence")
    panel.ask(panel.views()[0])
    texts = [panel.element.inner_text()]
    while panel.terms().count():
        panel.down()
        texts.append(panel.element.inner_text())
    assert any(HOSTILE in text for text in texts)
    assert page.locator("img[onerror]").count() == 0
    assert page.evaluate("window.taken") is None


OPEN = """name => new Promise((done) => {
  const figure = document.querySelector(`figure[data-name="${name}"]`);
  const stage = figure.querySelector(".lt-stage[tabindex]");
  stage.focus();
  stage.dispatchEvent(new KeyboardEvent("keydown", { key: "o", bubbles: true }));
  setTimeout(() => done(Boolean(figure.querySelector(".lt-open:not([hidden])"))), 0);
})"""
MODELS = {"05b_trained_translator": "date-translator", "12b_looked_at_or_needed": "read"}


@pytest.mark.parametrize("notebook", sample([*MODELS], 1))
def test_the_memory_of_an_opened_number_of_a_model_is_given_back(stored_page, notebook):
    page = stored_page(notebook)
    panel = Panel(page, MODELS[notebook])
    tools = page.context.new_cdp_session(page)

    def held() -> float:
        tools.send("HeapProfiler.collectGarbage")
        return tools.send("Runtime.getHeapUsage")["usedSize"] / 1e6

    page.evaluate(OPEN, MODELS[notebook])
    panel.settle()
    panel.close()
    before = held()
    for _ in range(5):
        assert page.evaluate(OPEN, MODELS[notebook])
        panel.close()
    assert held() - before < 2
