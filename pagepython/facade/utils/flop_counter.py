"""``torch.utils.flop_counter``: multiplications and additions of the products that are computed, two for each pair."""

import math

from torch import _call

PRODUCTS = ("matmul", "mm", "bmm", "mv", "dot", "vdot", "addmm", "baddbmm", "linear")


class FlopCounterMode:
    """Counts inside it, as PyTorch's does: products of matrices and convolutions, and what their gradients cost."""

    def __init__(self, mods=None, depth: int = 2, display: bool = True, custom_mapping=None) -> None:
        self.display, self.flops = display, {}

    def __enter__(self):
        _call.counters.append(self._count)
        return self

    def __exit__(self, *_) -> None:
        _call.counters.pop()
        if self.display:
            print(f"Total flops: {self.get_total_flops():,}")

    def _count(self, full: str, bound: dict, results: list) -> None:
        name = full.split(".")[0]
        if name in PRODUCTS:
            tensors = [
                t for key, t in bound.items() if hasattr(t, "shape") and key not in ("bias", *_added(name))
            ]
            inner = tensors[0].shape[-1]
            self.flops[name] = self.flops.get(name, 0) + 2 * math.prod(results[0].shape) * inner

    def get_total_flops(self) -> int:
        return sum(self.flops.values())

    def get_flop_counts(self) -> dict:
        return {"Global": dict(self.flops)}


def _added(name: str) -> tuple:
    return ("self",) if name in ("addmm", "baddbmm") else ()
