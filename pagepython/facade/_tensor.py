"""Tensor: a handle of numbers, with Python's operators; what else it can do is found by name."""

import math
import warnings
from operator import attrgetter

from torch import _handle, _record
from torch._absent import missing
from torch._autograd import fresh, inferring
from torch._form import CPU, Store, axis_of, read, strided
from torch._mapped import mapped, unmapped


class RemovableHandle:
    """What takes a hook away again."""

    __module__ = "torch.utils.hooks"

    def __init__(self, remove) -> None:
        self._remove = remove

    def remove(self) -> None:
        self._remove()

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        self.remove()


def _again(numbers, dtype, shape, requires_grad):
    """Make a tensor of what was written into a file."""
    from torch._create import tensor

    return tensor(numbers, dtype=dtype).reshape(shape).requires_grad_(requires_grad)


class _Found(type):
    """Lets the class answer for a method as its things do, which find one when it is first asked for."""

    def __getattr__(cls, name: str):
        from torch._methods import given

        return given("torch.Tensor", name)

    def __dir__(cls):
        from torch._surface import LINES

        return [*{*type.__dir__(cls), *(n[7:] for n in LINES if n.startswith("Tensor."))}]


class TensorBase(metaclass=_Found):
    """What a Tensor is made of, and Python's operators."""

    layout, is_sparse, is_cuda, is_quantized, is_meta = strided, False, False, False, False
    shape, dtype = property(attrgetter("_size")), property(attrgetter("_type"))  # nobody writes them
    device = property(lambda self: CPU)
    _base, _taped, _hooks, _inferred, _pair, _apart, _many = None, 0, (), False, None, False, ""
    _keeps = False

    @classmethod
    def _of(cls, handle, store: Store | None = None):
        made = object.__new__(Tensor)
        made._handle = handle
        made._type, made._size, *made._rest = read(handle.form)
        made._store = store or Store(math.prod(made._size) * made._type.itemsize)
        made._node, made._number, made._wants, made._grad = None, 0, False, None
        if inferring[0]:
            made._inferred = True
        return made

    # --- what it is ---

    @property
    def ndim(self) -> int:
        return len(self.shape)

    dim = ndimension = lambda self: len(self.shape)

    def size(self, dim: int | None = None):
        return self.shape if dim is None else self._along(self.shape, dim)

    def _along(self, every, dim: int):
        if not self.shape:
            raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
        return every[axis_of(dim, len(self.shape))]

    def numel(self) -> int:
        return math.prod(self.shape)

    nelement = numel

    def stride(self, dim: int | None = None):
        found = self._rest[0]
        return found if dim is None else self._along(found, dim)

    def storage_offset(self) -> int:
        return self._rest[1]

    def is_contiguous(self, memory_format=None) -> bool:
        if str(memory_format) not in ("None", "torch.contiguous_format"):
            raise missing(str(memory_format))
        return self._rest[2]

    def element_size(self) -> int:
        return self.dtype.itemsize

    itemsize = property(element_size)

    @property
    def nbytes(self) -> int:
        return self.numel() * self.dtype.itemsize

    def is_floating_point(self) -> bool:
        return self.dtype.is_floating_point

    def is_inference(self) -> bool:
        return self._inferred

    def is_complex(self) -> bool:
        return False

    def _form(self) -> tuple:
        return tuple(self.shape), *self._rest[:2]

    def data_ptr(self) -> int:
        return id(self._store) + self._rest[1] * self.dtype.itemsize

    @property
    def data(self):
        made = self.detach()
        made._apart = True
        return made

    @data.setter
    def data(self, other) -> None:
        if self._wants and other.dtype.category < 2:
            raise RuntimeError(
                "data set to a tensor that requires gradients must be floating point or complex dtype"
            )
        self._see(other)
        self._type, self._store = other.dtype, other._store

    def _see(self, other) -> None:
        """Be what another tensor is, of the same memory."""
        self._handle, self._size, self._rest = other._handle, other.shape, other._rest

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of a 0-d tensor")
        return self.shape[0]

    def __hash__(self) -> int:
        return id(self)

    # --- its numbers ---

    def _flat(self) -> list:
        if mapped:
            unmapped(self)
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
        return float(self._real("double"))

    def __int__(self) -> int:
        return int(self._real("int64_t"))

    def _real(self, kind: str):
        value = self._single()
        if isinstance(value, complex) and value.imag:
            raise RuntimeError(f"value cannot be converted to type {kind} without overflow")
        return value.real

    def __complex__(self) -> complex:
        return complex(self._single())

    def _single(self):
        if self.numel() != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return self.item()

    def __reduce__(self):
        return _again, (self.tolist(), self.dtype, tuple(self.shape), self.requires_grad)

    def __dir__(self):
        return [*vars(self), *dir(type(self))]

    def __array__(self, dtype=None, copy=None):
        return self.numpy()

    def __reversed__(self):
        return self.flip(0) if self.dim() else self

    def __index__(self) -> int:
        if self.dtype.category == 2 or self.numel() != 1:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.item())

    def __delitem__(self, place) -> None:
        raise TypeError("Tensor does not support deleting items")

    def __contains__(self, element) -> bool:
        if not isinstance(element, TensorBase | int | float | complex):
            told = f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(element)}."
            raise RuntimeError(told)
        return bool((self == element).any())

    def __iter__(self):
        if not self.shape:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __repr__(self) -> str:
        from torch._print import text

        with _record.paused():  # what is only printed goes into no figure
            return text(self)

    def __format__(self, spec: str) -> str:
        with _record.paused():
            return format(self.item(), spec) if not self.shape else object.__format__(self, spec)

    def __deepcopy__(self, memo):
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment."
            )
        made = self.detach().clone()
        made.requires_grad = self.requires_grad
        made.__class__ = self.__class__
        if self._grad is not None and self.__class__ is Tensor:  # a Parameter's stays behind, as there
            made._grad = self._grad.detach().clone()
        memo[id(self)] = made
        return made

    def __copy__(self):
        made = Tensor._of(self._handle, self._store)
        made._wants, made.__class__ = self.requires_grad, self.__class__
        return made

    # --- gradients ---

    def numpy(self, *, force: bool = False):
        import numpy

        return numpy.asarray(self.detach() if force else self)

    @property
    def requires_grad(self) -> bool:
        return fresh(self)._wants or (self._base is not None and self._base.requires_grad)

    @requires_grad.setter
    def requires_grad(self, wanted: bool) -> None:
        if not isinstance(wanted, bool):
            raise RuntimeError("requires_grad must be a bool")
        if wanted and not self.dtype.is_floating_point:
            raise RuntimeError("only Tensors of floating point and complex dtype can require gradients")
        if wanted and self._inferred and not inferring[0]:
            raise RuntimeError(
                "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."
            )
        if not wanted and self._node is not None:
            raise RuntimeError(
                "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a "
                "subgraph that doesn't require differentiation use var_no_grad = var.detach()."
            )
        self._wants = wanted

    def requires_grad_(self, requires_grad: bool = True):
        if requires_grad and self.dtype.category < 2:
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        self.requires_grad = requires_grad
        return self

    def _wanting(self):
        """Ask for a gradient as a maker does."""
        if self.dtype.category < 2:
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        return self.requires_grad_()

    @property
    def grad_fn(self):
        node = fresh(self)._node
        return node if node is None else node.dressed()

    is_leaf = property(lambda self: fresh(self)._node is None)

    @property
    def grad(self):
        if self._grad is None and self._node is not None and not self._keeps:
            warnings.warn(
                "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be populated "
                "during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor, use "
                ".retain_grad() on the non-leaf Tensor.",
                stacklevel=2,
            )
        return self._grad

    @grad.setter
    def grad(self, given) -> None:
        if given is not None:
            self._may_be_gradient(given)
        self._grad = given

    @grad.deleter
    def grad(self) -> None:
        self._grad = None

    def _may_be_gradient(self, given) -> None:
        """Refuse what is no gradient of this tensor."""
        from torch._dtype import NAMES

        if not isinstance(given, TensorBase):
            raise TypeError(
                f"assigned grad expected to be a Tensor or None but got grad of type {type(given).__name__}"
            )
        if given is self:
            raise RuntimeError("can't assign Variable as its own grad")
        if given.dtype != self.dtype:
            raise RuntimeError(
                f"attempting to assign a gradient with dtype '{NAMES[given.dtype.name].lower()}' to a tensor with grad_dtype '{NAMES[self.dtype.name]}'."
            )
        if given.shape != self.shape:
            raise RuntimeError(
                f"attempting to assign a gradient of size '{list(given.shape)}' to a tensor of size '{list(self.shape)}'. Please ensure that the gradient and the tensor are the same size"
            )

    _version = property(lambda self: self._store.version)

    def _is_view(self) -> bool:
        return self._base is not None

    def detach(self):
        return Tensor._of(self._handle, self._store)

    def detach_(self):
        if self._base is not None:
            raise RuntimeError(
                "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training, "
                "and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be called "
                "on these gradients. To fix this error, please refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as "
                "a solution."
            )
        self._node, self._wants, self._base = None, False, None
        return self

    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None) -> None:
        from torch import autograd

        autograd.backward([self], [gradient], retain_graph, create_graph, inputs=inputs)

    def register_hook(self, hook) -> RemovableHandle:
        """Have a function called with the gradient; what it gives takes the gradient's place."""
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self._node is None:
            self._hooks = hooks = self._hooks or []
        else:
            hooks = self._node.hooks.setdefault(self._number, [])
        hooks.insert(len(hooks) - self._keeps, hook)  # what keeps the gradient comes last
        return RemovableHandle(lambda: hook in hooks and hooks.remove(hook))

    def retain_grad(self) -> None:
        if not self.requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")

        def keep(gradient) -> None:
            self.grad = gradient.clone() if self.grad is None else self.grad + gradient

        if self.grad_fn is not None and not self._keeps:
            self.register_hook(keep)
            self._keeps = True


class Tensor(TensorBase):
    """A tensor of the page's torch; ``Tensor(2, 3)`` is one of that shape, ``Tensor([1, 2])`` one of these numbers."""

    def __new__(cls, *data, device=None, _kind: str = "float32", **named):
        from torch import _create, _dtype, _form

        if cls is not Tensor:
            raise NotImplementedError(
                "a class of your own made of torch.Tensor is not in the page; run this notebook in Jupyter."
            )
        if named.keys() - {"data", "size", "other"} or (len(data) + len(named) > 1 and named):
            told = [type(x).__name__ for x in data]
            told += [
                f"{k}={'torch.' * isinstance(v, _dtype.dtype)}{type(v).__name__}" for k, v in named.items()
            ]
            raise TypeError(
                f"new() received an invalid combination of arguments - got ({', '.join(told)}), but expected one of: "
                "(*, device); (other); (size, *, device); (data, *, device)"
            )
        if device is not None:
            _form.usable(device)
        kind, data = _dtype.named(_kind), (*data, *named.values())
        if len(data) == 1 and ("size" in named or isinstance(data[0], _form.Size)):
            data = data[0]
        elif len(data) == 1 and ("data" in named or not isinstance(data[0], int)):
            given = data[0]
            if (
                not isinstance(given, str | bytes)
                and not hasattr(given, "_held")
                and not _create._is_sequence(given)
                and not isinstance(given, Tensor)
            ):
                raise TypeError(f"new(): data must be a sequence (got {type(given).__name__})")
            if isinstance(given, Tensor) and given.dtype != kind:
                raise TypeError(f"expected {_dtype.NAMES[_kind]} (got {_dtype.NAMES[given.dtype.name]})")
            return (
                _create.tensor(given, dtype=kind)
                if not isinstance(given, tuple) or given
                else _create.zeros([0], dtype=kind)
            )
        return _create.zeros(list(data) or [0], dtype=kind)


Tensor.__module__ = "torch"
