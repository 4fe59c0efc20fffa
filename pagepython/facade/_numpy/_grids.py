"""What NumPy makes of slices in brackets: grids of numbers, rows and columns put together."""

import math

import absent
import torch
from numpy._array import asarray, matched, ndarray


def evenly(start, stop, num: int, *, endpoint: bool = True) -> torch.Tensor:
    """Give numbers in equal steps as NumPy counts them: each one step times its place, and the last one as it is given."""
    start, stop = (end.item() if hasattr(end, "item") else end for end in (start, stop))
    steps = num - (1 if endpoint else 0)
    found = torch.arange(num, dtype=torch.float64)
    found = found * ((stop - start) / steps) + start if steps > 0 else found * (stop - start) + start
    if endpoint and num > 1:
        found[-1] = stop
    return found


def _steps(part: slice) -> torch.Tensor:
    """Count from the start to the stop; an imaginary step says how many numbers, with the stop among them."""
    start, stop, step = part.start or 0, part.stop, 1 if part.step is None else part.step
    if isinstance(step, complex):
        return evenly(start, stop, int(abs(step)))
    count = max(0, math.ceil((stop - start) / step))
    kind = torch.float64 if any(isinstance(x, float) for x in (start, stop, step)) else torch.int64
    return torch.arange(count, dtype=kind) * step + start


class _Grid:
    """Coordinates of a grid, in full or one axis each."""

    def __init__(self, *, full: bool) -> None:
        self._full = full

    def __getitem__(self, place):
        if not isinstance(place, tuple):
            return ndarray(_steps(place))
        held = [getattr(t, "_held", t) for t in matched(*(ndarray(_steps(part)) for part in place))]
        if self._full:
            return ndarray(torch.stack(torch.meshgrid(*held, indexing="ij")))
        return tuple(
            ndarray(t.reshape([-1 if k == axis else 1 for k in range(len(held))]))
            for axis, t in enumerate(held)
        )


class _Joined:
    """Numbers, slices and arrays put behind one another, or as columns beside one another."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getitem__(self, place):
        parts = place if isinstance(place, tuple) else (place,)
        if any(isinstance(part, str) for part in parts):
            raise absent.NotInPage(
                f"numpy.{self._name} with a text is not in the page; run this notebook in Jupyter."
            )
        held = [ndarray(_steps(p)) if isinstance(p, slice) else asarray(p) for p in parts]
        columns = self._name == "c_"
        held = [
            ndarray(a._held.reshape(-1, 1) if columns else a._held.reshape(1)) if a.ndim < 1 + columns else a
            for a in held
        ]
        return ndarray(torch.cat(matched(*held), -1 if columns else 0))


class _Index:
    """An index as it is written."""

    def __init__(self, *, always: bool) -> None:
        self._always = always

    def __getitem__(self, place):
        return (place,) if self._always and not isinstance(place, tuple) else place


NAMES = {
    "mgrid": _Grid(full=True), "ogrid": _Grid(full=False), "r_": _Joined("r_"), "c_": _Joined("c_"), "s_": _Index(always=False),
    "index_exp": _Index(always=True),
}  # fmt: skip
