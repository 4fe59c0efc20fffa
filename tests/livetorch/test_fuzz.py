"""Random functions: views of views with writes into them, chains of operators, and gradients of such chains.

Each is traced once and run in Node on other inputs. It may be refused; it may not give other numbers than
torch. LIVETORCH_FUZZ=2000 draws so many new ones in place of the few that are always the same.
"""

import os

import torch
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from livetorch import trace
from livetorch.program.errors import TraceError

LONG = os.environ.get("LIVETORCH_FUZZ")
BOUNDED = settings(
    max_examples=int(LONG or 60),
    derandomize=not LONG,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def numbers(seed):
    return 1.5 * torch.randn(4, 6, generator=torch.Generator().manual_seed(seed))


OTHERS = [numbers(seed) for seed in range(3)]


def agree(function, node, *, tolerance=1e-5):
    """Trace, run on other inputs, compare; a refusal is an answer too."""
    try:
        program = trace(function, x=OTHERS[0])
    except TraceError:
        return
    for x in OTHERS:
        want = function(x.clone())
        got = node.run(program, {"x": x})["output"]
        assert got.dtype == want.dtype
        assert torch.allclose(got, want, rtol=tolerance, atol=tolerance, equal_nan=True)


# ---- views and writes

VIEWS = {
    "row": lambda t, a, b: t[a % t.shape[0]],
    "rows": lambda t, a, b: t[min(a, b) % t.shape[0] :],
    "every other": lambda t, a, b: t[..., a % 2 :: 2],
    "turn": lambda t, a, b: t.transpose(a % t.dim(), b % t.dim()),
    "flat": lambda t, a, b: t.reshape(-1),
    "view": lambda t, a, b: t.view(-1),
    "wide": lambda t, a, b: t.unsqueeze(a % (t.dim() + 1)),
    "thin": lambda t, a, b: t.squeeze(),
    "diagonal": lambda t, a, b: t.diagonal(a % 3 - 1),
    "windows": lambda t, a, b: t.unfold(a % t.dim(), 2, 1 + b % 2),
    "narrow": lambda t, a, b: t.narrow(a % t.dim(), 0, 1 + b % t.shape[a % t.dim()]),
    "half": lambda t, a, b: t.chunk(2, a % t.dim())[b % len(t.chunk(2, a % t.dim()))],
    "apart": lambda t, a, b: t.unbind(a % t.dim())[b % t.shape[a % t.dim()]],
    "spread": lambda t, a, b: t.unsqueeze(0).expand(2, *t.shape),
    "strided": lambda t, a, b: t.as_strided((2, 2), (1 + a % 2, 3), b % 4),
    "same": lambda t, a, b: t.view_as(t),
}
NEW = {
    "clone": lambda t, a, b: t.clone(),
    "plus": lambda t, a, b: t + a,
    "double": lambda t, a, b: torch.cat([t, t * 2]),
    "contiguous": lambda t, a, b: t.contiguous(),
    "zeros": lambda t, a, b: torch.zeros_like(t),
}


def _assign(t, a, b):
    t[a % t.shape[0]] = float(b)


def _mask(t, a, b):
    t[t > a / 4] = b / 2


def _mask_more(t, a, b):
    t[t > a / 4] += b / 2


def _rows(t, a, b):
    t[torch.tensor([a % t.shape[0], b % t.shape[0]])] = 0.5


def _copy(t, a, b):
    t.copy_(t.flip(0) + a)


def _across(t, a, b):
    t[..., 0] = t[..., -1] * b


WRITES = {
    "add_": lambda t, a, b: t.add_(a / 2),
    "mul_": lambda t, a, b: t.mul_(1 + b / 4),
    "fill_": lambda t, a, b: t.fill_(a),
    "zero_": lambda t, a, b: t.zero_(),
    "relu_": lambda t, a, b: t.relu_(),
    "clamp_": lambda t, a, b: t.clamp_(-1, b / 3),
    "masked_fill_": lambda t, a, b: t.masked_fill_(t > a / 4, b),
    "cumsum_": lambda t, a, b: t.cumsum_(a % t.dim()),
    "triu_": lambda t, a, b: t.triu_(),
    "assign": _assign,
    "mask": _mask,
    "mask more": _mask_more,
    "rows": _rows,
    "copy_": _copy,
    "across": _across,
}
ACTIONS = {**VIEWS, **NEW, **WRITES}
SMALL = st.integers(0, 5)
NAMES = st.sampled_from(sorted(ACTIONS)) | st.sampled_from(sorted(WRITES))
STEPS = st.lists(st.tuples(NAMES, SMALL, SMALL, SMALL), min_size=2, max_size=9)


def play(steps, x):
    """Follow the steps, leaving out those that torch refuses; give every tensor as it is in the end."""
    tensors = [x.clone()]
    for name, which, a, b in steps:
        tensor = tensors[which % len(tensors)]
        if tensor.numel() == 0 or tensor.dim() == 0 or tensor.dim() > 4:
            continue
        try:
            made = ACTIONS[name](tensor, a, b)
        except TraceError:
            raise
        except (RuntimeError, IndexError, ValueError):
            continue
        if name not in WRITES:
            tensors.append(made)
    return torch.cat([t.reshape(-1) for t in tensors])


@BOUNDED
@given(STEPS)
@example([("clone", 0, 0, 0), ("row", 1, 0, 0), ("fill_", 0, 3, 0)])
@example([("windows", 0, 1, 0), ("mul_", 1, 0, 4)])
@example([("windows", 0, 0, 0), ("turn", 1, 0, 1), ("turn", 2, 0, 1), ("plus", 3, 1, 0)])
@example([("windows", 0, 0, 0), ("wide", 1, 0, 0), ("thin", 2, 0, 0), ("plus", 3, 1, 0)])
def test_views_and_writes(node, steps):
    agree(lambda x: play(steps, x), node)


# ---- chains of operators

CHAIN = {
    "add": lambda t, u, a: t + u * a,
    "mul": lambda t, u, a: t * u,
    "div": lambda t, u, a: t / (u.abs() + 1 + a),
    "matmul": lambda t, u, a: t @ (u.t() @ u) / 10,
    "softmax": lambda t, u, a: torch.softmax(t, a % 2),
    "logsumexp": lambda t, u, a: t - torch.logsumexp(t, a % 2, keepdim=True),
    "tanh": lambda t, u, a: torch.tanh(t),
    "gelu": lambda t, u, a: torch.nn.functional.gelu(t),
    "leaky": lambda t, u, a: torch.nn.functional.leaky_relu(t, a / 10),
    "norm": lambda t, u, a: torch.nn.functional.layer_norm(t, t.shape[-1:]),
    "sin": lambda t, u, a: torch.sin(t) * (1 + a),
    "sum": lambda t, u, a: t - t.sum(a % 2, keepdim=True) / 7,
    "max": lambda t, u, a: t - t.amax(a % 2, keepdim=True),
    "sort": lambda t, u, a: t.sort(a % 2).values,
    "topk": lambda t, u, a: t.topk(2, a % 2).values.sum(a % 2, keepdim=True) + u,
    "cumsum": lambda t, u, a: t.cumsum(a % 2) / 4,
    "where": lambda t, u, a: torch.where(t > u, t, u * 0.5),
    "clamp": lambda t, u, a: t.clamp(-1.1, 0.2 + a),
    "index": lambda t, u, a: t[torch.tensor([a % 4, 0, 3, 1])],
    "gather": lambda t, u, a: t.gather(1, torch.arange(24).reshape(4, 6) % (2 + a)),
    "roll": lambda t, u, a: t.roll(a, 1),
    "flip": lambda t, u, a: t.flip(a % 2),
    "power": lambda t, u, a: (t.abs() + 0.5) ** (a / 2),
    "median": lambda t, u, a: t - t.median(a % 2, keepdim=True).values,
    "std": lambda t, u, a: t / (t.std(a % 2, keepdim=True) + 0.5),
    "chosen": lambda t, u, a: t + t[t > a / 5].sum() / 9,
    "triangle": lambda t, u, a: t.tril(a - 1),
    "scatter": lambda t, u, a: t.scatter_add(1, torch.arange(24).reshape(4, 6) % (1 + a), u),
    "distance": lambda t, u, a: torch.cdist(t, u) @ t / 20,
    "einsum": lambda t, u, a: torch.einsum("ij,kj,kl->il", t, u, u) / 20,
}
CHAINS = st.lists(st.tuples(st.sampled_from(sorted(CHAIN)), SMALL, SMALL, SMALL), min_size=1, max_size=5)


def follow(steps, x):
    tensors = [x, x.flip(0) * 0.5]
    for name, first, second, a in steps:
        t, u = (tensors[i % len(tensors)] for i in (first, second))
        tensors.append(CHAIN[name](t, u, a))
    return tensors[-1]


@BOUNDED
@given(CHAINS)
def test_chains_of_operators(node, steps):
    agree(lambda x: follow(steps, x), node, tolerance=1e-4)


@BOUNDED
@given(CHAINS)
def test_gradients_of_chains(node, steps):
    weight = torch.cos(torch.arange(24.0)).reshape(4, 6)
    agree(lambda x: torch.func.grad(lambda y: (follow(steps, y) * weight).sum())(x), node, tolerance=1e-3)
