"""NumPy's linear algebra, by PyTorch's."""

from collections import namedtuple

import absent
import torch
from numpy._array import _given, asarray
from numpy._errors import spoken
from numpy._more import _fraction


class LinAlgError(ValueError):
    """What has no solution."""


LinAlgError.__module__ = "numpy.linalg"


NAMED = {
    "eigh": namedtuple("EighResult", "eigenvalues eigenvectors"),
    "qr": namedtuple("QRResult", "Q R"),
    "slogdet": namedtuple("SlogdetResult", "sign logabsdet"),
}


WORDS = {
    "square": "Last 2 dimensions of the array must be square", "singular": "Singular matrix",
    "at least 2 dim": "{}-dimensional array given. Array must be at least two-dimensional",
    "positive-definite": "Matrix is not positive definite",
}  # fmt: skip


def _of(name: str):
    @spoken
    def act(a, *others, **kwargs):
        held = [asarray(x)._held if hasattr(x, "_held") or isinstance(x, list) else x for x in (a, *others)]
        whole = name == "matrix_power" and others[0] >= 0
        held = [_fraction(x) if isinstance(x, torch.Tensor) and not whole else x for x in held]
        try:
            found = getattr(torch.linalg, name)(*held, **kwargs)
        except RuntimeError as error:
            said = (words for part, words in WORDS.items() if part in str(error))
            raise LinAlgError(next(said, str(error)).format(held[0].dim())) from None
        return NAMED[name](*map(_given, found)) if isinstance(found, tuple) else _given(found)

    act.__name__, act.__doc__ = name, f"Do what NumPy's {name} does."
    return act


@spoken
def norm(x, ord=None, axis=None, keepdims=False):
    """Give the length of a vector, or a norm of a matrix."""
    held = _fraction(asarray(x)._held)
    if ord is None and axis is None:
        return _given(torch.linalg.vector_norm(held, 2, None, keepdims))
    return _given(torch.linalg.norm(held, ord, axis, keepdims))


for _name in (
    "inv",
    "det",
    "solve",
    "eigh",
    "eigvalsh",
    "pinv",
    "matrix_rank",
    "matrix_power",
    "cholesky",
    "qr",
    "slogdet",
):
    globals()[_name] = _of(_name)


def __getattr__(name: str):
    if name.startswith("__"):
        raise AttributeError(name)
    return absent.make(f"numpy.linalg.{name}")
