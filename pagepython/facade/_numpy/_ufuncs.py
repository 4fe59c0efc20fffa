"""NumPy's functions of single numbers: they can also sum up, go along, pair all with all, and write at places."""

import absent
import torch
from numpy._array import _given, asarray, ndarray
from numpy._errors import spoken

REDUCE = {
    "add": "sum",
    "multiply": "prod",
    "maximum": "max",
    "minimum": "min",
    "logical_and": "all",
    "logical_or": "any",
}
ALONG = {"add": "cumsum", "multiply": "cumprod", "maximum": "cummax", "minimum": "cummin"}


class ufunc:
    """A function of single numbers."""

    def __init__(self, name: str, function) -> None:
        self.__name__, self.__doc__, self._function = name, function.__doc__, function

    def __call__(self, *args, **kwargs):
        return self._function(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<ufunc '{self.__name__}'>"

    def __getattr__(self, name: str):
        if name in (
            "reduceat",
            "at",
            "accumulate",
            "reduce",
            "outer",
            "nin",
            "nout",
            "nargs",
            "types",
            "identity",
            "signature",
        ):
            raise absent.NotInPage(
                f"numpy.{self.__name__}.{name} is not in the page; run this notebook in Jupyter."
            )
        raise AttributeError(f"'numpy.ufunc' object has no attribute {name!r}")


class _Paired(ufunc):
    """One of two numbers."""

    nin, nout, nargs = 2, 1, 3

    def outer(self, A, B):
        one, other = asarray(A), asarray(B)
        return self(ndarray(one._held.reshape(*one.shape, *[1] * other.ndim)), other)


class _Summing(_Paired):
    """One that can be done with all the numbers of an axis."""

    @spoken
    def reduce(self, array, axis=0, keepdims=False):
        return getattr(asarray(array), REDUCE[self.__name__])(axis=axis, keepdims=keepdims)


class _Along(_Summing):
    """One that can be done with the first numbers of an axis, and one more each time."""

    @spoken
    def accumulate(self, array, axis=0):
        found = getattr(asarray(array)._held, ALONG[self.__name__])(axis)
        return _given(found if isinstance(found, torch.Tensor) else found.values)


class _Writing(_Along):
    """One that is done at places, as often as each is named."""

    @spoken
    def at(self, a, indices, b) -> None:
        places = [asarray(i)._held for i in (indices if isinstance(indices, tuple) else (indices,))]
        more = asarray(b)._held.to(a._held.dtype)
        a._held.index_put_(places, -more if self.__name__ == "subtract" else more, accumulate=True)


def made(name: str, function) -> ufunc:
    """Make a function of single numbers of one that computes it."""
    pairs = "subtract divide true_divide power floor_divide mod remainder equal not_equal greater greater_equal less less_equal"
    kinds = {"add": _Writing, "subtract": _Writing} | dict.fromkeys(ALONG.keys() - {"add"}, _Along)
    kinds |= dict.fromkeys(("logical_and", "logical_or"), _Summing)
    usual = _Paired if name in (*pairs.split(), "logical_xor", "arctan2", "hypot") else ufunc
    return kinds.get(name, usual)(name, function)
