"""Edit and run: a reader changes a lesson's code on its page, and the page follows."""

import gzip
import json
import re

import pytest
from accessibility import findings
from editing import EXERCISE, FIGURE, FORMULA, LESSON, LONG, Lesson, press_switch, source, wait_ready
from playwright.sync_api import expect
from sampling import weekly
from waiting import wait_until

ON_PADDING = f"""() => document.querySelector("#out-{FIGURE} figure.livetorch.lt-mounted")
  ?.livetorch.outputs()["on padding"].data[0]"""
# the last view of the figure, or what lifts the veil over it, ends in the box above its code
ANSWER_SEEN = f"""(() => {{
  const box = document.querySelector("#out-{FIGURE}");
  const answer = box.querySelector(".lt-veil .lt-button") ?? [...box.querySelectorAll(".lt-view")].at(-1);
  const view = answer.getBoundingClientRect();
  const {{ top, bottom }} = box.getBoundingClientRect();
  return view.top < bottom && view.bottom > top && (view.bottom <= bottom || view.top <= top + 1);
}})()"""
# the line with the caret is not below what stands over the code
CARET_SEEN = """(() => {
  const at = getSelection().focusNode;
  const line = (at?.nodeType === 1 ? at : at?.parentElement)?.closest(".cm-line");
  if (!line) return false;
  const { left, top, bottom } = line.getBoundingClientRect();
  return [top + 2, bottom - 2].every((y) => document.elementFromPoint(left + 40, y)?.closest(".cm-editor"));
})()"""
# every line has its number, beside the code, and the book's code stands where the editor's does
NUMBERED = """(() => {
  const line = document.querySelector(".cm-line");
  const { paddingLeft, textIndent } = getComputedStyle(line);
  const { content, width } = getComputedStyle(line, "::before");
  const starts = parseFloat(paddingLeft) + parseFloat(textIndent);
  const still = parseFloat(getComputedStyle(document.querySelector("[data-editing] pre")).paddingLeft);
  return content.startsWith('"1"') && parseFloat(width) < starts && Math.abs(starts - still) < 0.5;
})()"""
# what stands first below the line with Run
FIRST_SEEN = """(() => {
  const fold = document.querySelector(".figure-block > details.code-fold[open]");
  const top = fold.querySelector(".ed-head").getBoundingClientRect().bottom + 4;
  const below = (line) => line.getBoundingClientRect().bottom > top;
  const line = [...fold.querySelectorAll(".cm-line")].find(below);
  return [line.dataset.line, line.textContent.slice(0, 9)].join(" ");
})()"""
UNCOVERED = """(way) => {
  const { left, top, width, height } = way.getBoundingClientRect();
  const corners = [[2, 2], [width - 2, height - 2]];
  return corners.every(([x, y]) => document.elementFromPoint(left + x, top + y) === way);
}"""
BACK = "What had run before is back"
PHONE = {"width": 390, "has_touch": True, "is_mobile": True}
HALVED = "    weights = masked_softmax(row[None], kept)"
RIGHT = """def look_back_mask(num_queries, num_keys):
    positions = torch.arange(num_keys)
    return positions <= positions[num_keys - num_queries :, None]

check("causal-mask", look_back_mask)"""
WRONG = RIGHT.replace("<=", "<")


EDITORS = ":is(.ed-dock, [data-editing], .ed-error)"  # the rest of the page is judged in test_pages.py
FOCUSED = "document.activeElement.matches(':is({})')"


@pytest.fixture(scope="module")
def lesson(opening):
    """Open the lesson and start Python once, by keyboard; the page must not complain.

    The first try is cancelled while a file does not come: Python can be started all the same.
    """
    with opening(LESSON) as opened:
        page = opened.page
        page.route("**/pyodide.asm.bin*", lambda route: None)  # never comes
        page.locator("[data-code-choice]").focus()
        page.keyboard.press("Shift+Tab")
        assert page.evaluate(FOCUSED.format(".edit-switch"))
        page.keyboard.press("Enter")
        dock = page.locator(".ed-dock")
        dock.get_by_role("button", name="Cancel").click()
        assert "Your edits are kept" in dock.locator(".ed-said").inner_text()
        page.unroute("**/pyodide.asm.bin*")
        dock.get_by_role("button", name="Start Python").click()
        wait_ready(page)
        assert "Press \u25b6 Run once" in dock.locator(".ed-said").inner_text()
        yield Lesson(page)
        assert opened.errors == []
        assert opened.foreign == []
        assert page.evaluate("refused") == []


def test_before_the_switch_is_pressed_nothing_is_fetched_and_the_page_is_little_heavier(open_page, site):
    opened = open_page(LESSON)
    assert [url for url in opened.requests if "/_static/page/" in url] == []
    html = (site / f"{LESSON}.html").read_text("utf-8")
    without = re.sub(r' id="(?:in|out)-\d+"| exercise-[\w-]+|<script data-lesson[^>]*></script>', "", html)
    rules = "".join(
        re.findall(r"[^{}]*\.edit-[^{}]*\{[^}]*\}", (site / "_static/book-styles.css").read_text())
    )
    script = (site / "_static/edit_switch.js").read_text("utf-8")
    assert len(html) > len(without) + 500
    assert len(rules) > 500
    size = [len(gzip.compress(text.encode())) for text in (html, without, rules, script)]
    assert size[0] - size[1] + size[2] + size[3] <= 3000


def test_the_figure_follows_the_formula_behind_it_and_keeps_its_settings(lesson: Lesson):
    page = lesson.page
    lesson.editor(FIGURE)
    wait_until(page, f"({ON_PADDING})() !== undefined")
    assert abs(page.evaluate(ON_PADDING) - 1 / 3) < 1e-6
    page.evaluate(f"document.querySelector('#out-{FIGURE} figure').livetorch.set('words_only', true)")
    lesson.write(FIGURE, source(FIGURE).replace(HALVED, f"{HALVED} * 0.5 + 0.25"))
    assert lesson.run(FIGURE) == "ran"
    wait_until(page, f"({ON_PADDING})() !== undefined")
    state = f"document.querySelector('#out-{FIGURE} figure').livetorch.state().words_only"
    assert page.evaluate(state) is True
    assert abs(page.evaluate(ON_PADDING) - 3 * 0.25) < 1e-6  # nothing, by half, and a quarter more each
    assert "Run here" in page.locator(f"#out-{FIGURE} + .ed-origin").inner_text()


def test_back_to_the_books_version_brings_text_and_output_back(lesson: Lesson):
    lesson.write(FORMULA, "heights = torch.ones(6)\nprint('mine')\nheights")
    assert lesson.run(FORMULA) == "ran"
    assert "mine" in lesson.output(FORMULA).inner_text()
    lesson.code(FORMULA).get_by_role("button", name="Back to the book").click()
    assert lesson.text(FORMULA) == source(FORMULA)
    assert "mine" not in lesson.output(FORMULA).inner_text()
    assert "tensor([0.3333" in lesson.output(FORMULA).inner_text()


def test_an_exercise_is_refused_accepted_and_remembered(lesson: Lesson):
    lesson.write(EXERCISE, WRONG)
    assert lesson.run(EXERCISE) == "ran"
    assert "Not yet:" in lesson.output(EXERCISE).inner_text()
    assert not lesson.code(EXERCISE).locator(".ed-solved").is_visible()
    lesson.write(EXERCISE, RIGHT)
    assert lesson.run(EXERCISE) == "ran"
    assert "Correct:" in lesson.output(EXERCISE).inner_text()
    assert lesson.code(EXERCISE).locator(".ed-solved").is_visible()
    assert "Correct:" in lesson.page.locator(".ed-live").inner_text()  # said to a screen reader as well
    answers = lesson.page.evaluate("localStorage.getItem(`attention-live answers ${location.pathname}`)")
    assert json.loads(answers)["check causal-mask"] is True


def test_an_error_names_cell_and_line_and_marks_it(lesson: Lesson):
    lesson.write(FORMULA, "a = 1\nb = a / 0\nc = 3")
    assert lesson.run(FORMULA) == "failed"
    assert "ZeroDivisionError: division by zero" in lesson.output(FORMULA).inner_text()
    assert "cell 5, line 2" in lesson.output(FORMULA).inner_text()
    assert lesson.editor(FORMULA).locator(".ed-wrong-line").inner_text() == "b = a / 0"
    lesson.output(FORMULA).get_by_role("button", name="cell 5, line 2").click()
    lesson.page.keyboard.type(" + 1")
    assert "b = a / 0 + 1" in lesson.text(FORMULA)
    assert lesson.editor(FORMULA).locator(".ed-wrong-line").count() == 0


@weekly
def test_a_figure_outlives_an_error_in_its_code_with_its_settings(lesson: Lesson):
    figure = f"document.querySelector('#out-{FIGURE} figure.lt-mounted')?.livetorch"
    lesson.write(FIGURE, source(FIGURE))
    assert lesson.run(FIGURE) == "ran"
    wait_until(lesson.page, f"{figure} !== undefined")
    lesson.page.evaluate(f"{figure}.set('words_only', true)")
    lesson.write(FIGURE, f"nothing_of_this_name\n{source(FIGURE)}")
    assert lesson.run(FIGURE) == "failed"
    old = lesson.page.locator(f"#out-{FIGURE}:has(figure.lt-mounted)")
    assert old.get_attribute("data-old") == "From before the error in line 1"
    assert "nothing_of_this_name" in lesson.page.locator(f"#in-{FIGURE} + .ed-error").inner_text()
    said = lesson.page.locator(".ed-said").inner_text()
    assert "NameError: name 'nothing_of_this_name' is not defined" in said
    assert "cell 3, line 1" in said
    assert "nothing_of_this_name" in lesson.code(FIGURE).locator(".ed-wrong-said").inner_text()
    lesson.page.locator(".ed-said button").click()
    wait_until(lesson.page, CARET_SEEN)
    lesson.page.keyboard.type(" = 1")
    assert lesson.text(FIGURE).startswith("nothing_of_this_name = 1")
    assert lesson.run(FIGURE) == "ran"
    wait_until(lesson.page, f"{figure} !== undefined")
    assert lesson.page.evaluate(f"{figure}.state().words_only") is True
    assert lesson.page.locator(f"#in-{FIGURE} + .ed-error, #out-{FIGURE}[data-old]").count() == 0


@weekly
def test_what_is_missing_says_so_and_where_else_it_runs(lesson: Lesson):
    lesson.write(FORMULA, "torch.fft.fft(row)")
    lesson.run(FORMULA)
    said = lesson.page.locator(f"#in-{FORMULA}").locator("xpath=..").inner_text()
    assert "torch.fft" in said
    assert "not in the page" in said
    bar = lesson.page.locator(".ed-dock")
    assert "not in the page" in bar.locator(".ed-said").inner_text()
    assert bar.get_attribute("data-said") == "wrong", "no green word for a cell that did not run"


@weekly
def test_every_key_of_a_keyboard_is_text_in_the_editor_and_in_fields(lesson: Lesson):
    signs = "".join(map(chr, range(33, 127)))
    closing = ")]}"  # before a bracket is opened, whose partner they would only step over
    for some in (closing, *(signs[i : i + 12] for i in range(0, len(signs), 12))):
        lesson.empty(FORMULA)
        for sign in some:
            if sign in closing and some != closing:
                continue
            seen = lesson.text(FORMULA).count(sign)
            lesson.page.keyboard.press(sign)
            lesson.wait_for_more(FORMULA, sign, seen)
    for kind, typed in (("text", signs), ("number", "-1234567890.5")):
        lesson.page.evaluate(
            """kind => {
              const field = document.createElement("input");
              Object.assign(field, { type: kind, id: "every-key", step: "any" });
              document.querySelector("article").prepend(field);
              field.focus();
            }""",
            kind,
        )
        for sign in typed:
            lesson.page.keyboard.press(sign)
        assert lesson.page.locator("#every-key").input_value() == typed
        lesson.page.evaluate("document.getElementById('every-key').remove()")


@weekly
def test_an_endless_loop_is_stopped_and_the_page_goes_on(lesson: Lesson):
    lesson.write(FORMULA, "print('old')")
    assert lesson.run(FORMULA) == "ran"
    lesson.write(FORMULA, "while True:\n    pass")
    lesson.code(FORMULA).locator(".ed-run").click()
    lesson.wait(FORMULA, "running")
    expect(lesson.code(FORMULA).locator(".ed-run")).to_contain_text("Stop")
    behind = lesson.code(FIGURE).locator(".ed-run")
    lesson.editor(FIGURE)
    behind.click()  # waits for the loop, and stops it by the same button
    lesson.wait(FIGURE, "waiting")
    expect(behind).to_contain_text("Stop")
    behind.click()
    lesson.wait(FORMULA, "")
    assert lesson.output(FORMULA).get_attribute("data-old") == "From before the stop"
    expect(lesson.page.locator(".ed-said")).to_contain_text(BACK, timeout=LONG * 1000)
    assert lesson.page.locator(".ed-dock").get_attribute("data-said") == "wrong", "no green word"
    lesson.write(FORMULA, "print(row.shape)")  # row is made by a cell above, which runs again by itself
    assert lesson.run(FORMULA) == "ran"
    assert "torch.Size([6])" in lesson.output(FORMULA).inner_text()


def test_a_figure_whose_code_was_stopped_is_from_before_the_stop(lesson: Lesson):
    page, shown = lesson.page, lesson.page.locator(f"#out-{FIGURE}")
    for by_hand in (True, False):
        lesson.write(FIGURE, source(FIGURE))
        assert lesson.run(FIGURE) == "ran"
        assert shown.get_attribute("data-old") is None
        lesson.write(FIGURE, "while True:\n    pass\n" + source(FIGURE))
        lesson.wait(FIGURE, "running")
        if by_hand:
            page.wait_for_timeout(500)  # a hand on its way to Run stops nothing
            page.locator(".ed-dock").get_by_role("button", name="Stop").click()
            expect(page.locator(".ed-said")).to_contain_text(BACK, timeout=LONG * 1000)
        else:
            said = "Does the loop in line 1 end? Run lets it take longer."
            expect(page.locator(".ed-said")).to_contain_text(said, timeout=LONG * 1000)
        assert shown.get_attribute("data-old") == "From before the stop"
        assert lesson.code(FIGURE).locator(".ed-note").inner_text() == "stopped"
    lesson.write(FIGURE, source(FIGURE))
    expect(shown).not_to_have_attribute("data-old", re.compile("stop"))


def test_nothing_bars_the_way_for_those_who_hear_or_see_little(lesson: Lesson):
    lesson.write(FORMULA, "1 / 0")
    lesson.run(FORMULA)
    lesson.page.locator(".ed-dock").get_by_role("button", name="More").click()
    assert findings(lesson.page, EDITORS) == []
    lesson.page.keyboard.press("Escape")
    lesson.page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert findings(lesson.page, EDITORS, only_colours=True) == []


@weekly
def test_hostile_html_of_a_cell_is_shown_without_what_runs(open_page):
    lesson = press_switch(open_page(LESSON).page)
    html = '<b>shown</b><img src=data:, onerror="window.hit=1"><script>window.hit=2</script>'
    code = f"class H:\n def _repr_html_(self):\n  return {html!r}\nH()"
    lesson.write(FORMULA, code)
    assert lesson.run(FORMULA) == "ran"
    assert lesson.output(FORMULA).locator("b").inner_text() == "shown"
    assert lesson.page.evaluate("window.hit") is None
    assert lesson.output(FORMULA).locator("[onerror], script").count() == 0


def test_by_keyboard_alone(lesson: Lesson):
    page = lesson.page
    lesson.write(FORMULA, source(FORMULA))
    lesson.editor(FORMULA)
    lesson.code(FORMULA).locator(".ed-run").focus()
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED.format(f"#in-{FORMULA} .cm-content"))
    page.keyboard.press("Control+End")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")  # indents
    page.keyboard.type("# typed")
    assert lesson.text(FORMULA).endswith("\n    # typed")
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+Tab")
    for line in ("for i in (1,", "2): j = i", "if j: k = [1,", "2]"):  # a whole block in its line
        page.keyboard.insert_text(line)
        page.keyboard.press("Enter")
    page.keyboard.insert_text("k * 1")  # and in front of a line
    page.keyboard.press("Home")
    page.keyboard.insert_text("while not j: pass")
    page.keyboard.press("Enter")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.insert_text("if k:")
    page.keyboard.press("Enter")
    page.keyboard.insert_text("pass")
    loops = "\nfor i in (1,\n          2): j = i\nif j: k = [1,\n           2]"
    assert lesson.text(FORMULA).endswith(f"{loops}\nwhile not j: pass\nk * 1\nif k:\n    pass")
    page.keyboard.press("Shift+Enter")
    lesson.wait(FORMULA, "ran")
    assert page.evaluate(FOCUSED.format(f"#in-{FORMULA} .cm-content"))
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert not page.evaluate(FOCUSED.format(f"#in-{FORMULA} *"))


def test_on_a_phone_code_is_read_edited_and_run(lesson: Lesson):
    page = lesson.page
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    page.set_viewport_size({"width": 360, "height": 800})
    assert page.locator(".article-header-buttons .edit-switch").inner_text() == "Close"
    wider = "(one) => one.scrollWidth > one.clientWidth"
    cut = f"[...document.querySelectorAll('.cm-scroller')].filter({wider}).length"
    too_wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    for at in (FIGURE, FORMULA, EXERCISE):
        lesson.editor(at)
        assert (page.evaluate(too_wide) <= 0, page.evaluate(cut)) == (True, 0), "code wraps"
    assert lesson.run(FIGURE) in ("ran", "failed")
    page.locator(f"#out-{FIGURE} figure.lt-mounted").get_by_role("button", name="Code").click()
    wait_until(page, ANSWER_SEEN)
    lesson.write(EXERCISE, RIGHT)
    assert lesson.run(EXERCISE) == "ran"
    assert lesson.code(EXERCISE).locator(".ed-solved").is_visible()
    assert page.evaluate(too_wide) <= 0
    small = """[...document.querySelectorAll(".ed-head button, .ed-dock button")]
      .filter((button) => button.checkVisibility() && button.getBoundingClientRect().height < 32)
      .map((button) => button.textContent)"""
    assert page.evaluate(small) == []
    assert findings(page, EDITORS) == []


def test_from_disk_the_switch_says_what_it_needs(open_page):
    opened = open_page(LESSON, scheme="file")
    opened.page.locator(".article-header-buttons .edit-switch").click()
    said = opened.page.locator(".edit-note").inner_text()
    assert "http" in said
    assert "make serve" in said
    assert opened.errors == []


def test_a_figure_follows_its_code_while_it_is_typed_once_it_has_been_run(lesson: Lesson):
    """What goes wrong meanwhile is quiet until the reader pauses, and over with the next key."""
    code, shown = lesson.code(FIGURE), lesson.page.locator(f"#out-{FIGURE}")
    said, head = lesson.page.locator(".ed-said"), code.locator(".ed-note")
    assert lesson.run(FIGURE) == "ran"
    lesson.editor(FIGURE).click()
    lesson.page.keyboard.press("Control+End")
    lesson.page.keyboard.press("Enter")
    lesson.page.keyboard.type("unheard_of")
    expect(code.locator(".ed-wrong-aside")).to_contain_text("'unheard_of' is not defined")
    assert shown.get_attribute("data-old") is None
    assert "unheard_of" not in said.inner_text()
    expect(said).to_have_attribute("title", re.compile("unheard_of"))  # on a phone it prints the name alone
    expect(shown).to_have_attribute("data-old", re.compile("From before the error"))
    expect(head).to_contain_text("error in line")
    lesson.page.keyboard.press("Backspace")
    expect(said).not_to_have_attribute("title", re.compile("unheard_of"))
    assert "error" not in head.inner_text()
    assert shown.get_attribute("data-old") is None
    for _ in "unheard_o":
        lesson.page.keyboard.press("Backspace")
    lesson.page.keyboard.type("print(41 + 1)")
    expect(lesson.page.locator(f"#in-{FIGURE} + .ed-printed")).to_contain_text("42")
    lesson.wait(FIGURE, "ran")


@pytest.mark.parametrize("size", [{"width": 1280}, {"width": 1600}, PHONE], ids=["1280", "1600", "390"])
def test_nothing_that_stands_over_the_code_covers_the_line_that_one_is_in(opening, size):
    typed = 'print("hi")'
    with opening(LESSON, **size) as opened:
        page = opened.page
        press_switch(page, ready=False)
        way = page.get_by_role("button", name="Open the figure\u2019s code")
        assert way.count() == 0 or size is PHONE, "beside the figure it is open"
        (way if size is PHONE else page.locator(f"#out-{FIGURE} .edit-code")).click()
        wait_until(page, CARET_SEEN)
        assert page.evaluate(NUMBERED) == (size is not PHONE), "the numbers that errors name"
        page.keyboard.press("Control+End")
        wait_until(page, CARET_SEEN)
        for _ in range(80):
            page.keyboard.press("ArrowUp")
        wait_until(page, CARET_SEEN)
        page.keyboard.press("Control+End")
        page.keyboard.press("Control+Home")
        page.keyboard.type(f"{typed}\n")
        page.keyboard.press("ArrowUp")
        wait_until(page, CARET_SEEN)
        page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
        page.locator(".ed-dock").get_by_role("button", name="More").click()
        page.get_by_role("button", name="Copy a link").click()
        wait_until(page, "location.hash.startsWith('#edits=')")
        link = page.url
    with opening(LESSON, query=link[link.index("#") :], **size) as opened:
        opened.page.get_by_role("button", name="Open and run it").click()
        line = f"getSelection().focusNode?.parentElement?.closest('.cm-line')?.textContent === '{typed}'"
        wait_until(opened.page, f"{line} && {CARET_SEEN}")


@pytest.mark.parametrize(
    ("name", "first"), [("01a_weighted_average", "1 day = tor"), ("06a_self_attention", "20 def path(")]
)
def test_the_code_of_a_figure_opens_at_its_first_line_or_at_the_function_that_has_no_room_below(
    open_page, name, first
):
    opened = open_page(f"notebooks/{name}")
    page = opened.page
    opened.resize(1100, 800)
    press_switch(page, ready=False)
    way = page.locator(".lt-card .edit-code").first
    assert way.evaluate(UNCOVERED), "the way there is in the first screen, by the figure's title"
    opened.resize(1280, 800)
    page.get_by_role("button", name="Open the figure\u2019s code").click()
    wait_until(page, f"{FIRST_SEEN} === {first!r}")


def test_beside_its_code_a_figure_keeps_its_title_where_that_costs_the_answer_less_than_a_line(open_page):
    opened = open_page("notebooks/10b_inside_the_writer")
    opened.resize(1600, 900)
    press_switch(opened.page, ready=False)
    opened.page.locator(".figure-block > details.code-fold[open]").wait_for()
    below = "document.querySelector('.lt-head').getBoundingClientRect().top - 48"
    wait_until(opened.page, f"{below} >= 0 && {below} < 200")


def test_on_a_phone_the_view_that_the_code_draws_comes_above_it_and_a_sheet_goes(open_page):
    name, at, columns = "notebooks/02a_scores", 3, ".lt-view:has(.lt-view-title:text-matches('^Columns'))"
    page = open_page(name, **PHONE).page
    page.get_by_role("button", name="Just show me").first.click()
    page.locator(".lt-how").first.click()
    page.locator(".lt-starts button").first.click()
    page.locator(".lt-open[popover]").first.wait_for()
    lesson = press_switch(page)
    assert page.locator(".lt-open[popover]:visible").count() == 0
    one_line = "document.querySelector('.ed-said').offsetHeight < 34"
    assert page.evaluate(one_line)
    page.get_by_role("button", name="Open the figure\u2019s code").click()
    keys, head = lesson.code(at).locator(".ed-keys-row"), lesson.code(at).locator(".ed-run")
    keys.get_by_role("button", name="run").click()
    lesson.wait(at, "ran")
    expect(page.locator(".ed-said")).to_have_text("The figure follows. Now just type.")
    assert page.evaluate(one_line)
    assert keys.evaluate("row => row.scrollWidth <= row.clientWidth"), "no key is cut"
    assert (keys.is_visible(), head.is_visible()) == (True, False), "one Run"
    lesson.code(at).locator(".cm-content").evaluate("code => code.blur()")
    assert (keys.is_visible(), head.is_visible()) == (False, True)
    lesson.write(at, source(at, name).replace("scores.exp()", "scores.exp2()"))
    box = page.locator(f"#out-{at}")
    expect(box.locator(columns)).to_contain_text("32", timeout=LONG * 1000)
    wait_until(
        page,
        """([box, view]) => {
          const [room, seen] = [box, view].map((each) => each.getBoundingClientRect());
          return Math.min(room.bottom, seen.bottom) - Math.max(room.top, seen.top) > 0.6 * room.height;
        }""",
        [box.element_handle(), box.locator(columns).element_handle()],
    )
