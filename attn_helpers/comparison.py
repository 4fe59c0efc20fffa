"""Measure how far and how fast a layer sees: receptive field, path length, chain of products, cost."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils.flop_counter import FlopCounterMode

from . import _check

_PRODUCTS = ("mm", "bmm", "addmm", "baddbmm", "convolution")


def receptive_field(layer: Callable[[Tensor], Tensor], inputs: Tensor, position: int) -> Tensor:
    """Find the input positions that the output at one position depends on, by its gradient.

    Formula: field[j] = (d output[position] / d inputs[j] is not 0)

    Args:
        layer: a function or module of (batch, length, d_model) that keeps the length.
        inputs: (batch, length, d_model), floating-point; random numbers will do.
        position: position of the output, from 0.

    Returns:
        bool (length,).

    Raises:
        TypeError: inputs that are not floating-point.
        ValueError: inputs without three axes.
        IndexError: a position outside the sequence.

    Example:
        >>> pair_sum = lambda x: x + x.roll(1, dims=1)
        >>> receptive_field(pair_sum, torch.randn(1, 4, 2), position=2)
        tensor([False,  True,  True, False])

    Source: Luo et al. 2016, Understanding the Effective Receptive Field, section 2 (field by gradients).
    Chapter: notebooks/06_self_attention.ipynb
    """
    _check.floating(inputs=inputs)
    if inputs.dim() != 3:
        shape = _check.shape_text(inputs)
        raise ValueError(f"inputs must have shape (batch, length, d_model), got {shape}.")
    inputs = inputs.detach().clone().requires_grad_()
    output = layer(inputs)[:, position]
    # unequal factors, so that the gradients of several numbers do not cancel
    factors = torch.linspace(1, 2, output.numel(), dtype=output.dtype).reshape(output.shape)
    (gradient,) = torch.autograd.grad((output * factors).sum(), inputs)
    return (gradient != 0).any(dim=-1).any(dim=0)  # (length,)


def path_length(edges: Tensor) -> int:
    """Count the steps after which information has gone as far as it can go.

    Formula: smallest n with reach^(n + 1) = reach^n, reach = edges or the position itself

    Args:
        edges: bool (length, length); edges[i, j] says that one layer, or one step of a recurrence, brings
            information from position j to position i. Every mask is such a matrix.

    Returns:
        the number of steps, 0 where nothing goes from one position to another.

    Raises:
        TypeError: edges that are not bool.
        ValueError: edges that are not square.

    Example:
        >>> from attn_helpers import window_mask
        >>> path_length(torch.ones(8, 8, dtype=torch.bool)), path_length(window_mask(8, reach=2))
        (1, 4)

    Source: Vaswani et al. 2017, Attention Is All You Need, section 4 (maximum path length).
    Chapter: notebooks/06_self_attention.ipynb
    """
    if edges.dtype != torch.bool:
        raise TypeError(f"edges must be bool, got {edges.dtype}.")
    if edges.dim() != 2 or edges.shape[0] != edges.shape[1]:
        raise ValueError(f"edges must have shape (length, length), got {_check.shape_text(edges)}.")
    one_step = (edges | torch.eye(len(edges), dtype=torch.bool, device=edges.device)).float()
    reach, steps = torch.eye(len(edges), device=edges.device), 0
    while True:
        further = ((one_step @ reach) > 0).float()  # (length, length)
        if torch.equal(further, reach):
            return steps
        reach, steps = further, steps + 1


def count_multiplications(layer: Callable[..., object], *inputs: Tensor) -> int:
    """Count the multiplications in the matrix products and convolutions of one call.

    Args:
        layer: a function or module.
        inputs: what it is called with.

    Returns:
        number of multiplications; element by element operations such as softmax are not counted.

    Example:
        >>> count_multiplications(torch.matmul, torch.ones(3, 5), torch.ones(5, 7))
        105

    Source: torch.utils.flop_counter, which counts a multiplication and its addition as two.
    Chapter: notebooks/06_self_attention.ipynb
    """
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        layer(*inputs)
    return counter.get_total_flops() // 2


def chain_length(layer: Callable[..., Tensor], *inputs: Tensor) -> int:
    """Count the matrix products that must wait for each other: what no amount of hardware can do at once.

    Formula: longest path in the graph of operators, a matrix product or convolution counting 1

    Args:
        layer: a function or module that returns one tensor.
        inputs: what it is called with.

    Returns:
        products on the longest path.

    Example:
        >>> chain_length(lambda x: (x @ x) @ (x @ x), torch.ones(2, 2))
        2

    Source: Vaswani et al. 2017, Attention Is All You Need, section 4 (sequential operations).
    Chapter: notebooks/06_self_attention.ipynb
    """
    with torch.no_grad():
        graph = make_fx(layer)(*inputs).graph
    lengths = {}
    for node in graph.nodes:
        name = getattr(getattr(node.target, "overloadpacket", None), "__name__", "")
        before = max((lengths[parent] for parent in node.all_input_nodes), default=0)
        lengths[node] = before + (name in _PRODUCTS)
    return max(lengths.values())
