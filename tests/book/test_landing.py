"""The first page: figures lent by lessons, and the map of the lessons."""

import base64
import doctest
import json
import re
from types import SimpleNamespace

import drawn_sum
import landing
import pytest
import torch
from built_site import ROOT, pages
from sphinx.errors import ExtensionError

from attn_helpers import nadaraya_watson
from attn_lessons.studies.translation import date_translator, dates
from livetorch import explore
from livetorch.node import ask
from livetorch.pools import put_back
from livetorch.views import Heatmap

TRANSLATOR = ROOT / "notebooks/05b_trained_translator.ipynb"
VIEWS = [Heatmap("map", title="Map"), Heatmap("map", title="Again")]
SAID = '<figcaption class="lt-caption">Each row of\nthe map.</figcaption>\n'


def _figure(**words: str) -> str:
    return explore(
        lambda n: {"map": n * torch.ones(4, 4)}, n=(0.0, 2.0), view=VIEWS, name="a", **words
    ).to_html()


FIGURE = _figure()


def _cell(kind: str, source: str, html: str = "") -> dict:
    output = [{"output_type": "execute_result", "data": {"text/html": html}}] if html else []
    return {"cell_type": kind, "metadata": {}, "source": source, "outputs": output}


def test_a_lent_figure_keeps_its_numbers_and_has_the_first_views_only():
    whole, made = landing.spec_of(FIGURE), landing.lent(FIGURE, 1)
    assert landing.spec_of(made) == whole | {"views": whole["views"][:1], "caption": None, "rows": None}
    assert ("Again" in landing.STILL.search(FIGURE)[1], "Again" in landing.STILL.search(made)[1]) == (
        True,
        False,
    )
    assert landing.lent(FIGURE, None) == FIGURE
    assert landing.spec_of(landing.lent(FIGURE, 1, query=6))["views"] == [whole["views"][0] | {"query": 6}]


def test_a_caption_that_speaks_of_all_views_goes_with_them():
    figure = FIGURE.replace("<details", SAID + "<details", 1)
    assert landing.lent(figure, 1) == landing.lent(FIGURE, 1)
    assert landing.lent(figure, None) == figure


@pytest.mark.parametrize("part", ["do", "caption"])
def test_other_words_that_find_no_place_stop_the_build(part):
    with pytest.raises(ExtensionError, match=f":{part}:"):
        landing.reworded(FIGURE.replace("<details", "<div"), {part: "New."})


def test_a_lent_figure_says_what_holds_for_it_and_says_it_once():
    figure = _figure(do="Click the map.", caption="Old.")
    made = landing.reworded(figure, {"do": "Drag a <dot>.", "caption": "New."})
    assert landing.spec_of(made) == landing.spec_of(figure) | {"do": "Drag a <dot>.", "caption": "New."}
    assert '<p class="lt-do">Drag a &lt;dot&gt;.</p>' in made
    assert re.findall('class="lt-caption">(.*?)<', made) == ["New."]
    assert not re.search("Click the map|Old", made)


def test_a_lesson_takes_longer_with_more_words_figures_and_questions():
    short = {"cells": [_cell("markdown", "# A `short` one?\n\n" + "word " * 300)]}
    long = {"cells": [*short["cells"], *[_cell("code", "", FIGURE)] * 4]}
    assert landing.title(short) == "A short one?"
    assert (landing.minutes(short), landing.minutes(long)) == (5, 5)  # the four are one figure by name
    question = '<figure class="livetorch lt-question"><script type="application/json">{}</script></figure>'
    asking = {"cells": [*short["cells"], *[_cell("code", "", question)] * 6]}
    assert landing.minutes(asking) == 10


def test_the_first_page_lends_figures_and_shows_every_lesson(site):
    page = (site / "book/intro.html").read_text(encoding="utf-8")
    lessons = [name for name in pages() if landing.NUMBERED.fullmatch(name)]
    assert len(lessons) >= 13
    linked = re.findall(
        r'<li[^>]*><a href="\.\./(notebooks/[\w]+)\.html" data-asked="(\d+)" data-exercises="[1-3]">', page
    )
    assert [name for name, _ in linked] == sorted(lessons)
    assert all(int(asked) >= 2 for _, asked in linked)
    drawn = re.findall(r'<img src="\.\./(_static/pictures/[\w]+\.svg)"', page)
    assert [name for name in drawn if not (site / name).is_file()] == []
    assert len(drawn) == len(lessons)
    text = (ROOT / "book/intro.md").read_text(encoding="utf-8")
    lent = re.findall(r"```{lent-figure}.*?```", text, re.DOTALL)
    assert len(re.findall(r'<figure class="livetorch" data-', page)) == len(lent) >= 3
    assert len(landing.CAPTION.findall(page)) == sum(
        ":caption:" in one or ":views:" not in one for one in lent
    )
    for notebook, name in re.findall(r'href="\.\./notebooks/(\w+)\.html#lt:([\w-]+)="', page):
        assert f'data-name="{name}"' in (site / f"notebooks/{notebook}.html").read_text(encoding="utf-8")


def test_without_the_letters_that_the_first_page_names_another_month_is_written():
    notebook = json.loads(TRANSLATOR.read_text(encoding="utf-8"))
    spec = landing.spec_of(landing.figures(notebook)["date-translator"])
    date = next(control["value"] for control in spec["controls"] if control["name"] == "typed")
    text = (ROOT / "book/intro.md").read_text(encoding="utf-8")
    named, letters = re.search(r":do: In (.*), press ([\w, ]*): which month", text).groups()
    assert named == date
    model = date_translator.load_translator("bahdanau")[0]
    (typed,), (length,) = dates.encode_sources([date])
    away = [date.index(letter) for letter in re.split(", | and ", letters)]
    assert sum(date.count(date[at]) for at in away) == len(away) == 3

    def month(muted: list[int]) -> str:
        kept = torch.tensor([at not in muted for at in range(dates.SOURCE_LENGTH)])
        traced = date_translator.trace_translation(model, typed, length, kept)
        seen.append(traced["weights"][6, away].sum().item())
        return "".join(dates.TARGET_CHARACTERS[i] for i in traced["ids"])[5:7]

    seen: list[float] = []
    assert [month([]), month(away)] == ["03", "08"]
    assert {month([at]) for at in away} == {"03"}  # one alone changes nothing
    assert seen[0] > 0.85  # what is looked at
    assert f"To write the 3, it looks mostly at {letters}." in text.replace("a, r", "a and r")


def test_every_part_shows_the_questions_of_its_lessons_and_their_topics(site):
    page = (site / "book/intro.html").read_text(encoding="utf-8")
    parts = re.findall(r'<h3>(Part I+: [^<]+)</h3>.*?<ol class="lesson-map">(.*?)</ol>', page)
    assert len(parts) == 3
    for _, lessons in parts:
        asked = re.findall(r'class="lesson-title">(\d+\w\. [^<]+\?)<', lessons)
        about = re.findall(r'class="lesson-about">([^<]+)<', lessons)
        assert len(asked) == len(about) == lessons.count("<li") >= 8
        begins = re.findall(r'<li class="begins">.*?lesson-title">(\d+\w)', lessons)
        assert begins == [one for one in re.findall(r'lesson-title">(\d+\w)', lessons) if one.endswith("a")]
        assert f'</ol><details class="lessons-all"><summary><span>All {len(asked)} lessons<' in page
    assert page.index(">Bold: a chapter begins.<") < page.index('class="lesson-map"')
    assert "<details" not in "".join(lessons for _, lessons in parts)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (["a", "2"], None),
        (["a", "3"], "has no view 3 of a figure 'a'"),
        (["b", "1"], "has no view 1 of a figure 'b', but a"),
    ],
)
def test_a_lessons_picture_is_the_view_that_the_first_page_tells(told, said):
    page = SimpleNamespace(chosen={"8b": told}, error=ExtensionError)
    spec = landing.spec_of(FIGURE)
    assert landing.LessonMap.pictured(page, "8a", {"a": spec}) == [spec]
    if said:
        with pytest.raises(ExtensionError, match=said):
            landing.LessonMap.pictured(page, "8b", {"a": spec})
        return
    assert landing.LessonMap.pictured(page, "8b", {"a": spec}) == [landing.fewer(spec, [1])]
    assert page.chosen == {}  # what is left in the end has no lesson


def _stored(notebook: str, name: str) -> dict:
    path = ROOT / f"notebooks/{notebook}.ipynb"
    found = landing.figures(json.loads(path.read_text(encoding="utf-8")))
    return landing.spec_of(put_back(found[name], path.parent))


def _begun(spec: dict, output: str, dtype: str) -> list:
    """Give an output of a figure's first state, as the page's own code computes it."""
    data = bytearray(base64.b64decode(ask({"begin": spec})["first"][output]["data"]))
    return torch.frombuffer(data, dtype=getattr(torch, dtype)).tolist()


def test_the_first_pages_still_shows_what_the_model_itself_wrote():
    spec = _stored("10a_what_comes_next", "write")
    words = re.search(r":wrote: (.*)", (ROOT / "book/intro.md").read_text(encoding="utf-8"))[1]
    text, _, dice = spec["controls"]
    given = text["value"]
    assert landing.wrote(spec, words).endswith(f"{given}<b>{landing.html.escape(words)}</b></p>")
    awake = landing.spec_of(landing.kept(landing.with_spec(FIGURE, spec), words))["caption"]
    assert awake.endswith(f"After “{given}” it wrote “{words}”.")
    for _ in words:  # as Write goes on, from the die that the figure begins with
        longer, (after,) = _begun(spec, "longer", "int64"), _begun(spec, "after", "int64")
        text["value"] = "".join(text["vocabulary"][i] for i in longer if i != text["pad"])
        dice["value"] = after
    assert text["value"] == given + words


def test_the_head_that_the_first_page_speaks_of_looks_from_by_to_cat():
    spec = _stored("13a_a_heads_name", "own-sentence")
    settings = {control["name"]: control["value"] for control in spec["controls"]}
    assert (settings["layer"], settings["head"]) == (4, 2)
    told = re.findall(r":(?:caption|query): (.*)", (ROOT / "book/intro.md").read_text(encoding="utf-8"))
    caption, query = told[-2], int(told[-1])
    read = ["[CLS]", *re.findall(r"\w+|\.", settings["sentence"].lower()), "[SEP]"]
    weights = _begun(spec, "weights", "float32")
    row = weights[query * (len(weights) // 24) :][: len(read)]
    most = read[row.index(max(row))]
    assert caption.startswith(f"Head 2 of layer 4 looks from “{read[query]}” to “{most}”")


def test_a_lent_map_is_drawn_as_two_rows_of_words_and_says_a_sentence():
    spec = _stored("13a_a_heads_name", "own-sentence")
    view = landing.as_arcs(spec["views"][0], "{query} looks at {keys}.")
    assert (view["kind"], view["names"], view["tokens"]["text"]) == ("arcs", ["queries", "keys"], "sentence")
    drawn = landing.redraw({**spec, "views": [view | {"query": 5}]}, landing.NARROW)
    assert re.search(r">by looks at 52\s% cat", re.sub(r"</?tspan[^>]*>", "", drawn))


def test_what_to_do_with_a_model_is_said_once_it_is_loaded(site):
    page = (site / "book/intro.html").read_text(encoding="utf-8")
    asked = re.findall(r'<figure class="livetorch" data-embed="\S*" data-asked.*?</figure>', page, re.DOTALL)
    assert len(asked) == 2
    for figure in asked:
        assert landing.spec_of(figure)["do"].startswith(("Press Write", "Type a sentence"))
        assert "lt-do" not in landing.SPEC.sub("", figure)


def test_the_drawing_of_attention_is_that_of_the_first_lessons_readings():
    assert doctest.testmod(drawn_sum) == (0, 3)
    hours, degrees = (torch.tensor([*each]).float() for each in (drawn_sum.NOTES, drawn_sum.NOTES.values()))
    lesson = (ROOT / "notebooks/01a_weighted_average.ipynb").read_text(encoding="utf-8")
    for name, numbers in {"keys": hours, "values": degrees}.items():
        assert f"{name} = torch.tensor({numbers.tolist()})" in lesson
    output, weights = nadaraya_watson(
        torch.tensor([[drawn_sum.ASKED]]).float(), hours[:, None], degrees[:, None]
    )
    assert weights[0].tolist() == pytest.approx(drawn_sum.weights(), abs=1e-6)
    assert output.item() == pytest.approx(drawn_sum.answer(), abs=1e-5)


def test_weights_of_a_lent_figure_are_the_lessons_own_file(site):
    def read(name: str) -> str:
        return (site / f"{name}.html").read_text(encoding="utf-8")

    def files(text: str) -> set[str]:
        pools = " ".join(re.findall(r' data-pool="([^"]*)"', text))
        return set(re.findall(r"live/(\w+\.js)", pools))

    figures = re.findall(r'<div class="lent wide[^"]*">.*?class="lent-from"', read("book/intro"), re.DOTALL)
    whole = [figure for figure in figures if "lent wide hero" not in figure]  # it is lent in part
    assert len(whole) == len(figures) - 1
    lent = set().union(*map(files, whole))
    assert lent
    assert lent <= set().union(*(files(read(name)) for name in pages() if name.startswith("notebooks/")))
    assert ROOT.joinpath("book/intro.md").stat().st_size < 10_000
