"""What stands beside the words before it, asked of small documents; test_page_form.py sees it on a page."""

import beside
import pytest
import svg_figures
from docutils import nodes
from page_form import CLOSE, HINT, is_cell, mark

from attn_helpers import new_axes, show_figure


def said(words, bold=""):
    return nodes.paragraph("", "", *([nodes.strong(bold, bold)] if bold else []), nodes.Text(words))


def lines(many):
    """Words of so many lines."""
    return said("w" * beside.LETTERS * many)


def cell(html, code="1"):
    output = nodes.container("", mark(html), nb_element="cell_code_output")
    source = nodes.container("", nodes.literal_block(code, code), nb_element="cell_code_source")
    return nodes.container("", source, output, nb_element="cell_code")


def question(words="Which key?", more=""):
    return cell(f'<div class="livetorch-question lt-question"><p>{words}</p>{more}</div>')


def block(*asked):
    return nodes.container(
        "", nodes.container("", *asked, classes=["figure-question"]), classes=["figure-block"]
    )


def picture(width, height, columns=1, numbers="1"):
    """A cell as its page has it: what matplotlib drew, cut into panels where there are some."""
    axes = new_axes(columns=columns, width=width / 96, height=height / 96)
    html = svg_figures.figure(show_figure(axes, numbers).svg(), numbers, "f1-")
    assert ("figure-panels" in html) == (columns > 1)
    return cell(html)


def table(*columns, rows=2):
    """A table whose cells have so many letters."""
    row = nodes.row("", *(nodes.entry("", said("w" * letters)) for letters in columns))
    body = nodes.tbody("", *(row.deepcopy() for _ in range(rows)))
    return nodes.table("", nodes.tgroup("", body, cols=len(columns)))


def hint(words="Look at a row."):
    return [mark(f"{HINT}</summary>"), said(words), mark(CLOSE)]


FORMULA = nodes.math_block("x", "x")
TARGET = nodes.target(refid="equation-x")


def outline(row, start=0):
    """Tell of the nodes that were given by their places, and of what wraps them by its class."""
    marks = {"</div>": ")"}
    made = []
    for node in beside.in_rows(row, start):
        place = next((place for place, each in enumerate(row) if each is node), None)
        text = node.astext() if place is None else ""
        made.append(marks.get(text) or (text.split('"')[1].split()[0] + "(" if text else str(place)))
    return " ".join(made).replace("( ", "(").replace(" )", ")").replace("beside-", "")


@pytest.mark.parametrize(
    ("node", "size"),
    [
        (lines(3), 0),
        (question(), 1),
        (block(question()), 1),
        (block(said("Predict it."), question()), 0),  # two things are asked
        (block(), 0),
        (picture(300, 200), 1),
        (picture(380, 200, columns=2), 1),
        (picture(500, 200), 0),
        (picture(500, 200, columns=2), 0),
        (cell("<p>1</p>"), 0),
        (table(10, 10), 1),
        (table(30, 30), 0),
        (FORMULA, 0),
    ],
)
def test_what_is_short_is_one_piece(node, size):
    assert beside.size([node], 0)[0] == size


def test_all_hints_of_a_row_are_one_piece():
    row = [*hint(), *hint(), lines(1)]
    assert beside.size(row, 0)[0] == 6
    assert beside.size(row, 3)[0] == 3


def test_a_longer_question_is_taller_and_what_is_folded_in_it_is_not_counted():
    plain, long, listed, folded = (
        beside.size([question(*asked)], 0)[1]
        for asked in (
            ("a",),
            ("a" * 400,),
            ("a", "<li>b</li>" * 4),
            ("a", f"<details>{'b' * 400}</details>"),
        )
    )
    assert plain == folded < listed < long


@pytest.mark.parametrize("columns", [1, 2])
def test_the_size_of_a_picture_is_read_from_its_html(columns):
    wide, high = beside.picture_size(picture(400, 200, columns))
    assert (wide, high) == pytest.approx((400, 200), abs=2)


@pytest.mark.parametrize(
    "node",
    [
        lines(1),
        question(),
        cell(2 * picture(300, 200).children[1].astext()),
        cell(f'<details class="code-fold figure-beside"></details>{picture(300, 200).children[1].astext()}'),
    ],
)
def test_what_is_not_one_picture_alone_has_no_size(node):
    assert beside.picture_size(node) == (0, 0)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ([lines(1), question()], "beside(words(0) piece(1))"),
        ([question()], "0"),  # no words before it
        ([lines(9), lines(9), lines(1), question()], "0 beside(words(1 2) piece(3))"),  # as tall as it
        ([lines(1), question(), *(lines(1) for _ in range(3))], "beside(words(0) piece(1) words(2 3)) 4"),
        ([lines(1), question(), said("", "Write it yourself")], "beside(words(0) piece(1)) 2"),
        ([lines(1), *hint(), lines(1)], "beside(words(0) piece(1 2 3)) 4"),
        ([lines(5), block(question()), lines(1)], "beside(words(0) 1) 2"),
        ([lines(1), block(question())], "0 1"),  # it would leave a hole above the figure
        ([lines(3), TARGET, FORMULA, table(10, 10)], "beside(words(0 1 2) piece(3))"),
        ([lines(1), table(30, 30)], "0 1"),
        ([lines(3), picture(300, 200)], "beside(words(0) piece(1))"),
        ([picture(600, 200), lines(1), lines(2)], "beside(words(0) piece(1 2))"),  # at its right
        ([picture(600, 200), lines(1), lines(2), FORMULA], "beside(words(0) piece(1)) 2 3"),
        ([picture(700, 200), lines(2)], "0 1"),
        (
            [lines(1), cell(""), lines(2), said("", "Sources"), said("", "Next"), FORMULA],
            "0 1 beside(words(2) piece(3 4)) 5",
        ),
    ],
)
def test_short_pieces_stand_beside_the_words_before_them(row, expected):
    assert outline(row) == expected


def test_what_stands_before_the_start_keeps_its_form():
    row = [lines(1), question(), lines(1), question()]
    assert outline(row, 2) == "0 1 beside(words(2) piece(3))"


def test_a_question_without_words_beside_it_is_as_wide_as_the_page():
    row = [lines(1), question(), question()]
    beside.in_rows(row)
    assert ["question-wide" in each["classes"] for each in row if is_cell(each)] == [False, True]
