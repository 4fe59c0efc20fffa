"""Corners of Python and of torch in which a Program must still give what the function gives."""

import math

import pytest
import torch
from node_runner import NodeError

from livetorch import trace
from livetorch.program.errors import TraceError


def grown(x):
    z = torch.zeros(3, 2)
    z[x.argmax()] = torch.stack([x[0], x[1]])[None]
    return z


def slope(a, b):
    point = torch.tensor([a, b], requires_grad=True)
    return torch.autograd.grad((point**2).sum() * 1.5, point)[0]


def slope_full(a):
    point = torch.full((2,), a, requires_grad=True)
    return torch.autograd.grad((point**3).sum(), point)[0]


def moved(functions):
    return pytest.mark.parametrize("fn", functions, ids=lambda fn: fn.__name__)


def local_einsum(q, k):
    return torch.einsum("nd,ndw->nw", q, k.unfold(0, 3, 1)[: len(q)])


def local_there_and_back(q, k):
    windows = k.unfold(0, 3, 1)
    return {
        "turned": windows.transpose(0, 1).transpose(0, 1) * 1,
        "squeezed": windows[None].squeeze(0) * q[0, 0],
    }


def windows_of_a_written_tensor(q, k):
    z = k.clone()
    w = z.unfold(0, 2, 1).permute(1, 0, 2).permute(1, 0, 2)
    z[0] = q[0]
    return w * 1


@moved([local_einsum, local_there_and_back, windows_of_a_written_tensor])
def test_sliding_windows(fn, node):
    inputs = {"q": torch.randn(4, 2), "k": torch.randn(6, 2)}
    others = {name: tensor + 0.5 for name, tensor in inputs.items()}
    wanted = fn(**others)
    wanted = wanted if isinstance(wanted, dict) else {"output": wanted}
    program = trace(fn, **inputs)
    torch.testing.assert_close(node.run(program, others), wanted)
    torch.testing.assert_close(program.run(**others), wanted)


def test_leading_axes_of_length_1_may_be_written():
    x = torch.tensor([3.0, 1.0, 2.0])
    torch.testing.assert_close(trace(grown, x=x.flip(0)).run(x=x)["output"], grown(x))


@pytest.mark.parametrize(("fn", "names"), [(slope, "ab"), (slope_full, "a")])
def test_a_gradient_at_a_point_made_in_the_function(fn, names):
    program = trace(fn, **dict.fromkeys(names, 1.0))
    given = {name: torch.tensor(2.0 + i) for i, name in enumerate(names)}
    torch.testing.assert_close(program.run(**given)["output"], fn(**given))


def one_element_rows(x):
    return torch.tensor([x[0:1], x[1:2]])


def nested(x):
    return torch.tensor([[x[0], 2], [x[1:2], 3.5]])


def as_tensor(x):
    return torch.as_tensor([x[0], 1])


def new_tensor(x):
    return x.new_tensor([x[1], x[0]]) + x.new([x[0], 1.0])


def new_tensor_of_another_dtype(x):
    return x.double().new_tensor([x[1], x[0]])


def full_of_float64(x):
    return torch.full((2,), x[0].double())


def full_of_int32(x):
    return torch.full((2, 2), x[0].int())


def full_of_bool(x):
    return torch.full((2,), x[0] > 1)


def new_full(x):
    return x.new_full((3,), x[1])


@moved(
    [
        one_element_rows,
        nested,
        as_tensor,
        new_tensor,
        new_tensor_of_another_dtype,
        full_of_float64,
        full_of_int32,
        full_of_bool,
        new_full,
    ]
)
def test_tensors_made_of_parts_have_torchs_shape_and_dtype(fn):
    program, other = trace(fn, x=torch.tensor([0.5, 1.5])), torch.tensor([2.5, 3.0])
    got, want = program.run(x=other)["output"], fn(other)
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    assert torch.equal(got, want)


def test_another_default_dtype_is_refused_where_it_matters():
    torch.set_default_dtype(torch.float64)
    try:
        with pytest.raises(TraceError, match="set_default_dtype"):
            trace(lambda n: n * 0.5, n=3)
        trace(lambda x: x * 0.5, x=1.0)
    finally:
        torch.set_default_dtype(torch.float32)


@moved(
    [
        lambda x, n: x[n, [0, 2]],
        lambda x, n: x[n, torch.tensor([[1, 0], [2, 2]])],
        lambda x, n: x[..., [0, 2], n],
        lambda x, n: x[[1, 0], n, None],
        lambda x, n: x[n, :, [0, 2]] if x.dim() > 2 else x[-n, [1]],
    ]
)
def test_a_whole_number_that_depends_on_an_input_stands_among_lists(fn, node):
    for shape in ((3, 3), (3, 3, 3)):
        x = torch.arange(float(torch.Size(shape).numel())).reshape(shape)
        try:
            wanted = fn(x, torch.tensor(2))
        except IndexError:
            continue
        got = node.run(trace(fn, x=x, n=1), {"x": x, "n": torch.tensor(2)})["output"]
        assert torch.equal(got, wanted)


def slope_in_search_of_faults(x):
    with torch.autograd.detect_anomaly():
        y = x.clone().requires_grad_()
        return torch.autograd.grad((y**2).sum(), y)[0]


def stepped(x):
    x.grad = x.clone()
    torch.optim.SGD([x], lr=x[0, 0]).step()
    return x


def went_on_without(x):
    try:
        size = x.sum().item()
    except ValueError:
        size = 1.0
    return x * size


def fails_by_itself(x):
    y = x.flatten().clone()
    y[1:] = y[:-1]  # torch refuses to copy a part over itself
    return y


@pytest.mark.parametrize(
    ("fn", "says"),
    [
        (lambda x: x.view(torch.int32), "a view of memory as another dtype cannot be traced, on line"),
        (lambda x: x.clone().apply_(lambda a: a + 1), "apply_ asks for the numbers"),
        (lambda x: x.to_sparse().to_dense(), "sparse_coo tensors cannot be traced"),
        (lambda x: torch.quantize_per_tensor(x, 0.1, 0, torch.qint8), "quantized tensors cannot be traced"),
        (
            lambda x: torch.linalg.eig(x).eigenvalues.real,
            "eigenvalues of a matrix .* torch.linalg.eigh",
        ),
        (lambda x: (torch.complex(x, x) ** 0.5).real, "a power of complex numbers .* Use a whole exponent"),
        (lambda x: torch.bincount(x.flatten().long()), "bincount .* up to 1.* Give it a minlength above"),
        (lambda x: torch.unique(x), "rather than picking by a mask"),
        (stepped, "torch.optim.sgd._single_tensor_sgd looks at the numbers"),
        (lambda x: torch.testing.assert_close(x, x), "torch.testing.* looks at the numbers"),
        (slope_in_search_of_faults, "leave out detect_anomaly"),
        (lambda x: torch.exp(x, out=torch.empty(0)), r"gives \(2, 2\) and writes it into \(0,\)"),
        (lambda x: torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,)), "cond is compiled"),
        (lambda x: x[x > 0], "of x.mask. cannot be traced, and <lambda> returns it"),
        (lambda x: x[x > 0].max(0).values, "max along an axis of x.mask. gives a shape"),
        (went_on_without, "item asks for the numbers in a tensor that depends on the input 'x', on line"),
        (fails_by_itself, "ran while it was traced, but fails when it is called: RuntimeError"),
    ],
)
def test_what_cannot_be_traced_says_why(fn, says):
    with pytest.raises(TraceError, match=says):
        trace(fn, x=torch.ones(2, 2))


@pytest.mark.parametrize("end", [4000, 4000.0, 4000.5])
def test_a_range_has_as_many_numbers_as_the_torch_that_runs_gives_it(end):
    # how many arange(4.5, dtype=int64) has, torch changed in 2.15: a page is not asked
    program = trace(lambda x: x * torch.arange(end, dtype=torch.int64), x=2.0)
    assert torch.equal(program.run(x=2.0)["output"], 2.0 * torch.arange(end, dtype=torch.int64))
    assert ("aten.arange.default" in str(program.to_dict()["nodes"])) == (end == 4000)


def test_what_has_no_place_in_a_count_is_an_error_in_the_page(node):
    program = trace(lambda n: torch.bincount(n, minlength=3), n=torch.tensor([0, 2, 2]))
    assert node.run(program, {"n": torch.tensor([1, 1, 1])})["output"].tolist() == [0, 3, 0]
    with pytest.raises(NodeError, match="3"):
        node.run(program, {"n": torch.tensor([1, 1, 3])})


def test_the_ends_of_a_spectrum_have_the_angle_of_a_real_number(node):
    rows = torch.tensor([[1.0, 2.0, -3.0, 0.5], [-1.0, -2.0, -3.0, -0.5]])
    program = trace(lambda x: torch.fft.rfft(x).angle()[:, [0, -1]], x=rows)
    got = node.run(program, {"x": rows})["output"]
    torch.testing.assert_close(got, torch.fft.rfft(rows).angle()[:, [0, -1]])


def test_logit_of_half_precision_is_torchs(node):
    x = torch.tensor([0.25, 1.0])
    program = trace(lambda x: x.bfloat16().logit(1e-6), x=x)
    torch.testing.assert_close(node.run(program, {"x": x})["output"], x.bfloat16().logit(1e-6))


def test_a_library_that_takes_its_sizes_for_tensors_is_told_that_nobody_records():
    def halved(x):  # as MobileViT does
        rows = x.shape[0] / 2
        return x[: int(torch.ceil(rows)) if torch.jit.is_tracing() else math.ceil(rows)]

    assert trace(halved, x=torch.ones(5)).run(x=torch.arange(5.0))["output"].tolist() == [0, 1, 2]
    with pytest.raises(TraceError, match="TypeError: ceil"):
        trace(lambda x: x * torch.ceil(2.5), x=1.0)


@pytest.mark.parametrize(
    ("fn", "example", "x"),
    [
        (lambda x: x.round(decimals=1), [1.0, 2.0], [0.35, -0.45]),
        (lambda x: torch.div(x, 0.1, rounding_mode="trunc"), [3.0, 2.0], [1.0, -19.5]),
    ],
)
def test_what_torch_rounds_on_the_way_is_rounded_there(fn, example, x, node):
    program = trace(fn, x=torch.tensor(example))
    x = torch.tensor(x)
    torch.testing.assert_close(node.run(program, {"x": x})["output"], fn(x), rtol=1e-6, atol=0)


def test_large_counts_that_cannot_be_added_exactly_stop_in_words(node):
    program = trace(
        lambda a: torch.zeros(2, dtype=torch.long).index_add(0, torch.tensor([0, 0]), a),
        a=torch.tensor([1, 2]),
    )
    with pytest.raises(NodeError, match=r"beyond 2\^53 are not exact"):
        node.run(program, {"a": torch.tensor([2**53 - 1, 1])})
