import pytest
import torch
from torch.testing import assert_close

from attn_lessons.studies import curve, mcycle, synthetic_curve


def test_mcycle_holds_the_133_points_of_the_file():
    x, y = mcycle()
    assert x.shape == y.shape == (133,)
    assert (x.min(), x.max(), y.min(), y.max()) == (torch.tensor(2.4), torch.tensor(57.6), -134, 75)
    assert (x.diff() >= 0).all()


def test_mcycle_says_where_it_comes_from():
    from importlib.resources import files

    note = files("attn_lessons.studies").joinpath("mcycle.md").read_text(encoding="utf-8")
    assert "Silverman" in note
    assert "Apache License 2.0" in note


def test_the_curve_is_its_formula():
    x = torch.linspace(0, 5, 11, dtype=torch.float64)
    assert_close(curve(x), 2 * x.sin() + x / 2)


def test_the_synthetic_points_lie_around_the_curve():
    x, y = synthetic_curve(2000, noise=0.5)
    assert ((x >= 0) & (x <= 5)).all()
    assert_close((y - curve(x)).std(), torch.tensor(0.5), rtol=0.05, atol=0)


def test_the_same_seed_gives_the_same_points_and_leaves_the_global_seed_alone():
    before = torch.get_rng_state()
    first, again, other = synthetic_curve(7), synthetic_curve(7), synthetic_curve(7, seed=1)
    assert torch.equal(first.y, again.y)
    assert not torch.equal(first.y, other.y)
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize(
    ("options", "error", "expected"),
    [
        ({"num_points": 0}, ValueError, "num_points must be at least 1, got num_points=0"),
        ({"num_points": 2.5}, TypeError, "num_points must be an int, got float"),
        ({"noise": -1}, ValueError, "noise must be at least 0, got noise=-1"),
    ],
)
def test_impossible_points_are_refused(options, error, expected):
    with pytest.raises(error, match=expected):
        synthetic_curve(**options)


def test_the_curve_refuses_integers():
    with pytest.raises(TypeError, match=r"x must be floating-point, got torch\.int64"):
        curve(torch.arange(3))
