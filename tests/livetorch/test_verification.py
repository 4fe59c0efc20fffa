"""No Program leaves that disagrees with its function: what left torch, changes or is too coarse."""

import copy
import io
import math
import pickle
import random
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from livetorch import Checkbox, Mask, Matrix, Points, Slider, State, Text, explore, trace
from livetorch.program.errors import ChangingError, FrozenError, LiveWarning, TraceError
from livetorch.tracing.trace import trace_with

# ---- numbers that leave torch: each function would be frozen at its example


def legacy(p):
    return torch.Tensor([p[0, 0], p[0, 1]]) * 2


def legacy_float(p):
    return torch.FloatTensor([p[0, 0], p[0, 1]])


def legacy_long(p):
    return torch.LongTensor([(p[0, 0] * 10).long(), (p[0, 1] * 10).long()])


def written(p):
    return torch.tensor([float(f"{number:.1f}") for number in p.flatten()])


def shown(p):
    return -p if "-" in str(p) else p


def threads(p):
    with ThreadPoolExecutor() as pool:
        return torch.stack(list(pool.map(torch.exp, p)))


def pickled(p):
    kept = io.BytesIO()
    torch.save(p, kept)
    kept.seek(0)
    return torch.load(kept) + 1


LEAKS = [legacy, legacy_float, legacy_long, written, threads]


@pytest.mark.parametrize("fn", LEAKS, ids=lambda fn: fn.__name__)
def test_a_number_that_leaves_torch_is_refused_with_its_argument_and_line(fn):
    with pytest.raises(FrozenError, match="does not follow p once it is traced") as refused:
        trace(fn, p=torch.tensor([[0.5, 1.25]]))
    assert refused.value.names == {"p"}
    with pytest.raises(FrozenError, match="turns p into a Python number"):
        explore(fn, p=Points([[0.5, 1.25]], domain=(-2, 2)))
    assert "of " + fn.__name__ in str(refused.value) or fn in (legacy_float, legacy_long, written)


@pytest.mark.parametrize("fn", [shown, pickled], ids=lambda fn: fn.__name__)
def test_other_ways_out_are_refused(fn):
    with pytest.raises(TraceError):
        explore(fn, p=Points([[0.5, 1.25]], domain=(-2, 2)))


CONTROLS = {
    "points": Points([[0.5, 1.25]], domain=(-2, 2)),
    "matrix": Matrix([[0.5, 1.25]]),
    "bounded matrix": Matrix([[1.0, 1.0]], min=0.0, max=1.0),
    "mask": Mask([[True, False]]),
    "text": Text("ab", vocabulary=["<pad>", "a", "b", "c"], length=2),
    "state": State(torch.tensor([[0.5, 1.25]])),
    "slider": Slider(-2.0, 2.0, value=0.5),
    "checkbox": Checkbox(as_input=True),
}


@pytest.mark.parametrize("control", CONTROLS.values(), ids=CONTROLS)
def test_a_frozen_control_of_every_kind_is_noticed(control):
    def frozen(x):
        with ThreadPoolExecutor() as pool:
            return {"next": x * 1, "kept": pool.submit(lambda: x * 2).result()}

    with pytest.raises(FrozenError, match="frozen does not follow x"):
        explore(frozen, x=control, carry={"x": "next"} if control.kind == "state" else None)


def test_a_frozen_part_of_a_following_output_is_noticed():
    def turned(a):
        return a + torch.Tensor([[a.cos(), -a.sin()], [a.sin(), a.cos()]])

    with pytest.raises(FrozenError, match=r"turned .* a .*on line \d+ of turned"):
        explore(turned, a=(0.0, 3.0))


def test_a_number_that_is_the_same_at_both_ends_is_noticed_in_between():
    with pytest.raises(FrozenError):
        explore(lambda a: torch.Tensor([a.sin(), a.sin()]), a=Slider(-math.pi, math.pi, value=0.0))


def test_only_the_guilty_argument_is_named():
    def f(a, b, c):
        return torch.Tensor([b]) * a + c

    with pytest.raises(FrozenError) as refused:
        trace(f, a=1.0, b=2.0, c=3.0)
    assert refused.value.names == {"b"}


# ---- randomness and state outside torch


def drawn(x):
    return x * random.random()


def numpy_drawn(x):
    return x * torch.from_numpy(np.random.rand(2)).float()


counter = iter(range(10**9))


def counted(x):
    return x * next(counter)


class Cache(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.keys = []

    def forward(self, x):
        self.keys.append(x.detach().clone())
        return torch.stack(self.keys).sum(0) + len(self.keys)


class Average(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.average = torch.zeros(())

    def forward(self, x):
        self.average = 0.9 * self.average + 0.1 * x
        return self.average


@pytest.mark.parametrize("make", [lambda: drawn, lambda: numpy_drawn, lambda: counted, Cache, Average])
def test_a_function_that_changes_between_calls_is_refused(make):
    with pytest.raises(ChangingError, match="gives other numbers at each call"):
        trace(make(), x=1.0)
    with pytest.raises(TraceError):
        explore(make(), x=(0.0, 1.0))


def test_the_line_that_changes_is_named():
    with pytest.raises(ChangingError, match=r"on line \d+ of drawn .*random\.random\(\)"):
        trace(drawn, x=1.0)


def test_a_counter_that_does_not_touch_the_numbers_is_no_fault():
    calls = []

    def f(x):
        calls.append(1)
        print("called")
        return 2 * x

    assert trace(f, x=1.0).run(x=2.0)["output"] == 4


def test_what_verification_calls_is_silent_and_leaves_torchs_random_numbers_alone(capsys):
    def f(x):
        print("called")
        torch.rand(3)
        return 2 * x

    torch.manual_seed(0)
    torch.rand(3)
    after_one_call = torch.rand(1)
    torch.manual_seed(0)
    trace(f, x=1.0)
    assert torch.equal(torch.rand(1), after_one_call)
    assert capsys.readouterr().out == "called\n"


# ---- functions that are right stay right


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


def test_gradients_of_parameters_do_not_pile_up():
    layer = torch.nn.Linear(2, 1)

    def f(x):
        layer(x).sum().backward()
        return layer.weight.grad * 1

    assert trace(f, x=torch.ones(2)).run(x=torch.tensor([3.0, 4.0]))["output"].tolist() == [[3.0, 4.0]]
    assert layer.weight.grad is None


# ---- half the space


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


# ---- the setting at fault is named


def test_a_function_that_fails_at_an_end_names_the_end():
    with pytest.raises(TraceError, match=r"<lambda> fails for n = 8, the slider's end: IndexError: index 8"):
        explore(lambda n: torch.arange(5.0)[n], n=(0, 8))


def test_copies_and_deep_copies_follow():
    program = trace(lambda x: copy.deepcopy(x) + copy.copy(x), x=torch.ones(2))
    assert program.run(x=torch.tensor([1.0, 2.0]))["output"].tolist() == [2.0, 4.0]


def test_pickle_by_itself_is_refused():
    with pytest.raises(TraceError):
        trace(lambda x: pickle.loads(pickle.dumps(x)) * 2, x=torch.ones(2))
