"""A function that is right stays right: last bits, steps, NaN, and constants in half the space."""

import re
import warnings

import pytest
import torch
from torch.nn import functional

from livetorch import explore, trace
from livetorch.program.errors import ChangingError, LiveWarning, TraceError
from livetorch.tracing.trace import trace_with
from livetorch.tracing.watching import scalars


def test_a_function_that_hangs_on_last_bits_is_let_through_with_a_warning():
    noise = torch.linspace(0.1, 0.7, 7)

    def f(x):
        y = x * noise
        return ((y / 3 * 3 - y) * 1e9).softmax(0) @ torch.arange(7.0)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            trace(f, x=1.0)
        except TraceError as error:
            pytest.fail(str(error))
    assert all(issubclass(warning.category, LiveWarning) for warning in caught)


def logistic(x):
    for _ in range(50):
        x = 3.9 * torch.sigmoid(torch.log(x / (1 - x))) * (1 - x)
    return x


def test_a_loop_that_grows_the_last_bit_is_warned_of():
    with pytest.warns(LiveWarning, match="logistic for the example hang on the last bits of its inputs"):
        trace(logistic, x=torch.tensor([0.2, 0.37]))


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: (x > 0.5).float() * 3,  # a step has two sides and no third
        lambda x: torch.softmax(-(((x - torch.linspace(0, 1, 9)) / 0.01) ** 2), -1),
        lambda x: torch.zeros(3).scatter(0, (x * torch.ones(3)).argmax(keepdim=True), x),
        lambda x: (x * 20).exp() * torch.tensor([1.0, -1.0]),
        lambda x: (2 * x).log(),  # 0, but for the last bits
    ],
    ids=["step", "narrow", "tie", "steep", "zero"],
)
@pytest.mark.filterwarnings("error::livetorch.program.errors.LiveWarning")
def test_a_step_and_a_steep_curve_are_not_warned_of(fn):
    trace(fn, x=0.5)


@pytest.mark.parametrize(
    ("fn", "ends"),
    [
        (lambda x: torch.sqrt(x * torch.ones(2)), (-1.0, 1.0)),
        (lambda x: torch.asin(x * torch.ones(2)), (-2.0, 2.0)),
        (lambda x: x / x * torch.ones(2), (0.0, 1.0)),
        (lambda x: torch.log(x) * torch.ones(2), (0.0, 1.0)),
    ],
)
def test_nan_and_infinities_at_an_end_are_numbers_like_others(fn, ends):
    explore(fn, x=ends)


@pytest.mark.parametrize("emptied", [True, False])
def test_gradients_of_parameters_do_not_pile_up(emptied):
    layer = torch.nn.Linear(2, 1)

    def f(x):
        if emptied:
            layer.zero_grad()
        layer(x).sum().backward()
        return layer.weight.grad * 1

    if emptied:
        got = trace(f, x=torch.ones(2)).run(x=torch.tensor([3.0, 4.0]))["output"]
        assert got.tolist() == [[3.0, 4.0]]
    else:
        with pytest.raises(
            ChangingError, match=re.escape("Start with optimizer.zero_grad() or W.grad = None")
        ):
            trace(f, x=torch.ones(2))
    assert layer.weight.grad is None


def before_after(x):
    bias = torch.zeros(3, 3)
    first = bias.clone()[0]
    row = x + first
    bias[0] = -1e4
    return {"row": row, "masked": torch.softmax(x + bias, -1)}


def test_a_part_of_a_clone_keeps_its_numbers_when_the_original_is_written():
    for store in (None, "float16"):
        got = trace_with(before_after, {"x": 0.5}, store=store).run(x=0.25)
        torch.testing.assert_close(got, before_after(torch.tensor(0.25)))


def by_softmax(z):
    return z.softmax(-1).pow(2).sum()


def softmax_slope(x):
    weights = x.softmax(-1)
    return 2 * weights * (weights - weights.pow(2).sum(-1, keepdim=True))


RESIDUALS = {
    "tanh": lambda x: torch.func.grad(lambda z: z.tanh().sum())(x) - (1 - x.tanh() ** 2),
    "softmax": lambda x: torch.func.grad(by_softmax)(x) - softmax_slope(x),
    "layer_norm": torch.func.grad(lambda z: functional.layer_norm(z, (3,)).sum()),
    "fft": lambda x: torch.fft.irfft(torch.fft.rfft(x), n=3) - x,
    "unfold": lambda x: functional.conv1d(x[:, None], x[None, :1])[..., 0] - x.unfold(1, 3, 1) @ x[0],
}


@pytest.mark.parametrize("name", RESIDUALS)
@pytest.mark.parametrize("seed", range(3))
def test_a_difference_of_two_formulas_of_one_thing_is_rounding(name, seed):
    x = torch.randn(5, 3, generator=torch.Generator().manual_seed(seed))
    trace(lambda x: {"off": RESIDUALS[name](x).abs().max(), "size": x.norm()}, x=x)


@pytest.mark.parametrize("fault", [1e-2, 1e-5])
def test_a_fault_is_not_taken_for_rounding(fault, monkeypatch):
    def wrong(input, alpha, inplace):
        return scalars._elu(input, alpha) + fault

    monkeypatch.setitem(scalars._FORMULAS, functional.elu, wrong)
    x = torch.linspace(-2, 2, 15)
    with pytest.raises(TraceError, match="This is a fault of the tracing"):
        trace(lambda a: (functional.elu(x, a) - torch.where(x > 0, x, a * torch.expm1(x))).abs().max(), a=0.5)


PLACES = torch.arange(4096.0)
SMALL = torch.tensor(1e-8)
IDS = torch.arange(3000.0)


def test_float16_keeps_whole_numbers_and_small_ones():
    def small(a):
        return a * torch.ones(2) / ((a * torch.ones(2)).norm() + SMALL)

    def count(n):
        return (n == IDS).float().sum()

    def waves(base):
        return torch.cos(PLACES * base**-0.5)[-4:]

    for fn, given in ((small, {"a": 0.0}), (count, {"n": 2999.0}), (waves, {"base": 3.0})):
        program = trace_with(fn, given, store="float16")
        wanted = fn(**{name: torch.tensor(value) for name, value in given.items()})
        torch.testing.assert_close(program.run(**given)["output"], wanted)


def test_float16_that_changes_an_output_by_much_is_refused_by_a_little_warned_of():
    angles = torch.linspace(0, 500, 100) + 0.123

    with pytest.raises(TraceError, match=r"float16.* changes the output output of .* per cent"):
        trace_with(lambda x: torch.cos(angles + x), {"x": 1.0}, store="float16")
    with pytest.warns(LiveWarning, match="per cent"):
        trace_with(lambda x: torch.cos(angles / 4 + x), {"x": 1.0}, store="float16")


def test_a_tiny_weight_does_not_keep_a_matrix_wide():
    weight = torch.randn(50, 50)
    weight[0, 0] = 1e-9
    program = trace_with(lambda x: x * weight, {"x": 1.0}, store="float16")
    assert [constant.stored for constant in program.constants] == [torch.float16]
