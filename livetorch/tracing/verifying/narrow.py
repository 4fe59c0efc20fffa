"""Constants kept in half the space: what that changes."""

import warnings
from collections.abc import Iterable, Mapping

from torch import Tensor

from livetorch.program.errors import LiveWarning, TraceError
from livetorch.program.program import Program
from livetorch.tracing.verifying.closeness import share

_NARROW_WARNS, _NARROW_ENDS = 0.02, 0.1  # of the largest number in an output


def verify_narrow(name: str, exact: Program, narrow: Program, inputs: Iterable[Mapping[str, Tensor]]) -> None:
    """Warn or raise where constants kept in half the space change an output by some per cent."""
    worst, output = 0.0, ""
    for each in inputs:
        plain = {key: tensor.detach() for key, tensor in each.items()}
        try:
            wanted, got = exact.run(**plain), narrow.run(**plain)
        except (IndexError, RuntimeError):
            continue  # moved to where the function itself has no answer: an index beyond the end
        for key, want in wanted.items():
            off = share(got[key], want)
            if off > worst:
                worst, output = off, key
    if worst <= _NARROW_WARNS:
        return
    size = "beyond all bounds" if worst == float("inf") else f"by {100 * worst:.2g} per cent of its size"
    text = f'store="float16" changes the output {output} of {name} {size}: leave store out'
    if worst > _NARROW_ENDS:
        raise TraceError(f"{text}, or give the function smaller or rounder numbers.")
    warnings.warn(f"{text} if that is too much.", LiveWarning, stacklevel=2)
