"""Questions that are answered in the page: what they check, say, and store."""

import json
import re

import pytest
import torch

from attn_helpers import causal_mask
from attn_lessons.exercises import ask_cells, ask_choice, ask_number


def choice(**changes):
    given = {"question": "Which?", "options": {"a": "Because.", "b": "Not so."}, "answer": "a", "name": "q"}
    return ask_choice(**given | changes)


def number(**changes):
    return ask_number(**{"question": "How many?", "answer": 3, "explain": "Count.", "name": "q"} | changes)


def cells(**changes):
    given = {"question": "Where?", "answer": causal_mask(3), "explain": "The past.", "name": "q"}
    return ask_cells(**given | changes)


def stored(question):
    """The JSON of the stored HTML."""
    html = question._repr_mimebundle_()[0]["text/html"]
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', html, re.DOTALL)[1])


@pytest.mark.parametrize("make", [choice, number, cells])
def test_what_is_stored_is_the_question(make):
    assert stored(make()) == make().spec


@pytest.mark.parametrize(
    "starred", ["It stands *before* it.", "*All* of it.", "Now **all of it**.", "(*so*)"]
)
def test_a_starred_word_is_refused_since_its_stars_would_be_shown(starred):
    for make in (
        lambda: choice(question=starred),
        lambda: choice(options={starred: "Because.", "a": "Not so."}),
        lambda: choice(options={"a": starred, "b": "Not so."}),
        lambda: number(explain=starred),
        lambda: number(mistakes={starred: 4}),
        lambda: cells(explain=starred),
    ):
        with pytest.raises(ValueError, match=r"take the \* away"):
            make()


@pytest.mark.parametrize("text", ["0.6 * 0.3 and 0.4 * 0.9", "`a *b* c`: 2*3*4", "`(x * y)` and `**z`, `*w`"])
def test_products_and_code_keep_their_stars(text):
    assert choice(question=text).spec["question"] == text


@pytest.mark.parametrize("make", [choice, number, cells])
def test_no_text_can_leave_its_place_in_the_html(make):
    html = make(question="</script><b>& `<i>`").to_html()
    assert html.count("</script>") == 1
    assert "<b>" not in html
    assert "<code>&lt;i&gt;</code>" in html


@pytest.mark.parametrize("make", [choice, number, cells])
@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"name": "Causal cells"}, "name must be small letters"),
        ({"question": "  "}, "question must not be empty"),
    ],
)
def test_a_question_needs_a_name_and_a_text(make, changes, error):
    with pytest.raises(ValueError, match=error):
        make(**changes)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"options": {"a": "Because."}}, "options must hold at least two answers, got 1"),
        ({"answer": "c"}, "answer must be one of the options, got answer='c'"),
        ({"options": {"a": "", "b": "Not so."}}, "the reply to 'a' must not be empty"),
    ],
)
def test_wrong_choices_are_refused(changes, error):
    with pytest.raises(ValueError, match=error):
        choice(**changes)


@pytest.mark.parametrize(
    ("changes", "kind", "error"),
    [
        ({"answer": float("nan")}, ValueError, "answer must be finite"),
        ({"answer": torch.ones(2)}, TypeError, "answer must be one number, got a tensor of shape"),
        ({"answer": "3"}, TypeError, "answer must be a number, got str"),
        ({"answer": True}, TypeError, "answer must be a number, got bool"),
        ({"tolerance": -1}, ValueError, "tolerance must be at least 0, got -1"),
        ({"mistakes": {"Off by one.": 3.0}}, ValueError, "must be more than the tolerance 0 apart"),
        ({"mistakes": {"One.": 4, "Two.": 4.5}, "tolerance": 0.5}, ValueError, "got 4 and 4.5"),
    ],
)
def test_wrong_numbers_are_refused(changes, kind, error):
    with pytest.raises(kind, match=error):
        number(**changes)


@pytest.mark.parametrize(
    ("changes", "kind", "error"),
    [
        ({"answer": torch.eye(3)}, TypeError, "answer must be a bool tensor .rows, cols., got torch.float32"),
        ({"answer": torch.ones(3).bool()}, ValueError, "answer must have shape"),
        ({"answer": causal_mask(13)}, ValueError, "1 to 12 each, got .13, 13."),
        ({"rows": ["a", "b"]}, ValueError, "rows must have 3 labels, one for each, got 2"),
        ({"mistakes": {"No.": causal_mask(3)}}, ValueError, "a mistake must differ from the answer"),
        ({"mistakes": {"No.": causal_mask(2)}}, ValueError, "must have the shape of answer"),
    ],
)
def test_wrong_cells_are_refused(changes, kind, error):
    with pytest.raises(kind, match=error):
        cells(**changes)


@pytest.mark.parametrize(
    ("answer", "text", "tolerance"),
    [
        (14080, "14,080", 0),
        (0.880797, "0.8808", 0.005),
        (256.25, "256.2", 1.28125),
        (0.00123456, "0.001235", 0.000123456),
    ],
)
def test_a_number_is_shown_short_and_checked_with_a_tolerance(answer, text, tolerance):
    spec = number(answer=answer).spec
    assert spec["shown"] == text
    assert spec["tolerance"] == pytest.approx(tolerance)
    assert abs(float(text.replace(",", "")) - answer) <= tolerance


def test_the_last_bits_of_a_number_are_not_stored():
    assert number(answer=torch.tensor(1 / 3)).spec == number(answer=1 / 3).spec
    assert number(answer=torch.tensor(3)).spec == number(answer=3).spec
    assert json.dumps(number(answer=3.0000002).spec) == json.dumps(number(answer=3).spec)


def test_the_text_of_cells_lines_up_under_wide_labels():
    tokens = ["我", "喜欢"]
    lines = repr(cells(answer=causal_mask(2), rows=tokens, cols=tokens)).splitlines()
    assert lines[2:5] == ["        我 喜欢", "  我    x  .", "  喜欢  x  x"]
    assert lines[-1] == "The past."


def test_a_kernel_shows_the_live_form_and_everything_else_has_text():
    data, _ = cells()._repr_mimebundle_()
    assert {"text/plain", "text/html", "application/vnd.jupyter.widget-view+json"} <= set(data)
    assert data["text/plain"] == repr(cells())
