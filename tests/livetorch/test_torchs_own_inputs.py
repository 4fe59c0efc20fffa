"""Each operator is traced on inputs that torch itself is tested with, and run in the page on them changed.

A refusal is an answer, unless it speaks of a fault of ours. Where torch raises, the page stops; where it
answers, the page gives the same.
"""

import functools
import itertools
import math

import pytest
import torch
from node_runner import NodeError
from sampling import sample
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_flatten, tree_unflatten

from livetorch import trace
from livetorch.program.errors import TraceError
from livetorch.program.operators import stable_order
from livetorch.tracing.verifying.closeness import gap, nudged

DTYPES = (torch.float32, torch.int64, torch.bool, torch.float64)
# of these torch's answer for NaN, infinity or equal numbers hangs on how it computes
HANGING = """
    fft. stft qr svd eig pinv lstsq matrix_rank cond norm.nuc subgradients det solve inv cholesky lu_ mode
    gelu batch_norm layer_norm cross_entropy
"""
LEFT_OUT = ("_", "torch.ops", "jiterator", "empty", "new_empty", "linalg.cholesky_ex")  # inner, or undefined
OPERATORS = {
    f"{op.name}.{op.variant_test_name}": op
    for op in op_db
    if op.name.startswith("__") or not op.name.startswith(LEFT_OUT)
}
# torch has no inputs for these that are real and dense; what is here and not in OPERATORS fails
ABSENT = """
    arange. linspace. logspace. full. ones. zeros. eye. randn. randint. scalar_tensor. broadcast_shapes.
    tril_indices. triu_indices. signal.windows.bartlett. signal.windows.blackman. signal.windows.cosine.
    signal.windows.exponential. signal.windows.gaussian. signal.windows.general_cosine.
    signal.windows.general_hamming. signal.windows.hamming. signal.windows.hann. signal.windows.kaiser.
    signal.windows.nuttall. imag. view_as_real. istft. nn.functional.silu.complex
    nn.functional.batch_norm.without_cudnn sparse.mm.reduce sparse.sampled_addmm. torch._scaled_mm.
    torch._scaled_mm_v2.
"""


def leaves_of(given):
    return tree_flatten((given.input, list(given.args), dict(given.kwargs)))


def size(given):
    return sum(x.numel() for x in leaves_of(given)[0] if isinstance(x, torch.Tensor))


def samples(op, dtype):
    """Two of torch's inputs that are real and dense, and small if there are such; alike in each run."""
    torch.manual_seed(0)
    right = []
    for given in itertools.islice(op.sample_inputs("cpu", dtype, requires_grad=False), 40):
        inside = [x for x in leaves_of(given)[0] if isinstance(x, torch.Tensor)]
        fits = all(x.layout == torch.strided and x.dtype in (*DTYPES, torch.int32) for x in inside)
        if inside and fits:
            right.append(given)
    right = [given for given in right if size(given) <= 200] or sorted(right, key=size)[:2]
    return right[:: max(1, len(right) // 2)][:2]


def as_function(op, given):
    """Write a call as a function of its tensors."""
    leaves, spec = leaves_of(given)
    tensors = {f"t{i}": x.detach() for i, x in enumerate(leaves) if isinstance(x, torch.Tensor)}

    def call(**inputs):
        first, args, kwargs = tree_unflatten([inputs.get(f"t{i}", x) for i, x in enumerate(leaves)], spec)
        out = tree_flatten(op(first, *args, **kwargs))[0]
        return {f"out{i}": x for i, x in enumerate(out) if isinstance(x, torch.Tensor)}

    return call, tensors


def changed(name, tensors):
    """Give the inputs, and others: negated, equal, with ties or holes; whole numbers one further, or -1."""

    def hole(x, value):
        flat = x.reshape(-1).clone()
        flat[len(flat) // 2 :][:1] = value
        return flat.reshape(x.shape)

    ways = [torch.neg, torch.zeros_like, lambda x: (x * 2).round() / 2]
    if not any(word in name for word in HANGING.split()):
        holes = (functools.partial(hole, value=value) for value in (math.nan, math.inf, -math.inf))
        ways += [torch.ones_like, *holes]
    each = [("float", way) for way in ways] + [("bool", torch.logical_not)]
    each += [("int", way) for way in (torch.neg, lambda x: x + 1, lambda x: x * 0 - 1)]
    yield tensors
    for kind, way in each:
        other = {key: way(x) if kind in str(x.dtype) and x.numel() else x for key, x in tensors.items()}
        if any(other[key] is not tensors[key] for key in tensors):
            yield other


def traced(fn, tensors):
    try:
        return trace(fn, **tensors)
    except TraceError as refusal:
        if "fault of" in str(refusal):
            raise


def outcome(fn, inputs):
    with stable_order():
        return fn(**{key: x.clone() for key, x in inputs.items()})


def hold(fn, program, inputs, node):
    """Hold a Program against its function for some inputs, but for what their last bits make."""
    try:
        want = outcome(fn, inputs)
    except Exception:
        with pytest.raises(NodeError):
            node.run(program, inputs)
        return
    got = node.run(program, inputs)
    for key, wanted in want.items():
        said = f"the page gives {got[key]}, torch {wanted} at {inputs}"
        assert (got[key].dtype, got[key].shape) == (wanted.dtype, wanted.shape), said
        if not torch.allclose(got[key].double(), wanted.double(), rtol=1e-4, atol=1e-6, equal_nan=True):
            near = [outcome(fn, {k: nudged(x, sign) for k, x in inputs.items()})[key] for sign in (1, -1)]
            assert gap(got[key], wanted) <= 8 * max(gap(other, wanted) for other in near), said


@pytest.mark.parametrize("name", sample(list(OPERATORS), 36, ABSENT.split()))
def test_an_operator_gives_what_torch_gives_on_its_own_inputs(name, node):
    op, held = OPERATORS[name], 0
    for dtype in DTYPES:
        for given in samples(op, dtype) if dtype in op.supported_dtypes("cpu") else ():
            held += 1
            fn, tensors = as_function(op, given)
            program = traced(fn, tensors)
            for inputs in changed(name, tensors) if program else ():
                hold(fn, program, inputs, node)
    assert (held == 0) == (name in ABSENT.split())


def test_what_torch_has_no_inputs_for_is_among_its_operators():
    assert set(ABSENT.split()) <= set(OPERATORS)
