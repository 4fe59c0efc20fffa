"""Every live figure, on a desktop, on a phone under a finger, and in other letters: one visit of each.

The stored figures on pages of their own, so that a change of a view is seen without building the site.
"""

import contextlib
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import changed
import pytest
from finger import PHONE, Hand
from live_chapters import random_value
from one_drawing import LINE, WIDE, WORDS, differences
from open_number import Panel, numbers_faults
from sampling import sample
from stored_figures import EACH, figures_of, notebooks, write_page
from touching import Figure
from visit import Visit
from waiting import FRAMES, READY

BOOKS = [path.stem for path in notebooks()]
FAULTS = Path(__file__).with_name("layout_faults.js").read_text(encoding="utf-8")
FACTS = Path(__file__).with_name("figure_facts.js").read_text(encoding="utf-8")
# How far below the top of the first card its views end: controls and answer are seen together.
ANSWERED = """() => {
  const card = document.querySelector('figure.livetorch .lt-card');
  const ends = card.querySelector('.lt-views').getBoundingClientRect().bottom;
  return Math.round(ends - card.getBoundingClientRect().top);
}"""
SCREEN = 800 - 60
TALLER = {"09d_nothing_twice"}  # two rows, each with turned names
HOLES = Path(__file__).with_name("holes.js").read_text(encoding="utf-8")
COLUMN = 1000  # pixels that a figure may take on a page of the book
LARGEST_HOLE = 1 / 3  # of the area of a figure's views
SIZES = (1600, 1280, 768, 640, 360)  # 640 is what 1280 are at 200 %
DRAWS = 8  # settings at which a layout is looked at
LEAST = 24  # pixels of whatever a finger is meant for
SMALLEST = 12  # pixels of a letter, as it is shown
PHONES = (320, 360, 768, 1280)
LARGE = 412  # pixels of a large phone: maps that stand one under the other at 360 are side by side there
MOVING = ["look"]  # arcs turn upright where a longer sentence has no room (13a)
BY = ["example"]  # 06a: three matrices under each other, too high a row to stay above four matrices of fields
WIDER = ["two-tables"]  # a table may go on sideways: none has room for four columns of words
# One page with a figure of each kind, and what changed; all lessons each week.
PATHS = {path.stem: path for path in (EACH, *notebooks())}
SEEN = sample([*PATHS], 0, (EACH.stem, *(Path(page).name for page in changed.pages())))
TOUCHED = ("02a_scores", "03b_minus_infinity")  # points, sliders and maps that are painted


@pytest.fixture
def visiting(pool, tmp_path):
    """Give a function that opens the page of a notebook's figures; the visit is judged at its end."""

    @contextlib.contextmanager
    def begin(stem: str, situation: str, width: int, letters: str = "", **how: object) -> Iterator[Visit]:
        page = pool.lend(**how)
        visit = Visit(page, stem, situation)
        errors: list[str] = []
        pool.listen(page, "console", lambda m: errors.append(m.text) if m.type == "error" else None)
        pool.listen(page, "pageerror", lambda error: errors.append(str(error)))
        try:
            page.goto(write_page(PATHS[stem], tmp_path, width, letters))
            page.evaluate(READY)
            page.evaluate(f"{FACTS}; window.facts = figureFacts({FAULTS}); 0")
            page.evaluate(FRAMES)
            yield visit
            visit.note("errors", errors)
            visit.judge()
        finally:
            pool.give_back(page)

    return begin


def resize(visit: Visit, width: int, height: int = 740) -> None:
    visit.page.set_viewport_size({"width": width, "height": height})
    visit.page.evaluate(FRAMES)


def drawn_settings(stem: str, number: int) -> dict[str, list]:
    """Draw settings of each figure of a notebook, in the browser's form."""
    drawn = {}
    for html in figures_of(PATHS[stem]):
        spec = json.loads(re.search(r"<script[^>]*>(.*?)</script>", html, re.DOTALL)[1])
        draw = random.Random(spec["name"])
        turns = [[(one["name"], random_value(one, draw)) for one in spec["controls"]] for _ in range(number)]
        drawn[spec["name"]] = [[(name, value) for name, value in turn if value is not None] for turn in turns]
    return drawn


@pytest.mark.parametrize("stem", SEEN)
def test_on_a_desktop(visiting, stem):
    how = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}  # nothing is on its way
    with visiting(stem, "figures on a desktop", COLUMN, **how) as visit:
        page = visit.page
        visit.ask("parts", "facts.parts()")
        shares = {each["name"]: each["share"] for each in page.evaluate(HOLES)}
        holes = [f"{name}: {share:.2f}" for name, share in shares.items() if share > LARGEST_HOLE]
        visit.note("hole", holes, shares)
        first = page.evaluate(ANSWERED)
        late = [f"its answer ends at {first} px"] if first > SCREEN and stem not in TALLER else []
        visit.note("first figure", late, {"ends": first})
        visit.ask("names of a flow", "facts.flowNames()")
        visit.ask("height", "moving => facts.heights(moving)", MOVING)
        visit.note("opened number", numbers_faults(page))
        for width in SIZES:
            resize(visit, width)
            visit.ask(f"layout at {width}", "facts.layout()")
            visit.ask(f"overflow at {width}", "facts.overflow()")
        visit.ask("height at 360", "moving => facts.heights(moving)", MOVING)
        drawn = drawn_settings(stem, DRAWS)
        for width in (360, 1280):
            resize(visit, width)
            for name, settings in drawn.items():
                half = settings[: DRAWS // 2] if width == 360 else settings[DRAWS // 2 :]
                visit.ask(f"{name}, set, at {width}", "drawn => facts.layoutAt(drawn)", [name, half])


@pytest.mark.parametrize("stem", SEEN)
def test_on_a_phone(visiting, stem):
    with visiting(stem, "figures on a phone", 736, **PHONE) as visit:
        page = visit.page
        visit.ask("control apart", "by => facts.apart(by)", BY)
        visit.ask("height", "facts.tooHigh()")
        visit.ask("leading picture", "facts.stands(56)")
        visit.ask("cut", "wider => facts.cut(wider)", WIDER)
        visit.ask("notes", "facts.notes()")
        visit.ask("cells", "facts.cells(24)")
        resize(visit, LARGE, 900)
        visit.ask("cut on a large phone", "wider => facts.cut(wider)", WIDER)
        visit.ask("promise", "facts.promised()")
        page.evaluate("facts.unfold(true)")
        for width in PHONES:
            resize(visit, width)
            visit.ask(f"letters at {width}", "size => facts.letters(size)", SMALLEST)
            visit.ask(f"overflow at {width}", "facts.overflow()")
            if width < 768:
                visit.ask(f"targets at {width}", "size => facts.small(size)", LEAST)
        resize(visit, 360)
        page.evaluate("facts.unfold(false)")
        for name in page.evaluate("facts.names()"):
            panel = Panel(page, name)
            kinds = panel.figure.locator(".lt-view:not(.lt-view-plane)")
            panel.ask(kinds.first, alt=True)  # asks where a press edits, too
            visit.note(f"opening a number of {name}", [] if panel.is_open() else ["no panel comes"])
            visit.ask(f"targets of an opened number of {name}", "size => facts.small(size)", LEAST)
            visit.ask(f"letters of an opened number of {name}", "size => facts.letters(size)", SMALLEST)
            panel.close()
        visit.ask("very narrow", "facts.squeeze()")


@pytest.mark.parametrize("stem", sample(BOOKS, 0, TOUCHED))
def test_under_a_finger(visiting, stem):
    with visiting(stem, "figures under a finger", 736, **PHONE) as visit:
        hand = Hand(visit.page)
        for name in visit.page.evaluate("facts.names()"):
            visit.note(f"finger on {name}", list(Figure(hand, name).faults()))


@pytest.mark.parametrize("letters", ["wide", "narrow"])
@pytest.mark.parametrize("stem", sample([*PATHS], 0, (EACH.stem,)))
def test_in_other_letters(visiting, stem, letters):
    """The still picture is the live figure; letters of another width break no layout."""
    with visiting(stem, f"{letters} letters", WIDE, letters) as visit:
        lines = 0 if letters == "wide" else 1
        for name, drawn in visit.page.evaluate(WORDS, 14).items():
            visit.note(f"still picture of {name}", differences(drawn, lines))
        for width in (1280, 360) if letters == "narrow" else ():
            resize(visit, width)
            visit.ask(f"layout at {width}", "facts.layout()")
            visit.ask(f"overflow at {width}", "facts.overflow()")


def test_a_word_elsewhere_and_a_picture_that_is_too_high_are_found():
    views = [[["0.27", 40, 10], ["0.73", 80, 10]], [["1.00", 40, 110]]]
    same = {
        "live": views,
        "still": [word for view in views for word in view],
        "rows": 2,
        "heights": [140, 140],
    }
    lower = {**same, "still": [*views[0], ["1.00", 40, 110 + LINE]], "heights": [140, 140 + LINE]}
    beside = {**same, "still": [*views[0], ["1.00", 50, 110]]}
    torn = {**same, "still": [views[0][0], ["0.73", 80, 10 + LINE], *views[1]]}
    assert (differences(same), differences(lower, 1)) == ([], [])
    assert [len(differences(each)) for each in (lower, beside, torn)] == [2, 1, 1]
    assert [len(differences(each, 1)) for each in (beside, torn)] == [1, 1]


def test_a_hole_and_a_name_over_another_are_found(visiting):
    with visiting(BOOKS[0], "spoilt", COLUMN) as visit:
        page = visit.page
        name = page.evaluate("facts.names()")[0]
        page.evaluate(
            """name => { const words = document.createElement("span");
              words.textContent = "over it"; words.style.cssText = "position: absolute; margin-left: -60px";
              const press = document.createElement("button");
              press.style.cssText = "position: absolute; margin: -8px 0 0 -90px; width: 80px; height: 20px";
              document.querySelector(`figure[data-name="${name}"] .lt-title`).append(words, press); }""",
            name,
        )
        found = page.evaluate("facts.layout()")
        assert any('"over it" lies over' in fault or 'lies over "over it"' in fault for fault in found)
        assert any("the control" in fault and "lies over the words" in fault for fault in found)
        stage = '<div class="lt-view" style="float: left"><div class="lt-stage" style="{}">'
        views = '<div class="lt-views" style="width: 600px; height: 120px">'
        shares = {}
        for width in (600, 360, 300):
            drawn = stage.format(f"width: {width}px; height: 120px")
            card = f'<div class="lt-card">{views}{drawn}</div></div></div></div>'
            page.set_content(f'<figure class="livetorch" data-name="one">{card}</figure>')
            shares[width] = page.evaluate(HOLES)[0]["share"]
        assert shares == {600: 0, 360: 0.4, 300: 0.5}
