"""The memory of a recording: where each tensor lives, and what the function found outside of itself."""

from __future__ import annotations

from types import FrameType

import torch
from torch import Tensor

from livetorch.program.errors import TraceError
from livetorch.tracing import picks
from livetorch.tracing.graph import Value, Writer
from livetorch.tracing.names import Outside, local_tensors
from livetorch.tracing.reader_lines import Lines
from livetorch.tracing.storage import Storage, geometry


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
        self.newly_owed: picks.Pick | None = None

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
                picks.settle(self, storage, self._writer)
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
