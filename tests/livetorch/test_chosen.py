"""`x[mask]` with a mask that depends on an input: arithmetic, writing back, and what is refused."""

import pytest
import torch
from node_runner import NodeError, NodeRunner

from livetorch import trace
from livetorch.program.errors import DataDependentError

ROWS = torch.linspace(-2, 2, 12).reshape(4, 3)
OTHER = torch.arange(12.0).reshape(4, 3)


def add_one(x):
    y = x.clone()
    y[y > 0] += 1
    return y


def twice_the_small(x):
    y = x * 1
    y[y < 0.5] = y[y < 0.5] * 2
    return y


def from_another(x):
    y, mask = x.clone(), x > 0.3
    y[mask] = OTHER[mask] - y[mask]
    return y


def rows_get_a_row(x):
    y, mask = x.clone(), x[:, 0] > 0
    y[mask] = torch.tensor([7.0, 8.0, 9.0])
    y[mask, 1:] *= 10
    y[~mask, :] -= 1
    return y


def columns(x):
    y, mask = x.clone(), x[1] > -1
    y[:, mask] = 0
    y[..., ~mask] += x[:, ~mask]
    y[0, mask] = 5
    return y


def columns_of_one(x):
    y, mask = x.clone(), x[1] > -1
    y[:, mask] = x[:, :1]
    return y


def a_part(x):
    y = x.clone()
    y[1:, :2][x[1:, :2] > 0] = -4.0
    y[1:][x[1:] > 1] **= 2
    return y


def read_before_it_changes(x):
    y, mask = x.clone(), x > 0
    kept = y[mask]
    y.zero_()
    y[mask] = torch.relu(kept).sqrt()
    return y


def whole_numbers(x):
    counts = torch.zeros(4, 3, dtype=torch.int64)
    counts[x > 0] += 2
    counts[x.abs() > 1] = 7
    return counts


def reductions(x):
    mask = x > 0
    rows = x[:, 1] > -1
    parts = [
        x[mask].sum(),
        x[mask].mean(),
        x[mask].max(),
        (x[mask] ** 2).amin(),
        torch.sum(OTHER[mask] * x[mask]),
    ]
    return torch.cat(
        [torch.stack(parts), x[rows].mean(0), x[rows].sum(dim=0), torch.masked_select(x, mask).sum()[None]]
    )


def lengths(x):
    mask, rows, columns = x > 0, x[:, 1] > -1, x[1] > -1
    kept, some = x[mask], x[rows]
    powers = [kept.norm(p) for p in (1, 0, 3.5, -1, torch.inf, -torch.inf)]
    others = [
        torch.linalg.norm(kept),
        torch.linalg.norm(kept, 1),
        some.norm("fro"),
        torch.linalg.vector_norm(some, 3),
        torch.linalg.norm(some, "fro"),
        torch.linalg.norm(some, dim=(0, 1)),
        torch.norm(some, 2),
    ]
    axes = [
        some.norm(dim=0),
        torch.norm(some, p=1, dim=0),
        torch.linalg.norm(some, 1, dim=0),
        x[:, columns].norm(2, -1),
    ]
    return torch.cat([torch.stack(powers + others), *axes])


def along_axes(x):
    rows, columns, mask = x[:, 1] > -1, x[1] > -1, x > 0
    cube = torch.stack([x, x.cos()], -1)
    parts = [
        x[rows].sum(axis=0),
        x[rows].mean(0, keepdim=True),
        x[rows].sum(0, True),
        x[:, columns].mean(-1),
        x[:, columns].amax(-1, keepdim=True),
        cube[mask].sum(-2),
        cube[mask].mean((0, 1)),
        cube[mask].mean(-1).sum(),
        cube[mask].amin(1, keepdim=True).sum(0),
        cube[:, columns].sum(0).prod(0),
        cube[..., 0][mask].sum(-1),
        x[rows].prod(0),
        (x[rows] > 0).any(0) * (x[rows] > 0).all(-1).sum(),
        x[rows].logsumexp(0, keepdim=True),
        x[rows].sum(dtype=torch.float64).float(),
        x[rows].mean(0, dtype=torch.float64).float(),
        x[rows, 0] @ OTHER[rows, 0],
        torch.dot(x[mask], OTHER[mask]),
    ]
    return torch.cat([part.flatten() for part in parts])


def scattered(x):
    return x.masked_scatter(x > 0, OTHER)


def gradient(x):
    def loss(y):
        z = y * 1
        z[z > 0] *= 3
        return (z**2).sum() + z[z < 0].sum()

    return torch.func.grad(loss)(x)


def put_in_place(x):
    return x.index_put((x > 0,), torch.tensor(3.0)).index_put((x[:, 0] > 0,), torch.tensor([1.0, 2.0, 3.0]))


FUNCTIONS = [
    add_one, twice_the_small, from_another, rows_get_a_row, columns, columns_of_one, a_part,
    read_before_it_changes, whole_numbers, reductions, lengths, along_axes, scattered, gradient, put_in_place,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_a_mask_that_moves(function, node):
    program = trace(function, x=ROWS)
    for x in (ROWS, ROWS * 0.9 + 0.4, -ROWS.flip(0), ROWS.sin() + 0.2):
        want = function(x)
        for got in (program.run(x=x)["output"], node.run(program, {"x": x})["output"]):
            assert got.dtype == want.dtype
            assert torch.allclose(got, want, rtol=1e-5, atol=1e-6), function.__name__


def reshaped(x):
    return x[x > 0].reshape(-1, 1) * 2


def list_of_values(x):
    y = x.clone()
    y[x > 0] = torch.arange(6.0)
    return y


def other_places(x):
    y = x.clone()
    y[x > 0] = x[x < 0]
    return y


def counted(x):
    return x / len(x[x > 0])


def returned(x):
    return x[x > 0]


def joined(x):
    return torch.cat([x[x > 0], x.flatten()])


@pytest.mark.parametrize(
    "function", [reshaped, list_of_values, other_places, counted, returned, joined], ids=lambda f: f.__name__
)
def test_what_needs_the_count_is_refused(function):
    with pytest.raises(
        DataDependentError,
        match=r"of x.mask. cannot be traced, (on line|and returned returns it).* of 'x'.*masked_scatter",
    ):
        trace(function, x=ROWS)


UNKNOWN = {
    "max with these arguments": lambda x: x[x[:, 0] > 0].max(0).values,
    "norm with these arguments": lambda x: x[x > 0].norm(x.sum()),
    "the norm of a matrix": lambda x: torch.norm(x[x[:, 0] > 0], "nuc"),
    "matmul": lambda x: x[x[:, 0] > 0] @ x.mT,
    "var": lambda x: x[x > 0].var(),
}


@pytest.mark.parametrize("said", UNKNOWN)
def test_what_is_not_known_is_refused_in_its_name(said):
    with pytest.raises(DataDependentError, match=f"^{said} of x.mask. cannot be traced, on line"):
        trace(UNKNOWN[said], x=ROWS)


@pytest.mark.parametrize("power", [2, -2, 1, torch.inf, "nuc"])
@pytest.mark.parametrize("dim", [None, (0, 1)])
def test_the_norm_of_a_matrix_is_refused(power, dim):
    with pytest.raises(
        DataDependentError, match=r"the norm of a matrix of x.mask. cannot be traced, on line"
    ):
        trace(lambda x: torch.linalg.norm(x[x[:, 0] > 0], power, dim), x=ROWS)


LARGEST = [lambda x: x[x > 1].amax(), lambda x: x.long()[x > 1].min(), lambda x: x[x > 1].amax(0)]


@pytest.mark.parametrize("fn", LARGEST)
def test_the_largest_of_nothing_is_an_error_as_in_torch(fn):
    program = trace(fn, x=torch.tensor([[1.0, 3.0]]))
    nothing = {"x": torch.zeros(1, 2)}
    with NodeRunner() as node:
        assert node.run(program, {"x": torch.tensor([[2.0, 5.0]])})["output"].item() in (2, 5)
        with pytest.raises(NodeError, match=r"(amax|min) of x.mask.: the mask picks nothing"):
            node.run(program, nothing)
    with pytest.raises((IndexError, RuntimeError)):
        fn(**nothing)
