"""Tensors put together, and spread over each other."""

import itertools

from torch import _create, _dtype, _slices, _views
from torch._call import call
from torch._einsum import tensordot
from torch._tensor import Tensor


def _all_tensors(tensors, name: str) -> list:
    tensors = list(tensors)
    for place, t in enumerate(tensors):
        if not isinstance(t, Tensor):
            raise TypeError(f"expected Tensor as element {place} in argument 0, but got {type(t).__name__}")
    if not tensors:
        raise (
            ValueError("torch.cat(): expected a non-empty list of Tensors")
            if name == "cat"
            else RuntimeError(f"{name} expects a non-empty TensorList")
        )
    return tensors


def stack(tensors, dim=0):
    return call("stack", _all_tensors(tensors, "stack"), dim)


def cat(tensors, dim=0):
    tensors = _all_tensors(tensors, "cat")
    found, kind = call("cat", tensors, dim), tensors[0].dtype
    for t in tensors:  # what is empty has a say in the type
        kind = _dtype.promote_types(kind, t.dtype)
    return found if found.dtype == kind else found.to(kind)


def flip(self, dims):
    return call("flip", self, [_views.axis_of(axis, self.dim()) for axis in dims])


def repeat(self, repeats):
    if len(repeats) < self.dim():
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"
        )
    return call("repeat", self, repeats)


def roll(self, shifts, dims=None):
    if dims is None:
        if isinstance(shifts, tuple | list) and len(shifts) != 1:
            raise RuntimeError(f"shifts and dimensions must align. shifts: {len(shifts)}, dims:0")
        return call("roll", self.reshape(-1), shifts).reshape(self.shape)
    for axis in dims if isinstance(dims, tuple | list) else [dims]:
        if not -self.dim() <= axis < self.dim():
            _views.axis_of(axis, self.dim() or 1)
            raise IndexError(f"Dimension specified as {axis} but tensor has no dimensions")
    counts = [len(v) if isinstance(v, tuple | list) else 1 for v in (shifts, dims)]
    if counts[0] != counts[1]:
        raise RuntimeError(f"shifts and dimensions must align. shifts: {counts[0]}, dims:{counts[1]}")
    return call(
        "roll",
        self,
        list(shifts) if isinstance(shifts, tuple | list) else [shifts],
        list(dims) if isinstance(dims, tuple | list) else [dims],
    )


def repeat_interleave(self, repeats, dim=None):
    if isinstance(repeats, Tensor) and repeats.numel() > 1:
        self = self.reshape(-1) if dim is None else self
        places = _create.tensor(
            [k for k, n in enumerate(repeats.tolist()) for _ in range(n)], dtype=_dtype.int64
        )
        return call("index_select", self, dim or 0, places)
    return call("repeat_interleave", self, int(repeats), dim)


def diag(self, diagonal=0):
    if self.dim() not in (1, 2):
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {self.dim()}D")
    return (
        call("diag_embed", self, diagonal)
        if self.dim() == 1
        else call("clone", _slices.diagonal(self, diagonal))
    )


def trace(self):
    if self.dim() != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {self.dim()}")
    return _slices.diagonal(self).sum()


def outer(self, vec2):
    for name, t in (("self", self), ("vec2", vec2)):
        if t.dim() != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {t.dim()}-D")
    return self.unsqueeze(1) * vec2.unsqueeze(0)


def inner(self, other):
    if not self.dim() or not other.dim():
        return self * other
    if self.shape[-1] != other.shape[-1]:
        raise RuntimeError(
            f"inner() the last dimension must match on both input tensors but got shapes {list(self.shape)} and {list(other.shape)}"
        )
    return tensordot(self, other, ([-1], [-1]))


def cdist(x1, x2, p=2.0):
    for name, t in (("X1", x1), ("X2", x2)):
        if t.dim() < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, {name} got: {t.dim()}D")
    if x1.shape[-1] != x2.shape[-1]:
        raise RuntimeError(
            f"X1 and X2 must have the same number of columns. X1: {x1.shape[-1]} X2: {x2.shape[-1]}"
        )
    gaps = x1.unsqueeze(-2) - x2.unsqueeze(-3)
    return call("linalg_vector_norm", gaps, p, [-1])


def cartesian_prod(*tensors):
    if len(tensors) == 1:
        return tensors[0]
    return stack([grid.reshape(-1) for grid in meshgrid(*tensors)], 1)


def combinations(self, r=2, with_replacement=False):
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    places = [one for row in choose(range(self.shape[0]), r) for one in row]
    return self.index_select(0, _create.tensor(places, dtype=_dtype.int64)).reshape(-1, r)


def meshgrid(*tensors, indexing=None):
    tensors = (
        list(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], tuple | list) else list(tensors)
    )
    found = next((t for t in tensors if t.dim() > 1), None)
    if found is not None:
        raise RuntimeError(
            f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {found.detach()}"
        )
    shape = [t.numel() for t in tensors]
    grids = (
        t.reshape([-1 if k == axis else 1 for k in range(len(shape))]).expand(shape)
        for axis, t in enumerate(tensors)
    )
    return tuple(g.transpose(0, 1) if indexing == "xy" and len(shape) > 1 else g for g in grids)


def broadcast_tensors(*tensors):
    return tuple(_create.call_broadcast(*tensors))


def hstack(tensors):
    tensors = [t.reshape(-1) if t.dim() < 1 else t for t in _all_tensors(tensors, "hstack")]
    return cat(tensors, 0 if tensors[0].dim() == 1 else 1)


def vstack(tensors):
    return cat([t.reshape(1, -1) if t.dim() < 2 else t for t in _all_tensors(tensors, "vstack")])


def column_stack(tensors):
    return cat([t.reshape(-1, 1) if t.dim() < 2 else t for t in _all_tensors(tensors, "column_stack")], 1)


def tensor_split(self, sections, dim=0):
    length = self.shape[_views.axis_of(dim, self.dim())]
    sections = sections.tolist() if isinstance(sections, Tensor) else sections
    if isinstance(sections, int):
        if sections < 1:
            raise RuntimeError(f"number of sections must be larger than 0, got {sections}")
        small, more = divmod(length, sections)
        sections = [small * k + min(k, more) for k in range(1, sections)]
    edges = [0, *(slice(edge).indices(length)[1] for edge in sections), length]
    return tuple(_slices.narrow(self, dim, a, max(b - a, 0)) for a, b in itertools.pairwise(edges))
