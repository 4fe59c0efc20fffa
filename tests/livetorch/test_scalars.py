"""A number that torch wants from Python may come from a control: as alpha, eps, a slope, a power."""

import pytest
import torch
from node_runner import NodeError
from torch.nn import functional

from livetorch import trace
from livetorch.program.errors import DataDependentError

X = torch.linspace(-3, 3, 12).reshape(3, 4)
Y = torch.arange(12.0).reshape(3, 4) / 4
LABELS = torch.tensor([0, 3, 1])


def in_place(function):
    """Let a function change a copy of X, and show both."""

    def changed(s):
        x = X.clone()
        return torch.stack([function(x, s), x])

    return changed


def slope_of_hardtanh(s):
    return torch.func.grad(lambda x: functional.hardtanh(x, -s, s).sum())(torch.stack([s, -s, s / 2, 2 * s]))


FUNCTIONS = {
    "add": lambda s: torch.add(X, Y, alpha=s) + X.add(Y, alpha=s),
    "sub": lambda s: X.sub(Y, alpha=s) + torch.sub(X, 2, alpha=s),
    "addcmul": lambda s: torch.addcmul(X, X, Y, value=s) + X.addcdiv(Y, Y + 1, value=s),
    "addmm": lambda s: (
        torch.addmm(torch.ones(3), X, Y.t(), beta=s, alpha=2) + (X @ Y.t()).addmm(X, Y.t(), alpha=s)
    ),
    "leaky_relu": lambda s: functional.leaky_relu(X, s) + functional.leaky_relu(X, negative_slope=s),
    "elu": lambda s: functional.elu(X, s) + functional.celu(X, alpha=s),
    "softplus": lambda s: functional.softplus(X * 40, s),
    "shrink": lambda s: functional.hardshrink(X, s) + functional.softshrink(X, s),
    "threshold": lambda s: functional.threshold(X, s, -5.0) + functional.threshold(X, 0.5, s),
    "hardtanh": lambda s: functional.hardtanh(X, -s, s) + functional.hardtanh(X, max_val=s),
    "layer_norm": lambda s: functional.layer_norm(X, (4,), torch.arange(4.0), torch.ones(4), s),
    "rms_norm": lambda s: functional.rms_norm(X, (4,), eps=s),
    "pad": lambda s: functional.pad(X, (1, 2, 0, 1), value=s),
    "norm": lambda s: torch.stack([X.norm(s), torch.norm(X, p=s, dim=1).sum(), torch.linalg.norm(X[0], s)]),
    "normalize": lambda s: functional.normalize(X, dim=1, eps=s),
    "label_smoothing": lambda s: functional.cross_entropy(X, LABELS, label_smoothing=s),
    "ignored": lambda s: functional.cross_entropy(
        X, LABELS, label_smoothing=s, ignore_index=3, reduction="sum"
    ),
    "huber": lambda s: (
        functional.huber_loss(X, Y, delta=s) + functional.smooth_l1_loss(X, Y, beta=s, reduction="none")
    ),
    "huber with weights": lambda s: functional.huber_loss(X, Y, delta=s, weight=Y),
    "leaky_relu in place": in_place(lambda x, s: functional.leaky_relu(x, s, inplace=True)),
    "elu in place": in_place(lambda x, s: functional.elu(x, s, True) + functional.celu(x, s, True)),
    "hardtanh in place": in_place(lambda x, s: functional.hardtanh(x, -s, s, inplace=True)),
    "threshold in place": in_place(lambda x, s: functional.threshold(x, s, -5.0, inplace=True)),
    "hardtanh at its bounds": slope_of_hardtanh,
    "softplus in half precision": lambda s: functional.softplus(X.half(), s * 40),
    "nan_to_num": lambda s: (X / X.relu()).nan_to_num(s, neginf=-7),
    "nan_to_num of whole numbers": lambda s: LABELS.nan_to_num(s) + s,
    "lerp": lambda s: torch.lerp(X, Y, s),
    "clamp": lambda s: X.clamp(-s, s) + X.clamp_min(s) + X.clip(max=s),
    "masked_fill": lambda s: X.masked_fill(X > 1, s),
    "full": lambda s: torch.full((2, 3), s) + X.new_full((2, 3), s),
    "pow": lambda s: Y.pow(s) + torch.pow(2.0, s) + s ** torch.arange(3.0)[:, None],
    "scale": lambda s: functional.scaled_dot_product_attention(X[None], Y[None], Y[None], scale=s),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_number_from_a_control(name, node):
    function = FUNCTIONS[name]
    program = trace(lambda s: function(s), s=0.5)
    for number in (0.5, 0.25, 0.9):
        s = torch.tensor(number)
        want = function(s)
        for got in (program.run(s=s)["output"], node.run(program, {"s": s})["output"]):
            assert got.dtype == want.dtype
            assert torch.allclose(got, want, rtol=1e-5, atol=1e-6, equal_nan=True)


WHOLE = {
    "roll": lambda n: X.roll(n, 1) + torch.roll(X, n, dims=0) + X.roll(n),
    "triangles": lambda n: X.tril(n) + 2 * torch.triu(X, diagonal=n),
    "triangles of bools": lambda n: X.masked_fill((X < 9).triu(n), 9) + (X < 9).tril(-n),
}


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_number_from_a_control(name, node):
    function = WHOLE[name]
    program = trace(lambda n: function(n), n=1)
    for number in (-2, 0, 1, 5):
        want = function(number)
        for got in (
            program.run(n=number)["output"],
            node.run(program, {"n": torch.tensor(number)})["output"],
        ):
            assert torch.equal(got, want)


ASKED = {
    "hardtanh": (lambda s: functional.hardtanh(X, 0.1, s), -1.0, "min_val cannot be greater than max_val"),
    "celu": (lambda s: functional.celu(X, s), 0.0, "alpha cannot be 0"),
    "softshrink": (lambda s: functional.softshrink(X, s), -0.1, "lambda must not be negative"),
    "huber": (lambda s: functional.huber_loss(X, Y, delta=s), 0.0, "delta must be positive"),
    "smooth_l1": (lambda s: functional.smooth_l1_loss(X, Y, beta=s), -0.1, "beta must not be negative"),
    "label_smoothing": (
        lambda s: functional.cross_entropy(X, LABELS, label_smoothing=s),
        1.1,
        "label_smoothing must be between",
    ),
}


@pytest.mark.parametrize("name", ASKED)
def test_what_torch_asks_of_a_number_the_page_asks_as_well(name, node):
    function, number, said = ASKED[name]
    program = trace(lambda s: function(s), s=0.5)
    for run in (lambda s: function(s), lambda s: program.run(s=s)):
        with pytest.raises((ValueError, RuntimeError)):
            run(torch.tensor(number))
    with pytest.raises(NodeError, match=said):
        node.run(program, {"s": torch.tensor(number)})


def test_the_norm_of_a_matrix_is_not_taken_for_that_of_a_vector():
    with pytest.raises(DataDependentError, match="linalg_norm asks for the numbers in a tensor"):
        trace(lambda p: torch.linalg.norm(X, ord=p), p=1.0)


AT_THE_EDGE = {
    "norm": (lambda s: torch.norm(X.round(), p=s, dim=1), (0.0, 1.0, -1.0)),
    "label_smoothing": (lambda s: functional.cross_entropy(X, LABELS, label_smoothing=s), (-0.5, 0.0, 1.0)),
    "beta": (lambda s: torch.addmm(torch.tensor(torch.nan), X, Y.t(), beta=s), (0.0, 1.0)),
    "alpha": (lambda s: functional.elu(X * 100, s), (0.0, -1.0)),
    "smooth_l1": (lambda s: functional.smooth_l1_loss(X, Y, beta=s), (0.0,)),
}


@pytest.mark.parametrize("name", AT_THE_EDGE)
def test_numbers_at_which_torch_does_something_else(name, node):
    function, numbers = AT_THE_EDGE[name]
    program = trace(lambda s: function(s), s=0.5)
    for number in numbers:
        s = torch.tensor(number)
        got = node.run(program, {"s": s})["output"]
        torch.testing.assert_close(got, function(number), equal_nan=True)
