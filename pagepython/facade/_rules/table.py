"""The derivative of each operator: from the gradient of what it gave to the gradients of what it was given.

A rule gets what was saved of the call (arguments by name, ``out``) and the gradient ``g`` of its result, or a list
where there are several results. It gives a gradient for each argument by name, as a function where it costs something:
only what is wanted is computed. Gradients of what was broadcast are summed by the tape (_autograd.py).
"""

from torch._call import call

RULES: dict = {}


def rule(*names: str):
    """File a rule under the names of its operators."""

    def file(function):
        RULES.update(dict.fromkeys(names, function))
        return function

    return file


def _zeros(g, shape):
    return g.new_zeros(list(shape))


def _axes(dim, rank: int) -> tuple[int, ...]:
    if dim is None or dim in ([], ()):
        return tuple(range(rank))
    return tuple(d % max(rank, 1) for d in ([dim] if isinstance(dim, int) else dim))


def _unreduced(g, shape, dim, keepdim: bool):
    """Give what a reduction left its axes back, of length 1, so that it broadcasts."""
    if keepdim or not shape:
        return g
    for axis in sorted(_axes(dim, len(shape))):
        g = g.unsqueeze(axis)
    return g


def _mm(a, b):
    return call("matmul", a, b)
