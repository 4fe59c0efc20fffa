"""Measure how much memory a function needs while it runs."""

from collections.abc import Callable

from torch import Tensor
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


def peak_bytes(function: Callable[..., object], *inputs: Tensor, **options: object) -> int:
    """Measure the bytes of the tensors that a call makes, at the moment when most are alive.

    Formula: peak = largest sum of element_size * nelement over the tensors alive, inputs left out

    Counted is what torch's operators return, result included; what one operator needs inside and gives back
    before it ends is not seen. Views take no memory of their own.

    Args:
        function: a function or module.
        inputs: what it is called with.
        options: keyword arguments of the call.

    Returns:
        number of bytes.

    Example:
        >>> import torch
        >>> x = torch.ones(3, 5)  # 60 bytes, not counted
        >>> peak_bytes(lambda x: (x + 1).sum(), x)  # 60 for x + 1, 4 for the sum
        64

    Source: torch.utils._python_dispatch, which shows each operator's results.
    Chapter: notebooks/09_efficient_attention.ipynb
    """
    with _Counter(tree_leaves((inputs, options))) as counter:
        function(*inputs, **options)
    return counter.peak


class _Counter(TorchDispatchMode):
    def __init__(self, known: list[object]) -> None:
        super().__init__()
        self.given = {x.untyped_storage()._cdata for x in known if isinstance(x, Tensor)}
        self.alive: dict[int, tuple[StorageWeakRef, int]] = {}
        self.peak = 0

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        inputs = {x.untyped_storage()._cdata for x in tree_leaves((args, kwargs)) if isinstance(x, Tensor)}
        result = operator(*args, **(kwargs or {}))
        self.alive = {key: kept for key, kept in self.alive.items() if not kept[0].expired()}
        for x in tree_leaves(result):
            if isinstance(x, Tensor) and x.device.type != "meta":
                self._add(x, inputs)
        self.peak = max(self.peak, sum(size for _, size in self.alive.values()))
        return result

    def _add(self, x: Tensor, inputs: set[int]) -> None:
        storage = x.untyped_storage()
        key = storage._cdata
        # a view of something from outside the call, such as a parameter, is not new
        if key not in self.given and key not in self.alive and key not in inputs:
            self.alive[key] = (StorageWeakRef(storage), storage.nbytes())
