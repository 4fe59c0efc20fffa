"""Every live figure of the book explains itself: title, instruction, caption, and words, not Python names."""

import json
import re

import pytest
from built_site import ROOT

JSON = re.compile(r'<script type="application/json">(.*?)</script>', re.DOTALL)
IMPERATIVE = re.compile(r"[A-Z][a-z]+ ")
PYTHON = re.compile(
    r"[a-z]\w*_\w*|[a-zA-Z]|[a-z]+"
)  # d_k, W, learning: what a reader of prose would not write


def _stored() -> dict[str, dict]:
    found = {}
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for output in cell.get("outputs", []):
                html = "".join(output.get("data", {}).get("text/html", ""))
                if 'class="livetorch"' in html:
                    spec = json.loads(JSON.search(html)[1])
                    found[f"{path.stem[:2]} {spec['name']}"] = spec
    return found


FIGURES = _stored()


@pytest.fixture(params=FIGURES)
def spec(request):
    return FIGURES[request.param]


def test_the_book_has_figures():
    assert len(FIGURES) > 20


def test_a_figure_says_what_it_shows_what_to_do_and_what_to_look_at(spec):
    assert spec["title"], "explore(title=...): a claim or a question"
    assert spec["do"], "explore(do=...): one line that says what to do"
    assert spec["caption"], "explore(caption=...): what to look at"
    assert IMPERATIVE.match(spec["do"])
    assert all(spec[part].endswith(".") for part in ("do", "caption"))
    assert len(spec["title"]) <= 60
    assert len(spec["do"]) <= 90


def test_no_control_is_called_by_a_python_name(spec):
    seen = [control for control in spec["controls"] if control["kind"] != "state"]
    bare = [control["label"] for control in seen if PYTHON.fullmatch(control["label"])]
    assert bare == [], "give the control a label"
    small = [control["label"] for control in seen if re.match(r"[a-z]{3}", control["label"])]
    assert small == [], "labels begin with a capital"


def test_every_output_that_a_view_shows_has_words(spec):
    shown = {
        source["output"]
        for view in spec["views"]
        for source in _sources(view)
        if "output" in source and view["kind"] != "plane"
    }
    assert shown - set(spec["labels"]) == set(), "explore(labels={output: words})"


def _sources(view: dict) -> list[dict]:
    parts = [view.get("source"), *view.get("series", []), *(part["source"] for part in view.get("parts", []))]
    return [part for part in [*parts, *(curve["source"] for curve in view.get("y", []))] if part]


def test_axes_have_names_and_views_that_stand_together_titles(spec):
    for view in spec["views"]:
        if "xlabel" in view and not view.get("shares"):  # one bar from 0 to 1 is named by its title
            assert view["xlabel"], f"{view['kind']}: the x axis has no name"
            assert view["ylabel"], f"{view['kind']}: the y axis has no name"
        if len(spec["views"]) > 1 and view["kind"] not in ("table", "arcs"):
            assert view["title"], f"{view['kind']}: which of the views is it?"
