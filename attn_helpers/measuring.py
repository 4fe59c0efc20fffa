"""Measure how far and how fast a layer sees: receptive field, path length, chain of products, cost.

Chapter: notebooks/06c_what_it_costs.ipynb, notebooks/09a_same_answer_less_memory.ipynb
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.fx.experimental.proxy_tensor import make_fx
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import FlopCounterMode

from attn_helpers import _check

if TYPE_CHECKING:
    from torch import UntypedStorage  # which the page's torch has not

_PRODUCTS = ("mm", "bmm", "addmm", "baddbmm", "convolution")


def receptive_field(layer: Callable[[Tensor], Tensor], inputs: Tensor, position: int) -> Tensor:
    """Find the input positions that the output at one position depends on, by its gradient.

    Formula: field[j] = (d output[position] / d inputs[j] is not 0)
    Source: Luo et al. 2016, Understanding the Effective Receptive Field, section 2 (field by gradients).

    Args:
        layer: a function or module of (batch, length, d_model) that keeps the length.
        inputs: (batch, length, d_model), floating-point; random numbers will do.
        position: position of the output, from 0.
    Returns: bool (length,).

    >>> pair_sum = lambda x: x + x.roll(1, dims=1)
    >>> receptive_field(pair_sum, torch.randn(1, 4, 2), position=2)
    tensor([False,  True,  True, False])
    """
    _check.floating(inputs=inputs)
    _check.rank("(batch, length, d_model)", inputs=inputs)
    inputs = inputs.detach().clone().requires_grad_()
    output = layer(inputs)[:, position]
    # unequal factors, so that the gradients of several numbers do not cancel
    factors = torch.linspace(1, 2, output.numel(), dtype=output.dtype).reshape(output.shape)
    (gradient,) = torch.autograd.grad((output * factors).sum(), inputs)
    return (gradient != 0).any(dim=-1).any(dim=0)  # (length,)


def path_length(edges: Tensor) -> int:
    """Count the steps after which information has gone as far as it can go.

    Formula: smallest n with reach^(n + 1) = reach^n, reach = edges or the position itself
    Source: Vaswani et al. 2017, Attention Is All You Need, section 4 (maximum path length).

    Args:
        edges: bool (length, length); edges[i, j] says that one layer, or one step of a recurrence, brings
            information from position j to position i. Every mask is such a matrix.
    Returns: the number of steps, 0 where nothing goes from one position to another.

    >>> from attn_helpers import window_mask
    >>> path_length(torch.ones(8, 8, dtype=torch.bool)), path_length(window_mask(8, reach=2))
    (1, 4)
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

    Those of element by element operations such as softmax are not counted. The inputs may have any shape that
    the layer takes.

    Source: torch.utils.flop_counter, which counts a multiplication and its addition as two.

    >>> count_multiplications(torch.matmul, torch.ones(3, 5), torch.ones(5, 7))
    105
    """
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        layer(*inputs)
    return counter.get_total_flops() // 2


def chain_length(layer: Callable[..., Tensor], *inputs: Tensor) -> int:
    """Count the matrix products that must wait for each other: what no amount of hardware can do at once.

    Formula: longest path in the graph of operators, a matrix product or convolution counting 1
    Source: Vaswani et al. 2017, Attention Is All You Need, section 4 (sequential operations).

    The layer returns one tensor of any shape.

    >>> chain_length(lambda x: (x @ x) @ (x @ x), torch.ones(2, 2))
    2
    """
    with torch.no_grad():
        graph = make_fx(layer)(*inputs).graph
    lengths: dict[Any, int] = {}
    for node in graph.nodes:
        name = getattr(getattr(node.target, "overloadpacket", None), "__name__", "")
        before = max((lengths[parent] for parent in node.all_input_nodes), default=0)
        lengths[node] = before + (name in _PRODUCTS)
    return max(lengths.values())


def peak_bytes(function: Callable[..., object], *inputs: Tensor, **options: object) -> int:
    """Measure the bytes of the tensors that a call makes, at the moment when most are alive.

    Formula: peak = largest sum of element_size * nelement over the tensors alive, inputs left out
    Source: torch.utils._python_dispatch, which shows each operator's results.

    Counted is what torch's operators return, result included; what one operator needs inside and gives back
    before it ends is not seen. Views take no memory of their own. The inputs may have any shape.

    >>> x = torch.ones(3, 5)  # 60 bytes, not counted
    >>> peak_bytes(lambda x: (x + 1).sum(), x)  # 60 for x + 1, 4 for the sum
    64
    """
    with _Counter(tree_leaves((inputs, options))) as counter:
        function(*inputs, **options)
    return counter.peak


class _Counter(TorchDispatchMode):
    def __init__(self, known: list[object]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.given = {x.untyped_storage()._cdata for x in known if isinstance(x, Tensor)}
        self.made: dict[int, tuple[StorageWeakRef, int]] = {}  # what has died may still be in it
        self.sum = self.peak = 0

    def __torch_dispatch__(
        self, operator: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        result = operator(*args, **(kwargs or {}))
        for x in [result] if isinstance(result, Tensor) else tree_leaves(result):
            if isinstance(x, Tensor) and x.device.type != "meta":
                self._add(x.untyped_storage(), args, kwargs)
        if self.sum > self.peak:
            self.made = {key: kept for key, kept in self.made.items() if not kept[0].expired()}
            self.sum = sum(size for _, size in self.made.values())
            self.peak = max(self.peak, self.sum)
        return result

    def _add(self, storage: "UntypedStorage", args: tuple[Any, ...], kwargs: dict[str, Any] | None) -> None:
        key = storage._cdata
        if key in self.given or key in self.made:
            return
        # a view of something from outside the call, such as a parameter, is not new
        inputs = (
            args if all(isinstance(x, _FLAT) for x in args) and not kwargs else tree_leaves((args, kwargs))
        )
        if not any(isinstance(x, Tensor) and x.untyped_storage()._cdata == key for x in inputs):
            self.made[key] = (StorageWeakRef(storage), storage.nbytes())
            self.sum += storage.nbytes()


_FLAT = (Tensor, int, float, str, type(None))
