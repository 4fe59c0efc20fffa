"""Tensor: a handle of numbers, with Python's operators; what else it can do is found by name."""

from __future__ import annotations

import functools
import math

from torch import _dtype, _handle, _record


class Size(tuple):
    """The shape of a tensor."""

    __slots__ = ()

    def numel(self) -> int:
        return math.prod(self)

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    def __add__(self, other):
        return Size(tuple(self) + tuple(other))

    def __getitem__(self, place):
        found = tuple.__getitem__(self, place)
        return Size(found) if isinstance(place, slice) else found


ROOM = 2**30  # bytes that all tensors together may take
_taken = [0]


class Store:
    """The memory that views share: how often it was written to, and how large it is."""

    __slots__ = ("size", "version")

    def __init__(self, size: int = 0) -> None:
        self.version, self.size = 0, size
        _taken[0] += size
        if _taken[0] > ROOM:
            raise MemoryError(f"all tensors together may take {ROOM // 2**20} MB in the page.")

    def __del__(self) -> None:
        _taken[0] -= self.size


class device:
    """Where a tensor lives: in the page, which torch calls the cpu."""

    def __init__(self, type="cpu", index=None) -> None:
        self.type, self.index = str(getattr(type, "type", type)).split(":")[0], index
        if self.type != "cpu":
            raise RuntimeError(f"the page's torch has no device {self.type!r}, only 'cpu'.")

    def __repr__(self) -> str:
        return f"device(type='{self.type}')"

    def __str__(self) -> str:
        return self.type

    def __eq__(self, other) -> bool:
        return str(other) == self.type

    def __hash__(self) -> int:
        return hash(self.type)


CPU = device()


class TensorBase:
    """What a Tensor is made of, and Python's operators."""

    device, layout, is_sparse, is_cuda, is_quantized, is_meta = (
        CPU,
        "torch.strided",
        False,
        False,
        False,
        False,
    )

    @classmethod
    def _of(cls, handle, store: Store | None = None):
        made = object.__new__(Tensor)
        made._handle = handle
        made.shape = Size(handle.shape.to_py())
        made.dtype = _dtype.named(handle.dtype)
        made._store = store or Store(math.prod(made.shape) * made.dtype.itemsize)
        made._node, made._number, made._base = None, 0, None
        made.grad, made.requires_grad = None, False
        return made

    def __init__(self, *args, **kwargs) -> None:
        raise TypeError("use torch.tensor(...) to make a tensor.")

    # --- what it is ---

    @property
    def ndim(self) -> int:
        return len(self.shape)

    dim = ndimension = lambda self: len(self.shape)

    def size(self, dim: int | None = None):
        return self.shape if dim is None else self.shape[dim]

    def numel(self) -> int:
        return math.prod(self.shape)

    nelement = numel

    def stride(self, dim: int | None = None):
        found = tuple(self._handle.strides.to_py())
        return found if dim is None else found[dim]

    def storage_offset(self) -> int:
        return self._handle.offset

    def is_contiguous(self, memory_format=None) -> bool:
        return self._handle.contiguous

    def element_size(self) -> int:
        return self.dtype.itemsize

    itemsize = property(element_size)

    @property
    def nbytes(self) -> int:
        return self.numel() * self.dtype.itemsize

    def is_floating_point(self) -> bool:
        return self.dtype.is_floating_point

    def is_complex(self) -> bool:
        return False

    @property
    def is_leaf(self) -> bool:
        return self._node is None

    @property
    def grad_fn(self):
        return self._node

    def data_ptr(self) -> int:
        return id(self._store) + self._handle.offset * self.dtype.itemsize

    @property
    def data(self):
        return Tensor._of(self._handle, self._store)

    @data.setter
    def data(self, other) -> None:
        self._handle, self.shape, self.dtype = other._handle, other.shape, other.dtype
        self._store = other._store

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of a 0-d tensor")
        return self.shape[0]

    def __hash__(self) -> int:
        return id(self)

    # --- its numbers ---

    def _flat(self) -> list:
        if recorder := _record.current():
            recorder.looked(self)
        found = _handle.to_numbers(self._handle)
        if self.dtype.category == 2:
            return found
        return [bool(x) for x in found] if self.dtype.category == 0 else [int(x) for x in found]

    def tolist(self):
        found = self._flat()
        if not self.shape:
            return found[0]
        for axis in range(len(self.shape) - 1, 0, -1):
            length = self.shape[axis]
            found = [found[k * length : (k + 1) * length] for k in range(math.prod(self.shape[:axis]))]
        return found

    def item(self):
        if self.numel() != 1:
            raise RuntimeError(f"a Tensor with {self.numel()} elements cannot be converted to Scalar")
        return self._flat()[0]

    def __bool__(self) -> bool:
        if self.numel() == 0:
            raise RuntimeError("Boolean value of Tensor with no values is ambiguous")
        if self.numel() > 1:
            raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")
        return bool(self._flat()[0])

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __index__(self) -> int:
        if self.dtype.category == 2 or self.numel() != 1:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.item())

    def __contains__(self, element) -> bool:
        return bool((self == element).any())

    def __iter__(self):
        if not self.shape:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __repr__(self) -> str:
        from torch._print import text

        return text(self)

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if not self.shape else object.__format__(self, spec)

    def __deepcopy__(self, memo):
        made = self.detach().clone()
        made.requires_grad = self.requires_grad
        made.__class__ = self.__class__
        memo[id(self)] = made
        return made

    def __copy__(self):
        return Tensor._of(self._handle, self._store)

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        from torch import _methods

        return functools.partial(_methods.find(name), self)

    # --- gradients ---

    def numpy(self, *, force: bool = False):
        if self.requires_grad and not force:
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
            )
        import numpy

        return numpy.asarray(self)

    def requires_grad_(self, requires_grad: bool = True):
        if requires_grad and not self.dtype.is_floating_point:
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        if not requires_grad and self._node is not None:
            raise RuntimeError("you can only change requires_grad flags of leaf variables.")
        self.requires_grad = requires_grad
        return self

    def detach(self):
        return Tensor._of(self._handle, self._store)

    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None) -> None:
        from torch import autograd

        autograd.backward([self], [gradient], retain_graph, create_graph, inputs=inputs)

    def retain_grad(self) -> None:
        if self._node is not None:
            raise NotImplementedError(
                "retain_grad of a tensor that was computed is not in the page's torch; use torch.autograd.grad."
            )

    # --- indexing ---

    def __getitem__(self, place):
        from torch._index import get

        return get(self, place)

    def __setitem__(self, place, value) -> None:
        from torch._index import put

        put(self, place, value)


class Tensor(TensorBase):
    """A tensor of the page's torch."""


Tensor.__module__ = "torch"
