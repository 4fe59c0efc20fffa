"""Python's operators on tensors."""

from torch import _dtype, _handle, _methods
from torch._call import call
from torch._tensor import Tensor, TensorBase


def _binary(name: str, *, turned: bool = False):
    function = _methods.find(name)
    kinds = Tensor if name == "matmul" else Tensor | int | float

    def operator(self, other):
        if isinstance(other, complex) or any(
            isinstance(x, Tensor) and x._pair is not None for x in (self, other)
        ):
            from torch import _complex

            return _complex.held(name, (other, self) if turned else (self, other), {})
        if not isinstance(other, kinds):
            return NotImplemented
        return function(_as_tensor(other, self), self) if turned else function(self, other)

    return operator


def _as_tensor(value, like):
    """Give a number as a tensor that gives way in promotion: of the type it would bring."""
    if isinstance(value, Tensor):
        return value
    kind = _dtype.of_python(type(value))
    return Tensor._of(
        _handle.from_numbers([value], (), (like.dtype if kind.category <= like.dtype.category else kind).name)
    )


for _python, _name in {
    "add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "matmul": "matmul", "pow": "pow", "mod": "remainder",
    "floordiv": "floor_divide", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
    "lshift": "bitwise_left_shift", "rshift": "bitwise_right_shift",
}.items():  # fmt: skip
    setattr(TensorBase, f"__{_python}__", _binary(_name))
    setattr(
        TensorBase,
        f"__r{_python}__",
        _binary(_name, turned=True)
        if _python != "truediv"
        else lambda self, other: self.reciprocal() * other,
    )
    if _name == "matmul":  # PyTorch has no such operator in place: the name gets the product
        continue
    setattr(
        TensorBase,
        f"__i{_python}__",
        lambda self, other, name=_name: (
            getattr(self, f"{name}_")(other)
            if not hasattr(other, "__setitem__") or isinstance(other, Tensor)
            else NotImplemented
        ),
    )
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(TensorBase, f"__{_name}__", _binary(_name))
TensorBase.__rsub__ = _binary("rsub")
TensorBase.__rpow__ = lambda self, other: (
    call("pow", other, self) if isinstance(other, int | float) else NotImplemented
)
TensorBase.__neg__ = lambda self: self.neg()


def _pos(self):
    if self.dtype == _dtype.bool_:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return self


TensorBase.__pos__ = _pos
TensorBase.__abs__ = lambda self: self.abs()
TensorBase.__invert__ = lambda self: self.bitwise_not()
