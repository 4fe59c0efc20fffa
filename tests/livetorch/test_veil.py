"""`veil`: which views wait for the reader's guess, and what is refused when the figure is made."""

import pytest
import torch

from livetorch import Bars, Lines, Number, Points, Slider, explore


def shares(at, width):
    heights = torch.exp(-(((torch.arange(3.0) - at[0, 0]) / width) ** 2))
    weights = heights / heights.sum()
    return {"heights": heights, "weights": weights, "answer": weights @ torch.arange(3.0)}


def make(veil, **more):
    view = [Lines(y="heights", drag="at"), Bars("weights"), Number("answer")]
    return explore(
        shares, at=Points([[1.0]], domain=((0, 2),)), width=Slider(1.0, 2.0), view=view, veil=veil, **more
    )


def test_the_views_that_show_a_veiled_output_are_numbered_and_the_stored_figure_says_so():
    assert make("weights").spec["veil"] == [1]
    assert make(["answer", "heights"]).spec["veil"] == [0, 2]
    html = make("answer").to_html()
    assert '<figure class="livetorch" data-name="shares" data-veil>' in html
    assert "answer: 1.0000" in html  # nothing is missing without scripts


def test_a_figure_without_a_veil_is_stored_as_before():
    figure = make(None)
    assert "veil" not in figure.spec
    assert '<figure class="livetorch" data-name="shares">' in figure.to_html()


@pytest.mark.parametrize(
    ("veil", "error", "words"),
    [
        ("weight", ValueError, "veil names 'weight', but the function returns only 'heights', 'weights'"),
        (True, TypeError, "veil must be the name of an output, or a list of such names, got veil=True"),
        ([], TypeError, r"got veil=\[\]"),
    ],
)
def test_a_wrong_veil_is_refused(veil, error, words):
    with pytest.raises(error, match=words):
        make(veil)


def test_an_output_that_no_view_shows_cannot_be_veiled():
    with pytest.raises(ValueError, match="veil names 'weights', which no view shows"):
        explore(
            shares,
            at=Points([[1.0]], domain=((0, 2),)),
            width=(1.0, 2.0),
            view=Bars("heights"),
            veil="weights",
        )
