"""In-place operators: what is computed is written into the tensor's memory, and the tape follows."""

from torch import _dtype, _handle, _record
from torch._autograd import inferring, is_grad_enabled, needs
from torch._call import call
from torch._dtype import NAMES
from torch._mapped import mapped, stands_for_many
from torch._surface import own_parameters
from torch._tensor import Tensor
from torch._views import places


def tracked(self: Tensor, *others) -> bool:
    """Tell whether a writing belongs on the tape; a leaf that wants a gradient must not be written into."""
    if not is_grad_enabled() or not any(map(needs, (self, *others))):
        return False
    base = self if self._base is None else self._base
    if self._many:
        raise RuntimeError(
            f"Output 0 of {self._many} is a view and is being modified inplace. This view is the output of a function that returns "
            "multiple views. Such functions do not allow the output views to be modified inplace. You should replace the inplace "
            "operation by an out-of-place one."
        )
    if base is not self and base.requires_grad and self._node is None:
        raise RuntimeError(
            "A view was created in no_grad mode and is being modified inplace with grad mode enabled. Make the view and change it "
            "both inside the no_grad block, or both outside."
        )
    own = (
        not base.requires_grad and self.requires_grad and self._node is None
    )  # a view that alone wants a gradient
    if own or (base.requires_grad and base._node is None):
        kind = "a leaf Variable" if base is self else "a view of a leaf Variable"
        raise RuntimeError(f"{kind} that requires grad is being used in an in-place operation.")
    return True


def take_over(self: Tensor, result: Tensor) -> Tensor:
    """Write a result into a tensor; tape and recorder see the tensor that it is a view of made anew."""
    if self.numel() and any(
        step == 0 and length > 1 for length, step in zip(self.shape, self.stride(), strict=True)
    ):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
            "Please clone() the tensor before performing the operation."
        )
    if self._inferred and not inferring[0]:
        raise RuntimeError(
            "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal tensor "
            "before doing inplace update."
        )
    if mapped and stands_for_many(result) and not stands_for_many(self):
        raise RuntimeError(
            "vmap: inplace arithmetic(self, *extra_args) is not possible because there exists a Tensor `other` in extra_args "
            "that has more elements than `self`. This happened due to `other` being vmapped over but `self` not being vmapped over."
        )
    base, whole, recorder = self if self._base is None else self._base, result, _record.current()
    taped = tracked(self, result)
    recorded = recorder is not None and (recorder.depends(result) or recorder.depends(base))
    if base is not self and (taped or recorded):
        spots = places(base._form(), self._form())
        whole = call("index_put", base.reshape(-1), [spots], result.reshape(-1)).reshape(base.shape)
        if whole._node is not None:
            whole._node._name = "CopySlices"
    place = recorder.ref(whole) if recorded else None
    _handle.write(self._handle, result._handle)
    if base._apart:
        self._store.past += 1
    else:
        self._store.version += 1
    if recorded:
        recorder.written(base, place)
    if taped:
        base._node, base._number, base._wants = whole._node, whole._number, whole._wants
        self._store.taped += 1
    return self


def _span(t: Tensor) -> tuple[int, int]:
    """Give the first and the last place in memory."""
    return t.storage_offset(), t.storage_offset() + sum(
        (n - 1) * s for n, s in zip(t.shape, t.stride(), strict=True)
    )


def apart(self: Tensor, other) -> None:
    """Refuse to write into what is read in another order at the same time."""
    if (
        not isinstance(other, Tensor)
        or other._store is not self._store
        or not self.numel()
        or not other.numel()
    ):
        return
    for t in (self, other):  # where there are gaps, PyTorch does not look either
        if _span(t)[1] - _span(t)[0] + 1 != t.numel():
            return
    (first, last), (start, end) = _span(self), _span(other)
    if (first, last) == (start, end) and self.stride() == other.stride():
        return
    if first <= end and start <= last:
        raise RuntimeError(
            "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. "
            "Please clone() the tensor before performing the operation."
        )


def in_place(name: str, function):
    """Make ``name_`` of a function that gives a new tensor."""

    def write(self: Tensor, *args, **kwargs) -> Tensor:
        for other in args:
            apart(self, other)
        if tracked(self, *args, *kwargs.values()):  # a rule may want the numbers that stood here before
            before = Tensor._of(_handle.call("clone.default", [self._handle, None])[0])
        else:
            before = Tensor._of(self._handle, self._store)
        before._wants, before._node, before._number = self.requires_grad, self._node, self._number
        result = function(before, *args, **kwargs)
        if tuple(result.shape) != tuple(self.shape):
            raise RuntimeError(
                f"output with shape {list(self.shape)} doesn't match the broadcast shape {list(result.shape)}"
            )
        if not _dtype.can_cast(result.dtype, self.dtype):
            raise RuntimeError(
                f"result type {NAMES[result.dtype.name]} can't be cast to the desired output type {NAMES[self.dtype.name]}"
            )
        return take_over(self, result if result.dtype == self.dtype else result.to(self.dtype))

    write._takes = own_parameters(function)[0]
    return write


def turned(function):
    """Make ``name_`` of a function that gives a view: the tensor itself is seen in the other way."""

    def turn(self: Tensor, *args, **kwargs) -> Tensor:
        made = function(self, *args, **kwargs)
        self._see(made)
        self._node, self._number, self._wants = made._node, made._number, made._wants
        return self

    return turn
