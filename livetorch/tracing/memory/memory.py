"""The memory of a recording: where each tensor lives, and what the function found outside of itself."""

from types import FrameType

import torch
from torch import Tensor

from livetorch.program.errors import TraceError
from livetorch.tracing.graph import Value, Writer
from livetorch.tracing.memory import picks
from livetorch.tracing.memory.storage import Pick, Storage, geometry
from livetorch.tracing.reader.names import Outside, local_tensors, plain
from livetorch.tracing.reader.reader_code import Lines


class Memory:
    """The storages that a recording has met.

    Args:
        writer: writes down what reading a view asks for.
        lines: finds the reader's line that is running.
    """

    def __init__(self, writer: Writer, lines: Lines) -> None:
        self._writer, self._lines = writer, lines
        self._storages: dict[int, Storage] = {}
        self._alive: list[Tensor] = []  # a freed storage's address could come back for another tensor
        self._gradients: list[tuple[Tensor, Tensor | None]] = []
        self._outside = Outside()
        self.newly_owed: Pick | None = None

    def add_input(self, name: str, example: Tensor) -> Value:
        """Make `example` stand for the input `name`."""
        value = Value(tuple(example.shape), example.dtype, frozenset([name]), name=name)
        self.adopt(example, captured=False).set_root(value)
        return value

    def read(self, tensor: Tensor) -> Value:
        """Give the present value of a tensor."""
        return self.storage(tensor).read(tensor, self._writer)

    def inputs_of(self, tensor: Tensor) -> frozenset[str]:
        """Name the inputs that a tensor depends on, also from inside `torch.func` and `vmap`."""
        while torch._C._functorch.is_functorch_wrapped_tensor(tensor):
            tensor = torch._C._functorch.get_unwrapped(tensor)
        if tensor.is_nested or tensor.layout != torch.strided:
            return frozenset()
        storage = self.known(tensor)
        return storage.deps if storage else frozenset()

    def known(self, tensor: Tensor) -> Storage | None:
        """Give the storage of a tensor that the recording has met."""
        return self._storages.get(tensor.untyped_storage()._cdata)

    def look(self, frames: list[FrameType]) -> None:
        """Call values by the variables that hold them now."""
        for name, tensor in local_tensors(frames):
            if tensor.layout == torch.strided:
                storage = self.known(tensor)
                if storage is not None:
                    storage.call(geometry(tensor), name)

    @property
    def learned(self) -> list[Tensor]:
        """Parameters outside the function, which a call may give gradients."""
        return [tensor for tensor, _ in self._gradients]

    def restore(self) -> None:
        """Put back what running the function changed outside of it: the `.grad` of captured parameters."""
        for tensor, gradient in self._gradients:
            tensor.grad = gradient

    def storage(self, tensor: Tensor) -> Storage:
        """Give the storage of a tensor; one that is new to the recording comes from outside the function."""
        self.refuse_sparse(tensor)
        storage = self.known(tensor)
        if storage is not None:
            if storage.pick is not None or storage.owed is not None:
                picks.settle(storage, self.read, self._writer)
            return storage
        if tensor.requires_grad and tensor.is_leaf:
            self._gradients.append((tensor, tensor.grad))
            tensor.grad = None
        return self.adopt(tensor, captured=True)

    def wrote(self, storage: Storage) -> None:
        """Remember a write into a tensor that was picked from another by an input."""
        if storage.pick is not None:
            picks.owe(storage)
            self.newly_owed = storage.pick

    def pick(self, tensor: Tensor, rest: tuple, axes: dict[int, Tensor]) -> Tensor:
        """Pick from a tensor, and let the two know of each other."""
        out = picks.taken(tensor[rest], axes)
        wrapped = [item for item in (tensor, out, *axes.values()) if plain(item) is not item]
        base, own = self.storage(plain(tensor)), self.known(plain(out))
        if own is not None and own is not base:
            own.pick = Pick(
                plain(out).detach(),
                plain(tensor).detach(),
                rest,
                {axis: number.detach().clone() for axis, number in axes.items()} if not wrapped else axes,
                base,
                base.writes,
                [self.read(plain(number)) for number in axes.values()],
                bool(wrapped) or (torch.is_grad_enabled() and out.requires_grad),
            )
        return out

    def paid(self, tensor: Tensor, rest: tuple, axes: dict[int, Tensor], value: Tensor) -> None:
        """Forget what is owed where `y[n] = row` is about to write it: Python does so after `y[n] += 1`."""
        base, own = self.known(plain(tensor)), self.known(plain(value))
        if base is None or own is None or own.pick is None or base.owed is not own.pick:
            return
        pick, numbers = own.pick, [self.read(plain(number)) for number in axes.values()]
        whole = geometry(pick.base) == geometry(plain(tensor)) and list(pick.axes) == list(axes)
        if whole and pick.known == numbers and _same_index(pick.rest, rest):
            base.owed = None

    def refuse_sparse(self, tensor: Tensor) -> None:
        """Refuse a tensor whose numbers do not lie in memory one after the other."""
        if tensor.is_nested or tensor.layout != torch.strided or tensor.is_quantized:
            kind = (
                "nested" if tensor.is_nested else "quantized" if tensor.is_quantized else str(tensor.layout)
            )
            raise TraceError(
                f"{kind} tensors cannot be traced, {self._writer.place()}. Use dense tensors of numbers."
            )

    def adopt(self, tensor: Tensor, *, captured: bool) -> Storage:
        """Take a tensor's storage up; captured: it was there before the function ran."""
        storage = Storage(tensor.detach(), captured)
        if captured:
            storage.learned = isinstance(tensor, torch.nn.Parameter)
            name = self._outside.name(tensor, self._lines.frames())
            if name:
                storage.names[geometry(tensor)] = name
        self._storages[tensor.untyped_storage()._cdata] = storage
        self._alive.append(tensor)
        return storage


def _same_index(one: tuple, other: tuple) -> bool:
    """Tell whether two indexes are the same; tensors are if they are one, without a look at their numbers."""
    return len(one) == len(other) and all(
        a is b or (not isinstance(a, Tensor) and not isinstance(b, Tensor) and a == b)
        for a, b in zip(one, other, strict=True)
    )
