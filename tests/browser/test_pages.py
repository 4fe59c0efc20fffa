"""Every page of the built book, once in each situation that matters; a visit tells all that is wrong."""

import contextlib
import gzip
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import changed
import pytest
from built_site import ROOT, pages
from finger import PHONE
from layout_shifts import shifts, too_far
from live_chapters import chapters
from sampling import covering, sample, seed
from stored_figures import moved, notebooks, questions
from torch_says import disagreements, random_settings
from visit import Visit

ALL_PAGES = [*pages(), "search", "genindex"]
LESSONS = [f"notebooks/{path.stem}" for path in chapters()]
NUMBERED = [name for name in LESSONS if name[10].isdigit()]
FACTS = Path(__file__).with_name("page_facts.js").read_text(encoding="utf-8")
RINGS = Path(__file__).with_name("focus_rings.js").read_text(encoding="utf-8")
DRIVE = Path(__file__).with_name("drive_figures.js").read_text(encoding="utf-8")
MOST_BYTES = 350_000  # of one page with all it loads, compressed
MOST_WEIGHTS = 300_000  # of trained weights besides, loaded when their figure is first used
MOST_ASKED = (
    12_000_000  # of one figure that comes only when the reader presses its button, which says how much
)
PROGRAMS = "figures => figures.map((figure) => figure.dataset.programs.split('/').at(-1))"
# of a figure that comes when asked for, whose worker comes with it
ASKED = """all => all.map(({ dataset: { pool, programs } }) => [pool, programs, "livetorch-worker.js"]
  .filter(Boolean).flatMap((names) => names.split(" ")).map((path) => path.split("/").at(-1)))"""
THEME = "wanted => [document.documentElement.dataset.theme].filter((theme) => theme !== wanted)"
STEPS = 5  # of a figure with carry
# drawn at random, besides those reached through the controls; `make proof` draws more
SETTINGS = int(os.environ.get("LIVE_SETTINGS", 4))
HEADER_WIDTHS = (320, 360, 768, 1280)
# Rings and large letters hang on the frame of a page, which few kinds of pages share.
OF_EACH_KIND = ("book/intro", "notebooks/01a_weighted_average", "notebooks/13a_a_heads_name", "book/notation")
MOVES_EASILY = ("book/solutions", "book/intro")
# Lessons that have each kind of control between them: torch says what moving it must give.
MOVED = [f"notebooks/{stem}" for stem in covering({path.stem: moved(path) for path in notebooks()})]
CHANGED = changed.pages()
HEAVIEST = "notebooks/01b_learn_the_width"
PAGES = sample(ALL_PAGES, 1, (*OF_EACH_KIND, HEAVIEST, *MOVES_EASILY, "search", *CHANGED))  # all each week
# What a phone adds hangs on the frame of a page and on its questions; figures on phones are in test_figures.
ASKING = [f"notebooks/{stem}" for stem in covering({path.stem: questions(path) for path in notebooks()})]
ON_PHONES = sample(ALL_PAGES, 1, (*ASKING, *OF_EACH_KIND, MOVES_EASILY[0], *CHANGED))


@pytest.fixture
def visiting(opening):
    """Give a function that opens a page in a situation; the visit is judged when all has been asked."""

    @contextlib.contextmanager
    def begin(name: str, situation: str, **how: object) -> Iterator[tuple[Visit, object]]:
        with opening(name, **how) as opened:
            visit = Visit(opened.page, name, situation)
            opened.page.evaluate(FACTS)
            yield visit, opened
            visit.note("errors", opened.errors)
            visit.note("requests to other hosts", opened.foreign)
            if how.get("javascript", True):
                visit.ask("refused by the policy", "window.refused")
            visit.judge()

    return begin


def compressed(files: Iterable[Path]) -> dict[str, int]:
    return {file.name: len(gzip.compress(file.read_bytes())) for file in files if file.is_file()}


def weigh(visit: Visit, opened, site: Path) -> None:
    """Hold all that a page loads while it is read against its budget."""
    page = visit.page
    paths = {unquote(urlsplit(url).path) for url in opened.requests if url.startswith(opened.home)}
    files = [Path(f"{site}{path}") for path in sorted(paths)]
    programs = set(page.locator("figure[data-programs]").evaluate_all(PROGRAMS))
    asked_by_figure = page.locator("figure[data-asked]").evaluate_all(ASKED)
    asked = {name for names in asked_by_figure for name in names}
    weights_of = {file for file in files if file.parent.name == "live" and file.name not in programs}
    heavy = weights_of | {file for file in files if file.name in asked}
    sizes, weights = compressed(file for file in files if file not in heavy), compressed(heavy)
    by_itself = sum(size for name, size in weights.items() if name not in asked)
    largest = max((sum(weights.get(name, 0) for name in names) for names in asked_by_figure), default=0)
    heaviest = sorted(sizes.items(), key=lambda item: -item[1])[:5]
    rules = {
        f"all is {sum(sizes.values())} bytes: {heaviest}": 0 < sum(sizes.values()) <= MOST_BYTES,
        f"weights of {by_itself} bytes come unasked": by_itself <= MOST_WEIGHTS,
        f"weights of {largest} bytes for one figure": largest <= MOST_ASKED,
    }
    fact = {"kB": sum(sizes.values()) / 1000, "weights_kB": sum(weights.values()) / 1000}
    visit.note("weight", [fault for fault, holds in rules.items() if not holds], fact)


@pytest.mark.parametrize("name", PAGES)
def test_on_a_desktop(visiting, site, name):
    with visiting(name, "desktop", cold=True) as (visit, opened):
        page = visit.page
        visit.note("moves by itself", too_far(shifts(page)))
        visit.ask("head", "facts.head()")
        visit.note(
            "theme", [] if page.evaluate("document.documentElement.dataset.theme") == "light" else ["dark"]
        )
        page.mouse.wheel(0, 4000)
        opened.come_alive()
        weigh(visit, opened, site)  # before axe, which has the fonts of folded formulas come, too
        page.mouse.wheel(0, -4000)
        visit.note("accessibility", opened.axe())
        visit.ask("links", "facts.links()")
        if name in LESSONS:
            look_at_the_lesson(visit)
        if name in OF_EACH_KIND:
            for width in (1280, 360):
                opened.resize(width)
                visit.ask(f"focus ring at {width}", RINGS)
        opened.resize(1600)
        visit.ask("wide window", "facts.overflow()")
        visit.ask("pictures", "facts.pictures()")
        if name in OF_EACH_KIND or seed() == "all":
            look_at_large_letters(visit, opened)


def look_at_the_lesson(visit: Visit) -> None:
    page = visit.page
    visit.ask("block of a figure", "facts.blocks()")
    text = (ROOT / f"{visit.name}.ipynb").read_text(encoding="utf-8")
    told, wanted = page.evaluate("facts.told()"), text.count("**What to notice")
    visit.note("answers", [] if told == wanted else [f"{told} on the page, {wanted} in the notebook"])
    if told:
        visit.ask("answer", "facts.reveal()")
    visit.ask("code", "facts.code()")
    page.evaluate("facts.restore()")
    visit.ask("code in view", "facts.cutCode()")
    page.emulate_media(media="print")
    visit.ask("paper", "facts.paper()")
    page.emulate_media(media="null")


def look_at_large_letters(visit: Visit, opened) -> None:
    opened.resize(1280)
    visit.page.evaluate("facts.restore(); document.documentElement.style.fontSize = '200%'")
    visit.ask("icons in large letters", "facts.icons()")
    visit.ask("large letters", "facts.overflow()")


@pytest.mark.parametrize("name", ON_PHONES)
def test_on_a_phone(visiting, name):
    """From disk and in the dark, so that one visit tells of all three."""
    with visiting(name, "phone", scheme="file", theme="dark", cold=True, **PHONE) as (visit, opened):
        page = visit.page
        visit.note("moves by itself", too_far(shifts(page)))
        visit.ask("overflow", "facts.overflow()")
        visit.ask("theme", THEME, "dark")
        visit.note("accessibility", opened.axe(only_colours=True))  # the rest is as in the light theme
        opened.resize(320)
        visit.ask("overflow at 320", "facts.overflow()")
        for width in HEADER_WIDTHS:  # before all is unfolded, which makes each other width dear
            page.set_viewport_size({"width": width, "height": 740})
            visit.ask(f"header at {width}", "facts.header()")
        opened.resize(360)
        if name in LESSONS:
            visit.ask("number beyond its view", "facts.numbersBeyond()")
            visit.ask("words for a mouse", "facts.mouseWords()")
            visit.ask("wide pictures", "facts.tabStops()", seconds=10)  # marked while the page is idle
        page.evaluate("facts.unfold()")
        visit.ask("scrolls unseen", "facts.unseen()")
        visit.ask("formula", "facts.cutMath()")
        if page.locator(".lt-question").count():
            visit.ask("questions", "facts.questions()")
            visit.note("accessibility of questions", opened.axe(".lt-question, .lt-forget"))
            visit.ask("overflow after answers", "facts.overflow()")


@pytest.mark.parametrize("name", sample(NUMBERED, 1, OF_EACH_KIND))
def test_without_javascript(visiting, name):
    with visiting(name, "unscripted", javascript=False) as (visit, _):
        visit.ask("what can be read", "facts.unscripted()")
        visit.ask("overflow", "facts.overflow()")
        opened_fold = visit.page.locator(".figure-block > details.code-fold").first
        opened_fold.locator("summary").first.click()
        shown = opened_fold.locator("pre").first.is_visible()
        visit.note("code of a figure", [] if shown else ["does not unfold"])
        visit.page.set_viewport_size({"width": 1000, "height": 900})
        visit.page.evaluate("facts.restore()")


@pytest.mark.parametrize("scheme", ["http", "file"] if seed() == "all" else ["http"])
@pytest.mark.parametrize("name", sample(ALL_PAGES, 0, MOVES_EASILY[:1]))
def test_on_a_slow_line(visiting, name, scheme):
    with visiting(name, f"slow {scheme}", scheme=scheme, slow=True, cold=True, **PHONE) as (visit, _):
        visit.note("moves by itself", too_far(shifts(visit.page)))


@pytest.mark.parametrize("name", sample(LESSONS, 0, (*MOVED, *CHANGED)))
def test_live_figures_hold_torchs_numbers(visiting, name):
    """Each control is moved as by a hand, then all are set at random; torch says what each must give."""
    path = ROOT / f"{name}.ipynb"
    settings = random_settings(path, SETTINGS)
    with visiting(name, "figures") as (visit, _):
        seen = visit.page.evaluate(DRIVE, {"settings": settings, "steps": STEPS})
        for rule, faults in disagreements(path, seen).items():
            visit.note(rule, faults)


def test_what_is_wrong_is_found(visiting):
    """A page that moves, with a pale word, sends every rule that could sleep awake."""
    with visiting("book/glossary", "spoilt", width=1280) as (visit, opened):
        page = visit.page
        assert too_far(shifts(page)) == []
        page.evaluate("document.querySelector('article').style.paddingTop = '300px'")
        assert too_far(shifts(page)) != []
        page.locator("article p:visible").first.evaluate("(p) => { p.style.color = '#bbbbbb'; }")
        for only_colours in (False, True):
            (found,) = opened.axe(only_colours=only_colours)
            assert re.match("color-contrast", found)


def test_no_ring_is_cut_where_figures_have_not_come(pool, server):
    page = pool.lend(viewport={"width": 360, "height": 740})
    page.route("**/livetorch*.js*", lambda route: route.abort())
    page.goto(f"{server}/notebooks/13a_a_heads_name.html")
    assert page.locator("figure.livetorch > img").count() > 0
    found = page.evaluate(RINGS)
    page.add_style_tag(
        content="div.cell { overflow: hidden } summary:focus-visible { outline-offset: 4px !important }"
    )
    cut = page.evaluate(RINGS)
    pool.give_back(page)
    assert "\n".join(found) == ""
    assert any("<summary" in line for line in cut)
