# ruff: noqa: E501 - tables
"""What strangers found wrong without a word: each is refused, warned of, or right in the page at far inputs."""

import contextlib
import datetime
import importlib
import io
import math
import threading
import time
import warnings

import pytest
import torch
from node_runner import NodeError
from reader_code import asserting
from torch import nn
from torch.nn import functional as F  # noqa: N812

from livetorch import trace
from livetorch.program.errors import ChangingError, DataDependentError, FrozenError, LiveWarning, TraceError
from livetorch.program.operators import stable_order

T = torch.tensor


def in_a_thread(n):
    box = []
    runner = threading.Thread(target=lambda: box.append(n * 2))
    runner.start()
    runner.join()
    return box[0]


def saved(n):
    kept = io.BytesIO()
    torch.save(n, kept)
    kept.seek(0)
    return torch.load(kept) * 2


LEAVES = {
    "text of a whole number": (lambda n: torch.ones(2) * int(f"{n}"), {"n": 3}),
    "torch.Tensor of whole numbers": (lambda n: torch.Tensor([n, n + 1]), {"n": 3}),
    "a thread": (in_a_thread, {"n": 3}),
    "torch.save": (saved, {"n": 3}),
    "dlpack": (lambda n: torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(n)) * 2, {"n": 3}),
    "text of a bool": (lambda m: T(1.0 if f"{m}" == "True" else 0.0), {"m": True}),
    "an order of texts": (lambda n: torch.stack(sorted(n, key=str)), {"n": T([1, 2, 3])}),
    "an argmax": (lambda x: torch.LongTensor([x.argmax()]), {"x": T([1.0, 3.0, 2.0])}),
    "a sign as text": (lambda x: x if f"{x:+.1f}".startswith("+") else x * 10, {"x": 1.5}),
    "a label by its text": (lambda x: T({"0": 10.0, "1": 20.0}[f"{x.argmax()}"]), {"x": T([1.0, 3.0])}),
    "rounded text": (lambda x: T(float(f"{x:.0f}")), {"x": 0.2}),
    "signs": (lambda x: torch.FloatTensor([v > 0 for v in x]), {"x": T([1.0, -3.0])}),
    "NaN in a text": (lambda x: x * 0 if "nan" in str(x) else x, {"x": 1.0}),
}


@pytest.mark.parametrize("name", LEAVES)
def test_what_leaves_torch_is_refused(name):
    fn, inputs = LEAVES[name]
    with pytest.raises(FrozenError):
        trace(fn, **inputs)


def test_what_is_only_printed_may_be_text(capsys):
    def shown(x):
        print(f"x is {x}")
        return x * 2

    assert trace(shown, x=1.0).run(x=3.0)["output"].item() == 6
    assert capsys.readouterr().out == "x is 1.0\n"


def caught(x):
    try:
        return x * (2 if x > 1 else 3)
    except Exception:
        return x * 3


def suppressed(x):
    factor = torch.zeros(2)
    with contextlib.suppress(Exception):
        if x > 1:
            factor = torch.ones(2)
    return factor * x


def another_way_for_a_matrix(x):
    try:
        return torch.linalg.cholesky(torch.eye(2) * x)
    except torch.linalg.LinAlgError:
        return torch.full((2, 2), 7.0)


def another_way_for_an_index(x, n):
    try:
        return torch.arange(3.0)[n] * x
    except IndexError:
        return x


def another_way_for_a_place(x, n):
    try:
        return torch.arange(3.0).gather(0, n[None]) * x
    except RuntimeError:
        return x


@pytest.mark.parametrize(
    ("fn", "more"),
    [
        *((caught, {}), (suppressed, {}), (another_way_for_a_matrix, {})),
        *((another_way_for_an_index, {"n": 1}), (another_way_for_a_place, {"n": 1})),
    ],
)
def test_a_refusal_that_is_caught_stays_one(fn, more):
    with pytest.raises(DataDependentError, match=r"data-dependent branch on line \d+ of"):
        trace(fn, x=0.5, **more)


def grown_row(y, n, k):
    y = y.clone()
    row = y[n]
    row += k
    return y


def row_of_what_changes(n):
    t = torch.eye(3)
    row = t[n]
    t[0] = 5
    return row


def bounded_row(y, n, lo):
    y = y.clone()
    y[n].clamp_(min=lo)
    return y


def places_of_a_row(y, n):
    y = y.clone()
    y[n, [0, 1]] = 1.0
    y[n][0] = 7.0
    return y


def mask_changed_later(x):
    mask = x > 0
    chosen = x[mask]
    mask[0] = False
    return chosen.sum()


def gradient_of_chosen(x, s):
    return torch.func.grad(lambda v: (v - s)[v > s].sqrt().sum())(x)


def spectrum_slope(x):
    return torch.func.grad(lambda v: (torch.fft.rfft(v).abs() ** 2).sum())(x)


def mean_where(x):
    return torch.zeros(1, dtype=torch.long).scatter_reduce(0, T([0, 0]), x, "mean", include_self=False)


def written_imaginary(x):
    z = torch.complex(x, x)
    z[0] = 1j
    return z.imag


GRU = nn.GRU(4, 3).eval()


def packed(x):
    return nn.utils.rnn.pad_packed_sequence(GRU(nn.utils.rnn.pack_sequence([x, x[:1]]))[0])[0]


def with_a_backend(x):
    with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.FLASH_ATTENTION):
        return nn.functional.scaled_dot_product_attention(x, x, x)


def written_where_it_holds(q):
    q = q.clone()
    q[q == 1] = 0
    return q


def sampled(x, g):
    ways = [
        (m, p, a)
        for m in ("bilinear", "nearest", "bicubic")
        for p in ("zeros", "border", "reflection")
        for a in (True, False)
    ]
    return {f"{m} {p} {a}": F.grid_sample(x, g, mode=m, padding_mode=p, align_corners=a) for m, p, a in ways}


def between_points(x):
    ways = [
        (mode, corners, grown)
        for mode in ("linear", "bilinear", "trilinear")
        for corners in (True, False)
        for grown in (2.4, 0.7)
    ]
    shaped = {"linear": x[None], "bilinear": x[None, None], "trilinear": torch.stack([x, x + 1])[None, None]}
    return {
        f"{mode} {corners} {grown}": F.interpolate(
            shaped[mode], scale_factor=grown, mode=mode, align_corners=corners
        )
        for mode, corners, grown in ways
    }


LINALG = torch.linalg
Z = torch.zeros(3, 2)
NAN, INF = math.nan, math.inf
FAR = {
    "the sign of what relu keeps": (lambda x: {"many": 1 / x.relu(), "few": 1 / x[:5].relu()}, {"x": torch.ones(300)},
                                    {"x": T([-0.0, 0.0, -1.0, 2.0, NAN]).repeat(60)}),
    "sums beyond the type": (lambda x: {"norm": x.norm(), "cubes": LINALG.vector_norm(x, 3), "mean": x.mean(), "of a row": F.layer_norm(x, (3,)),
                                        "unit": F.normalize(x, dim=0), "gap": torch.cdist(x[:, None], x[:2, None])},
                             {"x": T([1.0, 2.0, 3.0])}, {"x": T([3e20, 2e38, 2e38])}),
    "norms of small numbers": (lambda x: x.norm(), {"x": T([1.0, 2.0])}, {"x": T([1e-30, 1e-30])}),
    "a product beyond the type": (lambda x: {"few": x @ x.T, "more": x.repeat(1, 4) @ x.repeat(1, 4).T}, {"x": torch.eye(3)},
                                  {"x": T([[3e38, -3e38, 3e38], [2.0, 2.0, 2.0], [1.0, 0.0, 0.0]])}),
    "a product on its way": (lambda x: x.prod(), {"x": T([1.0, 2.0, 3.0])}, {"x": T([1e30, 1e30, 1e-30])}),
    "a -0 that is written": (lambda x: 1 / x.index_put((T([0]),), -x[:1]), {"x": T([1.0, 2.0])}, {"x": T([0.0, 2.0])}),
    "places that are none": (sampled, {"x": torch.ones(1, 1, 3, 3), "g": torch.zeros(1, 2, 2, 2)},
                             {"x": T([[[[1.0, 2, 3], [4, INF, 6], [7, 8, NAN]]]]), "g": T([[[[NAN, 0.3], [0.1, INF]], [[-INF, 0.9], [2.1, -0.6]]]])}),
    "an infinity between points": (between_points, {"x": torch.eye(3)}, {"x": T([[INF, 2.0, 3.0], [1.0, -2.0, 5.0], [0.0, NAN, 1.0]])}),
    "margins of NaN": (lambda x: {"one": F.multi_margin_loss(x, T([1]), p=2), "many": F.multilabel_margin_loss(x, T([[1, -1, 0]]))},
                       {"x": T([[1.0, 2.0, 3.0]])}, {"x": T([[NAN, -2.0, INF]])}),
    "windows of whole numbers": (lambda n: {"mean": F.avg_pool2d(n[None], 2), "largest": F.max_pool2d(n[None], 3, 1, 1)},
                                 {"n": torch.arange(16).view(4, 4)}, {"n": 5 - torch.arange(16).view(4, 4)}),
    "a complex edge": (lambda x: torch.view_as_real(F.pad(torch.complex(x, x), (1, 1), value=2.0)), {"x": T([1.0, 2.0])}, {"x": T([3.0, -2.0])}),
    "complex quotients": (lambda x: {"one": torch.view_as_real(torch.complex(x, 2 * x) / torch.complex(1 - x, x)),
                                     "half": torch.view_as_real(1 / torch.complex(x, x)), "real": torch.view_as_real(torch.complex(x, x) / x),
                                     "number": torch.view_as_real(torch.complex(x, x) / (0.1 + 0.3j))},
                          {"x": T([1.0, 2.0])}, {"x": T([3e25, -2e-25])}),
    "one half of a matrix": (lambda A: LINALG.pinv(A, hermitian=True), {"A": T([[2.0, 5.0], [1.0, 3.0]])}, {"A": T([[2.0, 9.0], [-1.0, 3.0]])}),
    "a spread of large numbers": (lambda x: {"std": x.std(), "both": torch.stack(torch.std_mean(x))}, {"x": T([1.0, 3.0])},
                                  {"x": T([3e20, -4e20])}),
    "a spread of small numbers": (lambda x: x.std() * 1e23, {"x": T([1.0, 3.0])}, {"x": T([3e-23, -4e-23])}),
    "a product times 0": (lambda x: {"matrix": torch.addmm(x, x, x, alpha=0), "none": torch.addmv(x[0], x, x[0], alpha=0, beta=0)},
                          {"x": torch.eye(2)}, {"x": T([[NAN, 1.0], [INF, 1.0]])}),
    "the largest gap": (lambda x, y: torch.cdist(x, y, p=INF), {"x": torch.eye(2), "y": torch.ones(1, 2)},
                        {"x": T([[NAN, 3.0], [INF, 2.0]]), "y": T([[INF, 5.0]])}),
    "the last NaN of a window": (lambda x: nn.functional.max_pool1d(x[None], 4, return_indices=True)[1],
                                 {"x": T([1.0, 4.0, 2.0, 3.0])}, {"x": T([NAN, 1.0, NAN, 2.0])}),
    "a number that is written where it holds": (written_where_it_holds, {"q": 1.0}, {"q": 2.0}),
    "a number that is not": (written_where_it_holds, {"q": 2.0}, {"q": 1.0}),
    "labels to leave out": (lambda x, t: nn.functional.cross_entropy(x, t), {"x": torch.eye(3), "t": T([0, 1, 2])},
                            {"x": torch.eye(3), "t": T([0, -100, 1])}),
    "places from the end": (lambda x, i: {"row": x[i], "filled": x.index_fill(0, i, 7.0), "taken": x.take(i)},
                            {"x": T([3.0, 4.0, 5.0]), "i": T([1])}, {"x": T([3.0, 4.0, 5.0]), "i": T([-1])}),
    "an imaginary number that is written": (written_imaginary, {"x": torch.ones(3)}, {"x": T([2.0, -3.0, 5.0])}),
    "packed sequences": (packed, {"x": torch.ones(2, 4)}, {"x": torch.arange(8.0).view(2, 4) - 3}),
    "a backend that is asked for": (with_a_backend, {"x": torch.ones(1, 1, 3, 4)},
                                    {"x": torch.arange(12.0).view(1, 1, 3, 4).sin()}),
    "a margin of labels": (lambda x: nn.functional.multilabel_margin_loss(x, T([1, 0, -1])), {"x": T([0.1, 0.2, 0.3])},
                           {"x": T([3.0, -2.0, 5.0])}),
    "facts of chosen": (lambda x, m: {"any": x[m].any(), "norm": x[m].norm(), "log": x[m].logsumexp(0)},
                        {"x": T([1.0, 2.0]), "m": T([True, False])}, {"x": T([-3.0, 4.0]), "m": T([True, True])}),
    "a slope of what is not 0": (lambda x: torch.func.grad(lambda v: (1 / v[v != 0]).sum())(x), {"x": T([1.0, 0.0])},
                                 {"x": T([0.0, -2.0])}),
    "a power of a large multiple": (lambda n: 3 ** torch.lcm(n, n), {"n": T([1])}, {"n": T([1662069943])}),
    "bools added": (lambda a, b: {"sum": (a + b).sum(), "not": ~(a + b)},
                    {"a": T([True, False]), "b": T([False, False])}, {"a": T([True, False]), "b": T([True, True])}),
    "a row that grows": (grown_row, {"y": Z, "n": 0, "k": 0}, {"y": Z, "n": 1, "k": 5}),
    "a row of what changes": (row_of_what_changes, {"n": 2}, {"n": 0}),
    "a bounded row": (bounded_row, {"y": Z - 1, "n": 0, "lo": -50.0}, {"y": Z - 1, "n": 2, "lo": 0.0}),
    "places of a row": (places_of_a_row, {"y": Z, "n": 1}, {"y": Z, "n": 2}),
    "a mask that changes": (mask_changed_later, {"x": T([-1.0, 2.0, 3.0])}, {"x": T([1.0, 2.0, 3.0])}),
    "a gradient of chosen": (gradient_of_chosen, {"x": T([1.0, 2.0]), "s": 0.0}, {"x": T([1.0, 2.0]), "s": 1.5}),
    "an endless norm": (lambda x, p: torch.linalg.vector_norm(x, p), {"x": T([3.0, -4.0]), "p": 2.0},
                        {"x": T([3.0, -4.0]), "p": math.inf}),
    "a mean of whole numbers": (mean_where, {"x": T([1, 1])}, {"x": T([-3, -4])}),
    "a sine of a large number": (lambda n: torch.sin(n), {"n": T([1])}, {"n": T([2011588799])}),
    "a large multiple": (lambda n: torch.lcm(n, n), {"n": T([6])}, {"n": T([1662069943])}),
    "a large spectrum": (lambda x: torch.fft.rfft(x).abs(), {"x": torch.ones(2)}, {"x": torch.ones(2) * 3e19}),
    "a slope of a spectrum": (spectrum_slope, {"x": torch.ones(4)}, {"x": T([1.0, -2.0, 0.5, 3.0])}),
    "beyond the rank": (lambda A: torch.linalg.svd(A)[0].abs(), {"A": torch.arange(6.0).view(3, 2) ** 1.5},
                        {"A": T([[1.0, 2.0], [3.0, 5.0], [2.0, 9.0]])}),
    "a sorter": (lambda x: torch.searchsorted(T([3.0, 2.0, 1.0]), x, sorter=T([2, 1, 0])), {"x": 1.5}, {"x": 9.0}),
    "a large number beside half precision": (
        lambda a, b: {"times": a.half() * b, "over": a.half() / b, "rest": a.bfloat16() % b, "more": b * a.half()},
        {"a": T([1.0, 2.5]), "b": 2.0}, {"a": T([1.0, -2.5]), "b": 70000.0}),
    "2^53": (lambda n: n + 1, {"n": T([1])}, {"n": T([-(2**53)])}),
    "the largest chosen": (lambda x: x[x < 5].max(), {"x": T([1, 7])}, {"x": T([-3, -9])}),
    "vmap": (lambda x, n: torch.func.vmap(lambda a: a[n] * 2)(x), {"x": torch.eye(2, 3), "n": 1},
             {"x": torch.eye(2, 3), "n": 0}),
}  # fmt: skip


@pytest.mark.parametrize("name", FAR)
def test_the_page_follows_far_from_the_example(name, node):
    fn, example, far = FAR[name]
    program = trace(fn, **example)
    given = {key: each if isinstance(each, torch.Tensor) else T(each) for key, each in far.items()}
    with stable_order():
        want = fn(**{key: each.clone() for key, each in given.items()})
    want = want if isinstance(want, dict) else {"output": want}
    torch.testing.assert_close(node.run(program, given), want, rtol=1e-5, atol=1e-6, equal_nan=True)


V = T([3.0, 4.0, 5.0])
PLACES = {
    "gather": lambda x, i: x.gather(0, i),
    "scatter": lambda x, i: x.scatter(0, i, 9.0),
    "scatter_add": lambda x, i: x.scatter_add(0, i, x),
    "scatter_reduce": lambda x, i: x.scatter_reduce(0, i, x, "amax"),
    "index_select": lambda x, i: x.index_select(0, i),
    "index_add": lambda x, i: x.index_add(0, i, x[:1]),
    "index_copy": lambda x, i: x.index_copy(0, i, x[:1]),
    "embedding": lambda x, i: nn.functional.embedding(i, x[:, None]),
    "bincount": lambda x, i: torch.bincount(i, minlength=3) * x,
    "nll_loss": lambda x, i: nn.functional.nll_loss(x[None], i),
    "cross_entropy": lambda x, i: nn.functional.cross_entropy(x[None], i),
    "one_hot": lambda x, i: nn.functional.one_hot(i, 3) * x,
}


WRONG = [(name, place) for name in PLACES for place in (-1, 3)]
WRONG.remove(("bincount", 3))  # torch gives one more count


@pytest.mark.parametrize(("name", "place"), WRONG)
def test_a_place_that_is_not_there_stops_the_page(name, place, node):
    program = trace(PLACES[name], x=V, i=T([1]))
    for run in (PLACES[name], program.run):
        with pytest.raises((IndexError, RuntimeError)):
            run(x=V, i=T([place]))
    with pytest.raises(
        NodeError, match=rf"^aten\.[a-z_]+\.[a-z]+: index {place} is outside an axis of length 3\.$"
    ):
        node.run(program, {"x": V, "i": T([place])})


SYSTEMS = {
    "inv": (lambda A: LINALG.inv(A), "singular"),
    "inv of many": (lambda A: LINALG.inv(torch.stack([torch.eye(2), A])), "singular"),
    "a power": (lambda A: LINALG.matrix_power(A, -1), "singular"),
    "solve": (lambda A: LINALG.solve(A, A), "singular"),
    "solve from the right": (lambda A: LINALG.solve(A, A, left=False), "singular"),
    "cholesky": (lambda A: LINALG.cholesky(A), "not positive definite"),
    "cholesky, upper": (lambda A: LINALG.cholesky(A, upper=True), "not positive definite"),
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_matrix_that_has_no_answer_stops_the_page(name, node):
    fn, said = SYSTEMS[name]
    program = trace(fn, A=T([[2.0, 1.0], [1.0, 3.0]]))
    for run in (fn, program.run):
        with pytest.raises(LINALG.LinAlgError):
            run(A=torch.ones(2, 2))
    with pytest.raises(NodeError, match=f"the matrix is {said}"):
        node.run(program, {"A": torch.ones(2, 2)})


D = torch.distributions
HALVES = T([0.5, 0.5])
CHECKED = {
    "an assert": (asserting.positive, T([0.5, -1.0]), r"AssertionError on line \d+ of positive"),
    "an assert in two parts": (asserting.positive, T([10.0, 1.0]), "AssertionError"),
    "a raise": (asserting.positive, T([0.5, 7.0]), r"ValueError on line \d+ of positive"),
    "another raise": (asserting.positive, T([0.5, 2.0]), "ValueError"),
    "shares": (lambda x: F.binary_cross_entropy(x, HALVES), T([0.5, 1.5]), "all elements of input should be"),
    "their targets": (lambda x: F.binary_cross_entropy(HALVES, x), T([0.5, NAN]), "all elements of target should be"),
    "a parameter": (lambda x: D.Bernoulli(x).entropy(), T([1.5, 0.5]), r"ValueError .* from Distribution.__init__"),
    "a value": (lambda x: D.Dirichlet(HALVES).log_prob(x), T([0.5, 0.6]), "ValueError .* from Distribution._validate"),
    "a covariance": (lambda x: D.MultivariateNormal(x, x.diag()).log_prob(x), T([0.5, -0.5]), "ValueError"),
    "a variance": (lambda x: F.gaussian_nll_loss(x, x, x), T([0.5, -0.5]), "ValueError .* from gaussian_nll_loss"),
    "places": (lambda x: F.max_unpool1d(x[None], x[None].long(), 1), T([0.5, 2.0]), r"an index is not in 0\.\.1"),
    "classes": (lambda x: F.multilabel_margin_loss(x, x.long()), T([0.5, 2.0]), r"a target is not in -1\.\.1"),
    "edges": (lambda x: torch.histc(x, 2), T([0.5, INF]), "the range of a histogram is not finite"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHECKED)
def test_where_torch_raises_for_other_numbers_the_page_stops(name, node, monkeypatch):
    monkeypatch.setattr(D.Distribution, "_validate_args", True)  # which torch.compile switches off for good
    fn, far, said = CHECKED[name]
    program = trace(fn, x=HALVES)
    for run in (fn, program.run):
        with pytest.raises((AssertionError, RuntimeError, ValueError)):
            run(x=far)
    with pytest.raises(NodeError, match=rf"^aten\._assert_async\.msg: .*{said}"):
        node.run(program, {"x": far})


@pytest.mark.parametrize("fn", asserting.BRANCHES)
def test_a_condition_on_which_more_than_an_error_hangs_is_a_branch(fn):
    with pytest.raises(DataDependentError, match="data-dependent branch on line"):
        trace(fn, x=HALVES)


def test_a_report_that_is_not_looked_at_stops_nothing(node):
    program = trace(lambda A: LINALG.inv_ex(A).info, A=T([[2.0, 1.0], [1.0, 3.0]]))
    assert node.run(program, {"A": torch.ones(2, 2)})["output"] == LINALG.inv_ex(torch.ones(2, 2)).info == 2


def test_the_most_frequent_number_is_refused_where_torchs_answer_hangs_on_its_sort(node):
    program = trace(lambda x: x.mode().values, x=T([1.0, 2.0, 2.0]))
    with pytest.raises(NodeError, match="numbers with NaN hangs on how it sorts: take NaN out first"):
        node.run(program, {"x": T([1.0, math.nan, 2.0])})


def test_where_the_page_stops_is_named():
    with pytest.raises(
        TraceError, match=r"the page stops on line \d+ of .* for the example, .*aten\.mm\.default: whole"
    ):
        trace(lambda n: n @ n, n=T([[2**40, 1], [1, 2]]))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("fn", [lambda x: x * 2, lambda x: x.sum(), lambda x: x.softmax(-1)])
def test_half_precision_is_not_warned_of(fn, dtype):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        trace(fn, x=torch.linspace(-2, 2, 12).reshape(3, 4).to(dtype))


WEIGHT = nn.Parameter(torch.ones(2))


def piled_up(x):
    (x * WEIGHT).sum().backward()
    return WEIGHT.grad.clone()


@pytest.mark.parametrize(
    ("fn", "said"), [(lambda x: x + time.perf_counter(), "reads the clock"), (piled_up, "adds to the .grad")]
)
def test_what_a_page_cannot_keep_up_with_is_refused(fn, said):
    with pytest.raises(ChangingError, match=said):
        trace(fn, x=1.0)


def test_a_clock_that_ticks_while_a_function_is_traced_is_named(monkeypatch):
    """A second that ends between the recording and the call that it is held against."""
    ticks = iter([0.0])
    monkeypatch.setattr(time, "time", lambda: next(ticks, 1.0))
    with pytest.raises(TraceError, match=r"reads the clock \(time\.time\): let the time come in"):
        trace(lambda x: x + time.time(), x=1.0)


def timed(x):
    start = time.perf_counter()
    print(time.perf_counter() - start)
    return x * 2


@pytest.mark.parametrize("fn", [timed, lambda x: x * 2 + 0 * datetime.datetime.now().hour])
def test_a_clock_that_is_only_looked_at_or_stands_too_long_is_warned_of(fn):
    with pytest.warns(LiveWarning, match="reads the clock"):
        assert trace(fn, x=1.0).run(x=3.0)["output"].item() == 6


ENCODER = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 1).eval()


HEADS = nn.MultiheadAttention(8, 2, batch_first=True).eval()
LAYERS = [
    nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, norm_first=first).eval() for first in (False, True)
]
FIVE = torch.linspace(-2, 2, 40).sin().reshape(1, 5, 8)
CAUSAL = torch.ones(5, 5, dtype=torch.bool).triu(1)
ATTENDING = {
    "heads": lambda mask: HEADS(FIVE, FIVE, FIVE, key_padding_mask=mask, need_weights=False)[0],
    "no weights": lambda mask: torch.tensor(HEADS(FIVE, FIVE, FIVE, None, False)[1] is None) * mask,
    "heads and weights": lambda mask: HEADS(FIVE, FIVE, FIVE, key_padding_mask=mask)[0],
    "other keys": lambda mask: HEADS(FIVE, FIVE + 1, FIVE, key_padding_mask=mask, need_weights=False)[0],
    "rows": lambda mask: HEADS(FIVE, FIVE, FIVE, attn_mask=mask.mT.expand(5, 5), need_weights=False)[0],
    "a layer": lambda mask: LAYERS[0](FIVE, src_key_padding_mask=mask),
    "a causal layer": lambda mask: LAYERS[1](FIVE, src_mask=CAUSAL, src_key_padding_mask=mask),
}  # fmt: skip


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode, torch.enable_grad])
@pytest.mark.parametrize("name", ATTENDING)
def test_where_nothing_is_left_to_attend_to_a_page_has_what_torchs_path_has(name, mode):
    def attended(n):
        with mode():
            return ATTENDING[name]((torch.arange(5) >= n)[None]) * 1

    program = trace(attended, n=4)
    for n in (0, 1, 5):
        torch.testing.assert_close(
            program.run(n=n)["output"], attended(T(n)), equal_nan=True, rtol=1e-4, atol=1e-5
        )


@pytest.mark.filterwarnings("ignore")
def test_torchs_fast_path_is_named():
    def encoded(x, m):
        with torch.no_grad():
            return ENCODER(x, src_key_padding_mask=m)

    with pytest.raises(TraceError, match=r"torch\.backends\.mha\.set_fastpath_enabled\(False\)"):
        trace(encoded, x=torch.ones(1, 3, 8), m=torch.zeros(1, 3, dtype=torch.bool))


def with_a_bias(x):
    biases = importlib.import_module("torch.nn.attention.bias")  # takes two seconds
    bias = biases.causal_lower_right(2, 2)
    return nn.functional.scaled_dot_product_attention(*[x.view(1, 1, 2, 1)] * 3, attn_mask=bias)


def branching(x):
    if bool(x.sum() > 0):
        x = x * 2
    return x


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    COMPILED = torch.jit.script(branching)


def fused(x):
    weight = nn.Parameter(x.clone())
    optimizer = torch.optim.Adam([weight], fused=True)
    weight.square().sum().backward()
    optimizer.step()
    return weight


KEPT: dict = {}


def kept(x):
    if "mean" not in KEPT:
        KEPT["mean"] = x.mean()
    return x - KEPT["mean"]


REFUSED = {
    "what is kept": (kept, "kept keeps something from one call to the next, on line"),
    "classes by number": (lambda x: nn.functional.one_hot(T([0, 1]), x[0].long()), "one_hot asks for the numbers .* Sizes"),
    "means in training": (lambda x: nn.functional.batch_norm(x.outer(x), x, x, training=True), "else pass None for both"),
    "a part of what is chosen": (lambda x: x[x > 0][0], "a part of x.mask. cannot be traced, on line"),
    "eigenvalues": (lambda x: torch.linalg.eigvals(x.outer(x)).abs(), "eigenvalues .* torch.linalg.eigh"),
    "storage": (lambda x: x.untyped_storage()[0] * x, "memory of a tensor .* such as x.0."),
    "training": (lambda x: nn.BatchNorm1d(2)(x.outer(x)), r"Call \.eval\(\) first"),
    "a mask of a class of its own": (with_a_bias, "class of their own .* for causal_lower_right .* a bool mask"),
    "compiled code": (lambda x: COMPILED(x), "Call the Python function rather than the compiled one"),
    "nested": (lambda x: torch.nested.nested_tensor([x, x[:1]]).to_padded_tensor(0.0), "nested tensors cannot be traced"),
    "a mode": (lambda x: torch.distributions.Beta(x[0], x[1]).mode, r"Dirichlet\.mode looks at the numbers of the input"),
    "a fused step": (fused, "does a whole step at once .* Leave fused=True out"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_says_what_is_the_matter(name):
    fn, said = REFUSED[name]
    with pytest.raises(TraceError, match=said):
        trace(fn, x=T([1.0, 2.0]))
