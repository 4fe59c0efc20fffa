"""What PyTorch refuses and an operator of the page would compute: types that differ, places that are not there, ranks.

Each rule is for a class of operators; a rule is called with the operator's name and its bound arguments.
"""

import math

from torch import _handle
from torch._absent import missing
from torch._dtype import CNAMES, NAMES, bool_, float32, float64, int32, int64
from torch._form import axis_of
from torch._mapped import stands_for_many
from torch._tensor import TensorBase

CHECKS: dict = {}


def _rule(*names: str):
    def add(check):
        for name in names:
            CHECKS.setdefault(name, []).append(check)
        return check

    return add


def _limits(t) -> tuple:
    """Give the least and the largest number of a tensor, without anybody hearing of it."""
    return tuple(_handle.bridge.limits(t._handle).to_py())


def _length(t, dim: int) -> int:
    """Give the length of an axis, which is there."""
    axis = axis_of(dim, t.dim())
    return t.shape[axis] if t.dim() else 1


@_rule("matmul", "mm", "bmm", "mv", "dot", "vdot")
def _factors(name, bound) -> None:
    a, b = bound["self"], bound.get("other", bound.get("mat2", bound.get("vec", bound.get("tensor"))))
    ranks = a.dim(), b.dim()
    wanted = {"mm": (2, 2), "bmm": (3, 3), "mv": (2, 1), "dot": (1, 1), "vdot": (1, 1)}.get(name, ranks)
    if ranks != wanted:
        if name in ("dot", "vdot"):
            raise RuntimeError(f"1D tensors expected, but got {ranks[0]}D and {ranks[1]}D tensors")
        first = ranks[0] != wanted[0]
        which = (
            ("batch1" if first else "batch2")
            if name == "bmm"
            else "vector + matrix @ vector expected, got"
            if name == "mv"
            else "self"
            if first
            else "mat2"
        )
        raise RuntimeError(
            f"{which} must be a {'3D tensor' if name == 'bmm' else 'matrix'}"
            if name != "mv"
            else f"{which} 1, {ranks[0]}, {ranks[1]}"
        )
    if 0 in ranks:
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {ranks[0]}D and {ranks[1]}D"
        )
    if name == "bmm" and a.shape[0] != b.shape[0]:
        wanted, found = [a.shape[0], a.shape[2]], list(b.shape[:2])
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: {wanted} but got: {found}."
        )
    if a.shape[-1] != b.shape[-2 if ranks[1] > 1 else 0]:
        raise RuntimeError(_unfit(a, b))
    if a.dtype == b.dtype == bool_ and a.numel() and b.numel():
        kernel = "dot" if ranks == (1, 1) else "bmm" if max(ranks) > 2 and ranks[1] > 2 else "addmm_impl_cpu_"
        raise NotImplementedError(f"\"{kernel}\" not implemented for 'Bool'")
    if a.dtype != b.dtype:
        one, two = NAMES[a.dtype.name], NAMES[b.dtype.name]
        if ranks == (2, 1):
            raise RuntimeError(
                f"addmv input tensors must have the same dtype, but got {two}, {one}, and {two}"
            )
        if ranks == (1, 1):
            raise RuntimeError(f"dot : expected both vectors to have same dtype, but found {one} and {two}")
        if min(ranks) > 2 or name == "bmm":
            raise RuntimeError(f"expected scalar type {one} but found {two}")
        raise RuntimeError(
            f"expected m1 and m2 to have the same dtype, but got: {CNAMES[a.dtype.name]} != {CNAMES[b.dtype.name]}"
        )


def _unfit(a, b) -> str:
    ranks, (m, n) = (a.dim(), b.dim()), (list(a.shape), list(b.shape))
    if ranks == (1, 1):
        return f"inconsistent tensor size, expected tensor {m} and src {n} to have the same number of elements, but got {m[0]} and {n[0]} elements respectively"
    if ranks == (2, 1):
        return f"size mismatch, got input ({m[0]}), mat ({m[0]}x{m[1]}), vec ({n[0]})"
    if ranks[1] < 3:
        rows = math.prod(m[:-1])
        second = f"{n[0]}x{n[1]}" if ranks[1] == 2 else f"{n[0]}x1"
        return f"mat1 and mat2 shapes cannot be multiplied ({rows}x{m[-1]} and {second})"
    batch = math.prod(n[:-2])
    return f"Expected size for first two dimensions of batch2 tensor to be: [{batch}, {m[-1]}] but got: [{batch}, {n[-2]}]."


@_rule("cat")
def _joined(_name, bound) -> None:
    """Whoever joins: the parts have one shape, but for the axis along which they stand; what is empty has none."""
    parts, dim = bound["tensors"], bound["dim"]
    for place, t in enumerate(parts):
        if not t.dim():
            raise RuntimeError(f"zero-dimensional tensor (at position {place}) cannot be concatenated")
    bound["tensors"] = parts = [t for t in parts if tuple(t.shape) != (0,)] or parts
    first = parts[0]
    axis = axis_of(dim, first.dim())
    for place, t in enumerate(parts):
        if t.dim() != first.dim():
            raise RuntimeError(
                f"Tensors must have same number of dimensions: got {first.dim()} and {t.dim()}"
            )
        for other, (n, m) in enumerate(zip(first.shape, t.shape, strict=True)):
            if other != axis and n != m:
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {axis}. Expected size {n} but got size {m} for tensor "
                    f"number {place} in the list."
                )


@_rule("stack")
def _stacked(_name, bound) -> None:
    shapes = [list(t.shape) for t in bound["tensors"]]
    for place, shape in enumerate(shapes):
        if shape != shapes[0]:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {shapes[0]} at entry 0 and {shape} at entry {place}"
            )


@_rule("layer_norm", "native_layer_norm")
def normalized(_name, bound) -> None:
    """The last axes, the weights and the bias have the shape that is normalised."""
    x, shape = bound["input"], list(bound["normalized_shape"])
    if not shape:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = []"
        )
    if list(x.shape[x.dim() - len(shape) :]) != shape or x.dim() < len(shape):
        raise RuntimeError(
            f"Given normalized_shape={shape}, expected input with shape [*, {', '.join(map(str, shape))}], but got input of "
            f"size{list(x.shape)}"
        )
    for key in ("weight", "bias"):
        if bound.get(key) is not None and list(bound[key].shape) != shape:
            raise RuntimeError(
                f"Expected {key} to be of same shape as normalized_shape, but got {key} of shape {list(bound[key].shape)} and "
                f"normalized_shape = {shape}"
            )


@_rule("linear")
def _linear(_name, bound) -> None:
    x, w, b = bound["input"], bound["weight"], bound["bias"]
    if w.dim() == 1:
        raise missing("torch.nn.functional.linear with a weight of one axis")
    if not x.dim() or not w.dim():
        ranks = f"{x.dim()}D and {w.dim()}D"
        raise RuntimeError(f"both arguments to linear need to be at least 1D, but they are {ranks}")
    if x.shape[-1:] != w.shape[1:]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({math.prod(x.shape[:-1])}x{x.shape[-1]} and {w.shape[1]}x{w.shape[0]})"
        )
    for other in (w, b):
        if other is not None and other.dtype != x.dtype:
            if b is None:
                kinds = f"{CNAMES[x.dtype.name]} != {CNAMES[other.dtype.name]}"
                raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {kinds}")
            raise RuntimeError(
                f"mat1 and mat2 must have the same dtype, but got {NAMES[x.dtype.name]} and {NAMES[other.dtype.name]}"
            )


@_rule("lerp", "addmm", "baddbmm", "addmv", "addbmm", "conv1d", "conv2d", "bilinear", "layer_norm", "native_layer_norm", "group_norm",
       "batch_norm", "linalg_solve", "_linalg_solve_ex")  # fmt: skip
def _one_type(name, bound) -> None:
    tensors = [t for t in bound.values() if isinstance(t, TensorBase) and (t.dim() or name != "lerp")]
    kinds = {t.dtype for t in tensors}
    if len(kinds) > 1:
        told = ", ".join(
            f"{key} {CNAMES[t.dtype.name]}" for key, t in bound.items() if isinstance(t, TensorBase)
        )
        if name == "addmv":
            told = "{}, {}, and {}".format(*(NAMES[t.dtype.name] for t in tensors))
            raise RuntimeError(f"addmv input tensors must have the same dtype, but got {told}")
        raise RuntimeError(f"{name}: Input dtypes must be the same, got: {told}")


KERNELS = {
    "softmax": "softmax_lastdim_kernel_impl", "log_softmax": "log_softmax_lastdim_kernel_impl", "layer_norm": "LayerNormKernelImpl",
    "gelu": "GeluKernelImpl", "silu": "silu_cpu", "lerp": "lerp_kernel_scalar", "elu": "elu_cpu", "leaky_relu": "leaky_relu_cpu",
    "softplus": "softplus_cpu", "log_sigmoid_forward": "log_sigmoid_cpu", "mish": "mish_cpu", "hardswish": "hardswish_cpu",
    "hardsigmoid": "hardsigmoid_cpu", "linalg_qr": "geqrf_cpu", "group_norm": "GroupNormKernelImpl", "cdist": "cdist",
    "_log_softmax": "log_softmax_lastdim_kernel_impl", "_softmax": "softmax_lastdim_kernel_impl", "hypot": "hypot_cpu",
    "native_layer_norm": "LayerNormKernelImpl", "nextafter": "nextafter_cpu", "frac": "frac_cpu", "addcdiv": "addcdiv_cpu_out", "softshrink": "softshrink_check",
    "hardshrink": "hardshrink_cpu", "logaddexp": "logaddexp_cpu", "logaddexp2": "logaddexp2_cpu", "logcumsumexp": "logcumsumexp_out_cpu",
}  # fmt: skip
BOOLS = {
    "floor": "floor_vml_cpu", "round": "round_vml_cpu", "fmod": "fmod_cpu", "median": "median_cpu", "nanmedian": "median_cpu",
    "kthvalue": "kthvalue_cpu", "addmm": "addmm_impl_cpu_", "addbmm": "addmm_impl_cpu_", "addmv": "addmv_impl_cpu",
    "baddbmm": "baddbmm", "addcmul": "addcmul_cpu_out", "linear": "addmm_impl_cpu_", "bucketize": "searchsorted_out_cpu",
    "conv1d": "slow_conv2d_cpu", "conv2d": "slow_conv2d_cpu", "threshold": "threshold_cpu", "abs": "abs_cpu",
    "trunc": "trunc_vml_cpu", "ceil": "ceil_vml_cpu", "searchsorted": "searchsorted_out_cpu",
}  # fmt: skip


@_rule(*KERNELS)
def _floats(name, bound) -> None:
    """These have no kernel for whole numbers."""
    t = next(v for v in bound.values() if isinstance(v, TensorBase))
    kind = bound.get("dtype") or t.dtype
    if kind.category < 2 and (t.numel() or "softmax" not in name):
        raise NotImplementedError(f"\"{KERNELS[name]}\" not implemented for '{NAMES[kind.name]}'")


@_rule(*BOOLS)
def _no_bools(name, bound) -> None:
    """These have no kernel for truth."""
    first = [
        v for key, v in bound.items() if key in ("self", "other", "input", "sorted_sequence", "boundaries")
    ]
    of_nothing = "mm" in name or "conv" in name or name in ("addmv", "linear")
    if all(map(_of_truth, first)) and not (
        of_nothing and any(isinstance(v, TensorBase) and not v.numel() for v in first)
    ):
        raise NotImplementedError(f"\"{BOOLS[name]}\" not implemented for 'Bool'")


@_rule("hardtanh")
def _hardtanh(_name, bound) -> None:
    if bound["self"].dtype == bool_:
        raise RuntimeError("Bool inputs not supported for hardtanh")
    if bound["min_val"] > bound["max_val"]:
        raise ValueError("min_val cannot be greater than max_val")


@_rule("isclose", "heaviside")
def _same_type(name, bound) -> None:
    a, b = (v.dtype for v in list(bound.values())[:2])
    if a != b:
        raise RuntimeError(
            f"{NAMES[a.name]} did not match {NAMES[b.name]}"
            if name == "isclose"
            else "heaviside is not yet implemented for tensors with different dtypes."
        )


@_rule(
    "linalg_matrix_exp", "linalg_inv_ex", "_linalg_det", "_linalg_slogdet", "_linalg_solve_ex", "_linalg_svd", "_linalg_eigh",
    "cholesky", "linalg_cholesky_ex",
)  # fmt: skip
def _matrices(name, bound) -> None:
    called = "linalg." + name.strip("_").removeprefix("linalg_").removesuffix("_ex")
    t = next(v for v in bound.values() if isinstance(v, TensorBase))
    if t.dim() < 2:
        raise RuntimeError(f"{called}: The input tensor A must have at least 2 dimensions.")
    if "svd" not in name and t.shape[-1] != t.shape[-2]:
        raise RuntimeError(
            f"{called}: A must be batches of square matrices, but they are {t.shape[-2]} by {t.shape[-1]} matrices"
        )
    if t.dtype.category < 2:
        raise (NotImplementedError if "eigh" in name else RuntimeError)(
            f"{called}: Expected a floating point or complex tensor as input. Got {NAMES[t.dtype.name]}"
        )
    if t.dtype.itemsize < 4:
        raise RuntimeError(f"{called}: Low precision dtypes not supported. Got {NAMES[t.dtype.name]}")


@_rule(
    "gather", "scatter", "scatter_add", "scatter_reduce", "index_select", "index_add", "index_copy", "index_fill", "take",
    "index_reduce",
)  # fmt: skip
def _index(name, bound) -> None:
    self, index = bound["self"], bound["index"]
    if index.dtype not in ((int64,) if name in ("take", "index_copy", "index_fill") else (int64, int32)):
        told = (
            "dtype int64"
            if name == "take"
            else "dtype int32 or int64"
            if name == "index_select"
            else "dtype int32/int64"
        )
        raise (IndexError if name in ("index_fill", "index_copy") else RuntimeError)(
            f"{name.removesuffix('_add').removesuffix('_reduce')}(): Expected {told} for index"
        )
    dim = bound.get("dim", 0)
    spread = name in ("gather", "scatter", "scatter_add", "scatter_reduce")
    if not spread and name != "take" and index.dim() > 1:
        fills = name == "index_fill"
        told = "Index has to be a vector/scalar" if fills else f"{name}(): Index is supposed to be a vector"
        raise (RuntimeError if fills else IndexError)(told)
    if name == "index_select" and not self.dim() and index.numel() != 1:
        raise RuntimeError(
            f"index_select(): Index to scalar can have only 1 value, got {index.numel()} value(s)"
        )
    if spread:
        _spread(name, bound, self, index)
    for key in ("src", "source"):
        other = bound.get(key)
        if isinstance(other, TensorBase) and other.dtype != self.dtype:
            if name.startswith("index"):
                raise RuntimeError(
                    f"{name}_(): self ({NAMES[self.dtype.name]}) and source ({NAMES[other.dtype.name]}) must have the same scalar type"
                )
            raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    if not index.numel():
        return
    length = _length(self, dim) if name != "take" else self.numel()
    least, most = _limits(index)
    bad = most if most >= length else least
    floor = -length if name in ("take", "index_fill") else 0
    if least < floor or most >= length:
        if name == "take":
            raise IndexError(
                f"out of range: tried to access index {int(bad)} on a tensor of {length} elements."
            )
        if name == "index_select":
            raise IndexError("index out of range in self")
        rows = name == "index_add" and self.dim() > 1
        kind = IndexError if name.startswith("index") and not rows else RuntimeError
        raise kind(
            f"index {int(bad)} is out of bounds for dimension {dim % max(self.dim(), 1)} with size {length}"
        )


def _spread(_name, bound, self, index) -> None:
    source = bound.get("src")
    if index.numel() and isinstance(source, TensorBase) and max(index.dim(), 1) != max(source.dim(), 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
    if index.numel() and max(index.dim(), 1) != max(self.dim(), 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    _length(self, bound["dim"])
    dim = bound["dim"] % max(self.dim(), 1)
    if index.dim() != self.dim():
        return
    for axis, length in enumerate(index.shape):
        wide = axis != dim and length > self.shape[axis]
        if wide or (
            isinstance(source, TensorBase) and source.dim() == index.dim() and length > source.shape[axis]
        ):
            raise RuntimeError(
                f"Size does not match at dimension {axis} expected index {list(index.shape)} to be no larger than self {list(self.shape)} apart from dimension {dim}"
            )


@_rule("embedding")
def _embedding(_name, bound) -> None:
    ids, weight = bound["indices"], bound["weight"]
    if weight.dim() != 2:
        raise RuntimeError("'weight' must be 2-D")
    if ids.dtype not in (int64, int32):
        kind = "CPUBoolType" if ids.dtype == bool_ else f"torch.{NAMES[ids.dtype.name]}Tensor"
        raise RuntimeError(
            f"Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got {kind} instead (while checking arguments for embedding)"
        )
    if ids.numel() and not 0 <= _limits(ids)[0] <= _limits(ids)[1] < weight.shape[0]:
        raise IndexError("index out of range in self")


@_rule("one_hot")
def _one_hot(_name, bound) -> None:
    ids, classes = bound["self"], bound["num_classes"]
    if ids.dtype != int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if not ids.numel() and classes < 1:
        raise RuntimeError("Can not infer total number of classes from empty tensor.")
    if ids.numel():
        if classes == -1 and stands_for_many(ids):
            raise RuntimeError(
                "When vmap-ing torch.nn.functional.one_hot, please provide an explicit positive num_classes argument."
            )
        least, most = _limits(ids)
        if least < 0:
            raise RuntimeError("Class values must be non-negative.")
        if classes != -1 and most >= classes:
            raise RuntimeError("Class values must be smaller than num_classes.")


@_rule("pow")
def _pow(_name, bound) -> None:
    base, power = bound["self"], bound["exponent"]
    if (
        isinstance(power, int)
        and not isinstance(power, bool)
        and power < 0
        and isinstance(base, TensorBase)
        and base.dtype.category < 2
    ):
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    if getattr(base, "dtype", None) == bool_ == getattr(power, "dtype", None):
        raise NotImplementedError("\"pow\" not implemented for 'Bool'")


@_rule("add", "sub", "rsub", "addbmm")
def _alpha(_name, bound) -> None:
    """Whole numbers are added whole."""
    kinds = [v for k, v in bound.items() if k != "alpha" and isinstance(v, TensorBase | float)]
    alpha = bound.get("alpha")
    if isinstance(alpha, float) and not any(isinstance(v, float) or v.dtype.category > 1 for v in kinds):
        raise RuntimeError("For integral input tensors, argument alpha must not be a floating point number.")
    if alpha is True and not all(isinstance(v, TensorBase) and v.dtype == bool_ for v in kinds):
        raise RuntimeError("Boolean alpha only supported for Boolean results.")


def _of_truth(value) -> bool:
    return value is True or value is False or getattr(value, "dtype", None) is bool_


@_rule("bitwise_left_shift", "bitwise_right_shift", "gcd", "lcm")
def _of_whole(name, bound) -> None:
    """These have a kernel for whole numbers alone."""
    called = {"bitwise_left_shift": "lshift_cpu", "bitwise_right_shift": "rshift_cpu"}.get(
        name, f"{name}_cpu"
    )
    for value in (bound["self"], bound["other"]):
        kind = (
            value.dtype if isinstance(value, TensorBase) else float64 if isinstance(value, float) else int64
        )
        if kind.category != 1 and not (
            kind is bool_ and not all(map(_of_truth, (bound["self"], bound["other"])))
        ):
            told = NAMES[(float32 if kind is float64 and not isinstance(value, TensorBase) else kind).name]
            raise NotImplementedError(f"\"{called}\" not implemented for '{told}'")


@_rule("cumsum", "cumprod", "arange", "linspace")
def _never_truth(name, bound) -> None:
    """Nothing is counted in truth."""
    if bound.get("dtype") is bool_ and bound.get("steps") != 0:
        kernel = f"{name}_{'out_' * name.startswith('cum')}cpu"
        raise NotImplementedError(f"\"{kernel}\" not implemented for 'Bool'")


@_rule("addmm", "baddbmm", "addmv", "addbmm")
def _whole_shares(_name, bound) -> None:
    """With whole numbers the shares are whole, too."""
    if bound["self"].dtype.category == 1:
        bound["beta"], bound["alpha"] = int(bound["beta"]), int(bound["alpha"])


@_rule("clamp")
def _clamped(_name, bound) -> None:
    if all(getattr(v, "dtype", None) is bool_ for v in (bound["self"], bound["min"], bound["max"])):
        raise NotImplementedError("\"clamp_cpu\" not implemented for 'Bool'")


@_rule("addmm", "addbmm", "addmv", "baddbmm")
def _added(name, bound) -> None:
    """A product that is added to something has its shape."""
    from torch._views import expand

    self, one, two = (v for v in bound.values() if isinstance(v, TensorBase))
    m, n = list(one.shape), list(two.shape)
    if name == "addmv":
        if (len(m), len(n)) != (2, 1) or self.dim() > 1:
            raise RuntimeError(f"vector + matrix @ vector expected, got {self.dim()}, {len(m)}, {len(n)}")
        if m[1] != n[0] or self.numel() not in (1, m[0]):
            raise RuntimeError(
                f"size mismatch, got input ({self.numel()}), mat ({m[0]}x{m[1]}), vec ({n[0]})"
            )
        return
    for key, t in (("mat1", one), ("mat2", two)) if name == "addmm" else ():
        if t.dim() != 2:
            raise RuntimeError(f"{key} must be a matrix, got {t.dim()}-D tensor")
    if name == "addmm" and m[1] != n[0]:
        raise RuntimeError(_unfit(one, two))
    for t in (one, two):
        axis_of(1 if name == "addmm" else 2, t.dim())
    if name == "addbmm" and m[0] != n[0]:
        raise RuntimeError(f"batch1 and batch2 must have same number of batches, got {m[0]} and {n[0]}")
    expand(self, [*m[: name == "baddbmm"], m[-2], n[-1]])


@_rule("isclose")
def _tolerances(_name, bound) -> None:
    for key in ("rtol", "atol"):
        if bound[key] < 0:
            raise RuntimeError(f"{key} must be greater than or equal to zero, but got {bound[key]:g}")


@_rule("index_copy", "index_add")
def _sources(name, bound) -> None:
    """What is brought has a place for each index, and the shape of what is there."""
    self, index, source = bound["self"], bound["index"], bound["source"]
    axis = bound["dim"] % max(self.dim(), 1)
    count = source.shape[axis] if source.dim() > axis else 1
    if index.numel() != count:
        told = f"Number of indices ({index.numel()}) should be equal to source.size(dim)"
        copied = name == "index_copy"
        raise (IndexError if copied else RuntimeError)(
            f"{name}_(): {told} ({count})" if copied else f"{name}_(): {told}: ({count}), for dim: {axis}"
        )
    here, there = ([n for k, n in enumerate(t.shape) if k != axis] for t in (self, source))
    if here != there or (name == "index_add" and self.dim() != source.dim()):
        raise RuntimeError(
            f"source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = {list(self.shape)} source.shape = {list(source.shape)}"
            if name == "index_add"
            else f"index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: {here} at dimension {axis} and source slice shape: {there} at dimension 0."
        )


@_rule("scatter_reduce")
def _joins(_name, bound) -> None:
    bound["reduce"] = {"max": "amax", "min": "amin"}.get(
        bound["reduce"], bound["reduce"]
    )  # PyTorch takes these, too
    if bound["reduce"] not in ("sum", "prod", "mean", "amax", "amin"):
        raise RuntimeError(
            f"reduce argument must be either sum, prod, mean, amax or amin, got {bound['reduce']}"
        )
    if bound["reduce"] == "mean" and bound["self"].dtype == bool_:
        raise NotImplementedError("\"scatter_gather_tensor_cpu_reduce_mean\" not implemented for 'Bool'")


@_rule("index_put")
def _put(_name, bound) -> None:
    from torch import _index

    self, values = bound["self"], bound["values"]
    _index.fit(values, _index.picked_shape(self, bound["indices"]))
    if self.dtype != values.dtype:
        raise RuntimeError(
            f"Index put requires the source and destination dtypes match, got {NAMES[self.dtype.name]} for the destination and {NAMES[values.dtype.name]} for the source."
        )


@_rule("scatter")
def _reduces(_name, bound) -> None:
    if bound.get("reduce", "add") not in ("add", "multiply"):
        raise RuntimeError("reduce argument must be either add or multiply.")


@_rule("bucketize", "searchsorted")
def _borders(name, bound) -> None:
    if bound.get("sorter") is not None:
        raise missing("a sorter of torch.searchsorted")
    if name == "bucketize":
        if bound["boundaries"].dim() != 1:
            raise RuntimeError(
                f"boundaries tensor must be 1 dimension, but got dim({bound['boundaries'].dim()})"
            )
        return
    borders, values = bound["sorted_sequence"], bound["self"]
    shape = values.shape if isinstance(values, TensorBase) else ()
    if borders.dim() != 1 and tuple(borders.shape[:-1]) != tuple(shape[:-1]):
        raise RuntimeError(
            f"torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input value tensor must match, but we got boundaries tensor {list(borders.shape)} and input value tensor {list(shape)}"
        )


@_rule("softshrink")
def _shrinks(_name, bound) -> None:
    if bound["lambd"] < 0:
        raise RuntimeError(f"lambda must be greater or equal to 0, but found to be {bound['lambd']:g}.")


@_rule("gelu")
def _gelu(_name, bound) -> None:
    if bound["approximate"] not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")


@_rule("div")
def _rounds(_name, bound) -> None:
    if bound.get("rounding_mode") not in (None, "trunc", "floor"):
        raise RuntimeError(
            f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{bound['rounding_mode']}'"
        )


@_rule("topk")
def _topk(_name, bound) -> None:
    if bound["self"].dtype == bool_:
        raise RuntimeError("topk does not support bool dtypes on CPU")
    if not 0 <= bound["k"] <= _length(bound["self"], bound["dim"]):
        raise RuntimeError("selected index k out of range")


@_rule("kthvalue")
def _kthvalue(_name, bound) -> None:
    self = bound["self"]
    if not 1 <= bound["k"] <= _length(self, bound["dim"]):
        raise RuntimeError(
            f"kthvalue(): selected number k out of range for dimension {bound['dim'] % max(self.dim(), 1)}"
        )


@_rule("tril", "triu")
def _triangle(name, bound) -> None:
    if bound["self"].dim() < 2:
        raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")


@_rule("where")
def _where(_name, bound) -> None:
    if bound["condition"].dtype.name not in ("bool", "uint8"):
        raise RuntimeError(
            f"where expected condition to be a boolean tensor, but got a tensor with dtype {NAMES[bound['condition'].dtype.name]}"
        )


@_rule("relu")
def _relu(_name, bound) -> None:
    if bound["self"].dtype == bool_:
        raise RuntimeError("Boolean inputs not supported for relu")


@_rule("eye")
def _eye(_name, bound) -> None:
    for name in ("n", "m"):
        if bound.get(name, 0) < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {bound[name]}")


@_rule("constant_pad_nd")
def _pad(_name, bound) -> None:
    if len(bound["pad"]) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(bound["pad"]) > 2 * bound["self"].dim():
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got padding length "
            f"{len(bound['pad'])} and input of dimension {bound['self'].dim()}"
        )


@_rule("amax", "amin", "aminmax", "mode", "median", "kthvalue", "linalg_vector_norm")
def _of_nothing(name, bound) -> None:
    self, dims = bound["self"], bound.get("dim")
    if name == "linalg_vector_norm":
        if self.numel() == 0 and bound["ord"] in (math.inf, -math.inf):
            raise RuntimeError(
                f"linalg.vector_norm cannot compute the {bound['ord']} norm on an empty tensor because the operation "
                "does not have an identity"
            )
        return
    if dims in (None, []) and name in ("amax", "amin", "aminmax") and self.numel() == 0:
        raise RuntimeError(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity."
            if name == "aminmax"
            else f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument."
        )
    for dim in [dims] if isinstance(dims, int) else dims or []:
        if -self.dim() <= dim < self.dim() and self.shape[dim] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {dim} to have non-zero size.")


@_rule(
    "sum", "mean", "amax", "amin", "linalg_vector_norm", "var", "std", "logsumexp", "nansum", "all", "any", "var_mean",
    "std_mean", "count_nonzero", "flip",
)  # fmt: skip
def _axes(_name, bound) -> None:
    dims = bound.get("dim", bound.get("dims"))
    if isinstance(dims, list | tuple) and len(dims) > 1:
        rank = max(bound["self"].dim(), 1)
        found = [d % rank for d in dims if -rank <= d < rank]
        twice = next((d for d in found if found.count(d) > 1), None)
        if twice is not None:
            raise RuntimeError(f"dim {twice} appears multiple times in the list of dims")
