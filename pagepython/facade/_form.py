"""What a tensor is besides its numbers: its shape, its memory, its place."""

import gc
import math

from torch import _dtype


class Size(tuple):
    """The shape of a tensor."""

    __slots__ = ()

    def __new__(cls, lengths=()):
        made = tuple.__new__(cls, lengths)
        for place, n in enumerate(made):
            if n.__class__ is not int and not hasattr(n, "__index__"):
                raise TypeError(
                    f"torch.Size() takes an iterable of 'int' (item {place} is '{type(n).__name__}')"
                )
        return made

    def numel(self) -> int:
        return math.prod(self)

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    def __add__(self, other):
        return Size(tuple(self) + tuple(other))

    def __radd__(self, other):
        return Size(tuple(other) + tuple(self))

    def __mul__(self, times):
        return Size(tuple(self) * times)

    def __getitem__(self, place):
        found = tuple.__getitem__(self, place)
        return Size(found) if isinstance(place, slice) else found


Size.__module__ = "torch"


def axis_of(dim: int, rank: int) -> int:
    """Count an axis from the front."""
    limit = max(rank, 1)
    if not -limit <= dim < limit:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-limit}, {limit - 1}], but got {dim})"
        )
    return dim % limit


ROOM = 2**30  # bytes that all tensors together may take
_taken = [0]


class Store:
    """The memory that views share: how large it is, how often it was written to, also past the tape (``.data``), and how often the tape took note."""

    __slots__ = ("past", "size", "taped", "version")

    def __init__(self, size: int = 0) -> None:
        self.version, self.past, self.taped, self.size = 0, 0, 0, size
        _taken[0] += size
        if _taken[0] > ROOM:
            gc.collect()  # Python counts objects and no bytes: graphs of former steps may still be there
        if _taken[0] > ROOM:
            raise MemoryError(f"all tensors together may take {ROOM // 2**20} MB in the page.")

    def __del__(self) -> None:
        _taken[0] -= self.size


_KINDS = "cpu cuda ipu xpu mkldnn opengl opencl ideep hip ve fpga maia xla lazy vulkan mps meta hpu mtia privateuseone"
KINDS = _KINDS.split()


class device:
    """Where a tensor lives: in the page, which torch calls the cpu. Others have a name, and nothing can be made there."""

    def __init__(self, type, index=None) -> None:
        if not isinstance(index, int | None):
            raise TypeError(
                f"device(): argument 'index' (position 2) must be int, not {index.__class__.__name__}"
            )
        text = str(type)
        self.type, _, number = text.partition(":")
        self.index = int(number) if number else index
        if isinstance(type, int):
            self.type, self.index = "cuda", type
        if self.type not in KINDS:
            raise RuntimeError(
                f"Expected one of {', '.join(KINDS)} device type at start of device string: {self.type}"
            )

    def __enter__(self) -> "device":
        usable(self)
        return self

    def __exit__(self, *error) -> None:
        pass

    def __repr__(self) -> str:
        index = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{index})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other) -> bool:
        return isinstance(other, device) and str(other) == str(self)

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self):
        return device, (str(self),)


def usable(place) -> None:
    """Refuse a device that is not the page."""
    if isinstance(place, int):
        raise RuntimeError("Cannot access accelerator device when none is available.")
    kind = device(place).type
    if kind == "cuda":
        raise AssertionError("Torch not compiled with CUDA enabled")
    if kind != "cpu":
        raise RuntimeError(f"the page's torch has no device {kind!r}, only 'cpu'.")


class layout:
    """How numbers lie in memory: strided, the only way here."""

    def __repr__(self) -> str:
        return "torch.strided"


strided = layout()
CPU = device("cpu")


_read: dict[str, tuple] = {}


def read(text: str) -> tuple:
    """Read what a handle says of itself: type, shape, strides, offset, whether it is dense."""
    found = _read.get(text)
    if found is None:
        if len(_read) > 5000:
            _read.clear()
        name, shape, strides, offset, dense = text.split("|")
        lists = [tuple(int(n) for n in part.split(",") if n) for part in (shape, strides)]
        found = _read[text] = _dtype.named(name), Size(lists[0]), lists[1], int(offset), bool(dense)
    return found
