"""What NumPy does with arrays in other words than PyTorch with tensors, one line each."""

import math
import operator

import absent
import torch
from numpy._array import _given, asarray, generic, matched, ndarray, typed
from numpy._grids import evenly


def _out(found):
    return type(found)(map(_out, found)) if type(found) in (tuple, list) else _given(found)


def _of_tensor(name: str, function):
    """Make a function of NumPy's of one that takes its first argument as a tensor and gives tensors."""

    def act(array, *args, **kwargs):
        args = [getattr(x, "_held", x) for x in args]
        return _out(function(asarray(array)._held, *args, **kwargs))

    act.__name__, act.__qualname__, act.__doc__ = name, name, f"Do what NumPy's {name} does."
    return act


def _fraction(held):
    return held if held.dtype.category > 1 else held.double()


def _as_one(held, axis, keepdims):
    """Put several axes together, as the last one."""
    if not isinstance(axis, tuple):
        return held, axis
    if keepdims:
        raise absent.NotInPage("keepdims with several axes is not in the page; run this notebook in Jupyter.")
    return held.movedim(axis, tuple(range(-len(axis), 0))).flatten(-len(axis)), -1


def _quantile(held, q, axis=None, keepdims=False):
    held, axis = _as_one(_fraction(held), axis, keepdims)
    if not (held.numel() if axis is None else held.shape[axis]):
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    return held.quantile(torch.as_tensor(q, dtype=held.dtype), axis, keepdims)


def _percentile(held, q, axis=None, keepdims=False):
    q = asarray(q)._held / 100
    if not bool(((q >= 0) & (q <= 1)).all()):
        raise ValueError("Percentiles must be in the range [0, 100]")
    return _quantile(held, q, axis, keepdims)


def _median(held, axis=None, keepdims=False):
    held, axis = _as_one(_fraction(held), axis, keepdims)
    empty = not (held.numel() if axis is None else held.shape[axis])
    return held.mean(axis, keepdims) if empty else _quantile(held, 0.5, axis, keepdims)


def _convolve(a, v, mode="full"):
    a, v = (t._held if isinstance(t, ndarray) else t for t in map(ndarray, matched(ndarray(a), asarray(v))))
    if not len(a) or not len(v):
        raise ValueError(f"{'v' if len(a) else 'a'} cannot be empty")
    a, v = (a, v) if len(a) >= len(v) else (v, a)
    if mode not in ("full", "same", "valid"):
        raise ValueError("Use one of 'valid', 'same', or 'full' for convolve/correlate mode")
    around = {"full": (len(v) - 1,) * 2, "same": (len(v) // 2, (len(v) - 1) // 2), "valid": (0, 0)}[mode]
    windows = torch.nn.functional.pad(a, around).unfold(0, len(v), 1)
    return windows @ v.flip(0)


def _unique(held, return_index=False, return_inverse=False, return_counts=False, axis=None):
    if return_index or axis is not None:
        raise absent.NotInPage(
            "numpy.unique with return_index or axis is not in the page; run this notebook in Jupyter."
        )
    found = torch.unique(held, return_inverse=True, return_counts=True)
    asked = found[0], *found[1:2] * return_inverse, *found[2:] * return_counts
    return asked if len(asked) > 1 else asked[0]


def _interp(x, xp, fp):
    x, xp, fp = x.double(), asarray(xp)._held.double(), asarray(fp)._held.double()
    k = torch.searchsorted(xp, x.contiguous(), right=True).clamp(1, len(xp) - 1)
    share = ((x - xp[k - 1]) / (xp[k] - xp[k - 1])).clamp(0, 1)
    return fp[k - 1] + share * (fp[k] - fp[k - 1])


def _cov(m, y=None, rowvar=True, bias=False, ddof=None):
    m, more = _fraction(m), [] if y is None else [_fraction(asarray(y)._held)]
    rows = [t.reshape(1, -1) if t.dim() < 2 else t if rowvar else t.T for t in (m, *more)]
    found = torch.cat(matched(*map(ndarray, rows))).cov(correction=int(not bias) if ddof is None else ddof)
    return ndarray(found)


def _corrcoef(x, y=None, rowvar=True):
    found = _cov(x, y, rowvar)._held
    size = found.diagonal().sqrt() if found.dim() else found.sqrt()
    return ndarray(found / size / size.unsqueeze(-1) if found.dim() else found / found).clip(-1, 1)[...]


def _cumprod(a, axis=None):
    return a.flatten().cumprod(0) if axis is None else a.cumprod(axis)


def _average(a, axis=None, weights=None):
    a, w = _fraction(a), None if weights is None else asarray(weights)._held
    if w is None:
        return a.mean() if axis is None else a.mean(axis)
    if not bool((w.sum() != 0).all()):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    w = w.reshape([-1 if k == axis % a.dim() else 1 for k in range(a.dim())]) if axis is not None else w
    return (a * w).sum() / w.sum() if axis is None else (a * w).sum(axis) / w.sum()


OF_TENSOR = {
    "zeros_like": lambda a, dtype=None: torch.zeros(a.shape, dtype=typed(dtype, a.dtype)),
    "ones_like": lambda a, dtype=None: torch.ones(a.shape, dtype=typed(dtype, a.dtype)),
    "empty_like": lambda a, dtype=None: torch.zeros(a.shape, dtype=typed(dtype, a.dtype)),
    "full_like": lambda a, fill_value, dtype=None: torch.full(a.shape, fill_value, dtype=typed(dtype, a.dtype)),
    "triu": lambda m, k=0: m.triu(k),
    "tril": lambda m, k=0: m.tril(k),
    "diag": lambda v, k=0: v.diag(k),
    "expand_dims": lambda a, axis: a.unsqueeze(axis),
    "tile": lambda A, reps: A.tile((reps,) if isinstance(reps, int) else tuple(reps)),
    "flip": lambda m, axis=None: m.flip(list(range(m.dim())) if axis is None else axis),
    "fliplr": lambda m: m.flip(1),
    "flipud": lambda m: m.flip(0),
    "roll": lambda a, shift, axis=None: a.roll(shift) if axis is None else a.roll(shift, axis),
    "diff": lambda a, n=1, axis=-1: a.diff(n, axis),
    "unique": _unique,
    "bincount": lambda x, weights=None, minlength=0: x.bincount(None if weights is None else asarray(weights)._held.double(), minlength),
    "quantile": _quantile,
    "percentile": _percentile,
    "median": _median,
    "argwhere": lambda a: a.nonzero(),
    "count_nonzero": lambda a, axis=None: a.count_nonzero(axis),
    "nansum": lambda a, axis=None: a.nansum(axis),
    "nanmean": lambda a, axis=None: a.nanmean(axis),
    "nan_to_num": lambda x, nan=0.0: x.nan_to_num(nan),
    "cumprod": _cumprod,
    "average": _average,
    "broadcast_to": lambda array, shape: array.expand(shape),
    "moveaxis": lambda a, source, destination: a.movedim(source, destination),
    "take": lambda a, indices, axis=None: torch.as_tensor(
        (a.flatten() if axis is None else a)[(slice(None),) * ((axis or 0) % max(a.dim(), 1)) + (indices,)]
    ),
    "searchsorted": lambda a, v, side="left": torch.searchsorted(*map(_fraction, (a, torch.as_tensor(v))), right=side == "right"),
    "cov": _cov,
    "corrcoef": _corrcoef,
    "real": lambda val: ndarray(val).real,
    "imag": lambda val: ndarray(val).imag,
    "conj": lambda x: ndarray(x).conjugate(),
    "conjugate": lambda x: ndarray(x).conjugate(),
    "angle": lambda z: _fraction(z).angle(),
    "array_split": lambda ary, sections, axis=0: list(ary.tensor_split(sections, axis)),
    "interp": _interp,
    "rint": lambda x: _fraction(x).round(),
    "ptp": lambda a, axis=None: a.max() - a.min() if axis is None else a.amax(axis) - a.amin(axis),
    "trapezoid": lambda y, x=None, dx=1.0, axis=-1: torch.trapezoid(
        _fraction(y),
        torch.arange(y.shape[axis]).to(_fraction(y).dtype) * dx if x is None else _fraction(asarray(x)._held),
        dim=axis,
    ),
    "convolve": _convolve,
}  # fmt: skip
OPERATORS = {
    "add": "add", "subtract": "sub", "multiply": "mul", "divide": "truediv", "true_divide": "truediv", "power": "pow",
    "floor_divide": "floordiv", "mod": "mod", "remainder": "mod", "equal": "eq", "not_equal": "ne", "greater": "gt",
    "greater_equal": "ge", "less": "lt", "less_equal": "le", "negative": "neg",
}  # fmt: skip


def _by_operator(name: str):
    """Make a function of NumPy's of Python's operator."""

    def act(x1, *others):
        held = [
            x if isinstance(x, ndarray | generic | int | float | torch.Tensor) else asarray(x)
            for x in (x1, *others)
        ]
        held[0] = (
            held[0]
            if isinstance(held[0], torch.Tensor) or any(isinstance(x, ndarray) for x in held[1:])
            else asarray(held[0])
        )
        return getattr(operator, OPERATORS[name])(*held)

    act.__name__, act.__qualname__, act.__doc__ = name, name, f"Give {name} of each number."
    return act


def _of_arrays(name: str):
    """Make a function of NumPy's that takes several arrays of one type."""

    def act(*arrays):
        return _given(getattr(torch, name)(*matched(*map(asarray, arrays))))

    act.__name__, act.__qualname__, act.__doc__ = name, name, f"Give {name} of the arrays."
    return act


def _of_list(name: str):
    """Make a function of NumPy's that puts arrays beside one another."""

    def act(tup):
        return ndarray(getattr(torch, name)(matched(*map(asarray, tup))))

    act.__name__, act.__qualname__, act.__doc__ = name, name, f"Put arrays together: {name}."
    return act


def empty(shape, dtype=None) -> ndarray:
    """Make an array, here of 0."""
    return ndarray(torch.zeros(shape, dtype=typed(dtype, torch.float64)))


def identity(n, dtype=None) -> ndarray:
    """Make a square matrix with 1 on its diagonal."""
    return ndarray(torch.eye(n, dtype=typed(dtype, torch.float64)))


def append(arr, values, axis=None) -> ndarray:
    """Put values behind an array."""
    parts = matched(asarray(arr), asarray(values))
    return ndarray(torch.cat([p.flatten() for p in parts] if axis is None else parts, axis or 0))


def split(ary, indices_or_sections, axis=0) -> list:
    """Cut an array into equal parts, or at places."""
    held = asarray(ary)._held
    if isinstance(indices_or_sections, int) and held.shape[axis] % indices_or_sections:
        raise ValueError("array split does not result in an equal division")
    return [ndarray(part) for part in held.tensor_split(indices_or_sections, axis)]


def meshgrid(*xi, indexing="xy") -> tuple:
    """Give the coordinates of a grid."""
    return tuple(
        ndarray(t.clone()) for t in torch.meshgrid(*(asarray(x)._held for x in xi), indexing=indexing)
    )


def einsum(subscripts, *operands, optimize=False):
    """Multiply and sum as the letters say."""
    return _given(torch.einsum(subscripts, *matched(*map(asarray, operands))))


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Tell which numbers are close."""
    one, two = torch.broadcast_tensors(*map(_fraction, matched(a, b)))
    return _given(torch.isclose(one, two, rtol, atol, equal_nan))


def array_equal(a1, a2) -> bool:
    """Tell whether two arrays have the same shape and numbers."""
    a1, a2 = asarray(a1), asarray(a2)
    return a1.shape == a2.shape and bool((a1 == a2).all())


def isscalar(element) -> bool:
    """Tell whether something is one number."""
    return isinstance(element, int | float | complex | str)


def size(a, axis=None) -> int:
    """Count the numbers."""
    return asarray(a).size if axis is None else asarray(a).shape[axis]


def _beyond(mode: str, places, length: int):
    """Give for places, some outside an axis, the ones inside whose numbers stand there."""
    if mode == "edge":
        return places.clamp(0, length - 1)
    if mode == "wrap":
        return places % length
    if mode == "reflect":
        back = max(2 * length - 2, 1)
        return torch.minimum(places % back, back - places % back).clamp(max=length - 1)
    if mode == "symmetric":
        return torch.minimum(places % (2 * length), 2 * length - 1 - places % (2 * length))
    raise absent.NotInPage(f"mode={mode!r} of numpy.pad is not in the page; run this notebook in Jupyter.")


def pad(array, pad_width, mode="constant", *, constant_values=0) -> ndarray:
    """Put numbers around an array."""
    held = asarray(array)._held
    widths = asarray(pad_width)._held.expand(held.dim(), 2).tolist()
    if min(map(min, widths), default=0) < 0:
        raise ValueError("index can't contain negative values")
    values = asarray(constant_values)._held.to(held.dtype).expand(held.dim(), 2) if mode == "constant" else ()
    for axis, ends in enumerate(values):
        before, after = (
            end.expand(*held.shape[:axis], wide, *held.shape[axis + 1 :])
            for end, wide in zip(ends, widths[axis], strict=True)
        )
        held = torch.cat((before, held, after), axis)
    for axis, (before, after) in enumerate(widths if mode != "constant" else ()):
        places = torch.arange(-before, held.shape[axis] + after)
        held = held.index_select(axis, _beyond(mode, places, held.shape[axis]))
    return ndarray(held)


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None) -> ndarray:
    """Make powers whose exponents lie in equal steps."""
    return ndarray((base ** evenly(start, stop, num, endpoint=endpoint)).to(typed(dtype, torch.float64)))


def _edges(held, bins, range):
    """Give where the bins of a histogram begin, and where the last one ends."""
    if isinstance(bins, str):
        raise absent.NotInPage(
            f"bins={bins!r} of numpy.histogram is not in the page; run this notebook in Jupyter."
        )
    if not isinstance(bins, int):
        edges = asarray(bins)._held
        if bool((edges.diff() < 0).any()):
            raise ValueError("`bins` must increase monotonically, when an array")
        return edges
    if bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    ends = range or ((held.min().item(), held.max().item()) if held.numel() else (0, 1))
    if not all(map(math.isfinite, ends)):
        asked = "supplied" if range else "autodetected"
        raise ValueError(f"{asked} range of [{ends[0]}, {ends[1]}] is not finite")
    if ends[0] > ends[1]:
        raise ValueError("max must be larger than min in range parameter.")
    wide = 0.5 * (ends[0] == ends[1])
    return evenly(ends[0] - wide, ends[1] + wide, bins + 1).to(_fraction(held).dtype)


def histogram(a, bins=10, range=None, density=None, weights=None) -> tuple:
    """Count how many numbers lie in each bin; the last one holds its end, too."""
    held = asarray(a)._held.flatten()
    edges = _edges(held, bins, range)
    inside = (held >= edges[0]) & (held <= edges[-1])
    places = torch.searchsorted(*map(_fraction, matched(ndarray(edges), ndarray(held[inside]))), right=True)
    places = (places - 1).clamp(max=len(edges) - 2)
    shares = None if weights is None else asarray(weights)._held.flatten()[inside]
    counts = places.bincount(None if shares is None else shares.double(), len(edges) - 1)
    counts = counts if shares is None else counts.to(shares.dtype)
    if density:
        counts = counts / edges.diff().double() / counts.sum()
    return ndarray(counts), ndarray(edges)


NAMES = {name: _of_tensor(name, function) for name, function in OF_TENSOR.items()}
NAMES |= {name: _by_operator(name) for name in OPERATORS}
NAMES |= {name: _of_arrays(name) for name in ("inner", "kron", "cross", "vdot")}
NAMES |= {name: _of_list(name) for name in ("vstack", "hstack", "dstack", "column_stack")}
NAMES |= {
    one.__name__: one
    for one in (
        empty,
        identity,
        append,
        split,
        meshgrid,
        einsum,
        isclose,
        array_equal,
        isscalar,
        size,
        pad,
        histogram,
        logspace,
    )
}
for _name in ("cumprod", "take"):
    setattr(ndarray, _name, NAMES[_name])
