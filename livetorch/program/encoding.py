"""How numbers, dtypes and arguments are written in the JSON form of a Program."""

from __future__ import annotations

import base64
import math
import string
import sys
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

DTYPES = {
    torch.float32: "float32",
    torch.float64: "float64",
    torch.float16: "float16",
    torch.bfloat16: "bfloat16",
    torch.int64: "int64",
    torch.int32: "int32",
    torch.int16: "int16",
    torch.int8: "int8",
    torch.uint8: "uint8",
    torch.bool: "bool",
}
_LARGE = 4096  # numbers
_AT_ONCE = 2**16  # numbers that are rounded together: they stay in the processor's cache
_RUN = 64  # numbers of a row that have one scale, where they are kept as int8
_NAMED = {name: dtype for dtype, name in DTYPES.items()}


def dtype_name(dtype: torch.dtype) -> str:
    """Write torch.float32 as float32."""
    return str(dtype).removeprefix("torch.")


def run_of(wide: int) -> int:
    """Give how many numbers of a row share a scale.

    >>> run_of(384), run_of(100)
    (64, 100)
    """
    return _RUN if wide % _RUN == 0 else wide


def raw_bytes(tensor: Tensor) -> bytes:
    """Give the bytes of a tensor row by row, little endian."""
    flat = tensor.detach().resolve_neg().reshape(-1).contiguous()
    flat = flat.as_strided(flat.shape, (1,))  # a lone number may have been expanded
    raw = flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b""
    if sys.byteorder == "little":
        return raw
    wide = tensor.itemsize
    return b"".join(raw[at : at + wide][::-1] for at in range(0, len(raw), wide))


def dtype_named(name: str) -> torch.dtype:
    """Read float32 as torch.float32; KeyError for a dtype that a Program cannot have."""
    return _NAMED[name]


@dataclass(frozen=True)
class Constant:
    """Numbers that come with a Program.

    Args:
        dtype: what the operators work with.
        shape: sizes.
        stored: what the bytes hold: dtype itself, or a narrower one.
        data: the bytes, little endian, row by row.
        letters: of a matrix with 63 values a row or column: its `lettered` text, the axis; data holds scales.
        scales: of whole numbers in place of floats: what each run of them is multiplied with, as float32.
    """

    dtype: torch.dtype
    shape: tuple[int, ...]
    stored: torch.dtype
    data: bytes
    letters: tuple[str, int] | None = None
    scales: bytes | None = None

    @classmethod
    def rounded(cls, tensor: Tensor) -> Constant:
        """Keep floats of two axes or more as int8, with a scale for each row, or each 64 of a long one."""
        rows = tensor.detach().reshape(-1, run_of(tensor[0].numel()))
        whole, scales = torch.empty(rows.shape, dtype=torch.int8), torch.empty(len(rows))
        parts = (each.split(max(1, _AT_ONCE // rows.shape[1])) for each in (rows, whole, scales))
        for given, kept, scale in zip(*parts, strict=True):
            numbers = given.float()
            torch.div(numbers.abs().amax(1).clamp_min(1e-30), 127, out=scale)
            kept.copy_(numbers.div(scale[:, None]).round_())
        return cls(tensor.dtype, tuple(tensor.shape), torch.int8, raw_bytes(whole), None, raw_bytes(scales))

    @classmethod
    def of(cls, tensor: Tensor, store: str | None = None) -> Constant:
        """Store a tensor as narrow as it fits, float32 as float16 if `store` says so or nothing is lost."""
        narrow = tensor
        if (found := lettered(tensor)) is not None:
            text, scales, axis = found
            return cls(tensor.dtype, tuple(tensor.shape), scales.dtype, raw_bytes(scales), (text, axis))
        if tensor.dtype in (torch.int64, torch.int32):
            for dtype in (torch.uint8, torch.int8, torch.int32):
                if torch.equal(tensor.to(dtype).to(tensor.dtype), tensor):
                    narrow = tensor.to(dtype)
                    break
        elif tensor.dtype == torch.float32:
            asked = store == "float16" and _fits_float16(tensor)
            # trained weights that were kept as float16 need not take twice the space on a page
            if asked or (tensor.numel() > _LARGE and all(map(_is_half, (tensor[:1], tensor[-1:], tensor)))):
                narrow = tensor.half()
        return cls(tensor.dtype, tuple(tensor.shape), narrow.dtype, raw_bytes(narrow))

    @cached_property
    def tensor(self) -> Tensor:
        """The numbers as a tensor."""
        if not self.data:
            return torch.empty(self.shape, dtype=self.dtype)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of bytes that cannot be written to; no operator writes
            flat = torch.frombuffer(self.data, dtype=self.stored)
        if self.letters is not None:
            text, axis = self.letters
            return from_letters(text, flat, axis, self.shape)
        if self.scales is not None:
            scales = torch.frombuffer(bytearray(self.scales), dtype=torch.float32)
            rows = flat.reshape(len(scales), -1) * scales[:, None]
            return rows.to(self.dtype).reshape(self.shape)
        return flat.to(self.dtype).reshape(self.shape)

    def to_dict(self) -> dict[str, Any]:
        """Write as JSON-ready dict."""
        out: dict[str, Any] = {"dtype": dtype_name(self.dtype), "shape": list(self.shape)}
        if self.letters is not None:
            out |= {"letters": self.letters[0], "axis": self.letters[1]}
        if self.scales is not None:
            out["scales"] = base64.b64encode(self.scales).decode("ascii")
        if self.stored != self.dtype:
            out["stored"] = dtype_name(self.stored)
        return out | {"data": base64.b64encode(self.data).decode("ascii")}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Constant:
        """Read what `to_dict` wrote."""
        dtype = _NAMED[spec["dtype"]]
        stored = _NAMED[spec.get("stored", spec["dtype"])]
        letters = (spec["letters"], spec["axis"]) if "letters" in spec else None
        scales = base64.b64decode(spec["scales"]) if "scales" in spec else None
        return cls(dtype, tuple(spec["shape"]), stored, base64.b64decode(spec["data"]), letters, scales)


def _is_half(tensor: Tensor) -> bool:
    """Tell whether float16 holds these numbers without loss."""
    return torch.equal(tensor.half().float(), tensor)


def _fits_float16(tensor: Tensor) -> bool:
    """Tell whether float16 is fit for these numbers: it is not for -1e9, a lone 1e-8 and the count 2049."""
    wide, half = tensor.double(), tensor.half().double()
    if not torch.equal(half.isfinite(), wide.isfinite()):
        return False
    wide, half = (each[wide.isfinite()] for each in (wide, half))
    if not wide.numel() or torch.equal(wide, half):
        return True
    whole = torch.equal(wide, wide.round())
    return not whole and bool((wide - half).abs().amax() <= 1e-3 * wide.abs().amax())


def encoded(tree: Any) -> Any:
    """Write an argument as JSON."""
    if isinstance(tree, list | tuple):
        return [encoded(item) for item in tree]
    if isinstance(tree, torch.dtype):
        return {"dtype": dtype_name(tree)}
    if type(tree) is int and abs(tree) > 2**53:
        return {"i": str(tree)}  # a number of JavaScript would lose its last digits
    if isinstance(tree, float):
        if not math.isfinite(tree):
            return {"f": str(tree)}
        # JavaScript cannot tell 1.0 from 1, and torch gives them different dtypes
        return {"f": tree} if tree.is_integer() else tree
    return tree


def decoded(tree: Any) -> Any:
    """Read what `encoded` wrote."""
    if isinstance(tree, Mapping):
        if set(tree) == {"f"}:
            return float(tree["f"])
        if set(tree) == {"i"}:
            return int(tree["i"])
        if set(tree) == {"dtype"}:
            return _NAMED[tree["dtype"]]
        return dict(tree)
    return [decoded(item) for item in tree] if isinstance(tree, list | tuple) else tree


# ---- matrices whose rows or columns hold 63 values, -31 s to 31 s: a letter for a number, and the scales s

# Bytes in base64 would hide from gzip that small numbers are frequent: it makes a letter 5.6 bits.
ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-"
MOST = 31  # the largest number
_LETTERS = bytes.maketrans(bytes(range(len(ALPHABET))), ALPHABET.encode())
_PLACES = bytes.maketrans(ALPHABET.encode(), bytes(range(len(ALPHABET))))
_SMALLEST = 4096  # numbers; below, nothing is gained


def rounded(matrix: Tensor, axis: int) -> Tensor:
    """Round a matrix to what `lettered` keeps without loss.

    Args:
        matrix: float32, (rows, columns).
        axis: which of the two has one scale each (0: rows).

    >>> rounded(torch.tensor([[31.0, 14.9, -31.0]]), 0)
    tensor([[ 31.,  15., -31.]])
    """
    scales = (matrix.abs().amax(dim=1 - axis, keepdim=True) / MOST).half().float()
    whole = (matrix / scales.clamp_min(1e-30)).round().clamp(-MOST, MOST)
    return whole * scales


def lettered(tensor: Tensor) -> tuple[str, Tensor, int] | None:
    """Write a matrix as letters without loss.

    Args:
        tensor: float32 of any shape.
    Returns: a letter for each number; the scales, float16; the axis that has one scale each (0: rows). None
        if the tensor is no such matrix, is small, or has scales that float16 does not hold.

    >>> rows = torch.tensor([[0.5], [2.0]]) * torch.arange(-31.0, 32.0).repeat(2, 40)
    >>> text, scales, axis = lettered(rows)
    >>> text[:4], len(text), scales, axis
    ('ABCD', 5040, tensor([0.5000, 2.0000], dtype=torch.float16), 0)
    """
    if tensor.dim() != 2 or tensor.dtype != torch.float32 or tensor.numel() < _SMALLEST:
        return None
    for axis in (0, 1):
        # the first and the last line say for nearly every other matrix that it is none
        lines = (tensor.narrow(axis, at, 1) for at in (0, tensor.shape[axis] - 1))
        if all(_split(line, axis) for line in lines) and (found := _split(tensor, axis)):
            return found[0].numpy().tobytes().translate(_LETTERS).decode("ascii"), found[1], axis
    return None


def _split(tensor: Tensor, axis: int) -> tuple[Tensor, Tensor] | None:
    """Give the places in the alphabet, and the scales, of a matrix that has no more."""
    scales = tensor.abs().amax(dim=1 - axis, keepdim=True) / MOST
    whole = (tensor / scales.clamp_min(1e-30)).round()
    exact = torch.equal(scales.half().float(), scales) and torch.equal(whole * scales, tensor)
    return ((whole + MOST).to(torch.uint8), scales.half().flatten()) if exact else None


def from_letters(text: str, scales: Tensor, axis: int, shape: tuple[int, ...]) -> Tensor:
    """Read what `lettered` wrote.

    Args:
        text: a letter for each number.
        scales: (rows,) or (columns,).
        axis: which of the two.
        shape: (rows, columns).
    Returns: float32 of that shape.
    Raises: ValueError for a letter that stands for no number.

    >>> from_letters("fg-e", torch.tensor([0.5, 2.0]), 0, (2, 2))
    tensor([[ 0.0000,  0.5000],
            [62.0000, -2.0000]])
    """
    if strange := text.encode().translate(None, ALPHABET.encode()):
        raise ValueError(f"a constant has no letter {strange.decode()[0]!r}: it is written in {ALPHABET}.")
    places = torch.frombuffer(bytearray(text.encode().translate(_PLACES)), dtype=torch.uint8)
    return (places.reshape(shape).float() - MOST) * scales.float().unsqueeze(1 - axis)
